import GeoCore
import GeoTree

/// What is in a tree, as its object has it: `MODE NAME`, a zero byte, and the bytes of an object's name.
struct GitTreeEntries {
  /// An entry of a tree.
  struct Entry {
    let object: ObjectID
    let name: Range<Int>
    /// Where the name of its object lies.
    let objectName: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var entries: [Entry] = []

  /// - Parameters:
  ///   - content: What the object has in it.
  ///   - length: How many bytes the name of an object has.
  /// - Returns: nil if it is no tree.
  init?(_ content: Span<UInt8>, objectLength length: Int) {
    var bytes = [UInt8](repeating: 0, count: content.count)
    var copy = bytes.mutableSpan
    copy.overwrite(from: 0, with: content)
    self.bytes = bytes
    var entries: [Entry] = []
    // Most take a little more.
    entries.reserveCapacity(content.count / (length + 12))
    let isTree = Self.read(content, objectLength: length) { (mode, name, objectName) in
      let object = ObjectID(
        mode: content.extracting(mode).octal, name: content.extracting(objectName))
      entries.append(Entry(object: object, name: name, objectName: objectName))
    }
    if !isTree { return nil }
    self.entries = entries
  }

  /// Tells where the mode, the name and the name of the object of each entry lie.
  ///
  /// - Returns: Whether it is a tree.
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

  /// Nothing.
  init() { bytes = [] }

  /// The name of an entry's object, in hex digits.
  func hexName(of entry: Entry) -> [UInt8] { bytes.span.extracting(entry.objectName).hexDigits }

  /// Less than 0 if an entry comes before one of another tree, 0 if both have one name and are folders or
  /// are none.
  ///
  /// Git sorts folders as if a slash ended their names.
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

extension Span<UInt8> {
  /// Two lower-case hex digits for each byte.
  var hexDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    func append(_ half: UInt8) {
      digits.append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
    }
    for index in indices {
      append(self[index] >> 4)
      append(self[index] & 15)
    }
    return digits
  }
}
