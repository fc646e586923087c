import GeoCore
import GeoProjection
import GeoSystem

/// What makes a folder a town: how many bytes are below it, as suits all that is shown.
package struct TownScale: Sendable, Hashable {
  /// Bytes from which on a folder is a town, a large one, a very large one.
  package let bounds: [Double]

  /// Bounds for a sheet on which so many bytes are shown: a 1,600th of them, a 130th, a 13th, each
  /// rounded to 1, 2 or 5 times a power of ten.
  package init(bytes: Double) {
    bounds = [1600.0, 130, 13].map { Self.round(max(1, bytes) / $0) }
  }

  private static func round(_ value: Double) -> Double {
    let ten = Logarithm.power(10, Logarithm.ofTen(max(1, value)).rounded(.down))
    let lead = value / ten
    return ten * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10)
  }

  /// A folder that is a town if it finds room for its name.
  struct Candidate: Sendable {
    let folder: Int
    let top: Int
    let point: Point
    let sign: Int
    let bytes: Double
  }

  /// The towns of a map, the largest first, of which none lies in another: a folder most of whose
  /// bytes are below one of its sub-folders leaves it to that one.
  func towns(on map: LandMap) -> [Candidate] {
    var found: [Candidate] = []
    for top in map.tree.tops {
      for country in map.tree.folders[top].children {
        for state in map.tree.folders[country].children {
          add(state, of: top, on: map, to: &found)
        }
      }
    }
    return found.sorted { ($1.bytes, $0.folder) < ($0.bytes, $1.folder) }
  }

  /// What part of a folder's bytes makes one of its sub-folders the town.
  private static let most = 0.6

  private func add(
    _ first: Int, of top: Int, on map: LandMap, to found: inout [Candidate]
  ) {
    var folder = first
    let folders = map.tree.folders
    while let child = folders[folder].children.max(by: { folders[$0].bytes < folders[$1].bytes }),
      folders[child].bytes > folders[folder].bytes * Self.most
    {
      folder = child
    }
    let bytes = folders[folder].bytes
    guard let sign = bounds.lastIndex(where: { bytes >= $0 }) else { return }
    let plan = map.tree.engine.planCentre(of: folders[folder].place)
    let point = map.view.led(map.view.place(map.tree.engine.chart(plan)))
    found.append(
      Candidate(folder: folder, top: top, point: point, sign: sign, bytes: bytes))
  }
}
