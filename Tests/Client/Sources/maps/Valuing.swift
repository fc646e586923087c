import Foundation
import GeoMap
import Place

/// Adds values of its own to a tree on a disk.
func value(_ place: Place) async throws -> String {
  let table = place.output.appending(component: "plays.csv")
  try Data("path,plays,genre\nmusic/jazz/one.mp3,7,jazz\nmusic/rock/three.mp3,2.5,rock\n".utf8)
    .write(to: table)
  var world = GeoWorld(folder: place.home)
  world.layers = [
    MapLayer(file: table),
    MapLayer(name: "stars", how: .max, values: [("work/report.txt", 3), ("notes.txt", 4)]),
  ]
  var values: [String: [String: LayerValue]] = [:]
  for try await batch in try await world.nodes() {
    for node in batch { values[node.path] = node.values }
  }
  let home = values["home"] ?? [:]
  try check(home["plays"] == 9.5 && home["stars"] == 4, "\(home)")
  try check(home["genre"]?.word == "rock" && home["genre_share"] == 0.75, "\(home)")
  try check(values["home/music/jazz"]?["plays"] == 7.0, "\(values["home/music/jazz"] ?? [:])")
  try check(values["home/work/figures"] == [:], "\(values["home/work/figures"] ?? [:])")
  let stats = try await world.stats()
  try check(stats.values.first == home, "\(stats.values)")
  return "\(values.count) nodes with values"
}
