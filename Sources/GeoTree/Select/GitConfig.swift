/// Reads the settings about ignore rules from a git configuration file.
package enum GitConfig {
  package enum Setting: Hashable, Sendable {
    /// `core.excludesFile`: the file with the user's global rules.
    case excludesFile([UInt8])
    /// `include.path`: another configuration file.
    case include([UInt8])
  }

  /// The settings in order; malformed text is skipped.
  package static func settings(in bytes: [UInt8]) -> [Setting] {
    var reader = Reader(rest: bytes[...])
    var settings: [Setting] = []
    while let (section, key, value) = reader.next() {
      switch (section, key) {
      case ("core", "excludesfile"): settings.append(.excludesFile(value))
      case ("include", "path"): settings.append(.include(value))
      default: break
      }
    }
    return settings
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    var section = ""

    mutating func next() -> (section: String, key: String, value: [UInt8])? {
      while let byte = rest.first {
        switch byte {
        case UInt8(ascii: "["): takeSection()
        case UInt8(ascii: "#"), UInt8(ascii: ";"): skipLine()
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
          let key = takeWord { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") }
          if rest.first == UInt8(ascii: "=") {
            rest = rest.dropFirst()
            return (section, key, takeValue())
          }
        default: rest = rest.dropFirst()
        }
      }
      return nil
    }

    private mutating func skipLine() { rest = rest.drop { $0 != UInt8(ascii: "\n") } }

    private mutating func takeWord(while isPart: (UInt8) -> Bool) -> String {
      let word = rest.prefix(while: isPart)
      rest = rest.dropFirst(word.count)
      return String(decoding: word.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
    }

    /// Takes `[name]`. Subsections are not distinguished.
    private mutating func takeSection() {
      rest = rest.dropFirst()
      section = takeWord { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "\n") }
      if rest.first == UInt8(ascii: "]") { rest = rest.dropFirst() }
    }

    /// Takes the rest of a line: quotes, escapes, continuation lines, and a trailing comment.
    private mutating func takeValue() -> [UInt8] {
      var value: [UInt8] = []
      var end = 0
      var isQuoted = false
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\n"): return Array(value[..<end])
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "#"), UInt8(ascii: ";"):
          if !isQuoted {
            skipLine()
            return Array(value[..<end])
          }
          value.append(byte)
        case UInt8(ascii: "\\"):
          guard let escaped = rest.popFirst() else { break }
          switch escaped {
          case UInt8(ascii: "\n"): continue
          case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
          case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
          default: value.append(escaped)
          }
          end = value.count
        case 0x20, 0x09, 0x0D:
          // Spaces inside a value or in quotes count; leading and trailing ones don't.
          if isQuoted || !value.isEmpty { value.append(byte) }
          if isQuoted { end = value.count }
          continue
        default: value.append(byte)
        }
        if byte != UInt8(ascii: "\"") || isQuoted { end = value.count }
      }
      return Array(value[..<end])
    }
  }
}
