import GeoCore

/// The amounts that make a folder a town, relative to all that is shown.
package struct TownScale: Sendable, Hashable {
  package let bounds: [Double]

  /// Computes the bounds from the amount shown: 1/1600, 1/130 and 1/13 of them, each rounded to 1, 2
  /// or 5 times a power of ten.
  package init(amount: Double) {
    bounds = [1600.0, 130, 13].map { Symbols.rounded(max(1, amount) / $0) }
  }

  /// A folder that becomes a town if there is room for its name.
  struct Candidate: Sendable {
    let folder, top: Int
    let point: Point
    let sign: Int
    let amount: Double
  }

  /// The largest first, none within another. If most of a folder's amount is in one of its
  /// sub-folders, that sub-folder takes its place.
  func towns(on map: LandMap) -> [Candidate] {
    var found: [Candidate] = []
    for top in map.tree.tops {
      for country in map.tree.folders[top].children {
        for state in map.tree.folders[country].children {
          add(state, of: top, on: map, to: &found)
        }
      }
    }
    return found.sorted { ($1.amount, $0.folder) < ($0.amount, $1.folder) }
  }

  /// The share of a folder's amount above which a sub-folder takes its place.
  private static let maximum = 0.6

  private func add(
    _ first: Int, of top: Int, on map: LandMap, to found: inout [Candidate]
  ) {
    var folder = first
    let folders = map.tree.folders
    while let child = folders[folder].children.max(by: {
      folders[$0].measured < folders[$1].measured
    }),
      folders[child].measured > folders[folder].measured * Self.maximum
    {
      folder = child
    }
    let amount = folders[folder].measured
    guard let sign = bounds.lastIndex(where: { amount >= $0 }) else { return }
    found.append(
      Candidate(
        folder: folder, top: top, point: map.point(of: folder), sign: sign, amount: amount))
  }
}
