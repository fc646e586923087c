import Foundation
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoVerify
import TestSupport
import Testing

/// Impossible maps are refused with the right reason, and none crashes the program.
@Suite struct CraftedMapTests {
  /// A map of two roots, as text.
  private func map(_ change: (inout MapRequest) throws -> Void = { _ in }) async throws -> String {
    let folder = try TemporaryFolder()
    for file in ["src/x", "src/y", "src/a/one", "src/a/b/two", "src/a/c/three", "src/d/four"] {
      try folder.makeFile(file, "12345")
    }
    try folder.makeFile("tmp/file")
    var request = MapRequest(
      roots: ["src", "tmp"].map {
        ScanRoot(label: Array($0.utf8), directory: Array(folder($0).utf8))
      })
    try change(&request)
    var bytes: [UInt8] = []
    for try await chunk in try await MapPipeline.open(request) {
      chunk.withBytes { chunk in for index in 0..<chunk.count { bytes.append(chunk[index]) } }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult
  private func verify(_ text: String) throws(MapFault) -> VerifiedCounts {
    let bytes = Array(text.utf8)
    var verifier = MapVerifier(shuffling: 1)
    try verifier.read(bytes.span)
    var checker = try verifier.startChecking()
    try checker.check(bytes.span)
    return try checker.finish()
  }

  /// Expects that a map is correct, and has a fault after a replacement.
  private func expectFault(
    _ what: String, in map: String, _ old: String, _ new: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(throws: Never.self, sourceLocation: location) { try verify(map) }
    let changed = map.replacingFirst(old, by: new)
    #expect(changed != map, "nothing is replaced", sourceLocation: location)
    do throws(MapFault) {
      try verify(changed)
      Issue.record("\(old) → \(new.prefix(100)) is not found", sourceLocation: location)
    } catch {
      #expect(error.what.contains(what), "\(error.what)", sourceLocation: location)
    }
  }

  @Test(arguments: ["", ".", "..", "o\\u0000e", String(repeating: "x", count: 1 << 16)])
  func invalidNamesAreFound(_ name: String) async throws {
    let map = try await map()
    let what = "a name in its path"
    for (path, old) in [("src/a/", "one"), ("src/a/b/", "two"), ("src/", "x")] {
      try expectFault(
        what, in: map, "\"path\":\"\(path)\(old)\",\"name\":\"\(old)\"",
        "\"path\":\"\(path)\(name)\",\"name\":\"\(name)\"")
    }
    // Folders, and the folders in the path of a file.
    try expectFault(
      what, in: map, "\"path\":\"src/d\",\"name\":\"d\"",
      "\"path\":\"src/\(name)\",\"name\":\"\(name)\"")
    try expectFault(what, in: map, "\"path\":\"src/d/four\"", "\"path\":\"src/\(name)/four\"")
    // Labels in the header and in paths.
    try expectFault(
      "a label of the header", in: map, "\"roots\":[\"src\"", "\"roots\":[\"\(name)\"")
    try expectFault(
      what, in: map, "\"path\":\"tmp\",\"name\":\"tmp\"", "\"path\":\"\(name)\",\"name\":\"tmp\"")
  }

  @Test func wrongPathsAreFound() async throws {
    let map = try await map()
    let what = "that of a file and of a folder"
    for folder in ["b", "c"] {
      try expectFault(
        what, in: map, "\"path\":\"src/a/one\",\"name\":\"one\"",
        "\"path\":\"src/a/\(folder)\",\"name\":\"\(folder)\"")
    }
    try expectFault(
      what, in: map, "\"path\":\"src/x\",\"name\":\"x\"", "\"path\":\"src/d\",\"name\":\"d\"")
    // A folder without a line but with contents, too.
    let files = try await self.map { $0.selection.requireKinds([.regular]) }
    try expectFault(
      what, in: files, "\"path\":\"src/x\",\"name\":\"x\"", "\"path\":\"src/d\",\"name\":\"d\"")
  }

  @Test func wrongRootsAreFound() async throws {
    for map in [try await map(), try await map { $0.filter.maximumDepth = 1 }] {
      let roots = "\"roots\":[\"src\",\"tmp\"]"
      try expectFault("in the order", in: map, roots, "\"roots\":[\"tmp\",\"src\"]")
      try expectFault("twice", in: map, roots, "\"roots\":[\"src\",\"src\",\"tmp\"]")
      try expectFault("twice", in: map, roots, "\"roots\":[\"src\",\"tmp\",\"tmp\"]")
      try expectFault("not among those", in: map, roots, "\"roots\":[\"src\"]")
      try expectFault("names no root", in: map, roots, "\"roots\":[]")
    }
  }

  @Test func wrongSizesAreFound() async throws {
    let map = try await map()
    for number in ["-1", "-9223372036854775808"] {
      try expectFault("size is negative", in: map, "\"size\":5,", "\"size\":\(number),")
      try expectFault("size is negative", in: map, "\"size\":4,", "\"size\":\(number),")
    }
    try expectFault("more than any", in: map, "\"size\":4,", "\"size\":9223372036854775807,")
    try expectFault("no size", in: map, "\"size\":4,", "")
    let shallow = try await self.map { $0.filter.maximumDepth = 1 }
    // Even with a filter, no folder can have fewer entries than the map shows.
    try expectFault("the folder's size is 3", in: shallow, "\"size\":4,", "\"size\":3,")
    try expectFault("more than any", in: shallow, "\"size\":4,", "\"size\":9223372036854775807,")
  }

  @Test func wrongLoopsAreFound() async throws {
    let map = try await map()
    func line(_ path: String) throws -> String {
      String(
        try #require(map.split(separator: "\n").first { $0.contains("\"path\":\"\(path)\"") }))
    }
    let folder = try line("src/d")
    let loop = folder.replacingFirst("}},", by: ",\"loop\":true}},")
    try expectFault("has a size all the same", in: map, folder, loop)
    try expectFault(
      "it is a loop, and 1", in: map, folder, loop.replacingFirst("\"size\":1,", by: ""))
    let root = try line("tmp")
    try expectFault(
      "a root can't be a loop", in: map, root, root.replacingFirst("}},", by: ",\"loop\":true}},"))
  }

  @Test func wrongExclusionsAreFound() async throws {
    let map = try await map()
    let end = "\"unreadable\":0}}"
    try expectFault(
      "the header says", in: map, end, "\"unreadable\":0,\"excluded\":{\"pattern\":1}}}")
    let partial = try await self.map { try $0.selection.exclude(Array("x".utf8)) }
    let counted = "\"excluded\":{\"pattern\":1}"
    let most = "9223372036854775807"
    for wrong in [
      "{\"pattern\":-1}", "{\"pattern\":-9223372036854775808}", "{\"pattern\":\(most)}",
      "{\"pattern\":\(most),\"hidden\":\(most)}", "{\"pattern\":1,\"pattern\":1}", "{}",
      "{\"hidden\":1,\"pattern\":1}", "{\"colour\":1}",
    ] {
      try expectFault("the summary is another", in: partial, counted, "\"excluded\":\(wrong)")
    }
  }

  @Test func wrongTotalsAreFound() async throws {
    for filter in [nil, 1] {
      let map = try await map {
        $0.totals = true
        $0.filter.maximumDepth = filter
      }
      // The totals of src/a and src/d, with five bytes for each file.
      let inner = "\"files\":3,\"bytes\":15,"
      let single = "\"files\":1,\"bytes\":5,"
      try expectFault("totals is negative", in: map, inner, "\"files\":-3,\"bytes\":15,")
      try expectFault("totals is negative", in: map, inner, "\"files\":3,\"bytes\":-15,")
      try expectFault("more than those", in: map, inner, "\"files\":7,\"bytes\":15,")
      try expectFault("more than those", in: map, inner, "\"files\":3,\"bytes\":31,")
      try expectFault(
        "bytes of no file", in: map, single, "\"files\":0,\"bytes\":5,")
      try expectFault(
        "more than those", in: map, "\(single)\"allocated\":",
        "\(single)\"allocated\":9000000000000")
    }
  }

  @Test func wrongLayersAreFound() async throws {
    var builder = LayerSetBuilder()
    try builder.begin(
      "x.csv",
      [.init(name: "s"), .init(name: "m", summary: .mean), .init(name: "w")])
    for (path, values) in [
      ("src/x", ["1", "1", "p"]), ("src/a/one", ["2", "4", "q"]), ("src/a/b/two", ["4", "6", "q"]),
      ("src/none", ["1", "", ""]),
    ] {
      try builder.add(path: Array(path.utf8).span, LayerTexts(values.map(\.utf8)), line: 0)
    }
    let layers = try builder.finish()
    let map = try await map { $0.layers = layers }
    #expect(map.contains("\"unmatched\":{\"s\":1}}}"))
    let counts = try verify(map)
    #expect(counts.hasLayers && counts.layerSums == 9 && counts.ownLayerValues == 0)
    let inner = "\"s\":6,\"m\":5,\"m_count\":2,\"w\":\"q\",\"w_share\":1}"
    for (what, new) in [
      ("in the order", "\"m\":5,\"s\":6,\"m_count\":2,\"w\":\"q\",\"w_share\":1}"),
      ("there twice", "\"s\":6," + inner), ("not a feature", "\"t\":1," + inner),
      ("geomapper's form", "\"s\":6.0" + inner.dropFirst(5)),
      ("can't have", "\"s\":\"6\"" + inner.dropFirst(5)),
      ("not a feature", "\"s\":0x6" + inner.dropFirst(5)),
      ("no value of s", "\(inner.dropFirst(6))"),
      ("value of m is not", "\"s\":6,\"m\":4" + inner.dropFirst(11)),
      ("value of w is not", "\(inner.dropLast(2))0.5}"),
    ] {
      try expectFault(what, in: map, inner, new)
    }
    try expectFault("the summary is another", in: map, "{\"s\":1}}}", "{\"s\":-1}}}")
    try expectFault("not the header", in: map, "\"how\":\"mean\"", "\"how\":\"guess\"")
    try expectFault("not the header", in: map, "{\"name\":\"s\"", "{\"name\":\"size\"")
    // A table may give a folder a number of its own, which is in the sums of the folders around it.
    let own = try verify(map.replacingFirst("\"s\":6,", by: "\"s\":8,"))
    #expect(own.layerSums == 7 && own.ownLayerValues == 2)
    let part = try await self.map {
      $0.layers = layers
      $0.filter.maximumDepth = 1
    }
    let unchecked = try verify(part)
    #expect(unchecked.layerSums == 0 && unchecked.uncheckedLayerValues == 6)
  }

  @Test func wrongZoomsAreFound() async throws {
    // src is incomplete, so its names don't decide where src/a and src/d are.
    let map = try await map { try $0.selection.exclude(Array("x".utf8)) }
    let zoom = "\"kind\":\"country\",\"depth\":1,\"size\":3,"
    let line = try #require(map.split(separator: "\n").first { $0.contains(zoom) })
    let number = try #require(
      String(line).split(separator: "\"minzoom\":").last?.prefix { $0.isNumber })
    let member = "\"minzoom\":\(number),\"lon\""
    func change(_ what: String, _ new: String) throws {
      try expectFault(what, in: map, String(line), String(line).replacingFirst(member, by: new))
    }
    try change("than its depth allows", "\"minzoom\":0,\"lon\"")
    try change("no minzoom", "\"lon\"")
    try change("no minzoom", "\"minzoom\":255,\"lon\"")
  }

  @Test func wrongCoastLinesAreFound() async throws {
    let map = try await map { try $0.selection.exclude(Array("x".utf8)) }
    let line = String(
      try #require(
        map.split(separator: "\n").first { $0.contains("\"path\":\"src/a\",") }))
    let start = try #require(line.range(of: "[[[")?.upperBound)
    let end = try #require(line.range(of: "]]]")?.lowerBound)
    let ring = String(line[start..<end]).components(separatedBy: "],[")
    #expect(ring.count == 129)
    func change(_ what: String, _ vertices: [String]) throws {
      let open = vertices.first == vertices.last ? Array(vertices.dropLast()) : vertices
      let closed = (open + open.prefix(1)).joined(separator: "],[")
      try expectFault(
        what, in: map, line, String(line[..<start]) + closed + String(line[end...]))
    }
    try change("clockwise", ring.reversed())
    let open = Array(ring.dropLast())
    try change("64 vertices", open.indices.filter { $0 % 2 == 0 }.map { open[$0] })
    try change("127 vertices", Array(open.dropLast()))
    try change("129 vertices", open + [open[64]])
    for (a, b) in [(10, 12), (0, 64), (3, 4), (126, 127)] {
      var crossed = open
      crossed.swapAt(a, b)
      try change("meets itself", crossed)
    }
    var doubled = open
    doubled[50] = doubled[51]
    try change("meets itself", doubled)
    var spike = open
    spike[51] = spike[49]
    try change("meets itself", spike)
    let label = try #require(line.range(of: "\"lon\":"))
    let comma = try #require(line[label.upperBound...].firstIndex(of: ","))
    try expectFault(
      "label is outside", in: map, line,
      String(line[..<label.upperBound]) + "179.5" + String(line[comma...]))
  }
}

extension String {
  /// The text with the first occurrence of another one replaced.
  fileprivate func replacingFirst(_ old: String, by new: String) -> String {
    guard let range = range(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
