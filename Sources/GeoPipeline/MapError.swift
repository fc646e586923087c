import GeoSources
import GeoCore
import GeoTree
import GeoSystem

/// Why a world can't be asked about single paths and places: what it has would have to be read as a
/// whole, or goes against looking up names in listings.
public enum LookupObstacle: Hashable, Sendable {
  /// It is read from a list.
  case list
  /// A manifest makes it a part of another world.
  case shard
  /// It follows symbolic links.
  case links
}

/// Why a map could not be begun.
public enum MapError: Error, Hashable, Sendable {
  /// A label or a path can't be one, or two roots have the same label.
  case refusedRoot(RootError)
  /// A root is given by a URL that leads to no file; with the URL's text.
  case notFileURL(String)
  /// A root does not exist, or can't be reached.
  case rootNotFound(directory: [UInt8], Errno)
  /// A root is no folder.
  case rootNotFolder(directory: [UInt8])
  /// A label was made so that its continent would be too small for anything.
  case landlessRoot(label: [UInt8])
  /// A manifest is about folders that are not here, or have other sub-folders here; with a path on the
  /// map, and the folder that it was looked for in, if that was found out before the scan.
  case mismatch(path: [UInt8], directory: [UInt8]?)
  /// A manifest needs a root that was not given.
  case missingRoot(label: [UInt8])
  /// A root was given that the world of a manifest doesn't have.
  case foreignRoot(label: [UInt8], directory: [UInt8])
  /// A manifest can't be made because a folder above its own can't be listed; with its path on the map.
  case unlisted(path: [UInt8])
  /// A manifest can't be made because its folder's path is too long.
  case tooDeep(path: [UInt8])
  /// A list can't be read.
  case list(ListError)
  /// A list is about one folder, and several are given.
  case severalRootsOfList
  /// A world can't be asked about single paths and places.
  case noLookup(because: LookupObstacle)
  /// Two things that are asked for can't be had together.
  case conflict(MapConflict)
  /// A world can't be split into so many manifests.
  case refusedSplit(into: Int)
  /// The format needs scratch files, and one could not be made, written or read.
  case noScratch(Errno)
  /// No thread could be made to read with.
  case noThread(Errno)

  /// What follows from a scan that can't begin.
  package init(_ failure: FileSystemScanner.Failure) {
    switch failure {
    case .noThread(let reason): self = .noThread(reason)
    }
  }

  /// What follows from a folder that can't be a root.
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

  /// What is wrong and what to do, in one line that is fit for a terminal.
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
