/// The elevations along a way of any length, as means of at most 512 pieces of one length.
///
/// When a way grows longer than its pieces, each two become one: so memory is bounded, and no piece is
/// shorter than half of what the longest way would have.
package struct TrackProfile: Sendable {
  private static let most = 512
  private var sums: [Double] = []
  private var counts: [Int] = []
  /// Metres of a piece.
  private var width = 1.0

  /// Nothing yet.
  init() {}

  /// Adds an elevation at a distance from the beginning, both in metres.
  mutating func add(_ elevation: Double, at distance: Double) {
    guard distance.isFinite, distance >= 0 else { return }
    while distance >= width * Double(Self.most) { halve() }
    let index = Int(distance / width)
    while sums.count <= index {
      sums.append(0)
      counts.append(0)
    }
    sums[index] += elevation
    counts[index] += 1
  }

  private mutating func halve() {
    width *= 2
    for index in 0..<((sums.count + 1) / 2) {
      let second = 2 * index + 1 < sums.count ? 2 * index + 1 : nil
      sums[index] = sums[2 * index] + (second.map { sums[$0] } ?? 0)
      counts[index] = counts[2 * index] + (second.map { counts[$0] } ?? 0)
    }
    sums.removeLast(sums.count / 2)
    counts.removeLast(counts.count / 2)
  }

  /// The mean elevations of so many pieces; where no point lies, that of the piece before.
  ///
  /// - Returns: Nothing if there are no elevations.
  package func means(_ count: Int) -> [Double] {
    guard count > 0, var level = zip(sums, counts).first(where: { $1 > 0 }).map({ $0 / Double($1) })
    else { return [] }
    return (0..<count).map { piece in
      let start = piece * sums.count / count
      let end = max(start + 1, (piece + 1) * sums.count / count)
      let number = counts[start..<min(end, counts.count)].reduce(0, +)
      if number > 0 { level = sums[start..<min(end, sums.count)].reduce(0, +) / Double(number) }
      return level
    }
  }
}
