import Foundation
import GeoFormats
import GeoCore
import TestSupport
import Testing

@Suite struct GPXTests {
  @Test func namesAreReadBackAsText() throws {
    expectForNames("name and desc") { name in
      let line = text(ofFile: name, in: "a/ü", as: .gpx)
      let expected = withoutForbidden(repaired(name))
      return strings(of: "name", in: line) == [expected]
        && strings(of: "desc", in: line) == [Array("a/ü/".utf8) + expected]
        && strings(of: "sym", in: line) == [Array("poi".utf8)]
    }
  }

  @Test func textIsPlainXML() {
    expectForNames("XML text") { name in
      var buffer = OutputBuffer(capacity: 0)
      let isValid = buffer.append(xml: name.span)
      let text = buffer.bytes
      return unescaped(text) == withoutForbidden(repaired(name))
        && isValid == (Array(repaired(name).utf8) == name)
    }
  }

  @Test func escapesEveryByteAtEveryPosition() {
    forEveryByteAtEveryPlace { name, place in
      var buffer = OutputBuffer(capacity: 0)
      buffer.append(xml: name.span)
      #expect(unescaped(buffer.bytes) == withoutForbidden(repaired(name)), "\(place)")
    }
  }

  @Test func timesFollowTheCalendar() throws {
    let format = ISO8601DateFormatter()
    format.timeZone = TimeZone(identifier: "UTC")
    var random = SeededRandom(seed: 7)
    // The formatter changes to the Julian calendar in 1582, so the golden files and the count of
    // days below cover older times.
    for _ in 0..<TestScale.cases(2000) {
      let seconds = Int64.random(in: -12_219_292_800...253_402_300_799, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(time(of: seconds) == format.string(from: date))
    }
  }

  @Test func everyDayFollowsTheOneBefore() throws {
    var (year, month, day) = (1, 1, 1)
    var seconds: Int64 = -62_135_596_800
    while year <= 1710 {
      // Every day around the ends of months, where mistakes are likely.
      if day < 3 || day > 27 {
        let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00Z"
        guard time(of: seconds) == text else {
          Issue.record("\(seconds) is \(text)")
          return
        }
      }
      seconds += 86_400
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      day += 1
      if day > days { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      if year == 12, month == 1, day == 1 {
        // Continue in a later century: the calendar repeats every 400 years.
        year = 1580
        seconds = -12_307_248_000
      }
    }
  }

  @Test func timesOutOfRangeAreLeftOut() {
    #expect(time(of: -62_135_596_800) == "0001-01-01T00:00:00Z")
    #expect(time(of: 253_402_300_799) == "9999-12-31T23:59:59Z")
    for seconds in [-62_135_596_801, 253_402_300_800, .min, .max] as [Int64] {
      #expect(time(of: seconds) == nil)
    }
  }

  @Test func mapsAreXML() throws {
    let text = map(sampleWorld, header: sampleHeader, as: .gpx)
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    #expect(lines.last == [])
    let points = lines.dropFirst(2).dropLast(2)
    #expect(points.count == sampleWorld.reduce(-2) { $0 + 1 + $1.files.count })
    for point in points {
      #expect(strings(of: "desc", in: Array(point)).count == 1)
      #expect(point.starts(with: Array("<wpt lat=\"".utf8)))
    }
  }

  private func time(of seconds: Int64) -> String? {
    let facts = EntryFacts(size: 1, modified: seconds, status: .known)
    return strings(of: "time", in: text(ofFile: [97], facts: facts, as: .gpx)).first.map(repaired)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: width - text.count) + text
  }

  private func withoutForbidden(_ text: String) -> [UInt8] {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return Array(result.utf8)
  }

  /// The contents of all elements with a name, as bytes. `String` takes texts for equal that differ
  /// only in composition, and joins a leading combining mark to the `>` before it.
  private func strings(of element: String, in text: [UInt8]) -> [[UInt8]] {
    text.split(separator: Array("<\(element)>".utf8), omittingEmptySubsequences: false)
      .dropFirst().compactMap { part in
        let end = part.firstRange(of: Array("</\(element)>".utf8))
        return end.flatMap { unescaped(Array(part[..<$0.lowerBound])) }
      }
  }

  /// Character data as an XML parser decodes it; nil if it isn't valid, or is escaped otherwise.
  private func unescaped(_ text: [UInt8]) -> [UInt8]? {
    let entities = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#9": "\t", "#10": "\n", "#13": "\r",
    ]
    guard Array(repaired(text).utf8) == text else { return nil }
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "&") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
          let character = entities[repaired(Array(rest[..<end]))]
        else { return nil }
        result += character.utf8
        rest = rest[(end + 1)...]
      } else if "<>\"".utf8.contains(byte) || byte < 0x20 {
        return nil
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
