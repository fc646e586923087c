import GeoAtlas

extension Site {
  /// Where this server is, as the client calls it.
  private func base(_ request: HTTPRequest) -> String {
    "http://" + String(decoding: request.field("host") ?? [], as: UTF8.self)
  }

  /// The address of tiles; with the token if the client has shown it in the address, since it has no
  /// other way then.
  private func tileAddress(_ request: HTTPRequest) -> String {
    let token = gatekeeper.shownToken(request).map { "?token=\($0)" } ?? ""
    return base(request) + "/tiles/{z}/{x}/{y}.mvt" + token
  }

  /// `/tilejson.json`: what tiles there are (TileJSON 3.0).
  func tileJSON(_ request: HTTPRequest) -> HTTPResponse {
    var description = TileJSON(
      name: world.title, tiles: tileAddress(request), bounds: world.bounds)
    description.tellsDifferences = changesHub != nil
    return HTTPResponse(type: MediaType.json, description.encode())
  }

  /// `/style.json`: a style for MapLibre and QGIS; `/style-labels.json`: the same with names.
  func style(_ request: HTTPRequest, hasNames: Bool) -> HTTPResponse {
    var style = TileStyle(tiles: tileAddress(request))
    style.hasNames = hasNames
    return HTTPResponse(type: MediaType.json, style.encode())
  }
}
