import Foundation
import GeoMap
import Place

/// Takes a snapshot, changes the folder, and compares.
func compare(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let kept = place.output.appending(component: "before.geosnap")
  try await world.snapshot().write(to: kept)
  try place.add("music/rock/four.mp3", 5000)
  let before = try await GeoWorld(snapshot: kept)
  let changes = try await world.changes(since: before, measure: .apparent) { _ = $0.fraction }
  try check(changes.added.files == 1 && changes.added.bytes == 5000, "\(changes.added)")
  try check(changes.grown.first?.path == "home/music/rock", "\(changes.grown)")
  var all: [String] = []
  for try await change in try await world.allChanges(since: before) where !change.isFolder {
    all.append("\(change.kind) \(change.path)")
  }
  try check(all == ["appeared home/music/rock/four.mp3"], "\(all)")
  let table = place.output.appending(component: "changes.csv")
  try await world.changedFeatures(since: before, format: .csv).write(to: table)
  try check(try String(contentsOf: table, encoding: .utf8).contains("four.mp3"), "no difference")
  return "\(changes.added.files) new file"
}

/// Follows what happens in a folder.
func follow(_ place: Place) async throws -> String {
  let changes = try await GeoWorld(folder: place.home).liveChanges()
  try place.add("music/rock/four.mp3", 5000)
  for try await change in changes where !change.isFolder {
    try check(change.path == "home/music/rock/four.mp3", "\(change)")
    return "\(change.kind) at \(change.coordinate)"
  }
  throw Unexpected(description: "nothing changed")
}

/// Finds what is large.
func largest(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let folders = try await world.largestFolders(count: 2).map(\.path)
  try check(folders == ["home/music", "home/music/rock"], "\(folders)")
  let stats = try await world.stats(top: 3)
  try check(stats.total.bytes == 15150, "\(stats.total)")
  var names: [String] = []
  for try await node in world.search("*.mp3", order: .size) { names.append(node.name) }
  try check(names == ["three.mp3", "one.mp3", "two.mp3"], "\(names)")
  return names.joined(separator: " > ")
}

/// Draws a sheet.
func draw(_ place: Place) async throws -> String {
  var drawing = GeoDrawing()
  drawing.colours = .size
  (drawing.width, drawing.height) = (120, 90)
  let world = GeoWorld(folder: place.home)
  let sheet = try await world.sheet(drawing)
  try await sheet.write(to: place.output.appending(component: "home.svg"))
  try check(sheet.svg.starts(with: Array("<?xml".utf8)), "not an SVG")
  let kept = place.output.appending(component: "old.geosnap")
  try await world.snapshot().write(to: kept)
  try place.add("music/rock/four.mp3", 5000)
  let card = try await world.card(since: GeoWorld(snapshot: kept))
  do {
    try await card.write(to: place.output.appending(component: "card.png"))
  } catch let error as GeoError {
    print("no PNG here: \(error)")
  }
  return "a sheet of \(sheet.width) by \(sheet.height)"
}

/// Reads the history of a repository, and one of states.
func history(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let kept = place.output.appending(component: "old.geosnap")
  try await world.snapshot().write(to: kept)
  try place.add("music/rock/four.mp3", 5000)
  let old = try await GeoWorld(snapshot: kept)
  let history = try await GeoHistory(of: [
    .init(old, date: Date(timeIntervalSince1970: 1_700_000_000), name: "old"),
    .init(world, date: Date(timeIntervalSince1970: 1_700_003_600)),
  ])
  var new: [String] = []
  for await event in history.events where event.state == 1 {
    new.append("\(event.change.kind) \(event.change.path)")
  }
  try check(new == ["appeared home/music/rock/four.mp3"], "\(new)")
  var lives = 0
  for await life in history.lives where life.end == nil { lives += 1 }
  try check(lives == 13, "\(lives) lives")
  try await history.features(.events, format: .csv)
    .write(to: place.output.appending(component: "events.csv"))
  try await history.authorTracks().write(to: place.output.appending(component: "authors.gpx"))
  try await history.page().write(to: place.output.appending(component: "history.html"))

  guard let repository = CommandLine.arguments.dropFirst().first else { return "\(lives) lives" }
  let commits = try await GeoHistory(of: URL(filePath: repository))
  try check(commits.states.first?.author != nil, "no author")
  let tracks = place.output.appending(component: "commits.gpx")
  try await commits.authorTracks().write(to: tracks)
  let author = commits.states.first?.author ?? ""
  try check(
    try String(contentsOf: tracks, encoding: .utf8).contains("<trk><name>\(author)</name>"),
    "no track of \(author)")
  var files = 0
  for await event in commits.events where event.change.kind == .appeared { files += 1 }
  try check(files > 10, "\(files) files")
  // A cancelled task reads no history.
  let task = Task {
    withUnsafeCurrentTask { $0?.cancel() }
    _ = try await GeoHistory(of: URL(filePath: repository))
  }
  if case .failure(let error) = await task.result {
    try check(error is CancellationError, "\(error)")
  } else {
    throw Unexpected(description: "a cancelled task read a history")
  }
  return "\(commits.states.count) commit, files added: \(files > 10)"
}

/// Writes a site, twice.
func publish(_ place: Place) async throws -> String {
  let world = GeoWorld(folder: place.home)
  let folder = place.output.appending(component: "site", directoryHint: .isDirectory)
  let site = try await world.publish(to: folder)
  try check(site.written == site.files && site.files > 5, "\(site)")
  try check(
    FileManager.default.fileExists(atPath: folder.appending(component: "index.html").path),
    "no page")
  let again = try await world.publish(to: folder)
  try check(again.written == 0 && again.files == site.files, "\(again)")
  do {
    _ = try await world.publish(to: place.home)
    throw Unexpected(description: "a site was written over other files")
  } catch let error as GeoError {
    try check(error.description.contains("holds something else"), error.description)
  }
  return "\(site.files) files"
}
