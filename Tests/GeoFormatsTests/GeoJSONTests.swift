import Foundation
import GeoFormats
import GeoCore
import Testing

@Suite struct GeoJSONTests {
  /// The properties of a file's feature, read by another parser.
  private func properties(ofFile name: [UInt8], in path: String) -> [String: Any]? {
    let line = text(ofFile: name, in: path, as: .geojsonl)
    let object = try? JSONSerialization.jsonObject(with: Data(line))
    return (object as? [String: Any])?["properties"] as? [String: Any]
  }

  @Test func namesAreReadBackAsText() {
    expectForNames("path and name") { name in
      guard let read = properties(ofFile: name, in: "a/ü") else { return false }
      // Strings are compared by their bytes, so canonically equivalent ones differ.
      return (read["name"] as? String).map { Array($0.utf8) } == Array(repaired(name).utf8)
        && (read["path"] as? String).map { Array($0.utf8) } == Array(("a/ü/" + repaired(name)).utf8)
    }
  }

  @Test func rawPathHasTheBytes() {
    expectForNames("rawPath") { name in
      guard let read = properties(ofFile: name, in: "a/ü") else { return false }
      if Array(repaired(name).utf8) == name { return read["rawPath"] == nil }
      guard let raw = read["rawPath"] as? String else { return false }
      let plain = raw.utf8.allSatisfy {
        isalnum(Int32($0)) != 0 || "-._~/%".utf8.contains($0)
      }
      return plain && percentDecoded(raw) == Array("a/ü/".utf8) + name
    }
  }

  @Test func onlyWhatMustBeEscapedIsEscaped() {
    expectForNames("JSON string") { name in
      var buffer = OutputBuffer(capacity: 0)
      let isValid = buffer.append(json: name.span)
      return buffer.bytes == Array(reference(repaired(name)).utf8)
        && isValid == (Array(repaired(name).utf8) == name)
    }
  }

  @Test func escapesEveryByteAtEveryPosition() {
    forEveryByteAtEveryPlace { name, place in
      var buffer = OutputBuffer(capacity: 0)
      buffer.append(json: name.span)
      #expect(buffer.bytes == Array(reference(repaired(name)).utf8), "\(place)")
    }
  }

  @Test func foldersHaveARawPath() {
    expectForNames(cases: 300, "folder") { name in
      let path = Array("a/".utf8) + name
      var folder = sampleWorld[0]
      folder.path = path
      folder.files = []
      var buffer = OutputBuffer(capacity: 0)
      _ = write([folder], as: .geojsonl, to: &buffer)
      let object = try? JSONSerialization.jsonObject(with: Data(buffer.bytes))
      let feature = object as? [String: Any]
      guard let read = feature?["properties"] as? [String: Any],
        (read["name"] as? String).map({ Array($0.utf8) }) == Array(repaired(name).utf8),
        (read["path"] as? String).map({ Array($0.utf8) }) == Array(repaired(path).utf8)
      else { return false }
      if Array(repaired(path).utf8) == path { return read["rawPath"] == nil }
      return (read["rawPath"] as? String).map(percentDecoded) == path
    }
  }

  @Test func collectionsAreJSON() throws {
    let text = map(sampleWorld, header: sampleHeader, as: .geojson, tippecanoe: true)
    let object = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    let features = try #require(object?["features"] as? [[String: Any]])
    let summary = try #require(object?["summary"] as? [String: Int])
    #expect(features.count == (summary["folders"] ?? 0) + (summary["files"] ?? 0))
    let shown = sampleWorld.flatMap(\.files).filter {
      $0.facts.status != .hidden && $0.facts.status != .vanished
    }
    #expect(summary == ["folders": 5, "files": shown.count, "unreadable": 5])
    for feature in features {
      let zoom = (feature["properties"] as? [String: Any])?["minzoom"] as? Int ?? -1
      #expect((feature["tippecanoe"] as? [String: Int])?["minzoom"] == min(zoom, 24))
    }
  }

  @Test func sequencesHoldTheSameFeatures() {
    let collection = map(sampleWorld, header: sampleHeader, as: .geojson)
    let features = collection.split(separator: 10).dropFirst().dropLast().map { line in
      Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line)
    }
    let lines = map(sampleWorld, header: sampleHeader, as: .geojsonl)
    let newline: UInt8 = 0x0A
    #expect(lines == features.flatMap { $0 + [newline] })
    let sequence = map(sampleWorld, header: sampleHeader, as: .geojsonseq)
    let expected: [UInt8] = features.flatMap { feature -> [UInt8] in
      var record: [UInt8] = [0x1E]
      record += feature
      record.append(newline)
      return record
    }
    #expect(sequence == expected)
  }

  /// The escaping rules, scalar by scalar.
  private func reference(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x08: result += "\\b"
      case 0x09: result += "\\t"
      case 0x0A: result += "\\n"
      case 0x0C: result += "\\f"
      case 0x0D: result += "\\r"
      case 0..<0x20, 0x7F..<0xA0:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private func percentDecoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits == digits.uppercased(),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
