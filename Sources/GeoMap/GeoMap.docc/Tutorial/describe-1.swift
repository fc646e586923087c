import Foundation
import GeoMap

/// Describes a folder as a map.
func describe(_ folder: URL) async throws -> [String] {
  let world = GeoWorld(folder: folder)
  var lines: [String] = []
  for try await batch in try await world.nodes() {
    for node in batch {
      let place = node.coordinate
      lines.append("\(node.nodeType) \(node.name) at \(place.longitude), \(place.latitude)")
    }
  }
  return lines
}
