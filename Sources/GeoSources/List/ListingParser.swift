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
