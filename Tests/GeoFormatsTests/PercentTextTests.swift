import GeoCore
import TestSupport
import Testing

@testable import GeoFormats

/// Percent encoding: `%` and two digits for bytes that aren't plain letters.
@Suite struct PercentTextTests {
  @Test(
    arguments: [
      ("%41%2f", Array("A/".utf8)), ("a+b", Array("a+b".utf8)), ("", []), ("%e4", [0xE4]),
      ("%E4", [0xE4]),
      ("%", nil), ("%4", nil), ("%4g", nil), ("%+4", nil), ("%00", nil),
    ] as [(String, [UInt8]?)])
  func decodes(_ text: String, _ bytes: [UInt8]?) {
    #expect(PercentText.decoded(text.utf8) == bytes)
  }

  @Test func roundTrips() throws {
    let property = Property<[UInt8]>("decoding turns encoding back") { random in
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 1...0xFF, using: &random)
      }
    } fault: { bytes in
      var text: [UInt8] = []
      PercentText.append(bytes.span, to: &text)
      var buffer = OutputBuffer(capacity: 0)
      buffer.append(percent: bytes.span)
      if buffer.bytes != text { return "the two ways to write it differ" }
      return PercentText.decoded(text) == bytes ? nil : "it is another"
    }
    let found = try property.counterexample(cases: 2000)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }
}
