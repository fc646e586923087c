import TestSupport
import Testing

@testable import GeoCore

/// JSON strings are read as written, in blocks of any size.
@Suite struct JSONReaderTests {
  /// Bytes that come in blocks.
  private final class Blocks: JSONInput {
    let bytes: [UInt8]
    let block: Int

    init(_ bytes: [UInt8], _ block: Int) { (self.bytes, self.block) = (bytes, block) }

    func read(at offset: Int64, appendingTo others: inout [UInt8]) throws(JSONReader.Failure)
      -> Bool
    {
      let rest = bytes[min(Int(offset), bytes.count)...].prefix(block)
      others += rest
      return !rest.isEmpty
    }
  }

  struct Case: Sendable, CustomStringConvertible {
    var texts: [[Unicode.Scalar]]
    var json: String
    var block: Int
    var lines: Int

    var description: String { "blocks of \(block): \(json)" }
  }

  /// A list of strings, whose characters are escaped in random ways.
  private static func random(_ random: inout SeededGenerator) -> Case {
    let all: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t", "\0", "\u{1F}", "\u{7F}", "é",
      "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}",
    ]
    let short: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n",
      "\r": "\\r", "\t": "\\t",
    ]
    var lines = 1
    func space() -> String {
      let space = [" ", "\n", "\r\n", "\t", ""][random.number(in: 0...4)]
      if space.unicodeScalars.contains("\n") { lines += 1 }
      return space
    }
    func written(_ scalar: Unicode.Scalar) -> String {
      let mayStand = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
      if mayStand, random.chance(0.5) { return String(scalar) }
      if let short = short[scalar], random.chance(0.5) { return short }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: random.chance(0.5))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    let texts = (0..<random.number(in: 0...4)).map { _ in
      (0..<random.number(in: 0...6)).map { _ in all[random.number(in: 0...(all.count - 1))] }
    }
    let items = texts.map { text in
      space() + "\"" + text.map(written).joined() + "\"" + space()
    }
    let json = space() + "[" + (items.isEmpty ? space() : items.joined(separator: ",")) + "]"
    return Case(texts: texts, json: json, block: random.number(in: 1...9), lines: lines)
  }

  private static func read(_ bytes: [UInt8], _ block: Int) throws -> (texts: [[UInt8]], line: Int) {
    var reader = JSONReader(Blocks(bytes, block))
    var texts: [[UInt8]] = []
    try reader.take("[")
    if try !reader.takeIf("]") {
      repeat {
        var text: [UInt8] = []
        try reader.takeString(appendingTo: &text)
        texts.append(text)
      } while try reader.takeIf(",")
      try reader.take("]")
    }
    return (texts, reader.line)
  }

  @Test func stringsRoundTrip() throws {
    let property = Property<Case>("strings of JSON", generate: { Self.random(&$0) }) { example in
      let found = try Self.read(Array(example.json.utf8), example.block)
      let texts = example.texts.map { Array($0.map(String.init).joined().utf8) }
      if found.texts != texts { return "\(found.texts), not \(texts)" }
      return found.line == example.lines ? nil : "line \(found.line), not \(example.lines)"
    }
    let counterexample = try property.counterexample(cases: 1500)
    #expect(counterexample == nil, "\(counterexample.map(\.description) ?? "")")
  }

  @Test(arguments: [
    "[\"a]", "[\"\\x\"]", "[\"\\u12g4\"]", "[\"\\ud800\"]", "[\"\\udc00\"]", "[\"\\ud800\\u0041\"]",
    "[\"\\ud800x\"]", "[\"\n\"]", "[\"\u{1F}\"]", "[\"\\", "[\"\\u00", "[\"a\" \"b\"]", "[\"a\",]",
    "[", "", "[,]", "{}",
  ])
  func otherValuesAreRefused(json: String) {
    for block in [1, 3, 100] {
      #expect(throws: JSONReader.Failure.self) { try Self.read(Array(json.utf8), block) }
    }
  }
}
