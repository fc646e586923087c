// Small programs, written from the documentation of GeoMap alone. Each checks what it finds.
import Foundation

/// A program found something else than it should.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

func check(_ isTrue: Bool, _ what: String) throws {
  if !isTrue { throw Unexpected(description: what) }
}

/// The folder that the programs map, and a folder for their files.
struct Place {
  let home: URL
  let output: URL

  init() throws {
    let base = FileManager.default.temporaryDirectory.appending(
      component: "client-\(UUID().uuidString)", directoryHint: .isDirectory)
    home = base.appending(component: "home", directoryHint: .isDirectory)
    output = base.appending(component: "output", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    try add("music/jazz/one.mp3", 3000)
    try add("music/jazz/two.mp3", 2000)
    try add("music/rock/three.mp3", 9000)
    try add("work/report.txt", 400)
    try add("work/figures/plot.svg", 700)
    try add("notes.txt", 50)
  }

  func add(_ path: String, _ size: Int) throws {
    let file = home.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 0x78, count: size).write(to: file)
  }

  func remove() { try? FileManager.default.removeItem(at: home.deletingLastPathComponent()) }
}

let programs: [(name: String, run: (Place) async throws -> String)] = [
  ("list", list), ("write", write), ("ask", ask), ("compare", compare), ("follow", follow),
  ("largest", largest), ("draw", draw), ("history", history), ("publish", publish),
  ("places", places), ("count", count),
  ("memory", memory), ("value", value),
]

for (name, run) in programs {
  let place = try Place()
  defer { place.remove() }
  do {
    print("\(name): \(try await run(place))")
  } catch {
    print("\(name) failed: \(error.localizedDescription) (\(error))")
    exit(1)
  }
}
