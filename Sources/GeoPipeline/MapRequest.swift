import GeoEmit
import GeoProjection
import GeoScan
import GeoSelect
import GeoSystem
import GeoTier

/// What is to be mapped, and how it is to be written.
public struct MapRequest: Sendable {
  /// The folders to map, each under a label of its own.
  public var roots: [ScanRoot]
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which nodes are shown.
  public var filter = MapFilter()
  /// Which entries are shown, wherever they are.
  public var selection = Selection()
  /// In which format the map is written.
  public var format = OutputFormat.geojson
  /// Whether each feature says at which zoom tippecanoe is to show it first.
  public var tippecanoe = false
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()

  /// The usual map of the given folders.
  public init(roots: [ScanRoot]) { self.roots = roots }
}

/// Why a map could not be begun.
public enum MapError: Error, Sendable {
  /// A root does not exist, or can't be reached.
  case rootNotFound(directory: [UInt8], Errno)
  /// A root is no folder.
  case rootNotFolder(directory: [UInt8])
  /// A label is empty, `.` or `..`, or has a `/` or a zero in it.
  case badLabel([UInt8])
  /// Two roots have the same label.
  case doubledLabel([UInt8])
  /// A label was made so that its continent would be too small for anything.
  case landlessRoot(label: [UInt8])
  /// No thread could be made to read with.
  case noThread(Errno)
}
