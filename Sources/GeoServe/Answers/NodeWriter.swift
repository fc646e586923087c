import GeoAtlas
import GeoEmit
import GeoPath
import GeoProjection
import GeoSystem
import GeoTile

/// Writes nodes as JSON.
struct NodeWriter {
  let world: World
  private var ring: [Coordinate] = []

  /// How many of a folder's entries are listed.
  static let mostChildren = 200

  init(_ world: World) { self.world = world }

  /// The feature of a folder or a file, as a map has it; nil if it is gone.
  mutating func feature(of found: World.Found) -> [UInt8]? {
    guard let node = world.node(found, asksFacts: true) else { return nil }
    var buffer = OutputBuffer(capacity: 2048)
    var features = NodeFeatures(format: .geojsonl, engine: world.engine)
    features.write(node, to: &buffer)
    return buffer.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe Array($0.dropLast()) }
    }
  }

  /// The box around a folder, or the point that a folder without land is.
  mutating func box(of place: FolderPlace) -> (low: Coordinate, high: Coordinate) {
    world.engine.coastline(of: place, into: &ring)
    guard var low = ring.first else {
      let point = world.engine.coordinate(of: place)
      return (point, point)
    }
    var high = low
    for vertex in ring {
      low.longitude = min(low.longitude, vertex.longitude)
      low.latitude = min(low.latitude, vertex.latitude)
      high.longitude = max(high.longitude, vertex.longitude)
      high.latitude = max(high.latitude, vertex.latitude)
    }
    return (low, high)
  }

  /// Adds the box around a folder as `[W,S,E,N]`.
  mutating func putBox(of place: FolderPlace, to json: inout JSONBuilder) {
    let box = box(of: place)
    json.key("bbox")
    json.array { json in
      for coordinate in [box.low, box.high] {
        json.value(degrees: coordinate.longitude, digits: place.digits)
        json.value(degrees: coordinate.latitude, digits: place.digits)
      }
    }
  }

  /// Adds a folder in few words.
  mutating func put(_ folder: WorldFolder, to json: inout JSONBuilder) {
    json.object { json in
      let place = folder.place
      json.member("path", path: folder.path)
      json.member("name", text: Self.name(in: folder.path))
      json.member("kind", text: place.kind.bytes)
      json.member("id", Int64(place.id))
      let label = world.engine.coordinate(of: place)
      json.key("lon")
      json.value(degrees: label.longitude, digits: place.digits)
      json.key("lat")
      json.value(degrees: label.latitude, digits: place.digits)
      putBox(of: place, to: &json)
      json.member("minzoom", Int64(place.minzoom))
    }
  }

  /// Adds what is in a folder, the first of it by name.
  mutating func putChildren(of found: World.Found, to json: inout JSONBuilder) {
    let folder = found.folder
    json.object { json in
      json.member("total", Int64(folder.files.count + folder.folders.count))
      json.member("folders", Int64(folder.folders.count))
      json.member("files", Int64(folder.files.count))
      json.key("shown")
      json.array { json in
        for index in 0..<min(folder.folders.count, Self.mostChildren) {
          json.object { json in
            json.member("name", text: folder.folders.name(at: index))
            json.member("kind", text: folder.places[index].kind.bytes)
            json.member("id", Int64(folder.places[index].id))
          }
        }
        putFiles(of: found, limit: Self.mostChildren - folder.folders.count, to: &json)
      }
    }
  }

  private func putFiles(of found: World.Found, limit: Int, to json: inout JSONBuilder) {
    let folder = found.folder
    var names = NameTable()
    for index in 0..<max(0, min(folder.files.count, limit)) {
      names.append(from: folder.files, at: index)
    }
    if names.isEmpty { return }
    let facts = world.facts(of: names, found.handle)
    for index in 0..<names.count where facts[index].status != .vanished {
      json.object { json in
        let name = names.name(at: index)
        json.member("name", text: name)
        json.member("kind", text: NodeKind.poi.bytes)
        json.member("id", Int64(XXH64.hash(name.span, seed: folder.city.folderSeed) >> 11))
        if facts[index].status == .known { json.member("size", facts[index].size) }
        if let special = facts[index].kind.special { json.member("special", text: special.bytes) }
      }
    }
  }

  /// The last component of a path.
  static func name(in path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return Array(path[(slash + 1)...])
  }
}

extension JSONBuilder {
  /// Adds a path, and its bytes if it is no UTF-8.
  mutating func member(_ name: String, path: [UInt8]) {
    member(name, text: path)
    if !path.span.isValidUTF8 {
      var raw: [UInt8] = []
      PercentEncoding.append(path.span, to: &raw)
      member("rawPath", text: raw)
    }
  }
}

extension StaticString {
  /// The text's bytes.
  var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}

extension NodeKind {
  var bytes: [UInt8] { text.bytes }
}
