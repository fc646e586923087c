import GeoCore

/// Which of six tints each land has, so that no two neighbours have the same.
package enum Tints {
  /// How many tints there are.
  package static let count = 6

  /// A land among its siblings.
  package struct Land: Sendable {
    package let id: UInt64
    package let path: [UInt8]

    package init(id: UInt64, path: [UInt8]) {
      self.id = id
      self.path = path
    }
  }

  /// The tint of each land: its number modulo six, or the next that no neighbour has.
  ///
  /// Lands are taken in the order of their paths. Where neighbours have all six, the first is taken.
  ///
  /// - Parameters:
  ///   - lands: Siblings, in any order.
  ///   - neighbours: Of each land's id, the ids of those that it has a border with.
  ///   - known: Tints by id that were given before: they stay unless a neighbour has the same. New ones
  ///     are added to it.
  package static func give(
    _ lands: [Land], neighbours: [UInt64: Set<UInt64>], known: inout [UInt64: Int]
  ) {
    let inOrder = lands.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    var settled: Set<UInt64> = []
    for land in inOrder {
      let old = known[land.id]
      var taken: Set<Int> = []
      for other in neighbours[land.id] ?? [] {
        // One that comes later gives way, unless it was there first.
        guard settled.contains(other) || old == nil, let tint = known[other] else { continue }
        taken.insert(tint)
      }
      let first = old ?? Int(land.id % UInt64(count))
      let free = (0..<count).lazy.map { (first + $0) % count }.first { !taken.contains($0) }
      known[land.id] = free ?? first
      settled.insert(land.id)
    }
  }
}
