import GeoCore

/// Parses an mtree: a line for each entry, of a name and `keyword=value` words.
///
/// Names with a slash are paths. A folder whose name has none is entered by its line, and left by a
/// line `..`.
struct MtreeParser: ListParser {
  private var reader: RecordReader
  private var line: [UInt8] = []
  private var defaults = MtreeFacts()
  private var folder: [UInt8] = []
  /// Of the current folder's path and of all above it.
  private var lengths: [Int] = []

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(input, separator: UInt8(ascii: "\n"))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    while true {
      guard let (position, isWhole) = try takeLine() else { return .end }
      let reason: String?
      if !isWhole {
        reason =
          "no line end follows: it was cut off, or is longer than "
          + "\(RecordReader.longest >> 20) MiB"
      } else if line.isEmpty || line[0] == UInt8(ascii: "#") {
        continue
      } else {
        var rest = line[...]
        let name = rest.takeWord()
        if name.elementsEqual("/set".utf8) {
          reason = defaults.set(rest)
          if reason == nil { continue }
        } else if name.elementsEqual("/unset".utf8) {
          defaults.unset(rest)
          continue
        } else if name.elementsEqual("..".utf8) {
          reason = lengths.isEmpty ? "'..' leads above the first folder" : nil
          if let length = lengths.popLast() {
            folder.removeSubrange(length...)
            continue
          }
        } else {
          reason = takeEntry(name, rest, into: &entry)
        }
      }
      if let reason {
        faults.append(ListFault(position: position, reason: reason))
        return .fault
      }
      entry.position = position
      return .entry
    }
  }

  /// With its continuations, without white space at its ends; nil at the end.
  private mutating func takeLine() throws(ListError) -> (position: UInt64, isWhole: Bool)? {
    line.removeAll(keepingCapacity: true)
    var position: UInt64?
    while true {
      let outcome = try reader.advance()
      if outcome == .end { return position.map { ($0, false) } }
      if position == nil { position = reader.count }
      var record = reader.buffer[reader.record]
      while let byte = record.last, byte.isBlank { record.removeLast() }
      while let byte = record.first, byte.isBlank { record.removeFirst() }
      // An even number of backslashes are escaped ones.
      var slashes = 0
      while slashes < record.count,
        record[record.endIndex - 1 - slashes] == UInt8(ascii: "\\")
      {
        slashes += 1
      }
      let continues = slashes % 2 == 1
      if continues { record.removeLast() }
      line.append(contentsOf: record)
      if outcome == .tooLong || line.count > RecordReader.longest {
        return (position ?? 0, false)
      }
      if !continues { return (position ?? 0, reader.isTerminated || line.isEmpty) }
      line.append(UInt8(ascii: " "))
    }
  }

  private mutating func takeEntry(
    _ name: ArraySlice<UInt8>, _ words: ArraySlice<UInt8>, into entry: inout ListedEntry
  ) -> String? {
    var facts = defaults
    if let reason = facts.set(words) { return reason }
    entry.replacePath(from: 0, by: [])
    // bsdtar writes `/.` for the folder of all.
    let name = name.elementsEqual("/.".utf8) ? name.dropFirst() : name
    let isPath = name.contains(.slash)
    if !isPath, !lengths.isEmpty { entry.path.append(contentsOf: folder + [.slash]) }
    if !name.appendUnescaped(to: &entry.path, hasSpaces: true) {
      return "its name has an escape that is unknown: '\(TerminalText.escaped(Array(name)))'"
    }
    entry.facts = facts.listed
    if !isPath, facts.kind == .directory {
      lengths.append(folder.count)
      folder = entry.path
    }
    return nil
  }

  static func begins(_ lines: [ArraySlice<UInt8>]) -> Bool {
    if let first = lines.first, first.starts(with: "#mtree".utf8) {
      let rest = first.dropFirst(6)
      return rest.isEmpty || rest.first?.isBlank ?? false
    }
    var line = lines.first { !$0.isEmpty && $0.first != UInt8(ascii: "#") } ?? []
    guard line.takeWord().elementsEqual("/set".utf8) else { return false }
    return line.contains(UInt8(ascii: "="))
  }
}

private struct MtreeFacts {
  private enum Keyword: String, CaseIterable {
    case type, size, time, link

    private static let names = allCases.map { (name: Array($0.rawValue.utf8), keyword: $0) }

    init?(_ name: ArraySlice<UInt8>) {
      guard let found = Self.names.first(where: { name.elementsEqual($0.name) }) else { return nil }
      self = found.keyword
    }
  }

  private static let kinds: [(name: [UInt8], kind: EntryKind)] = [
    ("file", .regular), ("dir", .directory), ("link", .symlink), ("fifo", .fifo),
    ("socket", .socket), ("block", .block), ("char", .character),
  ].map { (Array($0.utf8), $1) }

  private(set) var kind: EntryKind?
  private var size: Int64?
  private var modified: Int64?
  private var target: Int64?

  /// Takes over `keyword=value` words and skips others. Returns why a value is invalid.
  mutating func set(_ words: ArraySlice<UInt8>) -> String? {
    var words = words
    while true {
      let word = words.takeWord()
      if word.isEmpty { return nil }
      guard let sign = word.firstIndex(of: UInt8(ascii: "=")),
        let keyword = Keyword(word[..<sign])
      else { continue }
      if !set(keyword, word[(sign + 1)...]) {
        return "'\(TerminalText.escaped(Array(word.prefix(100))))' has no valid value"
      }
    }
  }

  private mutating func set(_ keyword: Keyword, _ value: ArraySlice<UInt8>) -> Bool {
    switch keyword {
    case .type:
      guard let found = Self.kinds.first(where: { value.elementsEqual($0.name) }) else {
        return false
      }
      kind = found.kind
    case .size:
      guard let size = Int64(wholeNumber: value) else { return false }
      self.size = size
    case .time:
      var rest = value
      guard let seconds = rest.takeSeconds(), rest.isEmpty else { return false }
      modified = seconds
    case .link:
      var bytes: [UInt8] = []
      if !value.appendUnescaped(to: &bytes, hasSpaces: true) { return false }
      target = Int64(bytes.count)
    }
    return true
  }

  mutating func unset(_ words: ArraySlice<UInt8>) {
    var words = words
    while true {
      let word = words.takeWord()
      if word.isEmpty { return }
      if word.elementsEqual("all".utf8) { self = MtreeFacts() }
      switch Keyword(word) {
      case .type: kind = nil
      case .size: size = nil
      case .time: modified = nil
      case .link: target = nil
      case nil: break
      }
    }
  }

  var listed: ListedFacts {
    ListedFacts(kind: kind, size: kind == .symlink ? target : size, modified: modified)
  }
}

extension ArraySlice<UInt8> {
  /// With the white space around it; empty at the end.
  fileprivate mutating func takeWord() -> ArraySlice<UInt8> {
    while let byte = first, byte.isBlank { removeFirst() }
    let word = prefix { !$0.isBlank }
    self = self[word.endIndex...]
    return word
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
