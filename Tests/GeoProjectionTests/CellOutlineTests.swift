import GeoCore
import GeoProjection
import TestSupport
import Testing

/// The outlines of cells as the page draws them: around the coasts, without overlaps.
@Suite struct CellOutlineTests {
  private func area(_ ring: [Coordinate]) -> Double {
    var sum = 0.0
    for (index, a) in ring.enumerated() {
      let b = ring[(index + 1) % ring.count]
      sum +=
        Double(a.longitude - ring[0].longitude) * Double(b.latitude - ring[0].latitude)
        - Double(b.longitude - ring[0].longitude) * Double(a.latitude - ring[0].latitude)
    }
    return sum / 2
  }

  private func contains(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
    var isInside = false
    for (index, a) in ring.enumerated() {
      let b = ring[(index + 1) % ring.count]
      if (a.latitude > point.latitude) == (b.latitude > point.latitude) { continue }
      let part =
        Double(point.latitude - a.latitude) / Double(b.latitude - a.latitude)
        * Double(b.longitude - a.longitude)
      if Double(point.longitude - a.longitude) < part { isInside.toggle() }
    }
    return isInside
  }

  @Test(arguments: [Layout.settled, .pinned], TestScale.seeds(4))
  func surroundsTheCoastInsideTheParent(layout: Layout, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let engine = try GeoProjectionEngine(
      layout: layout, labels: NameTable([Array("root\(seed)".utf8)]))
    var place = engine.roots[0]
    var (outline, coast): ([Coordinate], [Coordinate]) = ([], [])
    for depth in 1...6 {
      var places: [FolderPlace] = []
      let names = (0..<generator.number(in: 1...9)).map { Array("n\($0)-\(depth)".utf8) }
      engine.placeFolders(NameTable(names), in: place, fileCount: 3, into: &places)
      engine.cellOutline(of: place, into: &outline)
      let whole = area(outline)
      let digits = place.digits
      var sum = 0.0
      for folder in places where folder.isLanded {
        engine.cellOutline(of: folder, into: &outline)
        engine.coastline(of: folder, into: &coast)
        #expect(outline.count == max(4, coast.count / 4), "seed \(seed), depth \(depth)")
        #expect(area(outline) > area(coast), "seed \(seed), depth \(depth)")
        let outside = coast.filter { !contains(outline, $0) }.count
        #expect(outside == 0, "seed \(seed), depth \(depth): \(outside) of \(coast.count)")
        var scaled = area(outline)
        for _ in digits..<max(digits, folder.digits) { scaled /= 100 }
        sum += scaled
      }
      #expect(sum <= whole * 1.01, "seed \(seed), depth \(depth)")
      guard let next = places.last(where: \.isLanded) else { break }
      place = next
    }
  }

  @Test func landlessFoldersHaveNoOutline() throws {
    let engine = try GeoProjectionEngine(
      layout: .settled, labels: NameTable([Array("root".utf8)]))
    var place = engine.roots[0]
    place.isLanded = false
    var outline = [Coordinate(longitude: 1, latitude: 2)]
    engine.cellOutline(of: place, into: &outline)
    #expect(outline.isEmpty)
  }
}
