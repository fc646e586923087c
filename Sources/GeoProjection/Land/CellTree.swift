/// The cells of siblings as the tree of cuts that made them.
struct CellTree {
  private struct Node {
    let quad: Quad
    /// The first of the assignments in the quad; -1 without one.
    var folder: Int32 = -1
    /// The western (or northern) part; -1 in a cell.
    var first: Int32 = -1
    var second: Int32 = -1

    var isCell: Bool { first < 0 }
  }

  private var nodes: [Node] = []
  /// Pairs of neighbours, by their positions among the assignments.
  private(set) var borders: [(Int32, Int32)] = []

  /// Cells share a part of a side if it is longer than this, in units of the plan: far more than
  /// coordinates lose by rounding, and far less than the least breadth of land.
  private static let minimum: Int64 = 1 << 10

  /// Repeats a share-out, and finds the neighbours.
  ///
  /// - Parameters:
  ///   - assignments: All siblings, sorted as for the share-out.
  ///   - isLanded: Whether each of them owns land; others are no neighbours.
  init(
    _ share: ShareOut, of quad: Quad, among assignments: Span<ShareOut.Assignment>,
    isLanded: [Bool]
  ) {
    nodes.reserveCapacity(2 * assignments.count)
    _ = add(quad, share, assignments, 0..<assignments.count, bit: 0, isLanded)
  }

  private mutating func add(
    _ quad: Quad, _ share: ShareOut, _ assignments: Span<ShareOut.Assignment>, _ range: Range<Int>,
    bit: Int, _ isLanded: [Bool]
  ) -> Int32 {
    let index = Int32(nodes.count)
    nodes.append(Node(quad: quad))
    if range.isEmpty { return index }
    guard let cut = share.cut(quad, assignments, range, bit: bit) else {
      var last: Int32 = -1
      for position in range where isLanded[position] {
        // Only in layout pinned there is more than one.
        if last >= 0 { borders.append((last, Int32(position))) }
        last = Int32(position)
        if nodes[Int(index)].folder < 0 { nodes[Int(index)].folder = last }
      }
      return index
    }
    let first = add(
      cut.first, share, assignments, range.lowerBound..<cut.middle, bit: cut.bit, isLanded)
    let second = add(
      cut.second, share, assignments, cut.middle..<range.upperBound, bit: cut.bit, isLanded)
    nodes[Int(index)].first = first
    nodes[Int(index)].second = second
    let isWide = quad.axes.isWide
    // The cut is a straight line; distances along it are measured by the larger component.
    let side = cut.first.side(isWide ? .east : .south)
    meet(
      Int(first), Int(second), across: isWide,
      byY: abs(side.0.y - side.1.y) > abs(side.0.x - side.1.x))
    return index
  }

  /// Finds the neighbours on both sides of a cut.
  ///
  /// - Parameters:
  ///   - isWide: Whether they are west and east of the cut.
  ///   - byY: Whether distances along the cut are measured by y.
  private mutating func meet(_ a: Int, _ b: Int, across isWide: Bool, byY: Bool) {
    func range(_ side: (PlanPoint, PlanPoint)) -> (from: Int64, to: Int64) {
      let (p, q) = byY ? (side.0.y, side.1.y) : (side.0.x, side.1.x)
      return (min(p, q), max(p, q))
    }
    let (one, other) = (nodes[a], nodes[b])
    let mine = range(one.quad.side(isWide ? .east : .south))
    let others = range(other.quad.side(isWide ? .west : .north))
    guard min(mine.to, others.to) - max(mine.from, others.from) > Self.minimum else { return }
    if one.isCell, other.isCell {
      if one.folder >= 0, other.folder >= 0 { borders.append((one.folder, other.folder)) }
      return
    }
    if !one.isCell, other.isCell || mine.to - mine.from >= others.to - others.from {
      // A cut along the side leaves one part at it, another cut both.
      if one.quad.axes.isWide != isWide { meet(Int(one.first), b, across: isWide, byY: byY) }
      meet(Int(one.second), b, across: isWide, byY: byY)
    } else {
      meet(a, Int(other.first), across: isWide, byY: byY)
      if other.quad.axes.isWide != isWide { meet(a, Int(other.second), across: isWide, byY: byY) }
    }
  }
}

extension Quad {
  enum Side { case west, north, east, south }

  fileprivate func side(_ side: Side) -> (PlanPoint, PlanPoint) {
    switch side {
    case .west: (q0, q3)
    case .north: (q0, q1)
    case .east: (q1, q2)
    case .south: (q3, q2)
    }
  }
}
