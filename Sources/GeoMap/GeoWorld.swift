import Foundation
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

/// A world whose continents are folders.
///
/// ```swift
/// let world = GeoWorld(folder: URL(filePath: "/usr/share"))
/// for try await batch in try await world.nodes() {
///   for node in batch { print(node.nodeType, node.path, node.coordinate) }
/// }
/// ```
public struct GeoWorld: Sendable {
  /// A folder and its name on the map.
  public struct Root: Hashable, Sendable {
    /// The bytes of the continent's name: not empty, no `/` in them, and no other root's.
    public var rawLabel: [UInt8]
    /// The folder; of a root that is on no disk, where it was.
    public var folder: URL
    /// What it is read from.
    public var source: any TreeSource

    /// The continent's name as text; what is no UTF-8 becomes U+FFFD.
    public var label: String {
      get { String(decoding: rawLabel, as: UTF8.self) }
      set { rawLabel = Array(newValue.utf8) }
    }

    /// A root of the given name and folder.
    ///
    /// - Parameters:
    ///   - label: The continent's name.
    ///   - folder: What is mapped.
    ///   - source: What it is read from: this machine's disk, if nothing else is said. With another
    ///     source the folder is not looked at; it says where what is there was, for
    ///     ``GeoNode/fileURL``.
    public init(label: String, folder: URL, source: any TreeSource = DiskSource.shared) {
      rawLabel = Array(label.utf8)
      self.folder = folder
      self.source = source
    }

    /// Whether both have the same name, folder and source.
    public static func == (a: Root, b: Root) -> Bool {
      a.rawLabel == b.rawLabel && a.folder == b.folder && a.source === b.source
    }

    /// Feeds name and folder to a hash.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(rawLabel)
      hasher.combine(folder)
    }
  }

  /// The continents.
  public var roots: [Root]
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which nodes are yielded. What it hides is not read from disk.
  public var filter = MapFilter()
  /// Which entries are yielded, wherever they are. Folders that it excludes are not read from disk.
  public var selection = Selection()
  /// Whether folders know what is below them, at the price of a first pass over all of it.
  public var totals = false
  /// Whether folders know their coast lines.
  public var outlines = false
  /// A list of paths to read in place of the disk; see <doc:Lists>.
  ///
  /// There is one root then, whose folder's path is what the paths begin with, and need not be there.
  public var list: ListSource?
  /// The part of the world that is yielded; nil for all of it. It says the layout and where all is,
  /// and ``roots`` where its folders are on this machine.
  public var shard: ShardManifest?
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()

  /// A world of one continent, which has the folder's name.
  public init(folder: URL) {
    let name = folder.standardizedFileURL.lastPathComponent
    self.init(roots: [Root(label: name == "/" || name.isEmpty ? "root" : name, folder: folder)])
  }

  /// A world of the given continents.
  public init(roots: [Root]) { self.roots = roots }

  /// Begins to read the world.
  ///
  /// All that can be wrong with the roots is found here; what can't be read below them is told by the
  /// batches.
  ///
  /// - Throws: `MapError`, if a root is no folder or two roots have one label, a URL is no file
  ///   URL, or the list can't be read. A list that can't be read to its end ends the batches with a
  ///   `ListError`.
  public func nodes() async throws(MapError) -> GeoNodeBatches {
    var (request, directories) = try request()
    if let list { try request.read(list) }
    return GeoNodeBatches(
      stream: try await MapPipeline.openNodes(request), directories: directories)
  }

  /// What to ask the pipeline for, and where each root is.
  func request() throws(MapError) -> (request: MapRequest, directories: [[UInt8]: SharedDirectory])
  {
    var directories: [[UInt8]: SharedDirectory] = [:]
    var request = MapRequest(roots: [])
    for root in roots {
      directories[root.rawLabel] = SharedDirectory(root.folder)
      request.roots.append(
        ScanRoot(
          label: root.rawLabel, directory: try Self.path(of: root.folder), source: root.source))
    }
    request.layout = layout
    request.filter = filter
    request.selection = selection
    request.totals = totals
    request.outlines = outlines
    request.shard = shard
    request.scan = scan
    return (request, directories)
  }

  private static func path(of folder: URL) throws(MapError) -> [UInt8] {
    if !folder.isFileURL { throw .notFileURL(folder.absoluteString) }
    let path = Array(folder.path(percentEncoded: false).utf8)
    // Some versions of Foundation give nothing, or a part, of a path with a zero.
    if folder.path(percentEncoded: true).contains("%00") {
      throw .refusedRoot(.refusedDirectory(path.contains(0) ? path : path + [0]))
    }
    return path
  }
}

extension GeoWorld {
  /// The manifest of one folder: all that is needed to place what is in it with no knowledge of the rest.
  ///
  /// Reads the listings of the folders above it, and its own.
  ///
  /// - Parameter path: The label of one of the roots, then names, joined by `/`: bytes, as in
  ///   ``GeoNode/rawPath``.
  /// - Throws: `MapError`, if there is no such folder or the roots can't be those of a world.
  public func shard(of path: [UInt8]) throws(MapError) -> ShardManifest {
    if list != nil { throw .noLookup(because: .list) }
    return try ShardManifest(of: path, in: try request().request.roots, layout: layout)
  }

  /// Splits the world into about so many manifests of similar work, and one for the rest.
  ///
  /// - Parameter number: How many manifests there are to be besides the rest, at least 1.
  /// - Throws: `MapError`, if the roots can't be those of a world.
  public func split(into number: Int) throws(MapError) -> ShardSet {
    if list != nil { throw .noLookup(because: .list) }
    return try ShardSet(splitting: try request().request.roots, layout: layout, into: number)
  }
}

extension GeoWorld {
  /// A world of what was in some folders when a snapshot was taken of them.
  public init(snapshot: Snapshot) {
    self.init(
      roots: zip(snapshot.scanRoots(), snapshot.header.roots).map { (root, origin) in
        let folder = String(decoding: origin.directory, as: UTF8.self)
        var result = Root(
          label: "", folder: URL(filePath: folder, directoryHint: .isDirectory), source: root.source
        )
        result.rawLabel = root.label
        return result
      })
  }

  /// A world of what is in a revision of a repository.
  ///
  /// - Parameters:
  ///   - revision: What is mapped.
  ///   - label: The continent's name.
  public init(revision: GitRevision, label: String) {
    self.init(roots: [Root(label: label, folder: URL(filePath: "/"), source: revision)])
  }

  /// The same world with its ``list`` read once and put in order, into a scratch file that is gone with
  /// the world: as one that can be asked about single paths and places, and be read any number of times.
  ///
  /// - Parameter report: Told which entries of the list can't be used.
  /// - Returns: A world without a ``list``; the same one if it has none.
  /// - Throws: `MapError`; `CancellationError` if the task was cancelled.
  public func indexed(report: ([ScanFault]) -> Void = { _ in }) async throws -> GeoWorld {
    guard let list else { return self }
    var request = SnapshotRequest(roots: try request().request.roots)
    try request.read(list)
    var world = self
    world.list = nil
    world.roots[0].source = try await MapPipeline.index(request, report: report)[0].source
    return world
  }

  /// Begins to take a snapshot of the world: the bytes that `geomapper snapshot` writes, in chunks.
  ///
  /// What ``selection`` leaves out is kept as a name alone; ``filter`` plays no part.
  ///
  /// - Parameter now: When it is taken; of revisions alone, when they were committed counts.
  /// - Throws: As ``nodes()``.
  public func snapshot(now: Date = Date()) async throws(MapError) -> SnapshotStream {
    let world = try request().request
    var request = SnapshotRequest(roots: world.roots)
    request.selection = world.selection
    request.scan = world.scan
    if let list { try request.read(list) }
    request.seconds = UnixTime.seconds(of: now)
    return try await MapPipeline.openSnapshot(request)
  }
}
