import Foundation
import GeoProjection
import TestSupport
import Testing

@testable import GeoDraw

/// Rules for every sheet.
@Suite struct PosterTests {
  @Test(arguments: [
    ("A3", 420, 297), ("A2", 594, 420), ("a4", 297, 210), ("A0", 1189, 841), ("150x200", 150, 200),
  ])
  func sizesHaveNames(name: String, width: Int, height: Int) throws {
    let size = try #require(SheetSize(parsing: Array(name.utf8)))
    #expect((Int(size.width), Int(size.height)) == (width, height))
  }

  @Test func bytesAreTheSameWithAnyNumberOfThreads() async throws {
    let world = try DrawnWorld.usual()
    let first = try await world.poster(threads: 1).svg
    for threads in [1, 3, 8] {
      #expect(try await world.poster(threads: threads).svg == first)
    }
    let other = try await world.poster { $0.isDark = true }.svg
    #expect(other != first)
  }

  @Test func isWellFormedAndLoadsNothing() async throws {
    let world = try DrawnWorld(["a&<b>\"'"])
    try world.folder.makeFile("a&<b>\"'/<script>alert(1)</script>/x\u{1}y/]]>/file", "1")
    try world.folder.makeFile("a&<b>\"'/http:&/file", "1")
    for shading in Shading.allCases {
      let svg = try await world.poster {
        $0.shading = shading
        $0.title = Array("<b>&\u{7}".utf8)
      }.svg
      let document = try SheetReader(svg)
      #expect(document.elements.isDisjoint(with: SheetReader.forbiddenElements))
      for reference in document.references {
        #expect(
          reference.hasPrefix("#") || reference.hasPrefix("data:image/png;base64,")
            || reference.hasPrefix("url(#"), "\(reference.prefix(60))")
      }
      #expect(document.missing.isEmpty, "\(document.missing)")
      #expect(document.handlers.isEmpty)
    }
  }

  @Test(arguments: ["80x80", "100x100"])
  func smallestSheetsAreDrawn(size: String) async throws {
    let world = try DrawnWorld()
    try world.folder.makeFile("world/a/file", "1")
    let sheet = try #require(SheetSize(parsing: Array(size.utf8)))
    // On some of them the legend leaves no room for a map.
    _ = try SheetReader(try await world.poster { $0.size = sheet }.svg)
  }

  @Test func labelsStayApartAndInTheirLands() async throws {
    let world = try DrawnWorld.usual()
    var posters = [try await DrawnWorld.usualSheet.value]
    for target in [
      PosterTarget.folder([Array("beta".utf8)]),
      .folder([Array("alpha".utf8), Array("country 3".utf8)]),
      .box(BoundingBox(uncheckedWest: -60, south: -40, east: 60, north: 50)),
    ] {
      posters.append(try await world.poster(target) { $0.size = .medium })
    }
    for poster in posters {
      #expect(!poster.names.isEmpty)
      var boxes: [(owner: Int, box: Box)] = []
      for (owner, name) in (poster.names + poster.notes).enumerated() {
        let land = try #require(poster.map.lands[name.folder])
        for letter in name.placed.letters {
          boxes.append((owner, letter.box))
          for corner in letter.corners {
            // Compared with the drawn lines, which are smoother than the grid by less than a unit.
            #expect(
              Self.holds(land, corner, within: 1.2), "\(name.letters.joined()) at \(corner)")
          }
        }
      }
      for (number, town) in poster.towns.enumerated() {
        boxes.append((poster.names.count + poster.notes.count + number, town.box))
      }
      for (index, a) in boxes.enumerated() {
        for b in boxes[(index + 1)...] where a.owner != b.owner {
          #expect(!a.box.overlaps(b.box))
        }
      }
    }
  }

  private static func holds(_ land: DrawnLand, _ point: Point, within slack: Double) -> Bool {
    let crossings = land.outline.count { Line.encloses($0, point) }
    if crossings % 2 == 1 { return true }
    return land.outline.contains { ring in
      zip(ring, ring.dropFirst() + [ring[0]]).contains { a, b in
        Line.distance(of: point, from: a, b) <= slack
      }
    }
  }

  @Test func childrenStayInsideAndShareBorders() async throws {
    let map = try await DrawnWorld.usualSheet.value.map
    #expect(map.lands.values.contains { $0.rank == 2 })
    for land in map.lands.values {
      guard let parent = map.tree.folders[land.folder].parent,
        let around = map.lands[parent]
      else { continue }
      for point in land.outline.joined() {
        #expect(Self.holds(around, point, within: 0.9))
      }
    }
    // Each line is drawn once: no two share a step.
    struct Step: Hashable {
      let a: Point
      let b: Point
    }
    var steps: Set<Step> = []
    for border in map.borders {
      for (a, b) in zip(border.points, border.points.dropFirst()) {
        // Lines shorter than the grid's resolution are left out.
        if a.distance(to: b) < 2 * map.grid.step { continue }
        let step = (a.x, a.y) < (b.x, b.y) ? Step(a: a, b: b) : Step(a: b, b: a)
        #expect(steps.insert(step).inserted)
      }
    }
  }

  @Test func showsTheNeighboursOfAFolder() async throws {
    let world = try DrawnWorld.usual()
    let poster = try await world.poster(.folder(["alpha", "country 3"].map { Array($0.utf8) })) {
      $0.size = .medium
    }
    let map = poster.map
    let top = try #require(map.tree.tops.first)
    let beside = map.lands.values.filter(\.isBeside)
    #expect(!beside.isEmpty)
    for land in beside {
      #expect(map.tree.folders[land.folder].parent == map.tree.folders[top].parent)
    }
    // They adjoin the folder, and nothing is drawn in them.
    let ring = map.lands[top]?.outline.joined().map { $0 } ?? []
    #expect(
      ring.contains { point in
        beside.contains { $0.outline.joined().contains { $0.distance(to: point) < 2 } }
      })
    #expect(
      map.lands.values.allSatisfy {
        $0.rank > 0 || map.tree.folders[$0.folder].parent.map(map.tree.tops.contains) != true
      })
    #expect(poster.names.contains { map.lands[$0.folder]?.isBeside == true && $0.rank == 3 })
    // A sheet of the world has no neighbours.
    #expect(
      try await DrawnWorld.usualSheet.value.map.lands.values.allSatisfy { !$0.isBeside })
  }

  @Test func landsShowTheirTotals() async throws {
    let poster = try await DrawnWorld.usualSheet.value
    #expect(!poster.notes.isEmpty)
    for note in poster.notes {
      let totals = try #require(poster.map.tree.folders[note.folder].totals)
      let bytes = SheetText.bytes(Double(totals.bytes ?? -1))
      let text = "\(bytes) · \(totals.files) file\(totals.files == 1 ? "" : "s")"
      #expect(note.letters.joined() == (totals.files == 0 ? "empty" : text))
    }
  }

  @Test func gapsBetweenNeighboursAreClosed() async throws {
    let map = try await DrawnWorld.usualSheet.value.map
    for land in map.lands.values where land.rank == 1 {
      // A land may grow, but not beyond its parent.
      let outline = land.outline.reduce(0) { $0 + Line.area($1) }
      #expect(outline > Line.area(land.ring) * 0.97)
    }
  }

  @Test func emptyFoldersAreLabelled() async throws {
    let text = String(decoding: try await DrawnWorld(["void"]).poster().svg, as: UTF8.self)
    #expect(text.contains(">nothing is here<"))
    #expect(text.contains(">VOID<"))
    #expect(text.contains("a land without folders"))
    let world = try DrawnWorld(["full"])
    try world.folder.makeFile("full/x", "1")
    let full = String(decoding: try await world.poster().svg, as: UTF8.self)
    #expect(!full.contains(">nothing is here<"))
  }

  @Test func missingFoldersAndBoxesAreRefused() async throws {
    let world = try DrawnWorld.usual()
    await #expect(throws: GeoDrawingError.noFolder(path: "alpha/nowhere")) {
      try await world.poster(.folder([Array("alpha".utf8), Array("nowhere".utf8)]))
    }
    await #expect(throws: GeoDrawingError.badBox) {
      try await world.poster(.box(BoundingBox(uncheckedWest: 170, south: 0, east: -170, north: 10)))
    }
  }

  @Test func equalsTheGoldenFile() async throws {
    let world = try DrawnWorld(["north", "south"])
    for (path, size) in [
      ("north/sea/cape/a.txt", 90_000), ("north/sea/bay/b.txt", 4_000_000),
      ("north/hills/c.txt", 300_000), ("north/plain/d.txt", 12), ("south/isle/e.txt", 60_000),
      ("south/f.txt", 1),
    ] {
      try world.folder.makeFile(path, size: size)
    }
    let svg = try await world.poster {
      $0.date = 1_795_305_600
      $0.title = Array("Golden".utf8)
    }.svg
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden")
    let difference = try Golden.difference(of: svg, from: "small.svg", in: golden)
    #expect(difference == nil, "\(difference?.prefix(1000) ?? "")")
  }
}
