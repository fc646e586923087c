import GeoAtlas
import GeoFormats
import GeoCore
import GeoProjection

extension Site {
  /// `/node?path=` or `/node?rawPath=`: a node with the folders that it is in and what is in it.
  func node(_ request: HTTPRequest) -> HTTPResponse {
    guard let path = request.parameter("path") ?? request.parameter("rawPath") else {
      return HTTPResponse(error: .badRequest, "give the path of a node: /node?path=LABEL/…")
    }
    guard let found = world.find(path) else {
      return HTTPResponse(error: .notFound, "there is no such path")
    }
    let limit = request.text("children").flatMap { Int($0) } ?? NodeWriter.usualChildren
    let known = knowledge
    var writer = NodeWriter(world, totals: known.totals, changes: known.changes)
    // Where the file is on this machine is nobody's business elsewhere.
    let state = configuration.comparison?.new
    let file = gatekeeper.token == nil ? world.file(of: found, in: state) : nil
    let children = min(max(limit, 0), NodeWriter.mostChildren)
    guard let answer = writer.answer(about: found, children: children, file: file) else {
      return HTTPResponse(error: .notFound, "it has just gone")
    }
    guard (try? known.check()) != nil else { return lost() }
    return HTTPResponse(type: MediaType.json, answer + [10])
  }

  /// `/at?lon=&lat=&zoom=`: the deepest node that covers a point, and what is near it.
  func at(_ request: HTTPRequest) -> HTTPResponse {
    guard let longitude = number(request, "lon"), (-180...180).contains(longitude),
      let latitude = number(request, "lat"), (-90...90).contains(latitude)
    else {
      return HTTPResponse(error: .badRequest, "give a point in degrees: /at?lon=…&lat=…")
    }
    let zoom = request.has(parameter: "zoom") ? number(request, "zoom") : 64
    guard let zoom, (0...64).contains(zoom) else {
      return HTTPResponse(error: .badRequest, "zoom is a number from 0 to 64")
    }
    var query = PointQuery(ExactPoint(longitude: longitude, latitude: latitude))
    query.zoom = Int(zoom)
    let answer = query.answer(in: world)
    let found = answer.folders.first?.last.flatMap { world.find($0.path) }
    var writer = NodeWriter(world)
    var json = JSONBuilder()
    json.object { json in
      json.key("node")
      json.value(raw: found.flatMap { writer.feature(of: $0) } ?? Array("null".utf8))
      json.key("ancestors")
      json.array { json in
        for folder in found?.ancestors.dropLast() ?? [] { writer.put(folder, to: &json) }
      }
      json.key("nearest")
      json.array { json in
        for near in answer.files {
          json.object { json in
            json.member("path", path: near.path)
            json.member("name", text: Array(near.path.lastComponent))
            json.key("distance")
            json.value((near.distance * 100).rounded() / 100)
            json.put(near.place.coordinate, digits: near.digits)
          }
        }
      }
    }
    return HTTPResponse(type: MediaType.json, json.bytes + [10])
  }

  /// A parameter as a finite number.
  private func number(_ request: HTTPRequest, _ name: StaticString) -> Double? {
    request.text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
