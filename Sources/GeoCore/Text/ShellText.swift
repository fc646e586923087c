/// Words as POSIX shells read them.
package enum ShellText {
  /// Whether a shell reads the word as it is, without quotes.
  package static func isPlain(_ word: [UInt8]) -> Bool {
    !word.isEmpty
      && word.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "/._-+=:,@".utf8.contains(byte)
        }
      }
  }

  /// The word in single quotes.
  package static func quoted(_ word: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    let parts = word.split(separator: quote, omittingEmptySubsequences: false)
    return [quote] + parts.joined(separator: "'\\''".utf8) + [quote]
  }
}
