import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoPipeline

/// The text of a manifest keeps everything, and other texts are refused.
@Suite struct ShardManifestTextTests {
  /// The manifest of a random world.
  static func random(_ generator: inout SeededGenerator) throws -> ShardManifest {
    let labels = Tree.names(generator.number(in: 1...3), using: &generator).sorted {
      $0.lexicographicallyPrecedes($1)
    }
    let layout = generator.chance(0.5) ? Layout.settled : .pinned
    let engine = try GeoProjectionEngine(layout: layout, labels: NameTable(labels))
    var path = labels[0]
    var place = engine.roots[0]
    var ancestor: FolderPlace?
    for _ in 0..<generator.number(in: 0...20) {
      var names: [[UInt8]] = []
      while names.isEmpty {
        names = Tree.names(3, 0x01...0xFF, using: &generator).filter { !$0.contains(0x2F) }
      }
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(names), in: place, fileCount: 7, into: &places)
      path += [0x2F] + names[0]
      ancestor = places[0].isLanded ? nil : place.isLanded ? place : ancestor
      place = places[0]
    }
    let listing = generator.chance(0.8) ? generator.next() : nil
    var manifest = ShardManifest(
      layout: layout, labels: labels, set: generator.next(), number: 1, count: 3,
      places: [ShardManifest.Place(path: path, folder: place, ancestor: ancestor, listing: listing)]
    )
    if generator.chance(0.5) {
      manifest.intermediates = [
        ShardManifest.Intermediate(path: path + Array("/a".utf8), listing: generator.next())
      ]
      manifest.cuts = [path + Array("/a/b".utf8), path + Array("/a/c%".utf8)]
    }
    return manifest
  }

  @Test func readsWhatItWrites() throws {
    let property = Property("a manifest's text") {
      try Self.random(&$0)
    } fault: { manifest in
      let read = try? ShardManifest(text: manifest.text)
      return read == manifest ? nil : "read as \(read.map { "\($0)" } ?? "nothing")"
    }
    #expect(try property.counterexample(cases: 300) == nil)
  }

  @Test(arguments: TestScale.seeds(3)) func everyChangedByteIsRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = try Self.random(&generator).text
    _ = try ShardManifest(text: text)
    for index in text.indices {
      for change in [UInt8(1), 0x20, UInt8.random(in: 1...255, using: &generator)] {
        var changed = text
        changed[index] ^= change
        #expect(throws: ShardManifestError.self, "seed \(seed), byte \(index)") {
          try ShardManifest(text: changed)
        }
      }
      #expect(throws: ShardManifestError.self) { try ShardManifest(text: Array(text[..<index])) }
      var changed = text
      changed.remove(at: index)
      #expect(throws: ShardManifestError.self) { try ShardManifest(text: changed) }
      changed = text
      changed.insert(UInt8(ascii: " "), at: index)
      #expect(throws: ShardManifestError.self) { try ShardManifest(text: changed) }
    }
    #expect(throws: ShardManifestError.self) { try ShardManifest(text: text + text) }
    #expect(throws: ShardManifestError.self) {
      try ShardManifest(text: text + [UInt8(ascii: "\n")])
    }
  }

  /// A manifest with impossible contents is refused, even with a correct checksum.
  @Test func nonsenseIsRefused() throws {
    var generator = SeededGenerator(seed: 7)
    let manifest = try Self.random(&generator)
    let changes: [(inout ShardManifest) -> Void] = [
      { $0.number = 3 },
      { $0.places = [] },
      { $0.places.append($0.places[0]) },
      { $0.labels = [] },
      { $0.labels = [Array("zzz".utf8)] },
      { $0.labels = [[0x2E]] },
      { $0.places[0].folder.seed ^= 1 },
      { $0.places[0].folder.depth += 1 },
      { $0.places[0].folder.digits = 14 },
      { $0.places[0].folder.minzoom = 255 },
      { $0.places[0].folder.land.q0.x = -1 },
      { $0.places[0].folder.land.q2.y = 1 << 62 },
      { $0.places[0].ancestor = $0.places[0].ancestor == nil ? $0.places[0].folder : nil },
      { $0.places[0].path += Array("/..".utf8) },
      { $0.places[0].path += Array("//a".utf8) },
      { $0.cuts = [$0.places[0].path] },
      { $0.cuts = [Array("elsewhere/a".utf8)] },
      {
        $0.intermediates = [ShardManifest.Intermediate(path: Array("elsewhere".utf8), listing: 0)]
      },
    ]
    for (number, change) in changes.enumerated() {
      var changed = manifest
      change(&changed)
      #expect(throws: ShardManifestError.malformed, "change \(number)") {
        try ShardManifest(text: changed.text)
      }
    }
    var sliver = manifest
    sliver.places[0].folder.isLanded = true
    sliver.places[0].ancestor = nil
    sliver.places[0].folder.land.q2 = sliver.places[0].folder.land.q0
    sliver.places[0].folder.land.q3 = sliver.places[0].folder.land.q1
    #expect(throws: ShardManifestError.malformed) { try ShardManifest(text: sliver.text) }
  }

  @Test func saysWhatIsWrong() throws {
    func error(_ text: String) -> ShardManifestError? {
      do throws(ShardManifestError) {
        _ = try ShardManifest(text: Array(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(error("") == .cutShort)
    #expect(error("hello") == .foreign)
    #expect(error("{\"geomapper\":\"shard\",\"version\":1,\"proj") == .cutShort)
    func sealed(_ text: String) -> String {
      let digits = String(XXH64.hash(Array(text.utf8).span, seed: 0), radix: 16)
      return text + ",\"sum\":\"" + String(repeating: "0", count: 16 - digits.count) + digits
        + "\"}\n"
    }
    let opening = "{\"geomapper\":\"shard\",\"version\":"
    #expect(error(sealed(opening + "2,\"what\":\"ever\"")) == .otherVersion)
    let old = opening + "1,\"projection\":1,\"what\":\"ever\""
    #expect(error(sealed(old)) == .otherProjection(version: 1))
    #expect(error(old + ",\"sum\":\"0123456789abcdef\"}\n") == .changed)
    let part = "{\"geomapper\":\"part\",\"version\":1,\"projection\":1,\"what\":\"ever\"}\n"
    #expect(throws: ShardManifestError.otherProjection(version: 1)) {
      try PartHeader(text: Array(part.utf8))
    }
    #expect("\(ShardManifestError.otherProjection(version: 1))".hasPrefix("of projection 1, "))
  }

  @Test func mapOrderIsThatOfTheMap() {
    let paths = ["a", "a/b", "a/b/c", "a/b!", "a/c", "a!", "b"].map { Array($0.utf8) }
    for (index, path) in paths.enumerated() {
      for other in paths[(index + 1)...] {
        #expect(MapOrder.precedes(path, other))
        #expect(!MapOrder.precedes(other, path))
      }
      #expect(!MapOrder.precedes(path, path))
    }
    #expect(paths[2].isPath(atOrBelow: paths[0]))
    #expect(!paths[3].isPath(atOrBelow: paths[1]))
  }
}
