import GeoCore
import GeoTree
import GeoSystem

/// The numbers that the format of snapshots is made of; the article SnapshotFormat explains them.
enum SnapshotNumbers {
  /// What a snapshot begins with.
  static let magic: [UInt8] = [0x89] + Array("geosnap".utf8)
  /// What it ends with.
  static let endMagic: [UInt8] = Array("geosnap".utf8) + [0x0A]
  static let version: UInt32 = 1

  /// Bytes before the body of the header: magic, version, length.
  static let headerStart = 16
  /// Bytes before what is packed of a block: checksum and three lengths.
  static let blockHeader = 16
  /// Bytes at the end.
  static let trailer = 56

  /// A block ends with the entry that makes it this long, in bytes before they are packed.
  static let blockLength = 32 * 1024
  /// What no block exceeds.
  static let longestBlock = 128 * 1024
  /// What no header exceeds.
  static let longestHeader = 1 << 26
  /// The longest reason that is kept in words.
  static let longestReason = 1024

  /// Bytes of a slot of the index.
  static let slot = 12
  /// How many slots share a checksum.
  static let slotsToPage = 341
  /// Bytes of a page, its checksum included.
  static let page = 4 + slot * slotsToPage

  /// Bytes of an index of so many slots.
  static func indexLength(slots: UInt64) -> UInt64 {
    slots * UInt64(slot) + (slots + UInt64(slotsToPage - 1)) / UInt64(slotsToPage) * 4
  }
}

/// The columns of a block, in their order: values of one kind from all its entries, which pack better
/// together. What a map needs comes first.
enum Column: Int, CaseIterable {
  case records
  case folderTimes
  case states
  case reasons
  case nameLengths
  case letters
  case sizes
  case times
  case links
  // What follows is unpacked only where somebody asks for it.
  case folderStorage
  case nanoseconds
  case rooms
  case devices
  case inodes
  case owners
  case groups
}

/// What a record says of a folder.
struct RecordFlags: OptionSet {
  let rawValue: UInt8

  /// It goes on with the folder that the block before ends in.
  static let continued = RecordFlags(rawValue: 1)
  /// There is a listing, whole or not.
  static let listed = RecordFlags(rawValue: 2)
  /// The listing or the metadata could not be read; a reason follows.
  static let unreadable = RecordFlags(rawValue: 4)
  /// It is one of its own ancestors, reached by a link.
  static let loop = RecordFlags(rawValue: 8)
  /// Its time is known.
  static let timed = RecordFlags(rawValue: 16)

  static let all: RecordFlags = [.continued, .listed, .unreadable, .loop, .timed]
}

/// What a snapshot says of itself: when it was taken, of what, and what was left out.
public struct SnapshotHeader: Sendable, Equatable {
  /// A folder that it was taken of.
  public struct Root: Sendable, Hashable {
    /// What its nodes' paths begin with.
    public var label: [UInt8]
    /// Where it was, as it was given.
    public var directory: [UInt8]

    /// A root of the given label and folder.
    public init(label: [UInt8], directory: [UInt8]) {
      self.label = label
      self.directory = directory
    }
  }

  /// When it was taken, in Unix seconds; of a revision, its committer time.
  public var seconds: Int64 = 0
  /// Nanoseconds of that time beyond the second.
  public var nanoseconds: UInt32 = 0
  /// What it was taken of.
  public var origin = TreeOrigin.disk
  /// What is known of entries.
  public var knowledge = FactKnowledge.disk
  /// The roots, in the byte order of their labels.
  public var roots: [Root]
  /// The options that decided what is in it, in the order in which they were given.
  public var options: [[UInt8]] = []

  /// A header of a snapshot of some roots.
  public init(roots: [Root]) { self.roots = roots }
}

extension SnapshotHeader {
  /// The header as it is written.
  var bytes: [UInt8] {
    var body: [UInt8] = []
    body.append(little: UInt64(bitPattern: seconds))
    body.append(little: nanoseconds)
    body.append(origin.rawValue)
    body.append(little: knowledge.rawValue)
    body.append(varint: UInt64(roots.count))
    for root in roots {
      body.append(text: root.label)
      body.append(text: root.directory)
    }
    body.append(varint: UInt64(options.count))
    for option in options { body.append(text: option) }
    var bytes = SnapshotNumbers.magic
    bytes.append(little: SnapshotNumbers.version)
    bytes.append(little: UInt32(clamping: body.count))
    bytes += body
    bytes.append(little: CRC32.checksum(of: bytes))
    return bytes
  }

  /// Reads the body of a header.
  init(body: [UInt8]) throws(SnapshotDamage) {
    var reader = ByteReader(0..<body.count)
    self.init(roots: [])
    seconds = Int64(bitPattern: try reader.takeLittle(UInt64.self, in: body.span))
    nanoseconds = try reader.takeLittle(UInt32.self, in: body.span)
    guard nanoseconds < 1_000_000_000,
      let origin = TreeOrigin(rawValue: try reader.takeLittle(UInt8.self, in: body.span))
    else { throw .malformed }
    self.origin = origin
    knowledge = FactKnowledge(rawValue: try reader.takeLittle(UInt32.self, in: body.span))
    guard FactKnowledge.disk.isSuperset(of: knowledge) else { throw .malformed }
    for _ in 0..<(try reader.takeCount(in: body.span)) {
      let label = try reader.takeText(in: body.span)
      roots.append(Root(label: label, directory: try reader.takeText(in: body.span)))
    }
    for _ in 0..<(try reader.takeCount(in: body.span)) {
      options.append(try reader.takeText(in: body.span))
    }
    guard reader.isAtEnd, !roots.isEmpty else { throw .malformed }
    for (root, next) in zip(roots, roots.dropFirst())
    where !root.label.span.orders(before: next.label.span) {
      throw .malformed
    }
    for root in roots where !EntryName.isValid(root.label) { throw .malformed }
  }
}

/// Why a snapshot can't be read at all.
public enum SnapshotError: Error, Hashable, Sendable {
  /// It can't be opened or read.
  case unreadable(file: [UInt8], Errno)
  /// It is no regular file, so that it can't be read here and there.
  case notRegular(file: [UInt8])
  /// It is something else.
  case foreign(file: [UInt8])
  /// It was written by a later version.
  case version(file: [UInt8], UInt32)
  /// Its end is missing.
  case cutShort(file: [UInt8])
  /// What it says of itself, or where its index is, was changed.
  case damaged(file: [UInt8])
}

extension SnapshotError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable, .notRegular: .source
    case .foreign, .version: .usage
    case .cutShort, .damaged: .damage
    }
  }

  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let file, let reason):
      return "can't read the snapshot '\(text(file))': \(reason)"
    case .notRegular(let file):
      return
        "'\(text(file))' is not a regular file; save the snapshot in a file first"
    case .foreign(let file):
      return "'\(text(file))' is not a snapshot; 'geomapper snapshot' writes them"
    case .version(let file, let version):
      return
        "the snapshot '\(text(file))' is of version \(version) of the format, and this program "
        + "reads version \(SnapshotNumbers.version)"
    case .cutShort(let file):
      return
        "the snapshot '\(text(file))' is cut short: it was not written to its end, or not copied "
        + "whole"
    case .damaged(let file):
      return "the snapshot '\(text(file))' is damaged: its contents were changed"
    }
  }
}
