import GeoSources
import GeoTree

/// What a snapshot is to be taken of.
public struct SnapshotRequest: Sendable {
  /// The folders, each under a label of its own.
  public var roots: [ScanRoot]
  /// A list to read in place of a disk; there is one root then, whose folder need not be there.
  public var list: ListSource?
  /// Which entries are entered and asked for metadata; of the others, names and kinds are kept.
  public var selection = Selection()
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()
  /// When it is taken, in Unix seconds.
  public var seconds: Int64 = 0
  /// Nanoseconds of that time beyond the second.
  public var nanoseconds: UInt32 = 0
  /// The options that decide what is in it, as they were given, to be kept in it; if empty, those that say the
  /// same are kept.
  public var options: [[UInt8]] = []

  /// A snapshot of the given folders.
  public init(roots: [ScanRoot]) { self.roots = roots }
}

extension SnapshotRequest {
  /// What is kept of the options.
  var keptOptions: [[UInt8]] {
    if !options.isEmpty { return options }
    var kept = selection.options
    if scan.staysOnFileSystem { kept.append(Array("--one-file-system".utf8)) }
    if scan.followsLinks { kept.append(Array("--follow".utf8)) }
    return kept
  }

  /// The first two things that can't be asked for together; nil if all can.
  public var conflict: MapConflict? {
    var request = MapRequest(roots: roots)
    request.list = list
    request.selection = selection
    request.scan = scan
    return request.conflict
  }
}
