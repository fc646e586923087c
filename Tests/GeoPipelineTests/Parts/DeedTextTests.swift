import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoPipeline

/// A deed's text holds all that the deed does, and nothing else is taken for one.
@Suite struct DeedTextTests {
  /// A deed of a random world.
  static func random(_ generator: inout SeededGenerator) throws -> Deed {
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
    var deed = Deed(
      layout: layout, labels: labels, set: generator.next(), number: 1, count: 3,
      places: [Deed.Place(path: path, folder: place, ancestor: ancestor, listing: listing)])
    if generator.chance(0.5) {
      deed.ways = [Deed.Way(path: path + Array("/a".utf8), listing: generator.next())]
      deed.cuts = [path + Array("/a/b".utf8), path + Array("/a/c%".utf8)]
    }
    return deed
  }

  @Test func readsWhatItWrites() throws {
    let property = Property("a deed's text") {
      try Self.random(&$0)
    } fault: { deed in
      let read = try? Deed(text: deed.text)
      return read == deed ? nil : "read as \(read.map { "\($0)" } ?? "nothing")"
    }
    #expect(try property.counterexample(cases: 300) == nil)
  }

  @Test(arguments: TestScale.seeds(3)) func everyChangedByteIsRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = try Self.random(&generator).text
    _ = try Deed(text: text)
    for index in text.indices {
      for change in [UInt8(1), 0x20, UInt8.random(in: 1...255, using: &generator)] {
        var changed = text
        changed[index] ^= change
        #expect(throws: DeedError.self, "seed \(seed), byte \(index)") { try Deed(text: changed) }
      }
      #expect(throws: DeedError.self) { try Deed(text: Array(text[..<index])) }
      var changed = text
      changed.remove(at: index)
      #expect(throws: DeedError.self) { try Deed(text: changed) }
      changed = text
      changed.insert(UInt8(ascii: " "), at: index)
      #expect(throws: DeedError.self) { try Deed(text: changed) }
    }
    #expect(throws: DeedError.self) { try Deed(text: text + text) }
    #expect(throws: DeedError.self) { try Deed(text: text + [UInt8(ascii: "\n")]) }
  }

  /// Whoever makes the check sum, too, can't make a deed that says what none does.
  @Test func nonsenseIsRefused() throws {
    var generator = SeededGenerator(seed: 7)
    let deed = try Self.random(&generator)
    let changes: [(inout Deed) -> Void] = [
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
      { $0.ways = [Deed.Way(path: Array("elsewhere".utf8), listing: 0)] },
    ]
    for (number, change) in changes.enumerated() {
      var changed = deed
      change(&changed)
      #expect(throws: DeedError.malformed, "change \(number)") { try Deed(text: changed.text) }
    }
    var sliver = deed
    sliver.places[0].folder.isLanded = true
    sliver.places[0].ancestor = nil
    sliver.places[0].folder.land.q2 = sliver.places[0].folder.land.q0
    sliver.places[0].folder.land.q3 = sliver.places[0].folder.land.q1
    #expect(throws: DeedError.malformed) { try Deed(text: sliver.text) }
  }

  @Test func saysWhatIsWrong() throws {
    func error(_ text: String) -> DeedError? {
      do throws(DeedError) {
        _ = try Deed(text: Array(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(error("") == .cutShort)
    #expect(error("hello") == .foreign)
    #expect(error("{\"geomapper\":\"deed\",\"version\":1,\"proj") == .cutShort)
    func sealed(_ text: String) -> String {
      let digits = String(XXH64.hash(Array(text.utf8).span, seed: 0), radix: 16)
      return text + ",\"sum\":\"" + String(repeating: "0", count: 16 - digits.count) + digits
        + "\"}\n"
    }
    let opening = "{\"geomapper\":\"deed\",\"version\":"
    #expect(error(sealed(opening + "2,\"what\":\"ever\"")) == .otherVersion)
    let old = opening + "1,\"projection\":1,\"what\":\"ever\""
    #expect(error(sealed(old)) == .otherProjection(version: 1))
    #expect(error(old + ",\"sum\":\"0123456789abcdef\"}\n") == .changed)
    let part = "{\"geomapper\":\"part\",\"version\":1,\"projection\":1,\"what\":\"ever\"}\n"
    #expect(throws: DeedError.otherProjection(version: 1)) {
      try PartHeader(text: Array(part.utf8))
    }
    #expect("\(DeedError.otherProjection(version: 1))".hasPrefix("of projection 1, "))
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
