import Foundation
import TestSupport
import Testing

@testable import GeoDraw

/// Circles and squares on sheets.
@Suite struct SymbolTests {
  /// Of several folders each holds nearly everything in turn; its land is large or small.
  @Test func circlesMuchLargerThanTheirLandAreLighter() async throws {
    var areas: (light: [Double], full: [Double]) = ([], [])
    for large in 0..<6 {
      let world = try ComparedWorld()
      for number in 0..<6 {
        let size = number == large ? 600_000 : 90
        try world.file("old", "land \(number)/file", size)
        try world.file("new", "land \(number)/file", number == large ? 800_000 : 90)
      }
      let poster = try await world.poster()
      let folders = poster.map.tree.folders
      let index = try #require(
        folders.firstIndex { $0.name.elementsEqual(Array("land \(large)".utf8)) })
      let outline = try #require(poster.map.lands[index]).outline
      let area = outline.reduce(0) { $0 + Line.area($1) }
      let svg = String(decoding: poster.svg, as: UTF8.self)
      let isLight = svg.contains("light: much larger than its land")
      #expect(isLight == svg.contains("\".45\" fill-rule=\"evenodd\""))
      if isLight { areas.light.append(area) } else { areas.full.append(area) }
    }
    let (light, full) = (try #require(areas.light.max()), try #require(areas.full.min()))
    #expect(light < full)
  }

  /// Where each file is too small for a square, the largest have one all the same.
  @Test(arguments: [20, 2000]) func theLargestOfManyFilesAreSquares(count: Int) async throws {
    let world = try DrawnWorld()
    for number in 0..<2 { try world.folder.makeFile("world/\(number)", "text") }
    let map = try await world.poster().map
    let middle = map.view.world(at: map.view.frame.middle)
    let (west, south) = ((middle.x - 0.5) * 360, Mercator.latitude(ofY: middle.y))
    let files = (0..<count).map { number -> PosterFile in
      let (column, row) = (Double(number % 50), Double(number / 50))
      return PosterFile(
        name: Array("\(number)".utf8), bytes: Int64(90_000 + number), allocated: nil,
        place: (west + column / 10, south + row / 10))
    }
    let signs = try #require(FileSymbols(files, on: map))
    #expect(signs.signs.count == 14)
    #expect(signs.signs.count + signs.dots.count == count)
    #expect(signs.signs.map(\.radius).min() ?? 0 >= 2.6)
    #expect(signs.signs.first?.file.bytes == Int64(90_000 + count - 1))
  }

  @Test func leadersEndInADot() {
    var pen = Pen()
    pen.leader(to: Point(60, 20), from: Point(20, 20), 10, isSquare: false, 0)
    #expect(String(decoding: pen.svg.bytes, as: UTF8.self).contains("d=\"M30 20l30 0\""))
    #expect(String(decoding: pen.svg.bytes, as: UTF8.self).contains("<circle cx=\"60\" cy=\"20\""))
    pen = Pen()
    // It hasn't been pushed away.
    pen.leader(to: Point(24, 20), from: Point(20, 20), 10, isSquare: false, 0)
    #expect(pen.svg.bytes.isEmpty)
  }
}

/// Names that can be read.
@Suite struct ReadableNameTests {
  @Test func smallLettersAreLevel() async throws {
    let poster = try await DrawnWorld.usualSheet.value
    #expect(!poster.names.isEmpty)
    for name in poster.names + poster.notes where name.placed.size < 10 {
      for letter in name.placed.letters {
        #expect(abs(letter.angle) < 0.45, "\(name.letters.joined())")
      }
    }
  }

  /// Files in no folder are a row, and named where they are.
  @Test func filesOfTheFolderItselfAreNamed() async throws {
    let world = try DrawnWorld()
    for number in 0..<3 { try world.folder.makeFile("world/land \(number)/file", size: 30_000) }
    for number in 0..<5 { try world.folder.makeFile("world/own \(number)", size: 20_000) }
    let svg = String(decoding: try await world.poster().svg, as: UTF8.self)
    // In the list and on the map.
    #expect(svg.components(separatedBy: ">files of world here<").count == 3)
    #expect(svg.contains(">100 kB · 5 files<"))
    for number in 0..<5 { try world.folder.makeFile("world/own \(number)", size: 100) }
    let little = String(
      decoding: try await world.poster { $0.size = .a3 }.svg, as: UTF8.self)
    #expect(little.components(separatedBy: ">files of world here<").count == 2)
  }

  /// Sums of a layer over several roots can exceed all numbers.
  @Test func endlessAmountsAreRounded() {
    #expect(Symbols.rounded(.infinity) == .infinity)
    #expect(TownScale(amount: .infinity).bounds == [.infinity, .infinity, .infinity])
    #expect(TownScale(amount: 13_000).bounds == [10, 100, 1000])
  }
}
