import GeoCore
import GeoProjection
import TestSupport
import Testing

/// The ground of a city, which the page draws before its files.
@Suite struct TownGroundTests {
  private func contains(_ town: TownGround, _ longitude: Double, _ latitude: Double) -> Bool {
    var isInside = false
    for (index, a) in town.ring.enumerated() {
      let b = town.ring[(index + 1) % town.ring.count]
      let (ay, by) = (Double(a.latitude), Double(b.latitude))
      if (ay > latitude) == (by > latitude) { continue }
      let part = (latitude - ay) / (by - ay) * Double(b.longitude - a.longitude)
      if longitude < Double(a.longitude) + part { isInside.toggle() }
    }
    return isInside
  }

  /// Every part has about as many files as it says, and hardly any file is outside all parts.
  @Test(arguments: [Layout.settled, .pinned], TestScale.seeds(5))
  func filesAreOnTownGround(layout: Layout, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let engine = try GeoProjectionEngine(
      layout: layout, labels: NameTable([Array("root\(seed)".utf8)]))
    var place = engine.roots[0]
    for depth in 0...4 {
      let names = Tree.names(generator.number(in: 2000...4000), using: &generator)
      let folders = (0..<generator.number(in: 1...3)).map { Array("n\($0)-\(depth)".utf8) }
      var places: [FolderPlace] = []
      let city = engine.placeFolders(
        NameTable(folders), in: place, fileCount: names.count, into: &places)
      let towns = engine.towns(of: city, in: place, fileCount: names.count)
      #expect(towns.reduce(0) { $0 + $1.files } == names.count, "seed \(seed), depth \(depth)")
      var spots: [FilePlace] = []
      engine.placeFiles(NameTable(names), 0..<names.count, in: city, into: &spots)
      var counts = [Int](repeating: 0, count: towns.count)
      var beside = 0
      for spot in spots {
        var (x, y) = (Double(spot.coordinate.longitude), Double(spot.coordinate.latitude))
        for _ in (towns.first?.digits ?? 0)..<city.digits { (x, y) = (x / 10, y / 10) }
        let town = towns.firstIndex { contains($0, x, y) }
        if let town { counts[town] += 1 } else { beside += 1 }
      }
      #expect(beside * 33 <= names.count, "seed \(seed), depth \(depth): \(beside)")
      for (town, count) in zip(towns, counts) {
        let slack = 6 * Double(town.files).squareRoot() + 5
        #expect(abs(Double(count - town.files)) < slack, "seed \(seed), depth \(depth)")
      }
      guard let next = places.first(where: \.isLanded) else { break }
      place = next
    }
  }

  @Test func noTownsForVisibleOrMissingFiles() throws {
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([Array("r".utf8)]))
    var place = engine.roots[0]
    let none = engine.city(of: place, fileCount: 0)
    #expect(engine.towns(of: none, in: place, fileCount: 0).isEmpty)
    let city = engine.city(of: place, fileCount: 900)
    #expect(!engine.towns(of: city, in: place, fileCount: 900).isEmpty)
    place.minzoom = city.minzoom
    #expect(engine.towns(of: city, in: place, fileCount: 900).isEmpty)
    place.minzoom = 0
    place.isLanded = false
    #expect(engine.towns(of: city, in: place, fileCount: 900).isEmpty)
  }
}
