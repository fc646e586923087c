import Foundation

/// A program found something else than it should.
public struct Unexpected: Error, CustomStringConvertible {
  /// What it found.
  public let description: String

  /// Makes an error.
  public init(description: String) { self.description = description }
}

/// Throws unless something is true.
public func check(_ isTrue: Bool, _ what: String) throws {
  if !isTrue { throw Unexpected(description: what) }
}

/// The folder that the programs map, and a folder for their files.
public struct Place {
  /// The mapped folder.
  public let home: URL
  /// The folder of files that programs write.
  public let output: URL

  /// Makes a tree of six files.
  public init() throws {
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

  /// Adds a file.
  public func add(_ path: String, _ size: Int) throws {
    let file = home.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 0x78, count: size).write(to: file)
  }

  /// Removes both folders.
  public func remove() { try? FileManager.default.removeItem(at: home.deletingLastPathComponent()) }
}

/// Runs programs, each in a folder of its own; a failure ends the process.
public func run(_ programs: [(name: String, run: (Place) async throws -> String)]) async throws {
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
}
