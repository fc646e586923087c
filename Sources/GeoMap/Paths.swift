import Foundation
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

// Paths and names as URLs and text, where lower modules take bytes.

extension URL {
  /// The path of a file URL as bytes; the text of another URL, which names no file.
  fileprivate var pathBytes: [UInt8] {
    Array((isFileURL ? path(percentEncoded: false) : absoluteString).utf8)
  }
}

extension Snapshot {
  /// Opens a snapshot, and reads its header and trailer.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(opening url: URL) throws(SnapshotError) {
    try self.init(opening: url.pathBytes)
  }

  /// Opens a snapshot, and reads its header and trailer.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(opening path: String) throws(SnapshotError) {
    try self.init(opening: Array(path.utf8))
  }
}

extension GitRevision {
  /// Reads a revision.
  ///
  /// - Parameters:
  ///   - name: A commit, a tag, a tree or `REVISION:PATH`, in git's syntax.
  ///   - repository: The repository, or a folder in its work tree.
  ///   - progress: Called from time to time with the number of entries read.
  /// - Throws: `GitError`.
  public convenience init(
    _ name: String, of repository: URL, progress: (Int) -> Void = { _ in }
  ) throws(GitError) {
    try self.init(Array(name.utf8), of: repository.pathBytes, progress: progress)
  }
}

extension ListSource {
  /// Makes a list from a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - format: Its format.
  public init(file url: URL, format: ListFormat = .lines) {
    self.init(file: url.pathBytes)
    self.format = format
  }
}

extension MapVerification {
  /// Checks a map file, which is read twice.
  ///
  /// - Parameters:
  ///   - url: A regular file, in one of the GeoJSON formats.
  ///   - layout: The layout, if the map doesn't name it.
  ///   - progress: Called with the progress, 0 to 1.
  /// - Returns: The counts of everything checked.
  /// - Throws: `VerificationError`.
  public static func verify(
    file url: URL, layout: Layout = .settled, progress: (Double) -> Void = { _ in }
  ) throws(VerificationError) -> VerifiedCounts {
    try verify(file: url.pathBytes, layout: layout, progress: progress)
  }
}

extension Selection {
  /// Leaves out entries that match a glob; folders with all their contents.
  ///
  /// - Parameter glob: As in `.gitignore`: without a `/` before another character it matches names
  ///   at any depth, otherwise paths below the root.
  /// - Throws: `GlobError`.
  public mutating func exclude(_ glob: String) throws(GlobError) {
    try exclude(Array(glob.utf8))
  }

  /// Keeps entries that match a glob.
  ///
  /// - Parameters:
  ///   - glob: As in `.gitignore`.
  ///   - selectively: Whether to leave out files that match no glob, if this is the first glob.
  /// - Throws: `GlobError`.
  public mutating func include(
    _ glob: String, selectively: Bool = true
  ) throws(GlobError) {
    try include(Array(glob.utf8), selectively: selectively)
  }

  /// Shows only files whose name matches this glob or another one given this way.
  ///
  /// - Parameters:
  ///   - glob: A name with `*`, `?` or `[`.
  ///   - ignoresCase: Whether ASCII letters match in both cases.
  /// - Throws: `GlobError`.
  public mutating func requireName(
    _ glob: String, ignoresCase: Bool = false
  ) throws(GlobError) {
    try requireName(Array(glob.utf8), ignoresCase: ignoresCase)
  }
}

extension GeoWorld {
  /// Returns the shard manifest of one folder: all that is needed to place its contents without the
  /// rest of the world.
  ///
  /// - Parameter path: A root's label, then names, joined by `/`.
  /// - Throws: As ``shard(of:)-([UInt8])``.
  public func shard(of path: String) throws(MapError) -> ShardManifest {
    try shard(of: Array(path.utf8))
  }
}
