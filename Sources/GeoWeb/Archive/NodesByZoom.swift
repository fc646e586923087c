import GeoAtlas

/// The number of nodes that become visible at each zoom.
package struct NodesByZoom: Sendable {
  private var counts = [Int](repeating: 0, count: 256)
  package private(set) var count = 0

  /// The deepest zoom of tiles that are made without being asked for.
  static let maximumZoom = 24
  /// Stands for the zoom of nodes that no tile shows.
  private static let never = 255

  package init() {}

  /// - Parameter depth: Tiles don't follow folders without land for ever.
  package mutating func add(_ minzoom: UInt8, depth: Int) {
    counts[depth > TileDescent.deepestNode ? Self.never : Int(minzoom)] += 1
    count += 1
  }

  func count(to zoom: Int) -> Int { counts[...zoom].reduce(0, +) }

  /// The first zoom that shows 95 % of the nodes, at most ``maximumZoom``.
  var usefulZoom: Int { first { $0 * 20 >= count * 19 } }

  /// The first zoom that shows all nodes that any tile shows, at most ``maximumZoom``.
  package var last: Int { first { $0 == count - counts[Self.never] } }

  private func first(where isEnough: (Int) -> Bool) -> Int {
    var shown = 0
    for zoom in 0..<Self.maximumZoom {
      shown += counts[zoom]
      if isEnough(shown) { return zoom }
    }
    return Self.maximumZoom
  }
}
