import TestSupport
import Testing

@testable import GeoDraw

/// Circles and squares on sheets.
@Suite struct SymbolTests {
  /// A sheet of folders of which the first holds nearly everything.
  private func sheet(_ folders: Int) async throws -> String {
    let world = try ComparedWorld()
    for number in 0..<folders {
      try world.file("old", "land \(number)/file", number == 0 ? 600_000 : 90)
      try world.file("new", "land \(number)/file", number == 0 ? 800_000 : 90)
    }
    return String(decoding: try await world.poster().svg, as: UTF8.self)
  }

  @Test func circlesMuchLargerThanTheirLandAreLighter() async throws {
    let words = "light: much larger than its land"
    let many = try await sheet(40)
    #expect(many.contains(words) && many.contains("fill-rule=\"evenodd\""))
    let few = try await sheet(2)
    #expect(!few.contains(words) && !few.contains("fill-rule=\"evenodd\""))
  }

  /// Where each file is too small for a square, the largest have one all the same.
  @Test(arguments: [20, 2000]) func theLargestOfManyFilesAreSquares(count: Int) async throws {
    let world = try DrawnWorld()
    for number in 0..<2 { try world.folder.makeFile("world/\(number)", "text") }
    let map = try await world.poster().map
    let middle = map.view.world(at: map.view.frame.middle)
    let files = (0..<count).map { number in
      PosterFile(
        name: Array("\(number)".utf8), bytes: Int64(90_000 + number), allocated: nil,
        place: (
          (middle.x - 0.5) * 360 + Double(number % 50) / 10,
          Mercator.latitude(ofY: middle.y) + Double(number / 50) / 10
        ))
    }
    let signs = try #require(FileSigns(files, on: map))
    #expect(signs.signs.count == (count == 20 ? 20 : 14))
    #expect(signs.signs.count + signs.dots.count == count)
    #expect(signs.signs.map(\.radius).min() ?? 0 >= 2.6)
    #expect(signs.signs.first?.file.bytes == Int64(90_000 + count - 1))
  }

  @Test func leadersEndInADot() {
    var pen = Pen()
    pen.leader(to: Point(60, 20), from: Point(20, 20), 10, isSquare: false, Paint(0))
    #expect(String(decoding: pen.svg.bytes, as: UTF8.self).contains("d=\"M30 20l30 0\""))
    #expect(String(decoding: pen.svg.bytes, as: UTF8.self).contains("<circle cx=\"60\" cy=\"20\""))
    pen = Pen()
    // It hasn't been pushed away.
    pen.leader(to: Point(24, 20), from: Point(20, 20), 10, isSquare: false, Paint(0))
    #expect(pen.svg.bytes.isEmpty)
  }
}
