import GeoCore
import GeoTree

/// What stands for the contents of a file in a history, and for what kind of file has them: equal if both are the
/// same, as far as 60 bits can tell.
struct ContentMark: Hashable, Sendable {
  /// What kinds of file are told apart by their marks.
  enum Kind: UInt64 {
    case regular
    case executable
    /// No regular file.
    case other
  }

  /// Nobody knows.
  static let unknown = ContentMark(bits: 0)

  private let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  private init(_ key: UInt64, _ kind: Kind) { bits = (key >> 4 | 1 << 60) << 2 | kind.rawValue }

  /// What stands for the contents, whatever the kind; 0 if nobody knows.
  var key: UInt64 { bits >> 2 }
  /// The number of the kind.
  var kind: UInt64 { bits & 3 }

  /// The mark of an object of git.
  ///
  /// - Parameter digits: Its name, in hex digits.
  init(mode: UInt32, digits: ArraySlice<UInt8>) {
    var key: UInt64 = 0
    for digit in digits.prefix(16) {
      key = key << 4 | UInt64(digit & 0xF &+ (digit >> 6) &* 9)
    }
    self.init(key, mode >> 12 != 0o10 ? .other : mode & 0o111 == 0 ? .regular : .executable)
  }

  /// The mark of a file by what a state knows of it: its object, else size and time of change.
  init(_ version: FileVersion) {
    let facts = version.facts
    let kind = facts.kind == .regular ? Kind.regular : .other
    if let object = version.object {
      let isExecutable = object.mode >> 12 == 0o10 && object.mode & 0o111 != 0
      self.init(object.high, isExecutable ? .executable : kind)
    } else if facts.status == .known, let nanoseconds = version.nanoseconds {
      let time = UInt64(bitPattern: facts.modified)
      self.init(FileKey(size: facts.size, high: time, low: UInt64(nanoseconds)).digest, kind)
    } else {
      self = .unknown
    }
  }
}
