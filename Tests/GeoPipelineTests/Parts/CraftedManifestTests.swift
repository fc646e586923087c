import GeoFormats
import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoPipeline

/// The engine copes with every manifest that is accepted.
@Suite struct CraftedManifestTests {
  @Test func longNamesAndLargeNumbersAreMalformed() throws {
    var generator = SeededGenerator(seed: 1)
    let manifest = try ShardManifestTextTests.random(&generator)
    let name = [UInt8](repeating: 0x78, count: 1 << 16)
    var labelled = manifest
    labelled.labels.append(name)
    labelled.labels.sort { $0.lexicographicallyPrecedes($1) }
    var placed = manifest
    placed.places[0].path += [UInt8(ascii: "/")] + name
    var cut = manifest
    cut.cuts = [manifest.places[0].path + [UInt8(ascii: "/")] + name]
    var way = manifest
    way.intermediates = [ShardManifest.Intermediate(path: cut.cuts[0], listing: 1)]
    // A join counts up to this number.
    var counted = manifest
    counted.count = 1 << 40
    for crafted in [labelled, placed, cut, way, counted] {
      #expect(throws: ShardManifestError.malformed) { _ = try ShardManifest(text: crafted.text) }
    }
    let header = PartHeader(
      counted, isPartial: false, reasons: [], format: .geojson, options: 0)
    #expect(throws: ShardManifestError.malformed) { _ = try PartHeader(text: header.text) }
  }

  @Test func anyLandCanBeProjected() throws {
    let property = Property("crafted land") { generator in
      var manifest = try ShardManifestTextTests.random(&generator)
      func corner() -> PlanPoint {
        let edges: [Int64] = [0, 1, (1 << 62) - 1, 1 << 61, 1 << 22]
        func number() -> Int64 {
          generator.chance(0.3)
            ? edges[generator.number(in: 0...4)] : Int64(generator.next() >> 2)
        }
        return PlanPoint(x: number(), y: number())
      }
      manifest.places[0].folder.land = Quad(corner(), corner(), corner(), corner())
      manifest.places[0].folder.digits = UInt8(generator.number(in: 6...13))
      manifest.places[0].folder.minzoom = UInt8(generator.number(in: 0...128))
      manifest.places[0].folder.isLanded = generator.chance(0.8)
      manifest.places[0].ancestor = nil
      if !manifest.places[0].folder.isLanded {
        var ancestor = manifest.places[0].folder
        ancestor.depth = 0
        ancestor.isLanded = true
        ancestor.land = Quad(corner(), corner(), corner(), corner())
        manifest.places[0].ancestor = ancestor
      }
      return manifest
    } fault: { manifest in
      guard let read = try? ShardManifest(text: manifest.text) else { return nil }
      let place = read.places[0].folder
      let engine = try GeoProjectionEngine(layout: read.layout, labels: NameTable(read.labels))
      var ring: [Coordinate] = []
      engine.coastline(of: place, into: &ring)
      if let ancestor = read.places[0].ancestor {
        engine.coastline(of: ancestor, into: &ring)
      }
      ring.append(engine.coordinate(of: place))
      var folders: [FolderPlace] = []
      let names = NameTable([Array("a".utf8), Array("b".utf8), Array("c".utf8)])
      engine.placeFolders(names, in: place, fileCount: 3, into: &folders)
      for folder in folders {
        engine.coastline(of: folder, into: &ring)
        ring.append(engine.coordinate(of: folder))
      }
      var files: [FilePlace] = []
      engine.placeFiles(
        names, 0..<3, in: engine.city(of: place, fileCount: 3), into: &files)
      return ring.isEmpty || files.count != 3 ? "nothing was placed" : nil
    }
    #expect(try property.counterexample(cases: 400) == nil)
  }
}
