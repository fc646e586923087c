import Foundation
import GeoDeed
import GeoPipeline
import GeoProjection
import GeoScan
import GeoTier

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
    /// The continent's name: not empty, no `/` in it, and no other root's.
    public var label: String
    /// The folder.
    public var folder: URL

    /// A root of the given name and folder.
    public init(label: String, folder: URL) {
      self.label = label
      self.folder = folder
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
  public var deed: Deed?
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
    let (request, directories) = try request()
    return GeoNodeBatches(
      stream: try await MapPipeline.openNodes(request), directories: directories)
  }

  /// What to ask the pipeline for, and where each root is.
  func request() throws(MapError) -> (request: MapRequest, directories: [[UInt8]: SharedDirectory])
  {
    var directories: [[UInt8]: SharedDirectory] = [:]
    var request = MapRequest(roots: [])
    for root in roots {
      let label = Array(root.label.utf8)
      directories[label] = SharedDirectory(root.folder)
      request.roots.append(ScanRoot(label: label, directory: try Self.path(of: root.folder)))
    }
    request.layout = layout
    request.filter = filter
    request.selection = selection
    request.totals = totals
    request.outlines = outlines
    request.list = list
    request.deed = deed
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
