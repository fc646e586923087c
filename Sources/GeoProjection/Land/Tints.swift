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
  package static let count = 6

  /// Assigns a tint to each of some lands.
  ///
  /// `ids` are in the order of the lands' keys; `borders` has each pair of neighbours once, as
  /// indices in `ids`.
  ///
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
  func order(fewerThan maximum: Int) -> [Int] {
    let count = starts.count - 1
    // How many neighbours are left; negative once the land itself is gone.
    var left = (0..<count).map { self[$0].count }
    var rounds: [[Int]] = []
    var round = left.indices.filter { left[$0] < maximum }
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
          if left[Int(other)] == maximum - 1 { next.append(Int(other)) }
        }
      }
      rounds.append(round)
      round = next.sorted()
    }
    return rounds.reversed().flatMap { $0 }
  }
}

extension GeoProjectionEngine {
  /// The tints of all sub-folders of one folder; see ``Tints``.
  ///
  /// - Parameter folders: The places of all sub-folders, shown or not, in any order; those without
  ///   land have no neighbours.
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
