import Foundation
import GeoFormats
import TestSupport
import Testing

@Suite struct NumberTests {
  struct Vector: Decodable {
    var integer: String
    var digits: UInt8
    var text: String
  }

  @Test func degreesEqualThePublishedOnes() throws {
    let url = Bundle.module.bundleURL.appendingPathComponent("Golden/degrees.json")
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
    #expect(vectors.count > 20)
    for vector in vectors {
      let integer = try #require(Int64(vector.integer))
      #expect(text(degrees: integer, digits: vector.digits) == vector.text)
    }
  }

  @Test func degreesAreExact() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<TestScale.cases(20_000) {
      let digits = UInt8.random(in: 0...13, using: &random)
      let unit = power(digits)
      // Any number of digits, often with trailing zeros.
      var number = Int64.random(in: 0...(180 * unit), using: &random)
      number = number >> Int64.random(in: 0..<50, using: &random)
      if Bool.random(using: &random) {
        number -= number % power(UInt8.random(in: 0...digits, using: &random))
      }
      if Bool.random(using: &random) { number = -number }
      guard text(degrees: number, digits: digits) == reference(number, digits) else {
        Issue.record("\(number) with \(digits) digits")
        return
      }
    }
  }

  @Test func degreesAtTheEdges() {
    for digits in UInt8(0)...13 {
      let unit = power(digits)
      for whole in [0, 1, 9, 10, 11, 99, 100, 101, 179, 180, 999, 1000, 1001] as [Int64] {
        guard whole <= Int64.max / unit else { continue }
        for difference in [-unit / 10, -1, 0, 1, unit / 10, unit / 100] as [Int64] {
          let number = whole * unit + difference
          #expect(text(degrees: number, digits: digits) == reference(number, digits))
          #expect(text(degrees: -number, digits: digits) == reference(-number, digits))
        }
      }
      for number in [Int64.max, .min, .min + 1] {
        #expect(text(degrees: number, digits: digits) == reference(number, digits))
      }
    }
  }

  @Test func integersOfEveryLength() {
    var random = SeededRandom(seed: 2)
    var numbers: [UInt64] = [0, .max, UInt64(Int64.max), UInt64(Int64.max) + 1]
    var power: UInt64 = 1
    for _ in 0..<20 {
      numbers += [power - 1, power, power + 1]
      power = power &* 10
    }
    for _ in 0..<TestScale.cases(5000) {
      numbers.append(random.next() >> UInt64.random(in: 0..<64, using: &random))
    }
    for number in numbers {
      var buffer = OutputBuffer(capacity: 0)
      buffer.append(number)
      buffer.append(byte: UInt8(ascii: " "))
      buffer.append(Int64(bitPattern: number))
      #expect(repaired(buffer.bytes) == "\(number) \(Int64(bitPattern: number))")
    }
  }

  @Test func buffersGrowAndKeepWhatTheyHold() {
    var random = SeededRandom(seed: 3)
    var buffer = OutputBuffer(capacity: 1)
    for _ in 0..<3 {
      buffer.removeAll()
      var expected: [UInt8] = []
      for _ in 0..<300 {
        let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { UInt8($0) }
        buffer.append(bytes.span)
        buffer.append("literal")
        expected += bytes + Array("literal".utf8)
      }
      #expect(buffer.bytes == expected)
      #expect(buffer.count == expected.count && buffer.capacity >= buffer.count)
    }
  }

  private func text(degrees: Int64, digits: UInt8) -> String {
    var buffer = OutputBuffer(capacity: 0)
    buffer.append(degrees: degrees, digits: digits)
    return repaired(buffer.bytes)
  }

  /// The same rules, with strings.
  private func reference(_ number: Int64, _ digits: UInt8) -> String {
    let unit = UInt64(power(digits))
    let whole = number.magnitude / unit
    var decimals = String(number.magnitude % unit)
    decimals = String(repeating: "0", count: max(0, Int(digits) - decimals.count)) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return (number < 0 ? "-" : "") + String(whole) + (decimals.isEmpty ? "" : "." + decimals)
  }

  private func power(_ exponent: UInt8) -> Int64 {
    (0..<exponent).reduce(1) { product, _ in product * 10 }
  }
}
