import Foundation
import TestSupport
import Testing

/// `locate`, `whereis`, `route`, their co-process, and `stats`.
@Suite struct QuestionTests {
  private func makeTree(seed: UInt64 = 1) throws -> TemporaryFolder {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    for _ in 0..<40 {
      let depth = generator.number(in: 0...4)
      let path = (0..<depth).map { _ in "d\(generator.number(in: 0...3))" }.joined(separator: "/")
      try folder.makeFile("world/\(path)/f\(generator.number(in: 0...99))", "12345")
    }
    symlink("nowhere", folder("world/link"))
    return folder
  }

  /// The lines of a map's features, by path.
  private func features(_ folder: TemporaryFolder, _ more: [String] = []) throws -> [String: String]
  {
    let map = try Geomapper.run(["map", "--format", "geojsonl"] + more + [folder("world")]).text
    var features: [String: String] = [:]
    for line in map.split(separator: "\n") {
      let start = try #require(line.firstRange(of: "\"path\":\"")).upperBound
      features[String(line[start...].prefix { $0 != "\"" })] = String(line)
    }
    return features
  }

  @Test(arguments: ["settled", "pinned"]) func locateEqualsTheMap(layout: String) throws {
    let folder = try makeTree()
    let features = try features(folder, ["--layout", layout])
    let paths = features.keys.sorted()
    let arguments =
      ["locate", "-q", "--layout", layout, "--root", folder("world"), "--format", "geojson"]
      + (layout == "pinned" ? ["--count"] : [])
    let outcome = try Geomapper.run(arguments + paths.map { folder($0) })
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    let lines = outcome.text.split(separator: "\n").dropFirst().dropLast().map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
    #expect(lines == paths.map { features[$0] })
    #expect(try JSONSerialization.jsonObject(with: Data(outcome.output)) is [String: Any])
    // If the disk isn't read, sizes are unknown.
    guard layout == "settled" else { return }
    let questions = paths.map { "{\"path\":\"\($0)\",\"feature\":true}\n" }
    try folder.makeFile("questions", questions.joined())
    let answers = try Geomapper.shell(
      "\"$T\" locate -q --coprocess --root world < questions", in: folder.path)
    let isSame = answers.text.split(separator: "\n").map(String.init) == paths.map { features[$0] }
    #expect(isSame, "\(answers.errorText)")
  }

  @Test func locateNamesEachMissingPath() throws {
    let folder = try makeTree()
    let outcome = try Geomapper.run(
      ["locate", "world", "world/none", "world/link", "/etc"], in: folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("/world\n  size "))
    #expect(outcome.errorText.contains("the root is '"))
    #expect(outcome.errorText.contains("'world/none' is not on the map"))
    #expect(outcome.errorText.contains("'/etc' is not below"))
    #expect(try Geomapper.run(["locate"]).status == 2)
    #expect(try Geomapper.run(["locate", "--type", "d", "world"], in: folder.path).status == 2)
  }

  @Test func pinnedPathsNeedNotExist() throws {
    let features = try features(makeTree(), ["--layout", "pinned"])
    for (path, feature) in features {
      let isFolder = feature.contains("\"Polygon\"")
      let outcome = try Geomapper.run([
        "locate", "--layout", "pinned", "--root", "world=/no/where", "--format", "geojson",
        "/no/where" + path.dropFirst("world".count) + (isFolder ? "/" : ""),
      ])
      #expect(outcome.status == 0, "\(outcome.errorText)")
      let line = outcome.text.split(separator: "\n")[1]
      let geometry = try #require(feature.firstRange(of: "\"properties\"")).lowerBound
      #expect(line.hasPrefix(feature[..<geometry]), "\(path)")
    }
  }

  @Test func whereisFindsEachFile() throws {
    let folder = try makeTree()
    for (path, feature) in try features(folder) where feature.contains("\"kind\":\"poi\"") {
      let start = try #require(feature.firstRange(of: "\"coordinates\":[")).upperBound
      let place = String(feature[start...].prefix { $0 != "]" })
      let outcome = try Geomapper.run(["whereis", "--root", folder("world"), place])
      #expect(outcome.status == 0, "\(outcome.errorText)")
      #expect(outcome.text.contains(" 0 m \(path) ("), "\(path): \(outcome.text)")
    }
    let sea = try Geomapper.run(["whereis", "--root", folder("world"), "-179.5,-84"])
    #expect(sea.status == 0 && sea.text == "at sea: no folder is at this LON,LAT\n")
    for place in ["1", "1,2,3", "a,b", "200,0", "0,91", "nan,0", ""] {
      let outcome = try Geomapper.run(["whereis", "--root", folder("world"), place])
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains("a place is LON,LAT"), "\(place)")
    }
  }

  @Test func pastedPlacesAreAccepted() throws {
    let folder = try makeTree()
    let root = ["--root", folder("world"), "-q"]
    let line = try Geomapper.run(["locate"] + root + [folder("world")]).text
    let place = try #require(line.firstMatch(of: /lon,lat +(\S+),(\S+)/))
    let (lon, lat) = (String(place.1), String(place.2))
    let expected = try Geomapper.run(["whereis"] + root + ["\(lon),\(lat)"]).text
    #expect(expected.hasPrefix("world\n"))
    func lettered(_ text: String, _ letters: String) -> String {
      text.hasPrefix("-") ? "\(text.dropFirst())\(letters.suffix(1))" : text + letters.prefix(1)
    }
    let (east, north) = (lettered(lon, "EW"), lettered(lat, "NS"))
    for words in [
      ["\(lon), \(lat)"], ["\(lon),", lat], [lon, lat], ["\(east),\(north)"],
      ["\(north) \(east)"], [north, "\(east.dropLast())° \(east.suffix(1))"],
    ] {
      #expect(try Geomapper.run(["whereis"] + root + ["--"] + words).text == expected, "\(words)")
    }
    let turned = try Geomapper.run(["whereis"] + root + ["10,120"])
    #expect(turned.status == 2 && turned.errorText.contains("turn it round"))
    for words in [["1E,2E"], ["1E,2"], ["-1E,2N"], ["1", "2", "3"], ["1,,2"]] {
      #expect(try Geomapper.run(["whereis"] + root + ["--"] + words).status == 2, "\(words)")
    }
  }

  @Test func pathsOfTheMapAreAccepted() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/a/one", "x")
    try folder.makeFile("world/world/a/one", "xx")
    func located(_ path: String, _ more: [String] = []) throws -> Substring? {
      let outcome = try Geomapper.run(
        ["locate", "-q", "--root", "."] + more + [path], in: folder("world"))
      return outcome.text.split(separator: "\n").first
    }
    // An existing path on disk has precedence.
    #expect(try located("world/a/one") == "world/world/a/one")
    #expect(try located("map:world/a/one") == "world/a/one")
    #expect(try located("world/world/a") == "world/world/a")
    #expect(try located("world/world/a/") == "world/world/a")
    #expect(try located("a/one") == "world/a/one")
    #expect(try located("world/a/none") == nil)
    let none = try Geomapper.run(
      ["locate", "-q", "--root", folder("world"), "world/none", "map:other/x"], in: "/")
    #expect(none.status == 1 && none.errorText.contains("as 'world/none'"))
    #expect(none.errorText.contains("whose paths begin with 'world'"))
    let route = try Geomapper.run(
      ["route", "-q", "--root", folder("world"), "world/a/one", "map:world/world"], in: "/")
    #expect(route.status == 0 && route.text.contains("world/a/one"))
  }

  @Test func routesLeadOverTheCommonFolder() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/a/b/one", "x")
    try folder.makeFile("world/a/c/two", "x")
    let ends = [folder("world/a/b/one"), folder("world/a/c/two")]
    let text = try Geomapper.run(["route", "--root", folder("world")] + ends).text
    let stops = text.split(separator: "\n").dropLast().map { $0.split(separator: " ").dropFirst() }
    #expect(stops.count == 5)
    #expect(text.contains("world/a  (holds both)"))
    let json = try Geomapper.run(
      ["route", "--root", folder("world"), "--format", "geojson"] + ends)
    let feature = try #require(
      JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    let properties = try #require(feature["properties"] as? [String: Any])
    #expect(
      properties["stops"] as? [String] == [
        "world/a/b/one", "world/a/b", "world/a", "world/a/c", "world/a/c/two",
      ])
    let legs = try #require(properties["legs"] as? [[String: Double]])
    let sum = legs.reduce(0) { $0 + ($1["distance"] ?? 0) }
    #expect(abs(sum - (properties["distance"] as? Double ?? 0)) < 0.01)
    let gpx = try Geomapper.run(["route", "--root", folder("world"), "--format", "gpx"] + ends)
    #expect(gpx.text.components(separatedBy: "<rtept ").count == 6)
    #expect(try Geomapper.run(["route", "--root", folder("world"), ends[0]]).status == 2)
  }

  @Test func theCoprocessAnswersLineByLine() throws {
    let folder = try makeTree()
    let paths = try features(folder).keys.sorted()
    let questions =
      paths.map { "{\"path\":\"\($0)\"}" } + [
        "", "{}", "{\"path\":1}", "[1]", "{\"path\":\"world/none\"}", "{\"lon\":1e999,\"lat\":0}",
        "{\"lon\":0,\"lat\":95}", "{\"path\":\"\\ud800\"}", "{\"path\":\"world\"", "\u{FFFD}",
      ]
    try folder.makeFile("questions", questions.joined(separator: "\n"))
    let outcome = try Subprocess.run(
      "/bin/sh",
      [
        "-c",
        "'\(Geomapper.path)' locate -q --coprocess --root '\(folder("world"))' < '"
          + folder("questions") + "'",
      ])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let answers = outcome.text.split(separator: "\n")
    #expect(answers.count == questions.count)
    for (path, answer) in zip(paths, answers) {
      let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
      #expect(object?["path"] as? String == path)
      #expect(object?["lon"] is Double && object?["id"] is Int)
    }
    for answer in answers.dropFirst(paths.count) { #expect(answer.hasPrefix("{\"error\":\"")) }
  }

  @Test func coprocessAnswersEveryLine() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/file", "1")
    let long = String(repeating: "x", count: 1 << 16)
    let questions = [
      "", "  ", "\r", "{\"path\":\"\(long)\"}", "{\"path\":\"world/\(long)\"}",
      "{\"path\":\"world\(String(repeating: "/x", count: 1 << 20))\"}",
      "{\"path\":\"world/\\u0000\",\"type\":\"d\"}", "{\"path\":\"world/..\"}",
      String(repeating: " ", count: 5 << 20), "{\"path\":\"world\"}", "",
    ]
    for layout in ["settled", "pinned"] {
      try folder.makeFile("questions", questions.joined(separator: "\n"))
      let outcome = try Geomapper.shell(
        "exec \"$T\" locate -q --coprocess --layout \(layout) --root world < questions",
        in: folder.path)
      #expect(outcome.signal == nil && outcome.status == 0, "\(outcome.errorText)")
      let answers = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      // The input ends with a line end, so no empty line follows.
      #expect(answers.count == questions.count)
      for answer in answers.dropLast(2) { #expect(answer.hasPrefix("{\"error\":\"")) }
      #expect(answers.dropLast().last?.hasPrefix("{\"path\":\"world\",") == true)
    }
  }

  @Test func statsCountFilesAndFolders() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/a/one.TXT", "12345")
    try folder.makeFile("world/a/b/two.txt", "123")
    try folder.makeFile("world/three", "1")
    try folder.makeFile("world/.hidden", "")
    link(folder("world/a/one.TXT"), folder("world/a/b/again.txt"))
    for threads in ["1", "4"] {
      let outcome = try Geomapper.run([
        "stats", "--format", "json", "--threads", threads, folder("world"),
      ])
      #expect(outcome.status == 0, "\(outcome.errorText)")
      let stats = try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
      let total = try #require(stats["total"] as? [String: Int])
      #expect(total["folders"] == 3 && total["files"] == 4 && total["bytes"] == 9)
      let regions = try #require(stats["regions"] as? [[String: Any]])
      #expect(regions.map { $0["path"] as? String } == ["world", "world/a"])
      #expect((regions[1]["sums"] as? [String: Int])?["bytes"] == 8)
      let extensions = try #require(stats["extensions"] as? [[String: Any]])
      #expect(extensions.map { $0["extension"] as? String } == ["txt", ""])
      // The file of two names counts once, by its first name.
      #expect((extensions[0]["sums"] as? [String: Int])?["files"] == 2)
      let largest = try #require(stats["largest"] as? [[String: Any]])
      #expect(largest.first?["size"] as? Int == 5 && largest.count == 4)
      let depths = try #require(stats["depths"] as? [[String: Int]])
      #expect(depths.map { $0["folders"] } == [1, 1, 1, 0])
      #expect(depths.map { $0["files"] } == [0, 2, 1, 1])
    }
    let text = try Geomapper.run(["stats", "--by", "extension", folder("world")])
    #expect(text.text.contains("  .txt\n"))
    #expect(try Geomapper.run(["stats", folder("nowhere")]).status == 2)
  }

  @Test func theLargestFoldersAreFound() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/a/deep/x", String(repeating: "x", count: 5000))
    try folder.makeFile("world/b/y", String(repeating: "y", count: 7000))
    let outcome = try Geomapper.run(
      ["find", "--type", "d", "--sort", "size", "*", "world"], in: folder.path)
    let rows = outcome.text.split(separator: "\n").map { $0.split(separator: " ").prefix(3) }
    #expect(
      rows.map { $0.joined(separator: " ") } == [
        "12.0 kB world/", "7.0 kB world/b/", "5.0 kB world/a/", "5.0 kB world/a/deep/",
      ], "\(outcome.text)")
  }
}
