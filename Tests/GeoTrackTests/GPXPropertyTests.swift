import GeoCore
import TestSupport
import Testing

@testable import GeoTrack

/// Properties of any document, valid or broken.
@Suite struct GPXPropertyTests {
  @Test func documentsRoundTrip() throws {
    let property = Property<String>(
      "written again",
      generate: { RandomGPX(generator: $0).document() },
      fault: { text in
        let read = try recorded(Array(text.utf8))
        let again = try rewritten(Array(text.utf8))
        if try recorded(again) != read { return "it reads otherwise" }
        return try rewritten(again) == again ? nil : "written a third time it differs"
      })
    #expect(try property.counterexample(cases: 300) == nil)
  }

  @Test func mutatedDocumentsAreReadOrRefused() throws {
    for seed in TestScale.seeds(10_000) {
      var generator = SeededGenerator(seed: seed)
      var bytes = Array(RandomGPX(generator: generator).document().utf8)
      bytes.mutate(
        1...5, inserting: Array("<>/&;'\"=! -[]?#x0\u{FF}\n".utf8), using: &generator)
      do throws(Failure) {
        let again = try rewritten(bytes)
        #expect(throws: Never.self, "seed \(seed)") { try recorded(again) }
      } catch {
        let place = error.message.dropFirst(5).prefix { $0 != ":" }
        guard error.group == .damage, error.message.hasPrefix("line "), let line = Int(place) else {
          Issue.record("seed \(seed): \(error)")
          continue
        }
        #expect(line >= 1 && line <= 1 + bytes.count { $0 == 0x0A }, "seed \(seed): \(error)")
      }
    }
  }

  @Test func numbersReadBackAsTheyWere() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<TestScale.cases(20_000) {
      let value =
        Double(bitPattern: generator.next() & ~(0x7FF << 52) | 1000 << 52)
        * Double(generator.number(in: -1000...1000))
      let output = KeptOutput()
      var writer = CSVTrackWriter(output)
      try writer.begin(TrackDocument())
      try writer.add(
        waypoint: TrackPoint(longitude: 0, latitude: 0, elevation: value), TrackDetails())
      try writer.end(extensions: [])
      let text = output.text.split(separator: ",").dropLast().last ?? ""
      #expect(Double(text)?.bitPattern == value.bitPattern || value == 0, "\(value) \(text)")
      #expect(!text.contains("e"))
      #expect(DecimalText.parse(Array(text.utf8).span) == value, "\(text)")
    }
  }
}

/// Generates random documents.
struct RandomGPX {
  var generator: SeededGenerator

  func document() -> String {
    var random = self
    var text = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"r&quot;\" "
    text += "xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:e=\"urn:e\">\n"
    if random.generator.chance(0.5) {
      text += "<metadata>\(random.properties())<time>2020-02-03T04:05:06Z</time></metadata>\n"
    }
    for _ in 0..<random.generator.number(in: 0...4) {
      switch random.generator.number(in: 0...2) {
      case 0: text += random.point("wpt")
      case 1:
        let points = random.points("rtept")
        text +=
          random.generator.chance(0.5) ? "<rte>\(random.properties())\(points)" : "<rte>\(points)"
        text += "</rte>\n"
      default:
        text += "<trk>"
        let isLate = random.generator.chance(0.3)
        if !isLate { text += random.properties() }
        for _ in 0..<random.generator.number(in: 0...3) {
          text += "<trkseg xmlns:f='urn:\(random.generator.number(in: 0...1))'>"
          text += "\(random.points("trkpt"))"
          if random.generator.chance(0.2) { text += "<extensions><f:s/></extensions>" }
          text += "</trkseg>\n"
        }
        if isLate { text += random.properties() }
        text += "</trk>\n"
      }
    }
    if random.generator.chance(0.3) { text += "<extensions><e:end a='b'/></extensions>" }
    return text + "</gpx>\n"
  }

  private mutating func properties() -> String {
    var text = ""
    if generator.chance(0.5) { text += "<name>\(word())</name>" }
    if generator.chance(0.3) { text += "<desc><![CDATA[\(generator.next())]]></desc>" }
    if generator.chance(0.3) { text += "<link href=\"http://e/?\(word())\"/>" }
    if generator.chance(0.2) { text += "<cmt> \(word()) </cmt>" }
    if generator.chance(0.2) { text += "<extensions><e:x><e:y>\(word())</e:y></e:x></extensions>" }
    return text
  }

  private mutating func word() -> String {
    let letters = ["a", "Z", "&amp;", "&lt;", "é", "😀", " ", "&#65;", "]", "&apos;"]
    return (0..<generator.number(in: 1...8)).map { _ in
      letters.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private mutating func points(_ name: String) -> String {
    (0..<generator.number(in: 0...5)).map { _ in point(name) }.joined()
  }

  private mutating func point(_ name: String) -> String {
    let longitude = Double(generator.number(in: -180_000_000...180_000_000)) / 1e6
    let latitude = Double(generator.number(in: -90_000...90_000)) / 1000
    var text = "<\(name) lat=\"\(latitude)\" lon=\"\(longitude)\">"
    if generator.chance(0.7) {
      text += "<ele>\(Double(generator.number(in: -99...9999)) / 8)</ele>"
    }
    if generator.chance(0.7) {
      text +=
        "<time>20\(generator.number(in: 10...99))-01-02T03:04:05.\(generator.number(in: 0...9))"
      text += "+0\(generator.number(in: 0...9)):30</time>"
    }
    if name == "trkpt", generator.chance(0.3) { text += "<f:p f:a='1'/>" }
    return text + properties() + "</\(name)>\n"
  }
}
