import GeoCore

/// Parses what another program lists of a backup, an archive or a cloud storage.
///
/// Such a listing is read once, into a scratch file; see ``KeptListing``.
protocol ListingParser: ListParser {
  var head: ListingHead { get }
}

extension ListingParser {
  var head: ListingHead { ListingHead() }
}

/// What a listing says of itself, besides its entries.
struct ListingHead {
  /// When its state was, in Unix seconds.
  var seconds: Int64?
  /// The paths that were backed up.
  var sources: [[UInt8]] = []

  static let another = "another snapshot begins: list one at a time"

  init() {}

  init(_ object: ListedObject) {
    if object.has(.sources) { sources = object.sources }
    if object.has(.time) { seconds = Moment.seconds(parsing: object.time) }
  }
}

extension ListedFacts {
  /// An entry of unknown kind is a folder if others are below it. Pipes, sockets and devices have
  /// the size 0. The time is in Unix seconds.
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

enum ListedTime {
  /// Unix seconds of a time such as `2026-01-31T12:00:59.5+02:00`; nil for other text, and nil
  /// inside for a time without a zone, which is unknown.
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
  /// Decodes escapes such as `\n`, `\\` and `\012`; in an mtree also `\s` and `\#`. False if an
  /// escape is unknown.
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

  /// Tells apart whether it occurs once.
  func place(of text: StaticString) -> TextPlace {
    let places = places(of: text)
    if places.count > 1 { return .several }
    return places.first.map { .one($0) } ?? .none
  }

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
