import GeoCore
import GeoSystem

/// Why a store of kept states can't be used.
package enum KeptError: Error, Hashable, Sendable {
  /// The store can't be read.
  case unreadable(store: [UInt8], Errno)
  /// The store can't be written.
  case unwritable(store: [UInt8], Errno)
  /// The folder holds something else.
  case foreign(store: [UInt8])
  /// The store has another version of the format.
  case version(store: [UInt8])
  /// Another process writes the store.
  case busy(store: [UInt8])
  /// Files can't be locked there.
  case noLocks(store: [UInt8], Errno)
  /// A file of a state was changed or is missing.
  case damaged(file: [UInt8])
  /// A state's snapshot can't be opened.
  case snapshot(SnapshotError)
  /// A snapshot can't be written.
  case writing(SnapshotWritingError)
  /// The scratch file for a state can't be written.
  case noScratch(Errno)
}

extension KeptError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable: .source
    case .foreign, .version, .noLocks: .usage
    case .unwritable, .busy, .writing, .noScratch: .output
    case .damaged: .damage
    case .snapshot(let error): error.group
    }
  }

  /// Says in one line what is wrong and what to do, safe for a terminal.
  package var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let store, let reason):
      return "can't read the store '\(text(store))': \(reason)"
    case .unwritable(let store, let reason):
      return "can't write the store '\(text(store))': \(reason)"
    case .foreign(let store):
      return
        "'\(text(store))' holds something else than kept states; give a folder that is empty or "
        + "doesn't exist"
    case .version(let store):
      return "the store '\(text(store))' is of another version of geomapper"
    case .busy(let store):
      return
        "another geomapper is writing the store '\(text(store))'; try again when it has ended"
    case .noLocks(let store, let reason):
      return
        "can't lock the store '\(text(store))': \(reason); give a folder on a local disk: "
        + "--store DIR"
    case .damaged(let file):
      return "the kept state '\(text(file))' is damaged; remove it with 'geomapper keep --drop'"
    case .snapshot(let error): return error.description
    case .writing(let error): return error.description
    case .noScratch(let reason):
      return
        "can't write a scratch file: \(reason); set TMPDIR to a folder that has room for it"
    }
  }
}
