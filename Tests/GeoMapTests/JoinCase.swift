import GeoFormats
import GeoCore
import GeoProjection
import GeoTree
import TestSupport

@testable import GeoPipeline

/// A random tree, the request for its map, and the places where it is split.
struct JoinCase: Sendable, CustomStringConvertible {
  var tree: Tree
  var layout = Layout.settled
  var format = OutputFormat.geojson
  var tippecanoe = false
  var filter = MapFilter()
  /// The selected requests, by number.
  var requests: [Int] = []
  /// The manifest that each folder is assigned to, repeated over all folders; 0 leaves a folder
  /// with its parent.
  var choices: [Int]
  /// The number of manifests if the tree is split by work; nil if it isn't.
  var parts: Int?

  static func random(_ generator: inout SeededGenerator) -> JoinCase {
    let alphabet: ClosedRange<UInt8> = generator.chance(0.3) ? 0x80...0xFF : 0x20...0x2E
    let shape = Tree.Shape(
      nodes: generator.number(in: 0...60), folders: 0.5, depth: generator.chance(0.2) ? 0.9 : 0.3,
      alphabet: generator.chance(0.5) ? 0x61...0x7A : alphabet)
    let tree = Tree.random(shape, roots: generator.number(in: 1...3), using: &generator)
    var join = JoinCase(
      tree: tree,
      choices: (0..<50).map { _ in
        generator.chance(0.5) ? 0 : generator.number(in: 1...4)
      })
    join.layout = generator.chance(0.7) ? .settled : .pinned
    join.format = OutputFormat.allCases[generator.number(in: 0...4)]
    join.tippecanoe = generator.chance(0.2)
    if generator.chance(0.2) { join.filter.zoom = generator.number(in: 0...12) }
    if generator.chance(0.2) { join.filter.maximumDepth = generator.number(in: 0...6) }
    if generator.chance(0.3) {
      let west = Double(generator.number(in: -150...150))
      join.filter.box = BoundingBox(west: west, south: -70, east: west + 25, north: 70)
    }
    while generator.chance(0.3) { join.requests.append(generator.number(in: 0...5)) }
    if generator.chance(0.3) { join.parts = generator.number(in: 1...6) }
    return join
  }

  var smaller: [JoinCase] {
    tree.smaller.filter { !$0.folders.isEmpty && $0.files.isEmpty }.map {
      var join = self
      join.tree = $0
      return join
    }
  }

  var description: String {
    "\(tree)\n\(layout) \(format) \(tippecanoe) \(filter) \(requests) \(choices) "
      + "\(parts.map { "\($0)" } ?? "-")"
  }

  func roots(_ folder: TemporaryFolder) -> [ScanRoot] {
    tree.folders.map { root in
      ScanRoot(label: root.name, directory: Array("\(folder.path)/".utf8) + root.name)
    }
  }

  func request(_ folder: TemporaryFolder) throws -> MapRequest {
    var request = MapRequest(roots: roots(folder))
    request.layout = layout
    request.filter = filter
    request.format = format
    request.tippecanoe = tippecanoe && format.isGeoJSON
    request.scan.threads = 1 + choices[0]
    for number in requests {
      switch number {
      case 0: try request.selection.exclude(Array("**/[a-m]*".utf8))
      case 1: try request.selection.include(Array("*/*".utf8))
      case 2: request.selection.excludeHidden()
      case 3: request.selection.excludeIgnored()
      case 4: request.selection.requireKinds([.regular])
      default: try request.selection.requireName(Array("?*[a-h]".utf8))
      }
    }
    return request
  }

  /// The manifests of the world, split by work or at random folders.
  func manifests(_ folder: TemporaryFolder) throws -> [ShardManifest] {
    let roots = roots(folder)
    if let parts {
      return try ShardSet(splitting: roots, layout: layout, into: parts).manifests
    }
    let placer = try ListingPlacer(layout, roots)
    var estimate = WorkEstimate(placer, limit: .max)
    var shares: [Int: Cutting.Share] = [:]
    var taken: [[UInt8]] = []
    for index in estimate.folders.indices.dropFirst(estimate.rootCount) {
      let path = estimate.folders[index].path
      let choice = choices[index % choices.count]
      if choice == 0 || taken.contains(where: { path.isPath(atOrBelow: $0) }) { continue }
      taken.append(path)
      shares[choice, default: Cutting.Share()].folders.append(index)
    }
    let cutting = Cutting(estimate, shares: shares.sorted { $0.key < $1.key }.map(\.value))
    return ShardSet(&estimate, by: placer, layout, cutting).manifests
  }
}

/// A map as bytes.
func bytes(of request: MapRequest) async throws -> [UInt8] {
  var bytes: [UInt8] = []
  for try await chunk in try await MapPipeline.open(request) {
    chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
  }
  return bytes
}

/// The result of joining files of parts.
func joined(_ files: [String]) throws -> [UInt8] {
  var join = try MapJoin(files.map { Array($0.utf8) })
  try join.verify()
  var bytes: [UInt8] = []
  try join.write { span in for index in 0..<span.count { bytes.append(span[index]) } }
  return bytes
}
