import Foundation
import GeoCore
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
    /// Not empty, without `/`, and unique among the roots.
    package var rawLabel: [UInt8]
    /// The folder on disk; of a root from another source, its original folder.
    public var folder: URL
    package var tree: any TreeSource {
      get { source.tree }
      set { source = Source(tree: newValue) }
    }
    private var source = Source(tree: DiskSource.shared)

    /// A source, which equals itself only.
    private struct Source: Hashable {
      let tree: any TreeSource

      static func == (a: Self, b: Self) -> Bool { a.tree === b.tree }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(tree)) }
    }

    /// The continent's name as text; invalid UTF-8 becomes U+FFFD.
    public var label: String {
      get { String(decoding: rawLabel, as: UTF8.self) }
      set { rawLabel = Array(newValue.utf8) }
    }

    /// Makes a root.
    ///
    /// - Parameters:
    ///   - label: The continent's name.
    ///   - folder: The folder to map.
    public init(label: String, folder: URL) {
      rawLabel = Array(label.utf8)
      self.folder = folder
    }
  }

  /// The continents.
  public var roots: [Root]
  /// How sub-folders get their land.
  public var layout = Layout.settled
  /// Which nodes are yielded. Folders that it hides are not read.
  public var filter = MapFilter()
  /// Which entries are yielded, wherever they are. Folders that it excludes are not read.
  public var selection = Selection()
  /// Whether to compute the totals of folders; this takes a first pass over the whole tree.
  public var includesTotals = false
  /// Whether to compute the coast lines of folders.
  public var includesOutlines = false
  /// Values of your own for files and folders; see <doc:Layers>. They take a first pass over the whole
  /// tree.
  public var layers: [MapLayer] = []
  /// A list of paths to read in place of the disk; see <doc:Lists>.
  ///
  /// With a list there is one root. All paths of the list begin with the path of its folder, which
  /// need not exist: with the relative one, if its URL is relative, as of `URL(filePath: "srv")`.
  public var list: ListSource?
  package var scan = FileSystemScanner.Options()

  /// Makes a world of one continent with the folder's name.
  public init(folder: URL) {
    let name = folder.standardizedFileURL.lastPathComponent
    self.init(roots: [Root(label: name == "/" || name.isEmpty ? "root" : name, folder: folder)])
  }

  /// Makes a world of several continents.
  public init(roots: [Root]) { self.roots = roots }

  /// The number of reading threads, at least 1; nil for as many as the storage can use.
  public var threads: Int? {
    get { scan.threads }
    set { scan.threads = newValue }
  }

  /// Whether to read sizes and times.
  public var readsMetadata: Bool {
    get { scan.readsMetadata }
    set { scan.readsMetadata = newValue }
  }

  /// Whether to show folders on other file systems than their root's without entering them.
  public var staysOnFileSystem: Bool {
    get { scan.staysOnFileSystem }
    set { scan.staysOnFileSystem = newValue }
  }

  /// Whether to treat symbolic links as their targets. A link to a folder is entered unless it leads
  /// to one of its own ancestors. A broken link stays a link.
  public var followsLinks: Bool {
    get { scan.followsLinks }
    set { scan.followsLinks = newValue }
  }

  /// Whether to read the number of hard links of files.
  public var countsLinks: Bool {
    get { scan.countsLinks }
    set { scan.countsLinks = newValue }
  }

  /// Starts to read the world.
  ///
  /// Errors in the roots are thrown here; entries that can't be read are reported in the batches.
  ///
  /// - Throws: `GeoError` if there is no root, a root is not a folder, two roots share a label, a URL
  ///   is not a file URL, or the list can't be read. If the list breaks off later, the batches throw
  ///   a `GeoError`.
  public func nodes() async throws -> some AsyncSequence<GeoNodeBatch, any Error> & Sendable {
    let directories = try request().directories
    let stream = try await MapPipeline.openNodes(try await openRequest())
    // Can be read once. A slow reader slows the scan, and a reader that stops ends it.
    return MadeSequence<GeoNodeBatch, any Error> {
      var batches = stream.makeAsyncIterator()
      return { actor in
        try await batches.next(isolation: actor).map { GeoNodeBatch($0, directories: directories) }
      }
    }
  }

  /// With open list and layers.
  func openRequest() async throws(MapError) -> MapRequest {
    var request = try request().request
    request.layers = try await openLayers(over: request.roots)
    if let list { try request.read(list) }
    return request
  }

  /// On a thread of its own; nil without layers.
  func openLayers(over roots: [ScanRoot]) async throws(MapError) -> LayerSet? {
    if layers.isEmpty { return nil }
    if list != nil {
      throw .layer("layers read the tree twice, and a list once: call indexed() before")
    }
    do {
      return try await WorkerThread.run { [layers] in try LayerSet.open(layers, over: roots) }
    } catch let failure as Failure {
      throw .layer(failure.message)
    } catch {
      throw .noThread(error as? Errno ?? .inputOutput)
    }
  }

  func request() throws(MapError) -> (request: MapRequest, directories: [[UInt8]: SharedDirectory])
  {
    if roots.isEmpty { throw .refusedRoot(.noRoots) }
    var directories: [[UInt8]: SharedDirectory] = [:]
    var request = MapRequest(roots: [])
    for root in roots {
      directories[root.rawLabel] = SharedDirectory(root.folder)
      request.roots.append(
        ScanRoot(
          label: root.rawLabel, directory: try path(of: root.folder), source: root.tree))
    }
    request.layout = layout
    request.filter = filter
    request.selection = selection
    request.totals = includesTotals
    request.outlines = includesOutlines
    request.scan = scan
    return (request, directories)
  }

  private func path(of folder: URL) throws(MapError) -> [UInt8] {
    if !folder.isFileURL { throw .notFileURL(folder.absoluteString) }
    let isRelative = list != nil && folder.baseURL != nil
    let path = Array(
      (isRelative ? folder.relativePath : folder.path(percentEncoded: false)).utf8)
    // Some versions of Foundation return an empty or truncated path if it contains a zero byte.
    if folder.path(percentEncoded: true).contains("%00") {
      throw .refusedRoot(.refusedDirectory(path.contains(0) ? path : path + [0]))
    }
    return path
  }
}

extension GeoWorld {
  /// Opens a snapshot file as a world, without blocking the caller.
  ///
  /// - Throws: `GeoError`.
  public init(snapshot url: URL) async throws {
    self.init(
      of: try await onOwnThread { () throws(SnapshotError) in
        try Snapshot(opening: url.pathBytes)
      })
  }

  /// Reads a revision of a repository as a world, without blocking the caller.
  ///
  /// - Parameters:
  ///   - revision: A commit, a tag, a tree or `REVISION:PATH`, in git's syntax.
  ///   - repository: The repository, or a folder in its work tree.
  ///   - label: The continent's name; nil for that of the repository's folder.
  /// - Throws: `GeoError`.
  public init(revision: String, of repository: URL, label: String? = nil) async throws {
    let tree = try await onOwnThread { () throws(GitError) in
      try GitRevision(Array(revision.utf8), of: repository.pathBytes)
    }
    self.init(folder: repository)
    if let label { roots[0].label = label }
    roots[0].tree = tree
  }

  package init(of snapshot: Snapshot) {
    self.init(
      roots: zip(snapshot.scanRoots(), snapshot.header.roots).map { (root, origin) in
        let folder = String(decoding: origin.directory, as: UTF8.self)
        var result = Root(
          label: "", folder: URL(filePath: folder, directoryHint: .isDirectory))
        (result.rawLabel, result.tree) = (root.label, root.source)
        return result
      })
  }

  /// Reads the ``list`` once and sorts it into a scratch file, which is deleted with the returned
  /// world. That world can be read any number of times, and asked about single paths and places.
  ///
  /// - Parameter report: Called with the entries of the list that can't be used.
  /// - Returns: A world without a ``list``; this world if it has none.
  /// - Throws: `GeoError`; `CancellationError` if the task was cancelled.
  public func indexed(
    report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoWorld {
    guard let list else { return self }
    var request = SnapshotRequest(roots: try request().request.roots)
    try request.read(list)
    var world = self
    world.list = nil
    world.roots[0].tree = try await MapPipeline.index(request, report: report)[0].source
    return world
  }

  /// A snapshot: the bytes that `geomapper snapshot` writes. The tree is read when they are.
  ///
  /// Entries that ``selection`` leaves out are kept as names only; ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - now: The time of the snapshot. A world of git revisions only uses their commit times
  ///     instead.
  ///   - progress: Called as the bytes are read.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: As ``features(format:progress:report:)``.
  public func snapshot(
    now: Date = Date(),
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) throws -> GeoBytes {
    let world = try request().request
    _ = try MapPipeline.roots(world.roots, readsDisk: list == nil)
    return GeoBytes(reporting: GeoProgress.Report.notes(report, progress)) { [list] temporary in
      var request = SnapshotRequest(roots: world.roots)
      request.selection = world.selection
      request.scan = world.scan
      request.scan.temporary = temporary
      if let list { try request.read(list) }
      request.seconds = UnixTime.seconds(of: now)
      return try await MapPipeline.openSnapshot(request)
    }
  }
}
