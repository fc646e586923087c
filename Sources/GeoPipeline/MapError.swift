import GeoSources
import GeoCore
import GeoTree
import GeoSystem

/// Why a world can't be asked about single paths and places: it has to be read as a whole, or names
/// can't be looked up in its listings.
public enum LookupObstacle: Hashable, Sendable {
  /// The root is read from a list.
  case list
  /// The request has a manifest, which maps a part of a world.
  case shard
  /// The scan follows symbolic links.
  case links
}

/// Why mapping could not start.
public enum MapError: Error, Hashable, Sendable {
  /// A label or a path is invalid, or two roots have the same label.
  case refusedRoot(RootError)
  /// A root's URL is not a file URL; with its text.
  case notFileURL(String)
  /// A root does not exist, or can't be reached.
  case rootNotFound(directory: [UInt8], Errno)
  /// A root is not a folder.
  case rootNotFolder(directory: [UInt8])
  /// A root would have no land because of its label.
  case landlessRoot(label: [UInt8])
  /// A manifest's folders are not here, or have other sub-folders now; with a path on the map, and
  /// the folder in which it was looked up, if the scan had not started.
  case mismatch(path: [UInt8], directory: [UInt8]?)
  /// A root is missing that the manifest needs.
  case missingRoot(label: [UInt8])
  /// A root was given that the manifest's world doesn't have.
  case foreignRoot(label: [UInt8], directory: [UInt8])
  /// A manifest can't be made because one of its folder's ancestors can't be listed; with that path
  /// on the map.
  case unlisted(path: [UInt8])
  /// A manifest can't be made because its folder's path is too long.
  case tooDeep(path: [UInt8])
  /// A list can't be read.
  case list(ListError)
  /// A list is for one folder, and several roots are given.
  case severalRootsOfList
  /// Single paths and places can't be looked up.
  case noLookup(because: LookupObstacle)
  /// Two requested options exclude each other.
  case conflict(MapConflict)
  /// The number of parts is out of range.
  case refusedSplit(into: Int)
  /// A scratch file could not be made, written or read.
  case noScratch(Errno)
  /// No thread could be started.
  case noThread(Errno)

  /// The error for a scan that can't start.
  package init(_ failure: FileSystemScanner.Failure) {
    switch failure {
    case .noThread(let reason): self = .noThread(reason)
    }
  }

  /// The error for a folder that can't be a root.
  public init(_ failure: ScanRoot.Failure, directory: [UInt8]) {
    switch failure {
    case .notFound(let reason): self = .rootNotFound(directory: directory, reason)
    case .notFolder: self = .rootNotFolder(directory: directory)
    }
  }
}

extension MapError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .list(let error): error.group
    case .rootNotFound, .rootNotFolder, .unlisted: .source
    case .noScratch: .output
    case .noThread: .limit
    default: .usage
    }
  }

  /// The fault and its remedy in one line, escaped for a terminal.
  public var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .refusedRoot(let error): return error.description
    case .notFileURL(let url): return "can't map '\(text(Array(url.utf8)))': not a file URL"
    case .rootNotFound(let directory, let reason):
      return "can't map '\(text(directory))': \(reason)"
    case .rootNotFolder(let directory): return "can't map '\(text(directory))': not a folder"
    case .landlessRoot(let label):
      return "no land is left for '\(text(label))'; give it another label"
    case .mismatch(let path, let directory?):
      return
        "the shard manifest doesn't fit '\(text(directory))': '\(text(path))' is another folder or has changed; "
        + "give the DIR that was split, or run 'geomapper split' again"
    case .mismatch(let path, nil):
      return "the shard manifest doesn't fit: '\(text(path))' has other sub-folders now; "
        + "run 'geomapper split' again"
    case .missingRoot(let label):
      return "the shard manifest is for a folder in '\(text(label))'; say where that is, as "
        + "\(text(label))=DIR"
    case .foreignRoot(let label, let directory):
      return
        "the map that was split has no root '\(text(label))'; give '\(text(directory))' the label "
        + "that it had then"
    case .unlisted(let path):
      return "can't list '\(text(path))', which decides where its sub-folders are"
    case .tooDeep(let path):
      return "'\(text(path))' is too deep for a shard manifest; split at a folder above it"
    case .list(let error): return error.description
    case .severalRootsOfList:
      return "a list is for one folder: give the path that all its lines begin with"
    case .noLookup(let obstacle):
      let reason =
        switch obstacle {
        case .list: "it is read from a list"
        case .shard: "it is a part of a map"
        case .links: "it follows links"
        }
      return "can't look up single paths: \(reason)"
    case .conflict(let conflict): return conflict.explanation
    case .refusedSplit(let number):
      return "a map can be split into 1 to \(ShardSet.most) parts, not \(number)"
    case .noScratch(let reason):
      return "can't use scratch files: \(reason); set TMPDIR to a folder with free space"
    case .noThread(let reason): return "can't start a thread to read with: \(reason)"
    }
  }
}
