import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `geomapper serve`, with requests as from a browser.
@Suite struct ServeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 11)
    // Old enough for their listings to be cached.
    try make(Tree.random(.init(nodes: 260), roots: 1, using: &generator).folders[0].contents, "w")
    try folder.makeFile("w/a file.txt", "12345")
    try folder.makeFolder("w/empty")
    try folder.makeLink("w/link", to: "..")
  }

  private func make(_ tree: Tree, _ path: String) throws {
    try folder.makeFolder(path)
    for name in tree.files {
      try folder.makeFile("\(path)/\(String(decoding: name.prefix(40), as: UTF8.self))", "x")
    }
    for inner in tree.folders {
      try make(inner.contents, "\(path)/\(String(decoding: inner.name.prefix(40), as: UTF8.self))")
    }
  }

  /// A node's properties in both the map and the tiles.
  private struct Shown: Hashable {
    var path: String
    var id: Int
    var kind: String
    var minzoom: Int
    var size: Int?

    init(_ properties: [String: Any]) {
      path = properties["path"] as? String ?? ""
      id = properties["id"] as? Int ?? 0
      kind = properties["kind"] as? String ?? ""
      minzoom = properties["minzoom"] as? Int ?? -1
      size = kind == "poi" ? properties["size"] as? Int : nil
    }
  }

  private func mapped(_ zoom: Int) throws -> Set<Shown> {
    let outcome = try Geomapper.run(["map", "--zoom", "\(zoom)", "w"], in: folder.path)
    let whole = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    let features = whole?["features"] as? [[String: Any]] ?? []
    return Set(
      features.map { feature in
        var properties = feature["properties"] as? [String: Any] ?? [:]
        properties["id"] = feature["id"]
        return Shown(properties)
      })
  }

  @Test(arguments: [0, 1, 3, 4])
  func tilesEqualTheMapOfTheirZoom(zoom: Int) throws {
    let served = try ServedWorld(["w"], in: folder.path)
    var shown: Set<Shown> = []
    for x in 0..<(1 << zoom) {
      for y in 0..<(1 << zoom) { shown.formUnion(try served.nodes(zoom, x, y).map(Shown.init)) }
    }
    let map = try mapped(zoom)
    #expect(shown == map, "\(shown.symmetricDifference(map).prefix(5))")
  }

  /// Matches are counted and listed, and only nodes that the server shows.
  @Test func matchesAreCountedAndListed() throws {
    for index in 0..<30 {
      try folder.makeFile("w/logs/\(index % 3)/\(index).LOG", String(repeating: "l", count: index))
    }
    try folder.makeFile("w/logs/.hidden/more.log", "hidden")
    let served = try ServedWorld(["--exclude", "**/2", "w"], in: folder.path)
    func lines(_ query: String) throws -> [[String: Any]] {
      let connection = try served.open("/matches?\(query)", ["Connection": "close"])
      defer { close(connection) }
      let text = String(decoding: readAll(connection), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("application/x-ndjson"))
      return try text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    let all = try lines("name=*.log&limit=5")
    let last = try #require(all.last)
    #expect(last["done"] as? Bool == true && last["complete"] as? Bool == true)
    #expect(last["files"] as? Int == 21)
    var folders: [String: Int] = [:]
    for case let row as [Any] in all.flatMap({ $0["folders"] as? [Any] ?? [] }) {
      folders[row[0] as? String ?? "", default: 0] += row[1] as? Int ?? 0
    }
    #expect(folders == ["w/logs/0": 10, "w/logs/1": 10, "w/logs/.hidden": 1])
    let found = all.flatMap { $0["found"] as? [[String: Any]] ?? [] }
    let best = found.compactMap { $0["size"] as? Int }.sorted(by: >).prefix(5)
    #expect(Array(best) == [28, 27, 25, 24, 22])
    #expect(found.contains { $0["path"] as? String == "w/logs/1/28.LOG" })
    #expect(try lines("name=log&size=+27").last?["files"] as? Int == 1)
    #expect(try lines("older=1").last?["files"] as? Int == 0)
    #expect(try served.get("/matches").status == 400)
    #expect(try served.get("/matches?name=x&sort=beauty").status == 400)
  }

  @Test func sheetsEqualThoseOfDraw() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let query = "bbox=-80,-40,60,50&size=120x90&shade=age&date=1795305600&title=A%20part"
    let early = try served.get("/sheet.svg?\(query)")
    #expect(early.status == 503)
    _ = try served.get("/totals")
    let drawn = try Geomapper.run(
      [
        "draw", "--bbox=-80,-40,60,50", "--sheet", "120x90", "--shade", "age", "--date",
        "2026-11-22",
        "--title", "A part", "w",
      ], in: folder.path)
    #expect(drawn.status == 0, "\(drawn.errorText)")
    let sheet = try served.get("/sheet.svg?\(query)")
    #expect(sheet.status == 200)
    #expect(sheet.body == drawn.output)
    for mistake in ["bbox=1,2", "bbox=5,0,-5,1", "size=9", "shade=none", "date=today"] {
      let refused = try served.get("/sheet.svg?\(mistake)")
      #expect(refused.status == 400, "\(mistake)")
    }
  }

  @Test func nodesEqualTheMap() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let lines = try Geomapper.run(["map", "--format", "geojsonl", "w"], in: folder.path).text
      .split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines {
      let feature = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let properties = feature?["properties"] as? [String: Any]
      let path = try #require(properties?["path"] as? String)
      let query = try #require(path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let answer = try served.get("/node?path=\(query)")
      #expect(answer.status == 200)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.hasPrefix("{\"feature\":\(line),\"bbox\":["), "\(path)")
      let ancestors = try answer.json["ancestors"] as? [[String: Any]]
      #expect(ancestors?.count == path.split(separator: "/").count - 1)
    }
  }

  @Test func pointsFindTheirFiles() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let node = try served.get("/node?path=w/a+file.txt").json
    let box = try #require(node["bbox"] as? [Double])
    let answer = try served.get("/at?lon=\(box[0])&lat=\(box[1])").json
    let near = try #require(answer["nearest"] as? [[String: Any]])
    #expect(near.first?["path"] as? String == "w/a file.txt")
    #expect(near.first?["distance"] as? Double == 0)
    #expect(near.count <= 8)
    // The open sea.
    let sea = try served.get("/at?lon=180&lat=-85").json
    #expect(sea["node"] is NSNull)
    for query in [
      "", "lon=1", "lon=x&lat=1", "lon=181&lat=0", "lon=1&lat=1&zoom=99", "lon=nan&lat=0",
    ] {
      #expect(try served.get("/at?\(query)").status == 400, "\(query)")
    }
  }

  @Test func searchFindsFiles() throws {
    try folder.makeFile("w/deep/er/Report 2026.pdf")
    try folder.makeFile("w/report.txt")
    try folder.makeFile("w/xreport")
    let served = try ServedWorld(["w"], in: folder.path)
    func search(_ query: String) throws -> (hits: [[String: Any]], end: [String: Any]) {
      let connection = try served.open("/search?q=\(query)", ["Connection": "close"])
      defer { close(connection) }
      let lines = String(decoding: readAll(connection), as: UTF8.self).split(
        whereSeparator: \.isNewline
      )
      .filter { $0.hasPrefix("{") }
      var objects = try lines.map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
      let end = objects.removeLast()
      return (objects.sorted { $0["score"] as? Int ?? 0 > $1["score"] as? Int ?? 0 }, end)
    }
    let (hits, end) = try search("report")
    #expect(
      hits.map { $0["path"] as? String } == [
        "w/report.txt", "w/deep/er/Report 2026.pdf", "w/xreport",
      ])
    #expect(end["done"] as? Bool == true)
    #expect(end["complete"] as? Bool == true)
    #expect(try search("er/report").hits.count == 1)
    #expect(try search("w").hits.first?["path"] as? String == "w")
    #expect(try search("nothing%20of%20the%20kind").hits.isEmpty)
    #expect(try served.get("/search").status == 400)
  }

  @Test func unchangedAnswersAreCached() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let first = try served.get("/tiles/3/4/4.mvt", ["Accept-Encoding": "gzip"])
    #expect(first.status == 200)
    #expect(first.fields["content-encoding"] == "gzip")
    let tag = try #require(first.fields["etag"])
    let again = try served.get(
      "/tiles/3/4/4.mvt", ["Accept-Encoding": "gzip", "If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(again.fields["vary"] == "Accept-Encoding")
    #expect(try served.get("/tiles/3/4/4.mvt", ["If-None-Match": tag]).status == 200)
    #expect(try served.get("/tiles/3/0/0.mvt").status == 204)
    // After a new file, there soon is a new tile, even without an event.
    try folder.makeFile("w/one more")
    #expect(
      try waitUntil {
        try served.nodes(4, 8, 8).isEmpty == false
          && (0..<16).contains { x in
            try (0..<16).contains { y in
              try served.nodes(4, x, y).contains { $0["path"] as? String == "w/one more" }
            }
          }
      })
  }

  @Test func changesAreSent() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let events = try served.open("/events")
    defer { close(events) }
    // Fetching tiles decides which folders are watched.
    #expect(try served.get("/tiles/3/4/4.mvt").status == 200)
    #expect(
      try waitUntil { try served.get("/stats").json["watchedFolders"] as? Int ?? 0 > 0 })
    try folder.makeFile("w/brand new")
    var text = ""
    while !text.contains("\"what\":\"added\"") {
      let bytes = readSome(events)
      if bytes.isEmpty { break }
      text += String(decoding: bytes, as: UTF8.self)
    }
    #expect(text.contains("event: change\ndata: {\"path\":\"w\",\"bbox\":["))
    #expect(text.contains("\"name\":\"brand new\""))
  }

  @Test func describesTilesAndStyles() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let tiles = try served.get("/tilejson.json").json
    #expect(tiles["tilejson"] as? String == "3.0.0")
    #expect(
      tiles["tiles"] as? [String] == ["http://localhost:\(served.port)/tiles/{z}/{x}/{y}.mvt"])
    #expect((tiles["vector_layers"] as? [Any])?.count == 5)
    #expect(tiles["name"] as? String == "w")
    let styles = try ["/style.json", "/style-labels.json"].map { try served.get($0).json }
    for style in styles {
      let sources = style["sources"] as? [String: [String: Any]]
      #expect(sources?.values.compactMap { $0["maxzoom"] as? Int } == [tiles["maxzoom"] as? Int])
    }
    #expect(
      styles.map { ($0["layers"] as? [[String: Any]])?.last?["type"] as? String }
        == ["circle", "symbol"])
    #expect(
      try served.get("/tiles/1/0/0.pbf").body == served.get("/tiles/1/0/0.mvt").body)
    for path in [
      "/tiles/31/0/0.mvt", "/tiles/0/1/0.mvt", "/tiles/00/0/0.mvt", "/tiles/0/0/0.png",
      "/tiles/0/0", "/tiles/0/0/0", "/tiles/-1/0/0.mvt", "/tiles/0/0/0.mvt/", "/nothing",
    ] {
      #expect(try served.get(path).status == 404, "\(path)")
    }
  }

  @Test func aTileReadsOnlyWhatItShows() throws {
    // A folder that has just changed is read again, as another change could go unnoticed.
    try folder.setModified("w", 1_000_000_000)
    let served = try ServedWorld(["w"], in: folder.path)
    func reads() throws -> Int? { try served.get("/stats").json["foldersOpened"] as? Int }
    // The page begins with the ground that the root's entries take.
    #expect(try reads() == 1)
    // At zoom 0 there is only the continent, and tiles of the open sea are empty.
    #expect(try served.get("/tiles/0/0/0.mvt").status == 200)
    for zoom in [5, 12, 24] { #expect(try served.get("/tiles/\(zoom)/0/0.mvt").status == 204) }
    #expect(try reads() == 1)
    // At zoom 1, its countries appear; their contents are not read.
    #expect(try served.get("/tiles/1/0/0.mvt").status == 200)
    #expect(try reads() == 1)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsItAtOnce(signal: Int32) throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let events = try served.open("/events")
    defer { close(events) }
    #expect(served.end(by: signal).signal == signal)
  }

  @Test func startingErrorsAreReported() throws {
    func run(_ arguments: String...) throws -> Subprocess.Outcome {
      try Geomapper.run(["serve"] + arguments, in: folder.path)
    }
    for (arguments, words) in [
      (["nowhere"], "can't map 'nowhere'"), (["w", "w"], "the label 'w'"),
      (["--port", "65536", "w"], "--port: '65536' is not"),
      (["--host", "a b", "w"], "--host: 'a b' is not"),
      (["--host", "no.such.host.invalid", "w"], "is not known here"),
      (["--host", "192.0.2.1", "w"], "--host: 192.0.2.1 is not an address of this machine"),
      (["--allow-origin", "example.org", "w"], "--allow-origin: 'example.org' is not"),
    ] {
      let outcome = try Geomapper.run(["serve"] + arguments, in: folder.path)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    }
    let served = try ServedWorld(["w"], in: folder.path)
    let outcome = try run("--port", "\(served.port)", "w")
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("--port 0"))
  }

  @Test func theSameFoldersHaveTheSamePort() throws {
    try folder.makeFile("other/x")
    func port(_ arguments: [String]) throws -> UInt16 {
      try ServedWorld(arguments, in: folder.path).port
    }
    let own = try port(["w", "other"])
    #expect(own >= 49_152)
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: folder("w"))
    for arguments in [["w", "other"], ["other", "b=link"], ["\(folder("w"))/", "./other"]] {
      #expect(try port(arguments) == own, "\(arguments)")
    }
    #expect(try port(["w"]) != own)
    let served = try ServedWorld(["w", "other"], in: folder.path)
    #expect(served.port == own)
    func errors(_ name: String) throws -> FileHandle {
      try folder.makeFile(name, "")
      return try #require(FileHandle(forWritingAtPath: folder(name)))
    }
    let second = try ServedWorld(["w", "other"], in: folder.path, errors: errors("errors"))
    #expect(second.port != own && second.port != 0)
    let note = "port \(own) is in use; this time it is \(second.port)"
    #expect(try folder.text("errors").contains(note))
    let quiet = try ServedWorld(["-q", "w", "other"], in: folder.path, errors: errors("none"))
    #expect(quiet.port != own)
    #expect(try folder.text("none").isEmpty)
  }

  @Test func otherOriginsNeedPermission() throws {
    let served = try ServedWorld(["--allow-origin", "https://example.org", "w"], in: folder.path)
    let answer = try served.get("/stats", ["Origin": "https://example.org"])
    #expect(answer.status == 200)
    #expect(answer.fields["access-control-allow-origin"] == "https://example.org")
    #expect(try served.get("/stats", ["Origin": "https://example.com"]).status == 403)
    #expect(try served.get("/stats").fields["access-control-allow-origin"] == nil)
  }

  @Test func allowedOriginsAreNormalized() throws {
    let served = try ServedWorld(
      [
        "--allow-origin", "https://Example.org:443", "--allow-origin", "http://a.example:80/", "w",
      ], in: folder.path)
    for origin in ["https://example.org", "http://a.example"] {
      let answer = try served.get("/tiles/0/0/0.mvt", ["Origin": origin])
      #expect(answer.fields["access-control-allow-origin"] == origin)
      #expect(answer.fields["vary"] == "Accept-Encoding, Origin")
    }
    for origin in ["http://example.org", "https://a.example", "https://example.org:444"] {
      #expect(try served.get("/stats", ["Origin": origin]).status == 403)
    }
  }

  @Test func eachEncodingHasATagOfItsOwn() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    for path in ["/", "/tiles/0/0/0.mvt", "/tiles/0/0/0.json"] {
      let packed = try served.get(path, ["Accept-Encoding": "gzip"])
      let plain = try served.get(path)
      let (packedTag, tag) = try (
        #require(packed.fields["etag"]), #require(plain.fields["etag"])
      )
      #expect(packed.fields["content-encoding"] == "gzip")
      #expect(plain.fields["content-encoding"] == nil)
      #expect(packedTag != tag)
      for (known, encoding, status) in [
        (tag, "identity", 304), (packedTag, "gzip", 304), (packedTag, "identity", 200),
        (tag, "gzip", 200),
      ] {
        let answer = try served.get(
          path, ["If-None-Match": known, "Accept-Encoding": encoding])
        #expect(answer.status == status, "\(path): \(known) for \(encoding)")
        #expect(answer.fields["vary"] == "Accept-Encoding")
        #expect(answer.fields["etag"] == (encoding == "gzip" ? packedTag : tag))
      }
    }
  }

  @Test func theBoundsAreThoseOfTheData() throws {
    try folder.makeFile("v/file")
    let served = try ServedWorld(["w", "v"], in: folder.path)
    let map = try Geomapper.run(["map", "w", "v"], in: folder.path)
    let whole = try JSONSerialization.jsonObject(with: Data(map.output)) as? [String: Any]
    var places: [[Double]] = []
    for feature in whole?["features"] as? [[String: Any]] ?? [] {
      let geometry = feature["geometry"] as? [String: Any]
      switch geometry?["coordinates"] {
      case let rings as [[[Double]]]: places += rings.flatMap { $0 }
      case let place as [Double]: places.append(place)
      default: Issue.record("no coordinates: \(feature)")
      }
    }
    let (x, y) = (places.map { $0[0] }, places.map { $0[1] })
    let tiles = try served.get("/tilejson.json").json
    let bounds = try #require(tiles["bounds"] as? [Double])
    #expect(
      try bounds == [#require(x.min()), #require(y.min()), #require(x.max()), #require(y.max())])
    let center = try #require(tiles["center"] as? [Double])
    #expect(center.count == 3 && (bounds[0]...bounds[2]).contains(center[0]))
    #expect((bounds[1]...bounds[3]).contains(center[1]))
  }

  @Test func styleUsesOnlyWhatQGISSupports() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let style = try served.get("/style.json").json
    #expect(style["version"] as? Int == 8)
    var matches = 0
    func check(_ value: Any) {
      if let members = value as? [String: Any] { return members.values.forEach(check) }
      guard let list = value as? [Any] else { return }
      #expect(list.first as? String != "case")
      if list.first as? String == "match" {
        matches += 1
        // Each value comes after its labels; the last value is the default.
        for index in stride(from: 2, to: list.count - 1, by: 2) { #expect(list[index] is [String]) }
      }
      list.forEach(check)
    }
    check(style)
    #expect(matches > 0)
    let layers = try #require(style["layers"] as? [[String: Any]])
    let colors = layers.filter { $0["type"] as? String == "circle" }.map { layer in
      (layer["paint"] as? [String: Any])?["circle-color"] as? String
    }
    #expect(colors.count == 3 && Set(colors).count == 3 && !colors.contains(nil))
  }

  @Test func withATokenEveryRequestNeedsIt() throws {
    let served = try ServedWorld(["--token", "w"], in: folder.path)
    let token = try #require(served.token)
    #expect(token.utf8.count == 32)
    for path in ["/", "/stats", "/tiles/0/0/0.mvt", "/events", "/style.json?token=0"] {
      #expect(try served.get(path).status == 401, "\(path)")
    }
    let answer = try served.get("/?token=\(token)")
    #expect(answer.status == 302)
    let cookie = try #require(answer.fields["set-cookie"])
    #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"))
    let value = String(try #require(cookie.split(separator: ";").first))
    #expect(try served.get("/", ["Cookie": value]).status == 200)
    #expect(try served.get("/tiles/0/0/0.mvt", ["Cookie": value]).status == 200)
    // The page gets the link with the token, because it can't read its cookie.
    let page = String(decoding: try served.get("/", ["Cookie": value]).body, as: UTF8.self)
    #expect(page.contains("\"link\":\"http://127.0.0.1:\(served.port)/?token=\(token)\""))
    // Programs without cookies get addresses with the token; others don't.
    let style = try served.get("/style.json?token=\(token)").body
    #expect(String(decoding: style, as: UTF8.self).contains("{y}.mvt?token=\(token)\""))
    let other = try served.get("/tilejson.json?token=%22x", ["Cookie": value])
    #expect(other.status == 200)
    #expect(!String(decoding: other.body, as: UTF8.self).contains("token="))
  }

  @Test func aTokenIsNotShownToOtherUsers() throws {
    let outcome = try Geomapper.run(["serve", "--token", "--open", "w"], in: folder.path)
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("--token can't be used with --open: every user"))
  }

  @Test func headOfEventsTakesNoSlot() throws {
    let served = try ServedWorld(["w"], in: folder.path)
    let connection = try served.connect()
    defer { close(connection) }
    let host = "Host: localhost:\(served.port)\r\n"
    served.send(
      "HEAD /events HTTP/1.1\r\n\(host)\r\n"
        + "GET /stats HTTP/1.1\r\n\(host)Connection: close\r\n\r\n", on: connection)
    let text = String(decoding: readAll(connection), as: UTF8.self)
    #expect(text.contains("Content-Type: text/event-stream\r\n"))
    #expect(text.contains("\"listeners\":0,"))
  }
}
