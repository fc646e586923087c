import GeoCore
import Testing

@Suite struct TerminalTextTests {
  // A loop instead of test arguments, which would be printed to the terminal.
  @Test func controlCharactersAreEscaped() {
    let cases = [
      ("plain/name.txt", "plain/name.txt"), ("", ""), ("Ångström 日本 🗺️", "Ångström 日本 🗺️"),
      ("a\nb\rc\td", "a\\nb\\rc\\td"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
      ("\u{7}\u{7F}", "\\u{07}\\u{7F}"),
      ("\u{85}\u{9B}", "\\u{85}\\u{9B}"), ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
      ("\u{2066}\u{2069}\u{200F}\u{61C}", "\\u{2066}\\u{2069}\\u{200F}\\u{61C}"),
      ("\u{2028}\u{2029}\u{FEFF}\u{200B}", "\\u{2028}\\u{2029}\\u{FEFF}\\u{200B}"),
      ("back\\slash", "back\\\\slash"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("\u{E0041}", "\\u{E0041}"),
    ]
    for (name, expected) in cases {
      #expect(TerminalText.escaped(Array(name.utf8)) == expected)
    }
  }

  @Test func invalidBytesAreShownInHexadecimal() {
    #expect(TerminalText.escaped([0x61, 0xFF, 0x80]) == "a\\xFF\\x80")
    #expect(TerminalText.escaped([0xE2, 0x82, 0x41]) == "\\xE2\\x82A")
    #expect(TerminalText.escaped([0xED, 0xA0, 0x80]) == "\\xED\\xA0\\x80")
    #expect(TerminalText.escaped([0xC2]) == "\\xC2")
  }

  @Test func noOutputControlsTheTerminal() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      guard category == .control || category == .format else { continue }
      if value == 0x200C || value == 0x200D { continue }
      let text = TerminalText.escaped(Array(String(Character(scalar)).utf8))
      #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "U+\(String(value, radix: 16))")
    }
  }

  @Test func differentNamesLookDifferent() {
    var seen: Set<[UInt8]> = []
    for first in 0...UInt8.max {
      for second in 0...UInt8.max {
        #expect(seen.insert(TerminalText.escapedBytes([first, second].span)).inserted)
      }
    }
  }
}

@Suite struct UTF8StepTests {
  @Test func repairsEqualTheStandardLibrary() {
    // All sequences of up to four bytes, from bytes at the limits of the rules.
    let bytes: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for number in 0..<(21 * 21 * 21 * 21) {
      var text: [UInt8] = []
      var rest = number
      for _ in 0..<4 {
        text.append(bytes[rest % 21])
        rest /= 21
      }
      // Only three of the lead bytes begin sequences of four.
      if text[3] != 0x41 && text[0] & 0xF8 != 0xF0 { continue }
      var repaired: [UInt8] = []
      var isValid = true
      var index = 0
      while index < text.count {
        let step = text.span.utf8Step(at: index)
        if step.isValid {
          repaired += text[index..<(index + step.length)]
        } else {
          repaired += [0xEF, 0xBF, 0xBD]
          isValid = false
        }
        index += step.length
      }
      guard repaired == Array(String(decoding: text, as: UTF8.self).utf8),
        isValid == text.span.isValidUTF8
      else {
        Issue.record("\(text)")
        return
      }
    }
  }
}
