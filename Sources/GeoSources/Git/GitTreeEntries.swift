import GeoCore
import GeoTree

/// The entries of a tree object, each encoded as `MODE NAME`, a zero byte, and the bytes of an
/// object's name.
struct GitTreeEntries {
  struct Entry {
    let object: ObjectID
    let name: Range<Int>
    let objectName: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var entries: [Entry] = []

  /// Nil if the content is malformed. `length` is that of an object's name in bytes.
  init?(_ content: Span<UInt8>, objectLength length: Int) {
    bytes = Array(copying: content)
    var entries: [Entry] = []
    // Estimate: most entries are a little longer.
    entries.reserveCapacity(content.count / (length + 12))
    let isTree = Self.read(content, objectLength: length) { (mode, name, objectName) in
      let object = ObjectID(
        mode: content.extracting(mode).octal, name: content.extracting(objectName))
      entries.append(Entry(object: object, name: name, objectName: objectName))
    }
    if !isTree { return nil }
    self.entries = entries
  }

  @inline(__always)
  static func read(
    _ content: Span<UInt8>, objectLength length: Int,
    _ take: (_ mode: Range<Int>, _ name: Range<Int>, _ objectName: Range<Int>) -> Void
  ) -> Bool {
    var start = 0
    while start < content.count {
      var space = start
      while space < content.count, content[space] != 0x20 { space += 1 }
      var zero = space + 1
      while zero < content.count, content[zero] != 0 { zero += 1 }
      guard zero + length < content.count else { return false }
      let objectName = (zero + 1)..<(zero + 1 + length)
      take(start..<space, (space + 1)..<zero, objectName)
      start = objectName.upperBound
    }
    return true
  }

  init() { bytes = [] }

  func hexName(of entry: Entry) -> [UInt8] { bytes.span.extracting(entry.objectName).hexDigits }

  /// Less than 0 if an entry comes before one of another tree, 0 if both have the same name and
  /// both or neither are folders.
  ///
  /// Git sorts folders as if their names ended with a slash.
  func order(of entry: Entry, against other: Entry, in tree: GitTreeEntries) -> Int {
    let (a, b) = (bytes[entry.name], tree.bytes[other.name])
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    func next(_ name: ArraySlice<UInt8>, _ isFolder: Bool, _ count: Int) -> UInt8 {
      name.count > count ? name[name.startIndex + count] : isFolder ? .slash : 0
    }
    let count = min(a.count, b.count)
    let (x, y) = (
      next(a, entry.object.kind == .tree, count), next(b, other.object.kind == .tree, count)
    )
    if x != y { return x < y ? -1 : 1 }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }
}

/// A line of `git ls-tree -z -r -t -l`: `MODE TYPE OBJECT SIZE<TAB>PATH`. SIZE is `-` for entries
/// without a size.
struct GitTreeLine {
  let object: ObjectID
  let size: Int64?
  let path: Range<Int>

  init?(_ line: Span<UInt8>) {
    var tab = 0
    while tab < line.count, line[tab] != 9 { tab += 1 }
    guard tab + 1 < line.count, line[0] != 0x20 else { return nil }
    let fields = line.extracting(0..<tab).fields
    guard fields.count == 4, let mode = line.extracting(fields[0]).mode,
      [0o04, 0o10, 0o12, 0o16].contains(mode >> 12),
      let object = line.extracting(fields[2]).object(mode: mode)
    else { return nil }
    self.object = object
    size = line.extracting(fields[3]).number
    path = (tab + 1)..<line.count
  }
}

extension Span<UInt8> {
  var fields: [Range<Int>] {
    var fields: [Range<Int>] = []
    var start = 0
    for index in 0...count where index == count || self[index] == 0x20 {
      if index > start { fields.append(start..<index) }
      start = index + 1
    }
    return fields
  }

  var mode: UInt32? {
    guard count == 6 else { return nil }
    for index in 0..<6 where !(0x30...0x37).contains(self[index]) { return nil }
    return octal
  }

  fileprivate var number: Int64? {
    var number: Int64 = 0
    for index in 0..<count {
      guard (0x30...0x39).contains(self[index]), number < Int64.max / 10 else { return nil }
      number = number * 10 + Int64(self[index] - 0x30)
    }
    return isEmpty ? nil : number
  }

  fileprivate func object(mode: UInt32) -> ObjectID? {
    guard count >= 32 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<32 {
      let digit: UInt8
      switch self[index] {
      case 0x30...0x39: digit = self[index] - 0x30
      case 0x61...0x66: digit = self[index] - 0x61 + 10
      default: return nil
      }
      words.high = words.high << 4 | words.low >> 60
      words.low = words.low << 4 | UInt64(digit)
    }
    return ObjectID(high: words.high, low: words.low, mode: mode)
  }
}
