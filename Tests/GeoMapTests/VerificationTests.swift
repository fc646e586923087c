import Foundation
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoVerify
import TestSupport
import Testing

/// Correct maps pass verification, and changed ones fail.
@Suite struct VerificationTests {
  /// Checks the bytes of a map, in pieces of the given size.
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

  /// Random trees with random filters, in all verifiable formats.
  @Test func correctMapsPass() async throws {
    for seed in TestScale.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      var random = MapCase.random(&generator)
      random.format = [.geojson, .geojsonseq, .geojsonl][generator.number(in: 0...2)]
      let folder = try TemporaryFolder()
      try folder.make(random.tree)
      let map = try await bytes(of: try random.request(folder))
      // Without a header, a map doesn't show which roots are missing.
      let isWhole = random.requests.isEmpty && !random.filter.isActive
      if map.isEmpty || (random.format != .geojson && !isWhole) { continue }
      do throws(MapFault) {
        let counts = try verify(map, layout: random.layout, inPiecesOf: Int(seed % 50) + 1)
        if isWhole {
          #expect(counts.places == counts.nodes, "seed \(seed)")
          #expect(counts.unknownZooms == 0, "seed \(seed)")
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(random)")
      }
    }
  }

  /// A small map with every feature.
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

  /// Filters don't move files. If a hidden folder may occupy a file's lot, the file has to be at
  /// one of two places.
  @Test func filesNextToHiddenFoldersHaveTwoPlaces() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 { try folder.makeFile("w/f\(number)") }
    for number in 0..<4 { try folder.makeFolder("w/d\(number)") }
    var request = MapRequest(roots: [
      ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))
    ])
    func lines(_ map: [UInt8]) -> [String] {
      String(decoding: map, as: UTF8.self).split(separator: "\n").map {
        $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
      }
    }
    let whole = lines(try await bytes(of: request))
    try request.selection.exclude(Array("d*".utf8))
    let part = try await bytes(of: request)
    let files = lines(part).filter { $0.contains("\"poi\"") }
    #expect(files.count == 40 && Set(files).isSubset(of: whole))

    let counts = try verify(part, layout: .settled)
    #expect(counts.nodes == 41 && counts.openPlaces > 0 && counts.places > 1)
    #expect(counts.openPlaces + counts.places == counts.nodes)
    request.layout = .pinned
    let pinned = try await bytes(of: request)
    #expect(try verify(pinned, layout: .pinned).openPlaces == 0)

    // None may be anywhere else, such as at its neighbour's place.
    let geometries = files.map { line in
      line.components(separatedBy: "\"geometry\":")[1].components(separatedBy: ",\"properties\"")[0]
    }
    for index in 1..<5 {
      let text = String(decoding: part, as: UTF8.self)
        .replacing(geometries[index], with: geometries[index - 1])
      #expect(throws: MapFault.self) { try self.verify(Array(text.utf8), layout: .settled) }
    }
  }

  @Test func mapsOfOtherProjectionsAreRecognized() async throws {
    let map = String(decoding: try await smallMap(.settled, .geojson), as: UTF8.self)
    let old = map.replacing("\"projection\":2,", with: "\"projection\":1,", maxReplacements: 1)
    do throws(MapFault) {
      _ = try verify(Array(old.utf8), layout: .settled)
      Issue.record("it is taken")
    } catch {
      #expect(error.line == 1 && error.what.hasPrefix("the map is of projection 1, "))
    }
  }

  @Test(arguments: Layout.allCases) func treesPass(layout: Layout) async throws {
    for seed in TestScale.seeds(2) {
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
