import Foundation
import GeoScan
import Place

/// Places folders without a disk.
func places(_ place: Place) async throws -> String {
  let engine = try GeoProjectionEngine(layout: .settled, labels: ["home"])
  var folders: [FolderPlace] = []
  let names = NameTable([Array("music".utf8), Array("work".utf8)], kind: .directory)
  _ = engine.placeFolders(names, in: engine.roots[0], fileCount: 1, into: &folders)
  let music = engine.coordinate(of: folders[0]).degrees(digits: folders[0].digits)
  let node = try await GeoWorld(folder: place.home).reader().node(at: "home/music")
  try check(
    node?.coordinate == GeoCoordinate(longitude: music.longitude, latitude: music.latitude),
    "the engine has another place")
  return "\(folders.count) places"
}

/// Counts the entries of a tree with a visitor of its own.
func count(_ place: Place) async throws -> String {
  final class Plan: Sendable {}

  final class Counter: ScanVisitor {
    private var entries = 0

    func enter(
      _ visit: FolderVisit<Plan>, files: NameTable, folders: NameTable
    ) -> FolderDecision<Plan>? {
      entries += 1
      return FolderDecision(
        plan: Plan(), decisions: Array(repeating: .entered, count: folders.count), wantsFiles: true)
    }

    func pass(_ visit: FolderVisit<Plan>) { entries += 1 }

    func visit(
      _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, facts: [EntryFacts]
    ) { entries += range.count }

    var weight: Int { entries }

    func takeContent() -> Int {
      defer { entries = 0 }
      return entries
    }
  }

  let root = ScanRoot(
    label: Array("home".utf8), directory: Array(place.home.path(percentEncoded: false).utf8))
  var entries = 0
  for try await batch in try await FileSystemScanner().scan(
    [root], plan: Plan(), visitor: Counter.init)
  {
    entries += batch.content
    try check(batch.faults.isEmpty, "\(batch.faults)")
  }
  try check(entries == 12, "\(entries) entries")
  return "\(entries) entries"
}

/// Checks a map that was written, and the tree itself.
func verify(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let file = place.output.appending(component: "home.geojson")
  try await world.write(to: file)
  let checked = try MapVerification.verify(file: file)
  try check(checked.files == 6, "\(checked.files) files")
  _ = try await world.verify()
  return "\(checked.files) files checked"
}
