import Foundation
import GeoMap

/// Describes a folder as a map.
func describe(_ folder: URL) async throws -> [String] {
  var world = GeoWorld(folder: folder)
  world.filter.maximumDepth = 1
  var lines: [String] = []
  for try await batch in try await world.nodes() {
    for node in batch {
      let place = node.coordinate
      lines.append("\(node.nodeType) \(node.name) at \(place.longitude), \(place.latitude)")
    }
  }

  let reader = try world.reader()
  guard let root = try await reader.node(at: world.roots[0].label) else { return lines }
  var last = root
  while let next = try await reader.children(of: last.rawPath)?.last { last = next }
  lines.append("the last node is \(last.path)")

  let contents = try await reader.contents(at: last.coordinate, limit: 2)
  for folder in contents.folders.joined() { lines.append("it lies in \(folder.path)") }
  for file in contents.files { lines.append("\(Int(file.distance)) m to \(file.node.name)") }

  if let route = try await reader.route(from: root.rawPath, to: last.rawPath) {
    lines.append("\(Int(route.distance / 1000)) km from the root, over \(route.stops.count) stops")
  }
  return lines
}
