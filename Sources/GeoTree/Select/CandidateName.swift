import GeoCore

/// A name of a listing, as rules look at it.
struct CandidateName {
  /// Where its bytes lie in the arena.
  let range: Range<Int>
  /// Its first eight bytes, the first in the highest place, padded with zeros.
  let head: UInt64
  /// Its last eight bytes, the last in the lowest place, padded with zeros.
  let tail: UInt64
  let isFolder: Bool
  let isHidden: Bool
  /// Whether it is `.git`.
  let isGit: Bool

  @inline(__always)
  init(_ record: NameRecord, in arena: Span<UInt8>, isFolder: Bool) {
    range = record.range
    head = record.prefix
    let length = record.length
    if length >= 8 {
      tail = arena.loadWord(at: range.upperBound - 8).byteSwapped
    } else {
      tail = length == 0 ? 0 : record.prefix >> UInt64(64 - 8 * length)
    }
    self.isFolder = isFolder
    isHidden = record.prefix >> 56 == UInt64(UInt8(ascii: "."))
    // ".git" and four zeros; no name holds a zero.
    isGit = record.prefix == 0x2E67_6974_0000_0000
  }
}

/// The path of an entry, from the outermost folder that rules are about: the folder's own path with
/// a `/` after it, then the name that was asked for last.
struct EntryPath {
  private(set) var bytes: [UInt8] = []
  private var folderCount = 0
  private var loaded = -1

  /// Goes to another folder.
  ///
  /// - Parameters:
  ///   - above: The path from the outermost folder to the root, empty or with a `/` at its end.
  ///   - path: The folder's path, beginning with the root's label.
  mutating func enter(above: [UInt8], _ path: [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes += above
    if let cut = path.firstIndex(of: .slash) {
      bytes += path[(cut + 1)...]
      bytes.append(.slash)
    }
    folderCount = bytes.count
    loaded = -1
  }

  /// Puts the name of an entry after the folder.
  mutating func load(_ entry: CandidateName, from arena: Span<UInt8>) {
    if loaded == entry.range.lowerBound { return }
    loaded = entry.range.lowerBound
    bytes.removeSubrange(folderCount...)
    let name = arena.extracting(entry.range)
    for index in 0..<name.count { bytes.append(name[index]) }
  }
}
