import GeoCore

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
      case UInt8(ascii: "s") where hasSpaces: bytes.append(0x20)
      case UInt8(ascii: "#") where hasSpaces: bytes.append(escape)
      case UInt8(ascii: "0")...UInt8(ascii: "3"):
        guard index + 1 < endIndex, let high = self[index].octalDigit,
          let low = self[index + 1].octalDigit
        else { return false }
        bytes.append((escape - UInt8(ascii: "0")) << 6 | high << 3 | low)
        index += 2
      default:
        guard let control = controls.firstIndex(of: escape) else { return false }
        bytes.append(UInt8(0x07 + control))
      }
    }
    return true
  }

  func places(of text: String) -> [Range<Int>] {
    indices.filter { self[$0...].starts(with: text.utf8) }.map { $0..<($0 + text.utf8.count) }
  }
}

/// The escapes of the bytes from 0x07 to 0x0D.
private let controls = Array("abtnvfr".utf8)

extension UInt8 {
  fileprivate var octalDigit: UInt8? {
    UInt8(ascii: "0")...UInt8(ascii: "7") ~= self ? self - UInt8(ascii: "0") : nil
  }
}

extension TerminalText {
  static func quoted(path: ArraySlice<UInt8>) -> String {
    let maximum = 1000
    return "'\(escaped(Array(path.prefix(maximum))))\(path.count > maximum ? "..." : "")'"
  }
}
