import GeoEmit
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoVerify
import TestSupport
import Testing

/// Maps that are right are found right, and those that are changed are found out.
@Suite struct VerificationTests {
  /// Checks the bytes of a map, in pieces of some size.
  private func verify(
    _ map: [UInt8], layout: Layout, inPiecesOf size: Int = 1 << 16
  ) throws(MapFault) -> VerifiedCounts {
    func pieces(_ body: ([UInt8]) throws(MapFault) -> Void) throws(MapFault) {
      var start = 0
      while start < map.count {
        try body(Array(map[start..<min(start + size, map.count)]))
        start += size
      }
    }
    var verifier = MapVerifier(layout: layout, shuffling: 7)
    try pieces { (bytes) throws(MapFault) in try verifier.read(bytes.span) }
    var checker = try verifier.startChecking()
    try pieces { (bytes) throws(MapFault) in try checker.check(bytes.span) }
    return try checker.finish()
  }

  /// Random trees with random filters, in all formats that can be checked.
  @Test func whatIsRightIsFoundRight() async throws {
    for seed in 1...UInt64(40 * TestScale.factor) {
      var generator = SeededGenerator(seed: seed)
      var join = JoinCase.random(&generator)
      join.format = [.geojson, .geojsonseq, .geojsonl][generator.number(in: 0...2)]
      let folder = try TemporaryFolder()
      try folder.make(join.tree)
      let map = try await bytes(of: try join.request(folder))
      // Of a map without a header nobody can tell which roots are missing.
      let isWhole = join.requests.isEmpty && !join.filter.isActive
      if map.isEmpty || (join.format != .geojson && !isWhole) { continue }
      do throws(MapFault) {
        let counts = try verify(map, layout: join.layout, inPiecesOf: Int(seed % 50) + 1)
        if isWhole {
          #expect(counts.places == counts.nodes, "seed \(seed)")
          #expect(counts.unknownZooms == 0, "seed \(seed)")
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(join)")
      }
    }
  }

  /// A small map with all that a map can have.
  private func smallMap(_ layout: Layout, _ format: OutputFormat) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    for name in ["w/a/x", "w/a/b/y", "w/a/b/z", "w/c/n", "w/d", "w/c/o/p"] {
      let parents = name.split(separator: "/").dropLast().joined(separator: "/")
      try folder.makeFolder(parents)
      try folder.makeFile(name)
    }
    var request = MapRequest(roots: [
      ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))
    ])
    request.layout = layout
    request.format = format
    return try await bytes(of: request)
  }

  /// Where a digit says what only the disk knows: a file's size, and times.
  private func isOfDisk(_ index: Int, in map: [UInt8]) -> Bool {
    var start = index
    while start > 0, UInt8(ascii: "0")...UInt8(ascii: "9") ~= map[start - 1] { start -= 1 }
    if map[..<start].suffix(11).elementsEqual(",\"modified\":".utf8.dropFirst()) { return true }
    let line = map[..<start].lastIndex(of: UInt8(ascii: "\n")) ?? 0
    let isFile = String(decoding: map[line..<start], as: UTF8.self).contains("\"kind\":\"poi\"")
    return isFile && map[..<start].suffix(7).elementsEqual("\"size\":".utf8)
  }

  /// Bytes that are changed one by one: all of them but for most of those of rings, which are alike.
  private func positions(in map: [UInt8]) -> [Int] {
    var result: [Int] = []
    var isInRing = false
    for index in map.indices {
      if map[index...].starts(with: "[[[".utf8) { isInRing = true }
      if map[index...].starts(with: "]]]".utf8) { isInRing = false }
      if !isInRing || index % 97 == 0 { result.append(index) }
    }
    return result
  }

  @Test(arguments: [
    (Layout.settled, OutputFormat.geojson, 1), (.pinned, .geojsonseq, 7), (.settled, .geojsonl, 7),
  ])
  func everyChangedByteIsFound(layout: Layout, format: OutputFormat, step: Int) async throws {
    let map = try await smallMap(layout, format)
    let counts = try verify(map, layout: layout)
    #expect(counts.files == 6 && counts.folders == 5)
    for (number, index) in positions(in: map).enumerated() where number % step == 0 {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= map[index]
      if isDigit, isOfDisk(index, in: map) { continue }
      var changed = map
      changed[index] = isDigit ? UInt8(ascii: "0") + (map[index] - 0x30 + 1) % 10 : map[index] ^ 1
      let place = max(0, index - 20)...min(index + 5, map.count - 1)
      #expect(
        throws: MapFault.self, "byte \(index), \(String(decoding: map[place], as: UTF8.self))"
      ) {
        try self.verify(changed, layout: layout)
      }
    }
  }

  @Test(arguments: [Layout.settled, .pinned])
  func missingDoubledAndSwappedLinesAreFound(layout: Layout) async throws {
    let map = try await smallMap(layout, .geojson)
    let lines = map.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func joined(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
      Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
    #expect(joined(lines) == map)
    for index in lines.indices.dropLast() {
      var fewer = lines
      fewer.remove(at: index)
      #expect(throws: MapFault.self, "line \(index + 1) is missing") {
        try self.verify(joined(fewer), layout: layout)
      }
      var more = lines
      more.insert(lines[index], at: index)
      #expect(throws: MapFault.self, "line \(index + 1) is there twice") {
        try self.verify(joined(more), layout: layout)
      }
      if index + 2 < lines.count {
        var swapped = lines
        swapped.swapAt(index, index + 1)
        #expect(throws: MapFault.self, "line \(index + 1) is behind the next") {
          try self.verify(joined(swapped), layout: layout)
        }
      }
    }
    for count in stride(from: 0, to: map.count, by: 101) {
      #expect(throws: MapFault.self, "\(count) bytes") {
        try self.verify(Array(map[..<count]), layout: layout)
      }
    }
  }

  @Test(arguments: Layout.allCases) func aTreeIsAsItHasToBe(layout: Layout) async throws {
    for seed in 1...UInt64(2 * TestScale.factor) {
      var generator = SeededGenerator(seed: seed)
      let tree = Tree.random(
        Tree.Shape(nodes: 80, folders: 0.4, depth: 0.4), roots: 2, using: &generator)
      let folder = try TemporaryFolder()
      try folder.make(tree)
      let roots = tree.folders.map { root in
        ScanRoot(label: root.name, directory: Array("\(folder.path)/".utf8) + root.name)
      }
      let outcome = try await TreeVerification(roots: roots).verify(layout)
      #expect(outcome.counts.nodes == outcome.counts.places)
      #expect(outcome.counts.shuffles > 0)
      #expect(outcome.faults.isEmpty)
    }
  }
}
