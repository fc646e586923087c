import GeoCore
import GeoProjection
import GeoTree

/// By what a file is known again at another place: its size and its time of change, or its object.
struct FileKey: Hashable, Sendable {
  /// 0 with an object, which tells it.
  var size: Int64
  /// Seconds and nanoseconds of the time, or the object's name.
  var high: UInt64
  var low: UInt64

  /// A key of the given parts.
  init(size: Int64, high: UInt64, low: UInt64) {
    (self.size, self.high, self.low) = (size, high, low)
  }

  /// The key of a file; nil for what is no regular file, is empty, or of which too little is known.
  ///
  /// - Parameter knowledge: What all states know.
  init?(_ version: FileVersion, _ knowledge: ContentKnowledge) {
    let facts = version.facts
    guard version.isThere, facts.kind == .regular, facts.size > 0 || !facts.status.hasSize else {
      return nil
    }
    size = knowledge == .objects ? 0 : facts.size
    switch knowledge {
    case .objects:
      guard facts.status.isCompared, let object = version.object else { return nil }
      (high, low) = (object.high, object.low)
    case .nanoseconds:
      guard facts.status == .known, let nanoseconds = version.nanoseconds else { return nil }
      (high, low) = (UInt64(bitPattern: facts.modified), UInt64(nanoseconds))
    case .seconds:
      guard facts.status == .known else { return nil }
      (high, low) = (UInt64(bitPattern: facts.modified), 0)
    }
  }

  /// The key of a file of some contents; nil for what is no regular file.
  init?(_ object: ObjectID) {
    guard object.mode >> 12 == 0o10 else { return nil }
    self.init(size: 0, high: object.high, low: object.low)
  }

  /// What stands for it among very many.
  var digest: UInt64 {
    let first = SplitMix64.number(UInt64(bitPattern: size) ^ low &* 0x9E37_79B9_7F4A_7C15, 0)
    return SplitMix64.number(first ^ high, 1)
  }
}

extension FileVersion {
  /// Whether the same file is there in two states, as far as both know it; nil if that can't be said
  /// because one of them could not read it.
  func isSame(as other: FileVersion) -> Bool? {
    guard facts.status.isCompared, other.facts.status.isCompared, facts.kind != .unknown,
      other.facts.kind != .unknown
    else { return nil }
    if facts.kind != other.facts.kind { return false }
    if let object, let otherObject = other.object { return object == otherObject }
    if facts.status.hasSize, other.facts.status.hasSize, facts.size != other.facts.size {
      return false
    }
    guard facts.status == .known, other.facts.status == .known else { return true }
    if facts.modified != other.facts.modified { return false }
    guard let nanoseconds, let others = other.nanoseconds else { return true }
    return nanoseconds == others
  }

  /// Whether the same file is there in two states beyond doubt: all that they know of it is the same.
  @inline(__always)
  func isClearlySame(as other: FileVersion) -> Bool {
    guard isThere, other.isThere, facts.status == .known, other.facts.status == .known,
      object == nil, other.object == nil
    else { return false }
    return facts.size == other.facts.size && facts.modified == other.facts.modified
      && nanoseconds == other.nanoseconds && facts.kind == other.facts.kind
      && facts.kind != .unknown
  }

  /// Its size; nil if it is not known.
  var size: Int64? { facts.status.hasSize ? facts.size : nil }
}

extension EntryFacts.Status {
  /// Whether an entry could be read, as far as somebody asked.
  var isCompared: Bool { self == .known || self == .sized || self == .unasked }
  /// Whether the size is known.
  var hasSize: Bool { self == .known || self == .sized }
}
