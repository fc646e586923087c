/// What a file of git's settings says about rules.
public enum GitConfig {
  /// A setting.
  public enum Setting: Hashable, Sendable {
    /// `core.excludesFile`: where rules are that hold everywhere.
    case excludesFile([UInt8])
    /// `include.path`: another such file.
    case include([UInt8])
  }

  /// The settings in their order; what can't be understood is passed over.
  ///
  /// - Complexity: O(bytes).
  public static func settings(in bytes: [UInt8]) -> [Setting] {
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

    /// `[name]`; what a subsection has to say doesn't count.
    private mutating func takeSection() {
      rest = rest.dropFirst()
      section = takeWord { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "\n") }
      if rest.first == UInt8(ascii: "]") { rest = rest.dropFirst() }
    }

    /// The rest of a line, with quotes, escapes, lines that go on, and a comment at its end.
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
          // Spaces count between and within quotes, not at the ends.
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
