import GeoCore

/// A kept state: what is known of it without reading its tree.
package struct KeptState: Sendable, Hashable, Identifiable {
  package struct Root: Sendable, Hashable {
    package var label: [UInt8]
    package var directory: [UInt8]
    /// Identifies its file system (`FileSystem.volume(at:)`).
    package var fileSystem: [UInt8]
    /// In bytes, at the time of the state.
    package var free: Int64?

    package init(label: [UInt8], directory: [UInt8], fileSystem: [UInt8], free: Int64? = nil) {
      (self.label, self.directory) = (label, directory)
      (self.fileSystem, self.free) = (fileSystem, free)
    }
  }

  package var id: [UInt8] = []
  /// The order in which all states of the store were kept, from 1; it doesn't depend on the clock.
  package var number: UInt64 = 0
  /// When its scan began, in Unix seconds.
  package var seconds: Int64 = 0
  package var nanoseconds: UInt32 = 0
  package var machine: [UInt8] = []
  package var machineName: [UInt8] = []
  package var roots: [Root]
  package var conditions: [[UInt8]] = []
  /// Whether something could not be read.
  package var isIncomplete = false
  package var files: Int64 = 0
  package var folders: Int64 = 0
  /// Of files with several names once, as `allocated`.
  package var bytes: Int64 = 0
  package var allocated: Int64 = 0
  package var room: Int64 = 0

  package init(roots: [Root]) { self.roots = roots }

  /// Nil if the roots have several file systems, or it is unknown.
  package var free: Int64? {
    let all = Set(roots.map(\.fileSystem))
    return all.count == 1 ? roots.first?.free : nil
  }

  /// What has to be equal for two states to be comparable, besides the conditions.
  package var key: KeptKey {
    KeptKey(
      machine: machine,
      roots: roots.map { KeptKey.Root(directory: $0.directory, fileSystem: $0.fileSystem) }
        .sorted { $0.directory.span.orders(before: $1.directory.span) })
  }

  package func isComparable(with other: KeptState) -> Bool {
    conditions == other.conditions && key == other.key
  }

  /// The root that a folder is in, by its real path, and the names from there.
  package func place(of path: [UInt8]) -> (root: Root, names: [[UInt8]])? {
    let found = roots.filter { KeptKey.contains($0.directory, path) }
    guard let root = found.max(by: { $0.directory.count < $1.directory.count }) else { return nil }
    let names = path[root.directory.count...].split(separator: .slash).map { Array($0) }
    return (root, names)
  }

  package func isEarlier(than other: KeptState) -> Bool {
    (seconds, nanoseconds, number) < (other.seconds, other.nanoseconds, other.number)
  }
}

/// What has to be equal for two states to be of the same trees: machine, real paths and file
/// systems.
package struct KeptKey: Sendable, Hashable {
  package struct Root: Sendable, Hashable {
    package var directory: [UInt8]
    package var fileSystem: [UInt8]
  }

  package var machine: [UInt8]
  package var roots: [Root]

  package var directories: [[UInt8]] { roots.map(\.directory) }

  static func contains(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
    path.starts(with: folder)
      && (path.count == folder.count || folder.last == .slash || path[folder.count] == .slash)
  }
}

extension KeptState {
  private static let head = Array("geomapper state 1\n".utf8)
  static let longest = 1 << 26

  /// The encoded state, without its name and room.
  ///
  /// Numbers, texts and checksums are those of the snapshot format: the head; the number (varint);
  /// the time (seconds: difference from 0, nanoseconds: varint); machine and host name; the number
  /// of roots, and for each label, real path, file system and free bytes (difference from 0, −1 if
  /// unknown); the number of conditions, and each; 1 byte: whether it is incomplete; files, folders,
  /// bytes and allocated bytes (differences from 0); the checksum of all before it.
  var encoded: [UInt8] {
    var bytes = Self.head
    bytes.append(varint: number)
    bytes.append(zigzag: seconds)
    bytes.append(varint: UInt64(nanoseconds))
    bytes.append(text: machine)
    bytes.append(text: machineName)
    bytes.append(varint: UInt64(roots.count))
    for root in roots {
      bytes.append(text: root.label)
      bytes.append(text: root.directory)
      bytes.append(text: root.fileSystem)
      bytes.append(zigzag: root.free ?? -1)
    }
    bytes.append(varint: UInt64(conditions.count))
    for condition in conditions { bytes.append(text: condition) }
    bytes.append(isIncomplete ? 1 : 0)
    for sum in [files, folders, self.bytes, allocated] { bytes.append(zigzag: sum) }
    bytes.append(little: CRC32.checksum(of: bytes))
    return bytes
  }

  init(id: [UInt8], encoded bytes: [UInt8]) throws(ByteDamage) {
    let end = bytes.count - 4
    guard end >= Self.head.count, bytes.starts(with: Self.head) else { throw .malformed }
    guard
      bytes.span.loadHalfWord(at: end) == CRC32.checksum(of: bytes.span.extracting(0..<end))
    else { throw .changed }
    self.init(roots: [])
    self.id = id
    var reader = ByteReader(Self.head.count..<end)
    number = try reader.takeVarint(in: bytes.span)
    seconds = try reader.takeDifference(in: bytes.span)
    let fraction = try reader.takeVarint(in: bytes.span)
    guard SnapshotHeader.times.contains(seconds), fraction < 1_000_000_000 else {
      throw .malformed
    }
    nanoseconds = UInt32(fraction)
    machine = try reader.takeText(in: bytes.span)
    machineName = try reader.takeText(in: bytes.span)
    for _ in 0..<(try reader.takeCount(in: bytes.span)) {
      var root = Root(
        label: try reader.takeText(in: bytes.span), directory: try reader.takeText(in: bytes.span),
        fileSystem: try reader.takeText(in: bytes.span))
      let free = try reader.takeDifference(in: bytes.span)
      if free >= 0 { root.free = free }
      roots.append(root)
    }
    for _ in 0..<(try reader.takeCount(in: bytes.span)) {
      conditions.append(try reader.takeText(in: bytes.span))
    }
    isIncomplete = try reader.takeLittle(UInt8.self, in: bytes.span) != 0
    files = try reader.takeDifference(in: bytes.span)
    folders = try reader.takeDifference(in: bytes.span)
    self.bytes = try reader.takeDifference(in: bytes.span)
    allocated = try reader.takeDifference(in: bytes.span)
    guard reader.isAtEnd, !roots.isEmpty else { throw .malformed }
  }
}
