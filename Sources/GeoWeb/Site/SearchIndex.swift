import GeoFormats
import GeoCore
import GeoProjection
import GeoSystem

/// All names of a world, sorted regardless of case, for searches that read only a part of them.
///
/// The order considers the first sixteen bytes. That allows an external radix sort: twice by eight
/// bytes, the first eight last.
struct SearchIndex {
  /// A name, and the path of its folder, which is empty for a root.
  struct Entry {
    /// The name in lower case, by which it is found.
    var key: [UInt8]
    var name: [UInt8]
    var folder: [UInt8]
  }

  /// The number of bytes of a key that determine the order.
  static let depth = 16

  private var sorter = RecordSorter()

  /// Adds a name.
  ///
  /// - Parameter folder: The path of its folder; empty for a root.
  mutating func add(_ name: [UInt8], in folder: [UInt8]) throws(Errno) {
    let key = Self.key(of: name)
    var record: [UInt8] = []
    record.append(sortedBy: key.dropFirst(8), content: [key, name, folder])
    try sorter.add(record.span)
  }

  /// The key of a name: the name in lower case.
  static func key(of name: [UInt8]) -> [UInt8] {
    if name.span.isValidUTF8, name.contains(where: { $0 >= 0x80 }) {
      return Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
    }
    return name.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  /// Ends the collection, and passes on all entries in order.
  consuming func finish(_ take: (Entry) throws(Errno) -> Void) throws(Errno) {
    let halves = try sorter.finish()
    var sorter = RecordSorter()
    var cursor = halves.cursor()
    while try cursor.advance() {
      let entry = cursor.withContent { Entry($0) }
      var record: [UInt8] = []
      record.append(sortedBy: entry.key[...], content: [entry.key, entry.name, entry.folder])
      try sorter.add(record.span)
    }
    let wholes = try sorter.finish()
    cursor = wholes.cursor()
    while try cursor.advance() { try take(cursor.withContent { Entry($0) }) }
  }
}

extension SearchIndex.Entry {
  /// Decodes the entry of a record. Zero bytes separate its texts, which contain none.
  fileprivate init(_ content: Span<UInt8>) {
    var end = 0
    func text() -> [UInt8] {
      var text: [UInt8] = []
      while end < content.count, content[end] != 0 {
        text.append(content[end])
        end += 1
      }
      end += 1
      return text
    }
    (key, name, folder) = (text(), text(), text())
  }
}

extension [UInt8] {
  /// Appends a record in the form of ``RecordSorter``.
  fileprivate mutating func append(sortedBy key: ArraySlice<UInt8>, content: [[UInt8]]) {
    let count = content.reduce(content.count - 1) { $0 + $1.count }
    let word = Array(key.prefix(8)).span.bigEndianPrefix
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
    for shift in stride(from: 0, to: 32, by: 8) {
      append(UInt8(truncatingIfNeeded: count >> shift))
    }
    for (number, text) in content.enumerated() {
      if number > 0 { append(0) }
      self += text
    }
  }
}

/// The lines of a part of the index: a name, and all folders with an entry of that name.
struct SearchLines {
  /// The start of the first key.
  private(set) var first: [UInt8]?
  /// The finished lines.
  private(set) var bytes: [UInt8] = []
  private var line = JSONBuilder()
  private var name: [UInt8]?

  /// From this size on, a part ends before an entry whose hash says so.
  private static let least = 1 << 16
  /// From this size on, a part ends before any entry.
  private static let most = 1 << 18

  /// Whether a part should end before an entry.
  func ends(before entry: SearchIndex.Entry) -> Bool {
    bytes.count >= Self.most
      || bytes.count >= Self.least && XXH64.hash(entry.key.span, seed: 0) & 63 == 0
  }

  /// Adds an entry.
  mutating func add(_ entry: SearchIndex.Entry) {
    if first == nil { first = Array(entry.key.prefix(SearchIndex.depth)) }
    if name != entry.name || line.bytes.count > Self.least {
      endLine()
      name = entry.name
      line.value(text: entry.name)
    }
    if entry.name.span.isValidUTF8, entry.folder.span.isValidUTF8 {
      line.value(text: entry.folder)
    } else {
      let path = entry.folder.isEmpty ? entry.name : entry.folder.appending(component: entry.name)
      line.object { $0.member("path", path: path) }
    }
  }

  private mutating func endLine() {
    if name == nil { return }
    bytes.append(UInt8(ascii: "["))
    bytes += line.bytes
    bytes += [UInt8(ascii: "]"), 10]
    line = JSONBuilder()
    name = nil
  }

  /// Ends the part, and returns its lines.
  mutating func end() -> (first: [UInt8], bytes: [UInt8])? {
    endLine()
    guard let first else { return nil }
    defer {
      self.first = nil
      bytes.removeAll(keepingCapacity: true)
    }
    return (first, bytes)
  }
}
