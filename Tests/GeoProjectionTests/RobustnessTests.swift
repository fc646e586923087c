import GeoCore
import GeoProjection
import TestSupport
import Testing

/// The engine accepts every input, whatever the names, their number and the depth.
@Suite struct RobustnessTests {
  private func engine(_ label: String = "root") throws -> GeoProjectionEngine {
    try GeoProjectionEngine(layout: .settled, labels: NameTable([Array(label.utf8)]))
  }

  @Test func depthSaturates() throws {
    let engine = try engine()
    for isLanded in [true, false] {
      var place = engine.roots[0]
      place.depth = .max
      place.isLanded = isLanded
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable([[1], [2]]), in: place, fileCount: .max, into: &places)
      #expect(places.map(\.depth) == [.max, .max])
      #expect(places.map(\.isLanded) == [isLanded, isLanded])
    }
  }

  @Test func anyNumberOfEqualKeysIsPlaced() throws {
    let engine = try engine()
    let root = engine.roots[0]
    for count in [2, 3, 1000, 3000] {
      let names = (0..<count).map {
        ForgedName.name(key: .max, in: root.seed, salt: UInt64($0))
      }
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(names), in: root, fileCount: 0, into: &places)
      #expect(Set(places.map(\.seed)).count == 1)
      #expect(Set(places.map(\.land)).count == count)
    }
  }

  /// A sequence of keys that splits the land down to the last bit.
  @Test func keysDifferingInEveryBitArePlaced() throws {
    let engine = try engine()
    let root = engine.roots[0]
    for base in [0, .max, 0x5555_5555_5555_5555] as [UInt64] {
      var names = (0..<64).map {
        ForgedName.name(key: base ^ 1 << UInt64($0), in: root.seed, salt: 9)
      }
      names += (0..<5).map { ForgedName.name(key: base, in: root.seed, salt: $0) }
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(names), in: root, fileCount: 0, into: &places)
      #expect(places.count == 69)
      #expect(places[0].isLanded == false || places[0].land != places[1].land)
    }
  }

  @Test func forgedNamesHaveTheirKeys() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let (parent, key, salt) = (generator.next(), generator.next(), generator.next())
      let name = ForgedName.name(key: key, in: parent, salt: salt)
      let seed = XXH64.hash(name.span, seed: parent)
      #expect(SplitMix64.number(seed, 0) == key)
    }
  }

  @Test func landlessRootsAreRefused() {
    // Keys that get the smaller parts, with the smallest few dozen followed from bit to bit. Then a
    // folder for each bit, so that all the cuts are made, and many folders with the same key.
    var smallest: [(key: UInt64, quad: Quad)] = [(0, .land)]
    for bit in 0..<64 {
      let parts = smallest.flatMap { key, quad in
        let (first, second) = quad.cut(atBit: bit, of: key, seed: 0)
        return [(key, first), (key | 1 << UInt64(63 - bit), second)]
      }
      let areas = parts.map { Double($1.axes.widthExtent) * Double($1.axes.heightExtent) }
      let order = parts.indices.sorted { areas[$0] < areas[$1] }
      smallest = order.prefix(64).map { parts[$0] }
    }
    let key = smallest[0].key
    var names = (0..<512).map { ForgedName.name(key: key, in: 0, salt: $0) }
    names += (0..<64).map { ForgedName.name(key: key ^ 1 << UInt64($0), in: 0, salt: 0) }
    let labels = NameTable(names, kind: .directory)
    #expect {
      _ = try GeoProjectionEngine(layout: .settled, labels: labels)
    } throws: { error in
      guard case .noLand(let label) = error as? RootError else { return false }
      return names.prefix(512).contains(label)
    }
  }

  @Test func emptyRootsAndNamesArePlaced() throws {
    let none = try GeoProjectionEngine(layout: .pinned, labels: NameTable())
    #expect(none.roots.isEmpty && none.chart.sea == 0)
    let engine = try engine()
    var folders = engine.roots
    engine.placeFolders(NameTable(), in: engine.roots[0], fileCount: 0, into: &folders)
    #expect(folders.isEmpty)
    var files = [FilePlace(seed: 0, coordinate: Coordinate(longitude: 0, latitude: 0))]
    let city = engine.city(of: engine.roots[0], fileCount: -1)
    engine.placeFiles(NameTable([[1]]), 0..<0, in: city, into: &files)
    #expect(files.isEmpty)
    let nameless: [UInt8] = []
    let file = engine.placeFile(nameless.span, in: city)
    let seed = XXH64.hash(nameless.span, seed: city.folderSeed)
    #expect(file.seed == seed)
  }

  /// Batches of any size, from any part of a table, give each file the same place as alone.
  @Test func batchesEqualSingleFiles() throws {
    let engine = try engine("batches")
    var generator = SeededGenerator(seed: 8)
    let names = Tree.names(200, 0...255, using: &generator)
    let table = NameTable(names)
    let city = engine.city(of: engine.roots[0], fileCount: names.count)
    let single = names.map { engine.placeFile($0.span, in: city) }
    var places: [FilePlace] = []
    for count in [1, 2, 3, 4, 5, 63, 64, 65, 130] {
      let start = generator.number(in: 0...(200 - count))
      engine.placeFiles(table, start..<start + count, in: city, into: &places)
      #expect(places == Array(single[start..<start + count]))
    }
  }

  /// A ring's buffer can be reused from any other folder.
  @Test func buffersAreReused() throws {
    var generator = SeededGenerator(seed: 2)
    let world = try World(.settled, Scenario.deep.tree(using: &generator))
    var ring: [Coordinate] = []
    for node in world.nodes.shuffled(using: &generator).prefix(60) {
      guard let folder = node.folder else { continue }
      world.engine.coastline(of: folder, into: &ring)
      #expect(ring == world.ring(node))
      #expect(ring.count == (folder.isLanded ? 256 >> min(node.depth, 4) : 0))
    }
  }
}
