import GeoCore
import GeoSystem
import GeoTree

/// Constants of the snapshot format; the article SnapshotFormat explains them.
enum SnapshotNumbers {
  static let magic: [UInt8] = [0x89] + Array("geosnap".utf8)
  static let endMagic: [UInt8] = Array("geosnap".utf8) + [0x0A]
  static let version: UInt32 = 1

  /// Magic, version and length.
  static let headerStart = 16
  /// Checksum and three lengths.
  static let blockHeader = 16
  static let trailer = 56

  static let longestBlock = 128 * 1024
  static let longestHeader = 1 << 26
  static let longestReason = 1024
  /// What stands for an unknown reason.
  static let unknownReason = "it could not be read"

  static let slot = 12
  /// A page has one checksum.
  static let slotsToPage = 341
  static let page = 4 + slot * slotsToPage

  static func indexLength(slots: UInt64) -> UInt64 {
    slots * UInt64(slot) + (slots + UInt64(slotsToPage - 1)) / UInt64(slotsToPage) * 4
  }

  /// The numbers: where the index begins, and how many slots, folders, files and blocks there are.
  /// The checksum is of all before.
  static func trailer(_ numbers: [UInt64], checksum: UInt32) -> [UInt8] {
    var trailer: [UInt8] = []
    for number in numbers { trailer.append(little: number) }
    trailer.append(little: checksum)
    trailer.append(little: CRC32.checksum(of: trailer))
    return trailer + endMagic
  }
}

/// The columns of a block in order. Each has the values of one kind from all entries, which
/// compress better together. The columns that a map needs come first.
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
  // The following columns are unpacked only on request.
  case folderStorage
  case nanoseconds
  case rooms
  case devices
  case inodes
  case owners
  case groups
}

struct RecordFlags: OptionSet {
  let rawValue: UInt8

  /// It continues the last folder of the block before.
  static let continued = RecordFlags(rawValue: 1)
  static let listed = RecordFlags(rawValue: 2)
  /// The listing or the metadata was unreadable; a reason follows.
  static let unreadable = RecordFlags(rawValue: 4)
  /// It is one of its own ancestors, reached by a link.
  static let loop = RecordFlags(rawValue: 8)
  /// Its modification time is known.
  static let timed = RecordFlags(rawValue: 16)

  static let all: RecordFlags = [.continued, .listed, .unreadable, .loop, .timed]
}

/// Facts about a snapshot: when it was taken, of which folders, and by which options.
public struct SnapshotHeader: Sendable, Equatable {
  /// A folder that the snapshot was taken of.
  public struct Root: Sendable, Hashable {
    /// The beginning of its nodes' paths.
    public var label: [UInt8]
    /// The path of the folder, as the user gave it.
    public var directory: [UInt8]

    /// Makes a root from its label and folder.
    package init(label: [UInt8], directory: [UInt8]) {
      self.label = label
      self.directory = directory
    }
  }

  /// When it was taken, in Unix seconds; for a revision, its commit time.
  public var seconds: Int64 = 0
  /// The nanoseconds of that time.
  public var nanoseconds: UInt32 = 0
  /// The original source.
  public var origin = TreeOrigin.disk
  /// The facts recorded of entries.
  public var knowledge = FactKnowledge.disk
  /// The roots, in the byte order of their labels.
  public var roots: [Root]
  /// The options that decided which entries it has, in the order given.
  public var options: [[UInt8]] = []

  /// Makes a header for some roots.
  package init(roots: [Root]) { self.roots = roots }
}

extension SnapshotHeader {
  /// The years 1 to 9999.
  static let times: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  var bytes: [UInt8] {
    var body: [UInt8] = []
    // Commits can have any time.
    let seconds = min(max(seconds, Self.times.lowerBound), Self.times.upperBound)
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

  init(body: [UInt8]) throws(ByteDamage) {
    var reader = ByteReader(0..<body.count)
    self.init(roots: [])
    seconds = Int64(bitPattern: try reader.takeLittle(UInt64.self, in: body.span))
    nanoseconds = try reader.takeLittle(UInt32.self, in: body.span)
    guard Self.times.contains(seconds), nanoseconds < 1_000_000_000,
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

package enum SnapshotError: SourceError {
  case unreadable(file: [UInt8], Errno)
  /// It can't be read at any offset.
  case notRegular(file: [UInt8])
  case foreign(file: [UInt8])
  case version(file: [UInt8], UInt32)
  case cutShort(file: [UInt8])
  case damaged(file: [UInt8])
  case noScratch(Errno)
  case tooLarge

  package var failure: Failure {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    return switch self {
    case .unreadable(let file, let reason):
      Failure(.source, "can't read the snapshot '\(text(file))': \(reason)")
    case .notRegular(let file):
      Failure(.source, "'\(text(file))' is not a regular file; save the snapshot in a file first")
    case .foreign(let file): .usage("'\(text(file))' is not a snapshot")
    case .version(let file, let version):
      .usage(
        "the snapshot '\(text(file))' is of version \(version) of the format, and this program "
          + "reads version \(SnapshotNumbers.version)")
    case .cutShort(let file):
      .damage(
        "the snapshot '\(text(file))' is cut short: it was not written to its end, or not copied "
          + "whole")
    case .damaged(let file):
      .damage("the snapshot '\(text(file))' is damaged: its contents were changed")
    case .noScratch(let reason): .noScratch("keep a part of its index on disk", reason)
    case .tooLarge: .output("there are more folders than one snapshot can hold")
    }
  }
}

extension ScanFault.Reason {
  var words: String {
    switch self {
    case .unreadable(let error): error.description
    case .vanished: "vanished"
    case .listed(let words): words
    }
  }
}
