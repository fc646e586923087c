import GeoCore
import GeoTree

package struct KnownFile: BitwiseCopyable, Hashable, Sendable {
  /// The kind of file; unknown if it was removed before it could be read.
  package var kind: EntryKind
  package var size: Int64 = 0
  package var allocated: Int64 = 0
  /// A hash of identity, time of change, owner and link count; with the size it shows a change.
  package var stamp: UInt32 = 0
  /// The lower half of its inode, by which it is recognized after a move.
  package var inode: UInt32 = 0
  /// Whether the selection includes it.
  package var isShown = true
}

/// The files of a folder, by name.
///
/// In most folders nothing happens, so files are packed: each takes its name and about 14 bytes
/// more. A larger folder is unpacked into a table when a file changes, until it has been quiet for
/// a while.
package struct FileSet: Sendable {
  /// For each file: length of the name, name, kind with `isShown`, size, allocated size, stamp,
  /// inode.
  private var packed: [UInt8] = []
  private var table: [[UInt8]: KnownFile]?
  package private(set) var count = 0

  /// Minimum number of files for unpacking.
  private static let many = 64

  package var isUnpacked: Bool { table != nil }

  /// O(1) if unpacked, else O(bytes of all files).
  package func find(_ name: [UInt8]) -> KnownFile? {
    if let table { return table[name] }
    return locate(name)?.file
  }

  package mutating func set(_ name: [UInt8], _ file: KnownFile) {
    if count >= Self.many, table == nil { unpack() }
    if table != nil {
      if table?.updateValue(file, forKey: name) == nil { count += 1 }
      return
    }
    if let old = locate(name) { packed.removeSubrange(old.range) } else { count += 1 }
    append(name, file)
  }

  @discardableResult
  package mutating func remove(_ name: [UInt8]) -> KnownFile? {
    if count >= Self.many, table == nil { unpack() }
    if table != nil {
      guard let old = table?.removeValue(forKey: name) else { return nil }
      count -= 1
      return old
    }
    guard let old = locate(name) else { return nil }
    packed.removeSubrange(old.range)
    count -= 1
    return old.file
  }

  package mutating func pack() {
    guard let table else { return }
    self.table = nil
    packed = []
    packed.reserveCapacity(table.reduce(0) { $0 + $1.key.count + 18 })
    for (name, file) in table { append(name, file) }
  }

  /// In no particular order.
  package func forEach(_ body: ([UInt8], KnownFile) -> Void) {
    if let table {
      for (name, file) in table { body(name, file) }
      return
    }
    var position = 0
    while position < packed.count {
      let entry = entry(at: position)
      body(Array(packed[entry.name]), entry.file)
      position = entry.range.upperBound
    }
  }

  /// The names must be distinct.
  package mutating func replace(by files: [(name: [UInt8], file: KnownFile)]) {
    table = nil
    packed = []
    packed.reserveCapacity(files.reduce(0) { $0 + $1.name.count + 18 })
    for (name, file) in files { append(name, file) }
    count = files.count
  }

  private mutating func unpack() {
    var table: [[UInt8]: KnownFile] = [:]
    table.reserveCapacity(count)
    forEach { table[$0] = $1 }
    packed = []
    self.table = table
  }

  private mutating func append(_ name: [UInt8], _ file: KnownFile) {
    packed.append(text: name)
    packed.append(file.kind.rawValue | (file.isShown ? 0x80 : 0))
    packed.append(zigzag: file.size)
    packed.append(zigzag: file.allocated)
    packed.append(little: file.stamp)
    packed.append(little: file.inode)
  }

  private func locate(_ name: [UInt8]) -> (range: Range<Int>, file: KnownFile)? {
    var position = 0
    while position < packed.count {
      let entry = entry(at: position)
      if entry.name.count == name.count, packed[entry.name].elementsEqual(name) {
        return (entry.range, entry.file)
      }
      position = entry.range.upperBound
    }
    return nil
  }

  private func entry(
    at start: Int
  ) -> (range: Range<Int>, name: Range<Int>, file: KnownFile) {
    var position = start
    let length = Int(packed.varint(at: &position))
    let name = position..<(position + length)
    position += length
    let first = packed[position]
    position += 1
    let size = Int64(zigzag: packed.varint(at: &position))
    let allocated = Int64(zigzag: packed.varint(at: &position))
    let stamp = packed.span.loadHalfWord(at: position)
    let inode = packed.span.loadHalfWord(at: position + 4)
    position += 8
    let file = KnownFile(
      kind: EntryKind(rawValue: first & 0x7F) ?? .unknown, size: size, allocated: allocated,
      stamp: stamp, inode: inode, isShown: first & 0x80 != 0)
    return (start..<position, name, file)
  }
}

extension TreeSums {
  /// The totals of one name of a file; zero if the selection excludes it.
  init(_ file: KnownFile) {
    self.init()
    guard file.isShown else { return }
    (files, bytes, allocated) = (1, Int128(file.size), Int128(file.allocated))
  }
}
