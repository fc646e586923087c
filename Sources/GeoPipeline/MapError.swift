import GeoList
import GeoPath
import GeoScan
import GeoSystem

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
  /// A list can't be read.
  case list(ListError)
  /// A list is about one folder, and several are given.
  case severalRootsOfList
  /// No thread could be made to read with.
  case noThread(Errno)

  /// What follows from a scan that can't begin.
  init(_ failure: FileSystemScanner.Failure) {
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

extension MapError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .refusedRoot(let error): return error.description
    case .notFileURL(let url): return "can't map '\(text(Array(url.utf8)))': it is no file URL"
    case .rootNotFound(let directory, let reason):
      return "can't map '\(text(directory))': \(reason)"
    case .rootNotFolder(let directory): return "can't map '\(text(directory))': it is no folder"
    case .landlessRoot(let label):
      return "there is no land left for '\(text(label))'; give it another label"
    case .list(let error): return error.description
    case .severalRootsOfList:
      return "a list is about one folder: give one path that all in it begin with"
    case .noThread(let reason): return "can't start a thread to read with: \(reason)"
    }
  }
}
