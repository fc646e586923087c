import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import TestSupport

@testable import GeoDraw

/// Folders on disk, and sheets of them.
struct DrawnWorld {
  let folder: TemporaryFolder
  let labels: [String]

  /// An empty folder for each label.
  init(_ labels: [String] = ["world"]) throws {
    folder = try TemporaryFolder()
    self.labels = labels
    for label in labels { try folder.makeFolder(label) }
  }

  private func roots() throws -> WorldRoots {
    try WorldRoots(
      labels.map { ScanRoot(label: Array($0.utf8), directory: Array(folder($0).utf8)) }, .settled)
  }

  /// The totals and the projection of all folders.
  func survey(threads: Int = 2) async throws -> (TreeTotals, GeoProjectionEngine) {
    let roots = try roots()
    var options = FileSystemScanner.Options()
    options.threads = threads
    let totals = try await FileSystemScanner(options: options)
      .totals(of: roots.roots, classes: FileType.classes).finish()
    return (totals, roots.engine)
  }

  /// A sheet of them. It shows apparent sizes, which are the same on all file systems.
  func poster(
    _ target: PosterTarget = .world, threads: Int = 2,
    _ change: (inout PosterOptions) -> Void = { _ in }
  ) async throws -> Poster {
    let (totals, engine) = try await survey(threads: threads)
    var options = PosterOptions()
    options.size = SheetSize(parsing: Array("120x90".utf8)) ?? .a3
    options.wantsRoom = false
    options.rootFiles = try roots().roots.map(\.listing.files)
    change(&options)
    return try Poster(of: totals, by: engine, showing: target, options)
  }

  /// Some countries with states in them, and files of sizes that make hills, towns and woods.
  static func usual() throws -> DrawnWorld {
    let world = try DrawnWorld(["alpha", "beta"])
    var generator = SeededGenerator(seed: 7)
    for label in world.labels {
      for country in 0..<9 {
        for state in 0..<Int.random(in: 0...4, using: &generator) {
          let path = "\(label)/country \(country)/state-\(state)"
          for file in 0..<Int.random(in: 1...6, using: &generator) {
            try world.folder.makeFile(
              "\(path)/\(file).txt", size: Int.random(in: 1...200_000, using: &generator))
          }
        }
        try world.folder.makeFile("\(label)/country \(country)/own.swift", "1")
      }
    }
    return world
  }

  /// The sheet of the usual world, large enough for states, drawn once for all tests.
  static let usualSheet = Task { try await usual().poster { $0.size = .medium } }
}

extension SheetSize {
  /// Large enough for states, and small enough to be drawn often.
  static let medium = SheetSize(parsing: Array("170x120".utf8)) ?? .a3
}
