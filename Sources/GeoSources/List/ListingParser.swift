import GeoCore

/// Parses what another program lists of a backup, an archive or a cloud storage.
///
/// Such a listing is read once, into a scratch file; see ``KeptListing``.
protocol ListingParser: ListParser {
  /// What the listing says of itself.
  var head: ListingHead { get }
}

extension ListingParser {
  var head: ListingHead { ListingHead() }
}

/// What a listing says of itself, besides its entries.
struct ListingHead {
  /// The time of its state in Unix seconds; nil if unknown.
  var seconds: Int64?
  /// The paths that were backed up.
  var sources: [[UInt8]] = []

  /// Why a second one can't be read.
  static let another = "another snapshot begins: list one at a time"

  init() {}

  init(_ object: ListedObject) {
    if object.has(.sources) { sources = object.sources }
    if object.has(.time) { seconds = Moment.seconds(parsing: object.time) }
  }
}

extension ListedFacts {
  /// The facts of an entry of a listing.
  ///
  /// - Parameters:
  ///   - kind: The kind; nil if unknown, so that the entry is a folder if others are below it.
  ///   - size: The size in bytes; nil if unknown. Pipes, sockets and devices always have size 0.
  ///   - modified: The modification time in Unix seconds; nil if unknown.
  init(kind: EntryKind?, size: Int64?, modified: Int64?) {
    self.kind = kind ?? .regular
    if kind == nil { flags.insert(.unsure) }
    if let modified {
      self.modified = modified
      flags.insert(.dated)
    }
    switch kind {
    case .directory: break
    case .fifo, .socket, .block, .character: flags.insert(.sized)
    default:
      guard let size else { break }
      self.size = size
      flags.insert(.sized)
    }
  }
}

extension EntryKind {
  /// The kind for the first letter of a mode as `ls -l` shows it; `h` and `C` are files in archives.
  init?(modeLetter letter: UInt8) {
    switch letter {
    case UInt8(ascii: "-"), UInt8(ascii: "h"), UInt8(ascii: "C"): self = .regular
    case UInt8(ascii: "d"): self = .directory
    case UInt8(ascii: "l"): self = .symlink
    case UInt8(ascii: "p"): self = .fifo
    case UInt8(ascii: "s"): self = .socket
    case UInt8(ascii: "b"): self = .block
    case UInt8(ascii: "c"): self = .character
    default: return nil
    }
  }
}

/// Parses times of listings.
enum ListedTime {
  /// Unix seconds of a time with a zone, such as `2026-01-31T12:00:59.5+02:00`.
  ///
  /// - Returns: nil for other text. The inner value is nil for a time without a zone, which is
  ///   unknown.
  static func seconds(_ text: [UInt8]) -> Int64?? {
    guard let seconds = Moment.seconds(parsing: text), text.first != UInt8(ascii: "@") else {
      return nil
    }
    for byte in text.dropFirst(10) {
      switch byte {
      case UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        return .some(seconds)
      default: continue
      }
    }
    return .some(nil)
  }
}

extension ArraySlice<UInt8> {
  /// Decodes escapes such as `\n`, `\\` and `\012`, and appends the bytes.
  ///
  /// - Parameter hasSpaces: Whether `\s` is a space and `\#` is a number sign, as in an mtree.
  /// - Returns: Whether all escapes are known.
  func appendUnescaped(to bytes: inout [UInt8], hasSpaces: Bool = false) -> Bool {
    guard var index = firstIndex(of: UInt8(ascii: "\\")) else {
      bytes.append(contentsOf: self)
      return true
    }
    bytes.append(contentsOf: self[..<index])
    while index < endIndex {
      let byte = self[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard index < endIndex else { return false }
      let escape = self[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\\"): bytes.append(escape)
      case UInt8(ascii: "a"): bytes.append(0x07)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "v"): bytes.append(0x0B)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "s") where hasSpaces: bytes.append(0x20)
      case UInt8(ascii: "#") where hasSpaces: bytes.append(escape)
      case UInt8(ascii: "0")...UInt8(ascii: "3"):
        guard index + 1 < endIndex, let high = self[index].octalDigit,
          let low = self[index + 1].octalDigit
        else { return false }
        bytes.append((escape - UInt8(ascii: "0")) << 6 | high << 3 | low)
        index += 2
      default: return false
      }
    }
    return true
  }

  /// Where some text occurs, if only once.
  func place(of text: StaticString) -> TextPlace {
    let places = places(of: text)
    if places.count > 1 { return .several }
    return places.first.map { .one($0) } ?? .none
  }

  /// Where some text occurs.
  func places(of text: StaticString) -> [Range<Int>] {
    let wanted = Array("\(text)".utf8)
    var found: [Range<Int>] = []
    var index = startIndex
    while index + wanted.count <= endIndex {
      if self[index] == wanted[0], self[index...].starts(with: wanted) {
        found.append(index..<(index + wanted.count))
      }
      index += 1
    }
    return found
  }
}

/// How often some text occurs in another.
enum TextPlace {
  case none
  case one(Range<Int>)
  case several
}

extension UInt8 {
  fileprivate var octalDigit: UInt8? {
    UInt8(ascii: "0")...UInt8(ascii: "7") ~= self ? self - UInt8(ascii: "0") : nil
  }
}

/// Parses listings of restic and borg: a JSON object a line.
///
/// A syntax error ends its line; the lines after it are read.
struct JSONLineParser<Syntax: ListedObjectSyntax>: ListingParser {
  private let input: ListInput
  private var json: JSONReader
  private var object = ListedObject(Syntax.keys)
  private var hasHead = false
  private(set) var head = ListingHead()

  init(_ input: ListInput, _ source: ListSource) {
    self.input = input
    json = JSONReader(input)
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    do throws(JSONReader.Failure) {
      while try json.peekToken() != nil {
        entry.position = UInt64(json.line)
        if let step = try take(into: &entry, &faults) { return step }
      }
      return .end
    } catch {
      throw input.failure ?? .changed(list: input.name)
    }
  }

  /// Reads a line; nil if it is not an entry.
  private mutating func take(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep? {
    let line = json.line
    func fault(_ reason: String) -> ListStep {
      faults.append(ListFault(position: UInt64(line), reason: reason))
      return .fault
    }
    do throws(JSONReader.Failure) {
      try object.take(from: &json)
      if try json.peekToken() != nil, json.line == line { throw .expected("the end of the line") }
    } catch {
      guard case .expected(let what) = error else { throw error }
      if json.line == line { try json.skipLine() }
      return fault("\(what) was expected: cut off, or not JSON")
    }
    switch Syntax.role(of: object) {
    case .fault(let reason): return fault(reason)
    case .other: return nil
    case .head:
      if hasHead { return fault(ListingHead.another) }
      hasHead = true
      head = ListingHead(object)
      return nil
    case .entry(let facts):
      entry.path.removeAll(keepingCapacity: true)
      entry.path.append(contentsOf: object.path)
      entry.kept = 0
      entry.facts = facts
      return .entry
    }
  }
}

/// Parses listings of rclone: an array of JSON objects; and of restic before version 0.9.4: an array
/// of one snapshot with such an array.
///
/// A syntax error ends the list; entries before it are kept.
struct JSONArrayParser<Syntax: ListedObjectSyntax>: ListingParser {
  private enum Stage { case beginning, items, end }

  private let input: ListInput
  private var json: JSONReader
  private var object = ListedObject(Syntax.keys)
  private var stage = Stage.beginning
  private(set) var head = ListingHead()

  init(_ input: ListInput, _ source: ListSource) {
    self.input = input
    json = JSONReader(input)
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    do throws(JSONReader.Failure) {
      return try take(into: &entry, &faults)
    } catch {
      stage = .end
      guard case .expected(let what) = error else {
        throw input.failure ?? .changed(list: input.name)
      }
      faults.append(
        ListFault(
          position: json.count + 1, reason: "\(what) was expected: cut off, or not JSON"))
      return .end
    }
  }

  private mutating func take(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep {
    let isFirst = stage == .beginning
    switch stage {
    case .end: return .end
    case .beginning:
      try json.take("[")
      if let entries = Syntax.entries {
        guard try takeHead(before: entries) else { return try takeEnd(&faults) }
      }
      stage = .items
    case .items: break
    }
    if try json.takeIf("]") { return try takeEnd(&faults) }
    if !isFirst { try json.take(",") }
    _ = try json.peekToken()
    entry.position = json.count + 1
    try object.take(from: &json)
    switch Syntax.role(of: object) {
    case .entry(let facts):
      entry.path.removeAll(keepingCapacity: true)
      entry.path.append(contentsOf: object.path)
      entry.kept = 0
      entry.facts = facts
      return .entry
    case .fault(let reason):
      faults.append(ListFault(position: entry.position, reason: reason))
      return .fault
    case .head, .other: return .fault
    }
  }

  /// Takes the beginning of a snapshot.
  ///
  /// - Returns: Whether its entries follow.
  private mutating func takeHead(before entries: String) throws(JSONReader.Failure) -> Bool {
    var snapshot = ListedObject(Syntax.keys + [(entries, .entries)])
    let hasEntries = try snapshot.take(from: &json)
    head = ListingHead(snapshot)
    return hasEntries
  }

  /// Takes what follows the entries.
  private mutating func takeEnd(_ faults: inout [ListFault]) throws(JSONReader.Failure) -> ListStep
  {
    if Syntax.entries != nil {
      if stage == .items {
        if try json.takeIf(",") {
          _ = try object.takeMembers(from: &json)
        } else {
          try json.take("}")
        }
      }
      if try json.takeIf(",") {
        stage = .end
        faults.append(ListFault(position: json.count, reason: ListingHead.another))
        return .end
      }
      try json.take("]")
    }
    stage = .end
    if try json.peekToken() != nil { throw .expected("the end") }
    return .end
  }

  /// Whether a list begins like such an array of snapshots.
  static func beginsWithHead(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: "["), let entries = Syntax.entries else { return false }
    var json = JSONReader(JSONBytes(bytes))
    var snapshot = ListedObject(Syntax.keys + [(entries, .entries)])
    do throws(JSONReader.Failure) {
      try json.take("[")
      _ = try snapshot.take(from: &json)
      return snapshot.fault == nil && snapshot.has(.time) && snapshot.has(.sources)
    } catch {
      return false
    }
  }
}
