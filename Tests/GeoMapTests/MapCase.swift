import GeoFormats
import GeoCore
import GeoProjection
import GeoTree
import TestSupport

@testable import GeoPipeline

/// A random tree, and a request for its map.
struct MapCase: Sendable, CustomStringConvertible {
  var tree: Tree
  var layout = Layout.settled
  var format = OutputFormat.geojson
  var tippecanoe = false
  var filter = MapFilter()
  /// The selected requests, by number.
  var requests: [Int] = []
  var threads = 1

  static func random(_ generator: inout SeededGenerator) -> MapCase {
    let alphabet: ClosedRange<UInt8> = generator.chance(0.3) ? 0x80...0xFF : 0x20...0x2E
    let shape = Tree.Shape(
      nodes: generator.number(in: 0...60), folders: 0.5, depth: generator.chance(0.2) ? 0.9 : 0.3,
      alphabet: generator.chance(0.5) ? 0x61...0x7A : alphabet)
    let tree = Tree.random(shape, roots: generator.number(in: 1...3), using: &generator)
    var map = MapCase(tree: tree)
    map.threads = generator.number(in: 1...5)
    map.layout = generator.chance(0.7) ? .settled : .pinned
    map.format = OutputFormat.allCases[generator.number(in: 0...4)]
    map.tippecanoe = generator.chance(0.2)
    if generator.chance(0.2) { map.filter.zoom = generator.number(in: 0...12) }
    if generator.chance(0.2) { map.filter.maximumDepth = generator.number(in: 0...6) }
    if generator.chance(0.3) {
      let west = Double(generator.number(in: -150...150))
      map.filter.box = BoundingBox(uncheckedWest: west, south: -70, east: west + 25, north: 70)
    }
    while generator.chance(0.3) { map.requests.append(generator.number(in: 0...5)) }
    return map
  }

  var description: String {
    "\(tree)\n\(layout) \(format) \(tippecanoe) \(filter) \(requests) \(threads)"
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
    request.scan.threads = threads
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
}

/// A map as bytes.
func bytes(of request: MapRequest) async throws -> [UInt8] {
  var bytes: [UInt8] = []
  for try await chunk in try await MapPipeline.open(request) {
    chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
  }
  return bytes
}
