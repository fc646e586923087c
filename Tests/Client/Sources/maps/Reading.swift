import Foundation
import GeoMap
import Place

/// Lists the nodes of a folder, with totals.
func list(_ place: Place) async throws -> String {
  var world = GeoWorld(folder: place.home)
  world.includesTotals = true
  try world.selection.exclude("*.svg")
  var lines: [String] = []
  for try await batch in try await world.nodes() {
    for node in batch {
      lines.append("\(node.nodeType) \(node.path) \(node.totals?.bytes ?? node.size ?? 0)")
    }
    try check(batch.faults.isEmpty, "faults in \(batch.faults)")
  }
  try check(lines.contains("country home/music 14000"), "no music in \(lines)")
  try check(!lines.contains { $0.contains("plot.svg") }, "a figure in \(lines)")
  return "\(lines.count) nodes"
}

/// Writes maps in all formats.
func write(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  var sizes: [String] = []
  for ending in ["geojson", "csv", "gpx", "html", "fgb", "parquet", "pmtiles"] {
    let file = place.output.appending(component: "home.\(ending)")
    try await world.write(to: file)
    let bytes = try Data(contentsOf: file).count
    try check(bytes > 100, "\(file) has \(bytes) bytes")
    sizes.append("\(ending) \(bytes)")
  }
  do {
    try await world.write(to: place.output.appending(component: "home.txt"))
    throw Unexpected(description: "a map was written as text")
  } catch let error as GeoError {
    try check(error.group == .usage, error.description)
  }
  // A file in the mapped folder leaves itself out.
  let inside = place.home.appending(component: "map.csv")
  try await world.write(to: inside)
  try check(
    !(try String(contentsOf: inside, encoding: .utf8)).contains("map.csv"), "the map maps itself")
  return sizes.joined(separator: ", ")
}

/// Asks about paths and places.
func ask(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let reader = try world.reader()
  guard let jazz = try await reader.node(at: "home/music/jazz"),
    let song = try await reader.node(at: "home/music/jazz/one.mp3")
  else { throw Unexpected(description: "jazz is missing") }
  try check(jazz.size == 2 && song.size == 3000, "wrong sizes")
  try check(try await reader.node(at: song.fileURL) == song, "the URL leads elsewhere")
  let found = try await reader.contents(at: song.coordinate)
  try check(found.files.first?.node == song, "another file is there")
  let nearest = try await reader.files(nearest: song.coordinate, count: 2)
  try check(nearest.first?.node == song && nearest.count == 2, "other files are near")
  try check(found.folders.first?.map(\.name) == ["home", "music", "jazz"], "other folders")
  let children = try await reader.children(of: "home/music") ?? []
  try check(children.map(\.name) == ["jazz", "rock"], "other children")
  try check(
    try await reader.route(from: "home/notes.txt", to: "home/work")?.stops.count == 3,
    "another route")

  let around = try BoundingBox(
    west: jazz.coordinate.longitude - 1e-6, south: jazz.coordinate.latitude - 1e-6,
    east: jazz.coordinate.longitude + 1e-6, north: jazz.coordinate.latitude + 1e-6)
  var inside: [String] = []
  for try await batch in try await world.nodes(in: around) { inside += batch.map(\.path) }
  try check(inside.contains("home/music/jazz"), "jazz is not in its box")
  try check(!inside.contains("home/work"), "work is in the box of jazz")
  return "jazz is at \(jazz.coordinate), zoom \(jazz.minimumZoom)"
}
