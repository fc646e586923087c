import GeoCore

/// The tints of siblings: numbers from 0 to 5, of which lands next to each other have different
/// ones.
///
/// They follow from the parent's place and the names of all its sub-folders, shown or not. So a
/// land has the same tint wherever it is drawn, and files change none.
///
/// Lands are next to each other if their cells share a part of a side. A land gets its id modulo
/// six, or the next tint that none of its neighbours has which come before it. The order makes sure
/// that there is one: lands with fewer than six neighbours come last, before them those that have
/// fewer than six when these are gone, and so on; lands of one round in the order of their keys.
/// No map of cells is without such lands, so each land finds at most five tints taken. (In layout
/// `pinned` several siblings may have one cell: the first of them stands for it, and each of the
/// others differs from the one before.)
package enum Tints {
  /// The number of tints.
  package static let count = 6

  /// Assigns a tint to each of some lands.
  ///
  /// - Parameters:
  ///   - ids: The lands' ids, in the order of their keys.
  ///   - borders: Pairs of neighbours, as indices in `ids`, each pair once.
  /// - Returns: The tints, in the same order.
  /// - Complexity: O(lands + borders), without sorting.
  package static func give(_ ids: [UInt64], borders: [(Int32, Int32)]) -> [UInt8] {
    let neighbours = Neighbours(ids.count, borders)
    var tints = [UInt8](repeating: UInt8(count), count: ids.count)
    for land in neighbours.order(fewerThan: count) {
      var taken: UInt8 = 0
      for other in neighbours[land] { taken |= 1 &<< tints[Int(other)] }
      let first = Int(ids[land] % UInt64(count))
      let free = (0..<count).lazy.map { (first + $0) % count }.first { taken & 1 << $0 == 0 }
      tints[land] = UInt8(free ?? first)
    }
    return tints
  }
}

/// The neighbours of each land, one after the other.
private struct Neighbours {
  private var starts: [Int32]
  private var all: [Int32]

  init(_ count: Int, _ borders: [(Int32, Int32)]) {
    starts = [Int32](repeating: 0, count: count + 1)
    for (a, b) in borders {
      starts[Int(a) + 1] += 1
      starts[Int(b) + 1] += 1
    }
    for index in 0..<count { starts[index + 1] += starts[index] }
    all = [Int32](repeating: 0, count: 2 * borders.count)
    var next = starts
    for (a, b) in borders {
      all[Int(next[Int(a)])] = b
      all[Int(next[Int(b)])] = a
      next[Int(a)] += 1
      next[Int(b)] += 1
    }
  }

  subscript(land: Int) -> ArraySlice<Int32> { all[Int(starts[land])..<Int(starts[land + 1])] }

  /// All lands in an order in which each comes after fewer than a number of its neighbours, if
  /// there is such an order.
  func order(fewerThan most: Int) -> [Int] {
    let count = starts.count - 1
    // How many neighbours are left; negative once the land itself is gone.
    var left = (0..<count).map { self[$0].count }
    var rounds: [[Int]] = []
    var round = left.indices.filter { left[$0] < most }
    var found = 0
    while found < count {
      // No cells do this: it takes borders that are on no map.
      if round.isEmpty { round = left.indices.filter { left[$0] >= 0 } }
      found += round.count
      for land in round { left[land] = -1 }
      var next: [Int] = []
      for land in round {
        for other in self[land] where left[Int(other)] >= 0 {
          left[Int(other)] -= 1
          if left[Int(other)] == most - 1 { next.append(Int(other)) }
        }
      }
      rounds.append(round)
      round = next.sorted()
    }
    return rounds.reversed().flatMap { $0 }
  }
}

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
  private static let least: Int64 = 1 << 10

  /// Repeats a share-out, and finds the neighbours.
  ///
  /// - Parameters:
  ///   - quad: The land that was shared.
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
  ///   - a: The western (or northern) part.
  ///   - b: The eastern (or southern) part.
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
    guard min(mine.to, others.to) - max(mine.from, others.from) > Self.least else { return }
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

  /// The ends of a side.
  fileprivate func side(_ side: Side) -> (PlanPoint, PlanPoint) {
    switch side {
    case .west: (q0, q3)
    case .north: (q0, q1)
    case .east: (q1, q2)
    case .south: (q3, q2)
    }
  }
}

extension GeoProjectionEngine {
  /// The tints of all sub-folders of one folder; see ``Tints``.
  ///
  /// - Parameters:
  ///   - folders: The places of all sub-folders, shown or not, in any order; those without
  ///     land have no neighbours.
  ///   - parent: The folder that contains them.
  /// - Returns: The tints, 0 to 5, in the same order.
  /// - Complexity: O(n log n), like placing them.
  package func tints(of folders: [FolderPlace], in parent: FolderPlace) -> [UInt8] {
    guard parent.isLanded, folders.count > 1 else { return folders.map(\.firstTint) }
    let ground = Ground(territory: parent.land, seed: parent.seed, depth: parent.depth)
    let share =
      layout == .pinned
      ? ShareOut(seed: parent.seed, pinnedBits: 8)
      : ShareOut(seed: parent.seed, lotBits: ShareOut.lotBits(depth: parent.depth))
    return Self.tints(of: folders, share, of: ground.countryside)
  }

  /// The tints of the roots, in the order of ``roots``.
  package func tintsOfRoots() -> [UInt8] {
    Self.tints(of: roots, ShareOut(seed: 0, lotBits: 0), of: .land)
  }

  private static func tints(
    of folders: [FolderPlace], _ share: ShareOut, of quad: Quad
  ) -> [UInt8] {
    var assignments = folders.indices.map {
      ShareOut.Assignment(key: folders[$0].key, index: $0)
    }
    assignments.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    let tree = CellTree(
      share, of: quad, among: assignments.span,
      isLanded: assignments.map { folders[$0.index].isLanded })
    let given = Tints.give(assignments.map { folders[$0.index].id }, borders: tree.borders)
    var tints = [UInt8](repeating: 0, count: folders.count)
    for (position, assignment) in assignments.enumerated() {
      tints[assignment.index] = given[position]
    }
    return tints
  }
}

extension FolderPlace {
  /// The tint of a land without neighbours.
  fileprivate var firstTint: UInt8 { UInt8(id % UInt64(Tints.count)) }
}
