import GeoCore

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

  /// What it was taken of.
  public enum Origin: UInt8, Sendable, CaseIterable {
    /// Folders of a disk.
    case disk
    /// A list of paths, or an export of another program.
    case list
    /// Revisions of a git repository.
    case git
  }

  /// When it was taken, in Unix seconds; of a revision, its committer time.
  public var seconds: Int64 = 0
  /// Nanoseconds of that time beyond the second.
  public var nanoseconds: UInt32 = 0
  /// What it was taken of.
  public var origin = Origin.disk
  /// What is known of entries.
  public var knowledge = SnapshotKnowledge.disk
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
    var bytes = SnapshotFormat.magic
    bytes.append(little: SnapshotFormat.version)
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
      let origin = Origin(rawValue: try reader.takeLittle(UInt8.self, in: body.span))
    else { throw .malformed }
    self.origin = origin
    knowledge = SnapshotKnowledge(rawValue: try reader.takeLittle(UInt32.self, in: body.span))
    guard SnapshotKnowledge.disk.isSuperset(of: knowledge) else { throw .malformed }
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
