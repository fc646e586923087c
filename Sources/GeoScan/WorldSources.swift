import Foundation
import GeoMap
import GeoPipeline
import GeoProjection
import GeoSources
import GeoTree

extension GeoWorld.Root {
  /// The source that the root is read from.
  public var source: any TreeSource {
    get { tree }
    set { tree = newValue }
  }

  /// Makes a root that is read from a source.
  ///
  /// - Parameters:
  ///   - label: The continent's name.
  ///   - folder: The original folder. It is not accessed, and only determines `GeoNode.fileURL`.
  ///   - source: The source to read from.
  public init(label: String, folder: URL, source: any TreeSource) {
    self.init(label: label, folder: folder)
    tree = source
  }
}

extension GeoWorld {
  /// Makes a world from a snapshot.
  public init(snapshot: Snapshot) { self.init(of: snapshot) }

  /// Makes a world from a revision of a repository.
  ///
  /// - Parameters:
  ///   - revision: The revision to map.
  ///   - label: The continent's name.
  public init(revision: GitRevision, label: String) {
    self.init(roots: [Root(label: label, folder: URL(filePath: "/"), source: revision)])
  }
}

extension GeoProjectionEngine {
  /// Makes an engine for the roots with these labels, which are all different. Their order decides
  /// only the order of ``roots``.
  ///
  /// - Throws: `GeoError` if one of the roots would have no land, which takes labels crafted for it.
  public init(layout: Layout, labels: [String]) throws {
    try self.init(
      layout: layout, labels: NameTable(labels.map { Array($0.utf8) }, kind: .directory))
  }
}

extension Snapshot {
  /// Opens a snapshot, and reads its header and trailer.
  ///
  /// - Throws: `GeoError`.
  public convenience init(opening url: URL) throws {
    try self.init(opening: url.pathBytes)
  }

  /// Opens a snapshot on a thread of its own, and doesn't block the caller.
  ///
  /// - Throws: `GeoError`.
  public static func open(_ url: URL) async throws -> Snapshot {
    try await onOwnThread { try Snapshot(opening: url) }
  }
}

extension GitRevision {
  /// Reads a revision on a thread of its own, and doesn't block the caller.
  ///
  /// - Parameters:
  ///   - name: A commit, a tag, a tree or `REVISION:PATH`, in git's syntax.
  ///   - repository: The repository, or a folder in its work tree.
  ///   - progress: Called from time to time with the number of entries read.
  /// - Throws: `GeoError`.
  public static func read(
    _ name: String, of repository: URL, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> GitRevision {
    try await onOwnThread {
      try GitRevision(name, of: repository, progress: progress)
    }
  }

  /// Reads a revision.
  ///
  /// - Parameters:
  ///   - name: A commit, a tag, a tree or `REVISION:PATH`, in git's syntax.
  ///   - repository: The repository, or a folder in its work tree.
  ///   - progress: Called from time to time with the number of entries read.
  /// - Throws: `GeoError`.
  public convenience init(
    _ name: String, of repository: URL, progress: (Int) -> Void = { _ in }
  ) throws {
    try self.init(Array(name.utf8), of: repository.pathBytes, progress: progress)
  }
}
