import GeoCore

/// An entry's kind and status, encoded as one number.
struct EntryState: Equatable {
  enum Status: Equatable {
    case known
    case sized
    /// All facts but the time are known.
    case undated
    case unasked
    /// It is a further name of a file whose facts the listing has at another name.
    case elsewhere
    /// A reason is stored.
    case unreadable
    /// It was in the listing, but gone when its metadata was read.
    case vanished
    case leftOut(ExclusionReason)
  }

  let kind: EntryKind
  let status: Status
}

extension EntryState {
  init(ofFolder facts: EntryFacts) {
    self.init(
      kind: facts.kind,
      status: facts.status == .hidden ? .leftOut(facts.leftOut ?? .pattern) : .known)
  }

  init(_ facts: EntryFacts, hasStorage: Bool, isElsewhere: Bool) {
    let status: Status =
      switch facts.status {
      case .known: .known
      case .sized: hasStorage ? .undated : .sized
      case .unasked: isElsewhere ? .elsewhere : .unasked
      case .unreadable: .unreadable
      case .vanished: .vanished
      case .hidden: .leftOut(facts.leftOut ?? .pattern)
      }
    self.init(kind: facts.kind, status: status)
  }

  /// What a scan knows of a file in this state, without its size and times.
  var facts: EntryFacts {
    var facts = EntryFacts(kind: kind)
    switch status {
    case .known: facts.status = .known
    case .sized, .undated: facts.status = .sized
    case .unasked, .elsewhere: facts.status = .unasked
    case .unreadable: facts.status = .unreadable
    case .vanished: facts.status = .vanished
    case .leftOut(let reason): facts.leaveOut(for: reason)
    }
    return facts
  }

  /// The kind in the low three bits, the status above.
  var number: UInt64 {
    let status: UInt64 =
      switch status {
      case .known: 0
      case .sized: 1
      case .unasked: 2
      case .unreadable: 3
      case .vanished: 4
      case .leftOut(let reason): 5 + UInt64(reason.rawValue)
      case .undated: Self.undated
      case .elsewhere: Self.elsewhere
      }
    return status << 3 | UInt64(kind.rawValue)
  }

  /// The number of this status, far from those of more reasons.
  private static let undated: UInt64 = 255
  private static let elsewhere: UInt64 = 254

  init?(number: UInt64) {
    guard let kind = EntryKind(rawValue: UInt8(truncatingIfNeeded: number & 7)) else { return nil }
    let status: Status? =
      switch number >> 3 {
      case 0: .known
      case 1: .sized
      case 2: .unasked
      case 3: .unreadable
      case 4: .vanished
      case Self.undated: .undated
      case Self.elsewhere: .elsewhere
      case let code where code < 256:
        ExclusionReason(rawValue: UInt8(code - 5)).map { .leftOut($0) }
      default: nil
      }
    guard let status else { return nil }
    self.init(kind: kind, status: status)
  }

  /// The disk space that most file systems use for a file: its size rounded up to blocks of 4,096
  /// bytes.
  static func defaultRoom(size: Int64) -> Int64 {
    // Overflows for impossible sizes. Writer and reader overflow alike.
    (size &+ 4095) & ~4095
  }
}
