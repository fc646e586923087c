/// Boxes of a sheet that something stands in, found by the part of the sheet.
struct TakenBoxes: Sendable {
  private struct Cell: Hashable {
    let x: Int
    let y: Int
  }

  private var cells: [Cell: [Box]] = [:]
  private static let side = 48.0

  private static func cells(of box: Box) -> [Cell] {
    let (x0, x1) = (Int((box.left / side).rounded(.down)), Int((box.right / side).rounded(.down)))
    let (y0, y1) = (Int((box.top / side).rounded(.down)), Int((box.bottom / side).rounded(.down)))
    return (y0...max(y0, y1)).flatMap { y in (x0...max(x0, x1)).map { Cell(x: $0, y: y) } }
  }

  mutating func take(_ box: Box) {
    for cell in Self.cells(of: box) { cells[cell, default: []].append(box) }
  }

  func isFree(_ box: Box) -> Bool {
    !Self.cells(of: box).contains { cell in
      cells[cell]?.contains { $0.overlaps(box) } ?? false
    }
  }
}
