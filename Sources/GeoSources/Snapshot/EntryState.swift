import GeoCore
import GeoTree

/// What an entry is and what became of it, as one number.
struct EntryState: Equatable {
  enum Status: Equatable {
    /// Size, time and the rest are known; of a sub-folder, it has a record.
    case known
    /// The size alone is.
    case sized
    /// Nothing is.
    case unasked
    /// It could not be read; a reason is given.
    case unreadable
    /// The listing names it, and it was gone when it was looked at.
    case vanished
    /// The selection leaves it out.
    case leftOut(ExclusionReason)
  }

  let kind: EntryKind
  let status: Status

  init(kind: EntryKind, status: Status) {
    self.kind = kind
    self.status = status
  }

  /// The state of a sub-folder.
  init(kind: EntryKind, folder exclusion: ExclusionReason?) {
    self.init(kind: kind, status: exclusion.map { .leftOut($0) } ?? .known)
  }

  /// The state of a file.
  init(_ facts: EntryFacts, leavingOut exclusion: ExclusionReason?) {
    let status: Status =
      switch facts.status {
      case .known: .known
      case .sized: .sized
      case .unasked: .unasked
      case .unreadable: .unreadable
      case .vanished: .vanished
      case .hidden: .leftOut(exclusion ?? .pattern)
      }
    self.init(kind: facts.kind, status: status)
  }

  /// The status that a scan gives a file of the state.
  var facts: EntryFacts.Status {
    switch status {
    case .known: .known
    case .sized: .sized
    case .unasked: .unasked
    case .unreadable: .unreadable
    case .vanished: .vanished
    case .leftOut: .hidden
    }
  }

  /// Three bits of kind, above them the status.
  var number: UInt64 {
    let status: UInt64 =
      switch status {
      case .known: 0
      case .sized: 1
      case .unasked: 2
      case .unreadable: 3
      case .vanished: 4
      case .leftOut(let reason): 5 + UInt64(reason.rawValue)
      }
    return status << 3 | UInt64(kind.rawValue)
  }

  /// The state of a number; nil if there is none.
  init?(number: UInt64) {
    guard let kind = EntryKind(rawValue: UInt8(truncatingIfNeeded: number & 7)) else { return nil }
    switch number >> 3 {
    case 0: self.init(kind: kind, status: .known)
    case 1: self.init(kind: kind, status: .sized)
    case 2: self.init(kind: kind, status: .unasked)
    case 3: self.init(kind: kind, status: .unreadable)
    case 4: self.init(kind: kind, status: .vanished)
    case let status where status < 256:
      guard let reason = ExclusionReason(rawValue: UInt8(status - 5)) else { return nil }
      self.init(kind: kind, status: .leftOut(reason))
    default: return nil
    }
  }

  /// The room that most file systems give a file of a size: as many blocks of 4,096 bytes as it needs.
  static func usualRoom(size: Int64) -> Int64 {
    // Wraps for sizes that no file has; both sides do the same.
    (size &+ 4095) & ~4095
  }
}

extension ScanFault.Reason {
  /// The reason as people read it.
  var words: String {
    switch self {
    case .unreadable(let error): error.description
    case .vanished: "vanished"
    case .listed(let words): words
    }
  }
}
