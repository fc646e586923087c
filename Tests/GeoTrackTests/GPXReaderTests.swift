import GeoCore
import Testing

@testable import GeoTrack

/// Documents of real programs, and broken documents.
@Suite struct GPXReaderTests {
  private func gpx(_ content: String, version: String = "1.1") -> [UInt8] {
    let name = version == "1.0" ? "1/0" : "1/1"
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="\(version)" creator="x" xmlns="http://www.topografix.com/GPX/\(name)" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
      \(content)
      </gpx>
      """.utf8)
  }

  @Test func readsPointsWithExtensions() throws {
    let lines = try recorded(
      gpx(
        """
        <metadata><time>2024-05-01T06:00:00Z</time></metadata>
        <trk><name>Ride &amp; rest</name><type>9</type><trkseg>
        <trkpt lat="51.5" lon="-0.125"><ele>12.5</ele><time>2024-05-01T06:00:01.250Z</time>
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>120</gpxtpx:hr>\
        </gpxtpx:TrackPointExtension></extensions></trkpt>
        <trkpt lon="1e-05" lat="-.5"/>
        </trkseg></trk>
        """))
    #expect(
      lines == [
        "document x 1714543200000 |<time>2024-05-01T06:00:00.000Z</time>",
        "namespace gpxtpx http://www.garmin.com/xmlschemas/TrackPointExtension/v1",
        "track Ride & rest|<name>Ride &amp; rest</name><type>9</type>",
        "segment",
        "point -0.125 51.5 12.5 1714543201250 |<extensions><gpxtpx:TrackPointExtension>"
          + "<gpxtpx:hr>120</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>",
        "point 1e-05 -0.5 - - |",
        "end of segment",
        "end of line",
        "end ",
      ])
  }

  @Test func readsElementsOfVersion10() throws {
    let lines = try recorded(
      gpx(
        """
        <name>Old</name><author>A. Nonymous</author><email>a@example.org</email>
        <url>http://example.org/?a=1&amp;b=2</url><urlname>there</urlname>
        <time>2004-01-01T00:00:00Z</time><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>
        <wpt lat="1" lon="2"><sym>Flag</sym><name>W</name><course>9.5</course></wpt>
        <rte><number>1</number><name>R</name><rtept lat="1" lon="2"><name>P</name></rtept></rte>
        """, version: "1.0"))
    #expect(
      lines[0].hasSuffix(
        "<name>Old</name><author><name>A. Nonymous</name><email id=\"a\" domain=\"example.org\"/>"
          + "</author><link href=\"http://example.org/?a=1&amp;b=2\"><text>there</text></link>"
          + "<time>2004-01-01T00:00:00.000Z</time>"))
    #expect(
      lines[2]
        == "waypoint 2.0 1.0 - - W|<name>W</name><sym>Flag</sym><extensions><course "
        + "xmlns=\"http://www.topografix.com/GPX/1/0\">9.5</course></extensions>")
    #expect(lines[3] == "route R|<name>R</name><number>1</number>")
    #expect(lines[5] == "point 2.0 1.0 - - P|<name>P</name>")
  }

  @Test func readsPrefixesCommentsAndSections() throws {
    let lines = try recorded(
      Array(
        """
        \u{FEFF}<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><!-- <trk> -->
        <g:trk><g:name><![CDATA[a < b]]></g:name><g:link href='u'><g:text>t</g:text></g:link>
        <g:trkseg/></g:trk><?p ?></g:gpx>
        """.utf8))
    #expect(lines[1] == "namespace g http://www.topografix.com/GPX/1/1")
    #expect(
      lines[2]
        == "track a < b|<name>a &lt; b</name><link href='u'><text>t</text></link>")
  }

  @Test(arguments: [false, true]) func readsUTF16(isBigEndian: Bool) throws {
    let text = String(decoding: gpx("<wpt lat='1' lon='2'><name>Ä😀</name></wpt>"), as: UTF8.self)
      .replacing("UTF-8", with: "UTF-16")
    var bytes: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    for unit in text.utf16 {
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      bytes += isBigEndian ? pair : pair.reversed()
    }
    for piece in [1, 3, 7, 4096] {
      #expect(try recorded(bytes, piece: piece)[2].contains(" Ä😀|"), "pieces of \(piece)")
    }
  }

  @Test(arguments: [
    ("ISO-8859-1", 0xC4, "Ä"), ("iso-8859-2", 0xA3, "Ł"), ("ISO-8859-15", 0xA4, "€"),
    ("KOI8-R", 0xF1, "Я"), ("windows-1250", 0x8E, "Ž"), ("Windows-1251", 0xFF, "я"),
    ("windows-1252", 0x80, "€"), ("windows-1253", 0xFE, "ώ"), ("windows-1254", 0xFE, "ş"),
    ("windows-1255", 0xE0, "א"), ("windows-1256", 0xC7, "ا"), ("windows-1257", 0xE0, "ą"),
    ("windows-1258", 0xFE, "₫"),
  ])
  func readsSingleByteEncodings(encoding: String, byte: UInt8, character: String) throws {
    let head = "<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'><name>"
    let bytes = Array(head.utf8) + [byte] + Array("</name></wpt></gpx>".utf8)
    for piece in [1, 50, 4096] {
      #expect(try recorded(bytes, piece: piece)[1].contains(" \(character)|"))
    }
  }

  /// A byte without a character is refused, and so is an unknown encoding.
  @Test(arguments: ["windows-1252", "us-ascii", "ebcdic"]) func undefinedBytesAreRefused(
    encoding: String
  ) {
    let head = "<?xml version='1.0' encoding='\(encoding)'?><gpx><name>"
    let bytes = Array(head.utf8) + [0x81] + Array("</name></gpx>".utf8)
    #expect(throws: Failure.self) { try recorded(bytes) }
  }

  /// Prefixes that inner elements declare keep their namespace wherever they are declared.
  @Test(arguments: ["gpx", "trk", "trkseg", "trkpt", "extensions", "e:x", "e:y"])
  func prefixesKeepTheirNamespace(declaring: String) throws {
    let names = ["gpx", "trk", "trkseg", "trkpt", "extensions", "e:x", "e:y"]
    func tag(_ name: String, _ rest: String = "") -> String {
      "<\(name)\(rest)\(name == declaring ? " xmlns:e='urn:e'" : "")>"
    }
    let isInner = declaring == "e:y"
    let shown = isInner ? names.filter { $0 != "e:x" } : names
    var text = shown.map {
      tag($0, $0 == "trkpt" ? " lat='1' lon='2'" : $0 == "gpx" ? " creator='c'" : "")
    }.joined()
    if isInner { text = text.replacing("<e:y", with: "<x xmlns='urn:x'><e:y") }
    text += "<e:z e:a='1'/>" + (isInner ? "</e:y></x>" : "</e:y>")
    text += shown.reversed().dropFirst().map { "</\($0)>" }.joined()
    let written = String(decoding: try rewritten(Array(text.utf8)), as: UTF8.self)
    #expect(try recorded(Array(written.utf8)) == recorded(Array(text.utf8)))
    #expect(written.split(separator: "urn:e").count == 2, "\(written)")
  }

  @Test func defaultNamespacesAreKept() throws {
    let lines = try recorded(
      Array(
        """
        <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns="urn:garmin" xmlns:xsi="urn:xsi">
        <g:wpt lat="1" lon="2"><g:extensions><hr xsi:type="t">1<g:y/></hr><g:z/>\
        <w xmlns=""/></g:extensions></g:wpt></g:gpx>
        """.utf8))
    #expect(
      lines.last { $0.hasPrefix("waypoint") }
        == "waypoint 2.0 1.0 - - |<extensions><hr xmlns=\"urn:garmin\" xmlns:xsi=\"urn:xsi\" "
        + "xsi:type=\"t\">1<y xmlns=\"http://www.topografix.com/GPX/1/1\"/></hr>"
        + "<z xmlns=\"http://www.topografix.com/GPX/1/0\"/>"
        + "<w xmlns=\"http://www.topografix.com/GPX/1/0\"/></extensions>")
  }

  /// Properties may follow the points, and kinds may come in any order.
  @Test func nothingDependsOnTheOrder() throws {
    let lines = try recorded(
      gpx(
        """
        <trk><trkseg><trkpt lat="1" lon="2"/><extensions><s xmlns="urn:s"/></extensions></trkseg>
        <name>T</name><desc>d</desc><extensions><e xmlns="urn:e"/></extensions></trk>
        <trk><name>U</name></trk><rte><rtept lat="3" lon="4"/><name>R</name></rte>
        <wpt lat="5" lon="6"/><metadata><name>M</name></metadata><author>A</author>
        <extensions><x xmlns="urn:x"/></extensions>
        """, version: "1.0"))
    #expect(
      lines.filter { !$0.hasPrefix("namespace") } == [
        "document x - M|<name>M</name><author><name>A</name></author>",
        "waypoint 6.0 5.0 - - |",
        "route R|<name>R</name>", "segment", "point 4.0 3.0 - - |", "end of segment",
        "end of line",
        "track T|<name>T</name><desc>d</desc><extensions><e xmlns=\"urn:e\"/></extensions>",
        "segment", "point 2.0 1.0 - - |",
        "segment has <extensions><s xmlns=\"urn:s\"/></extensions>", "end of segment",
        "end of line", "track U|<name>U</name>", "end of line",
        "end <extensions><x xmlns=\"urn:x\"/></extensions>",
      ])
  }

  /// A bad value is left out and named; the rest of its point stays.
  @Test func badValuesAreLeftOut() throws {
    var sink = RecordingSink()
    var reader = GPXReader(
      TrackBytesInput(
        gpx(
          """
          <trk><trkseg><trkpt lat='1' lon='2'><ele>NaN</ele><time>2024-01-01T24:00:00Z</time>
          </trkpt><trkpt lat='1' lon='-180.1'/>
          <trkpt lat='1,5' lon='2'/><trkpt lon='2'/>
          <trkpt lat='3' lon='2'><ele>1e300</ele><name>n</name></trkpt></trkseg></trk>
          <wpt lat='1' lon='2'><time>0000-01-01T00:00:00Z</time></wpt>
          """)))
    try reader.read(into: &sink)
    #expect(
      sink.lines.filter { $0.hasPrefix("point") || $0.hasPrefix("waypoint") } == [
        "waypoint 2.0 1.0 - - |", "point 2.0 1.0 - 1704153600000 |",
        "point 2.0 3.0 - - n|<name>n</name>",
      ])
    #expect(
      reader.faults.first.map { "\($0)" } == [
        "line 7: '0000-01-01T00:00:00Z' is no time", "line 3: 'NaN' is no elevation",
        "line 4: the longitude '-180.1' is out of range", "line 5: '1,5' is no latitude",
        "line 5: 'trkpt' has no 'lat'", "line 6: the elevation '1e300' is out of range",
      ])
  }

  @Test func sizeOfPiecesChangesNothing() throws {
    let bytes = gpx(
      """
      <!-- c --><trk><name>a<![CDATA[ ]] > ]]>&#x41;</name><trkseg><trkpt lat="1" lon="2"
        ><ele> 3 </ele></trkpt></trkseg></trk><extensions><x xmlns="u">v</x></extensions>
      """)
    let whole = try recorded(bytes)
    for piece in 1...40 { #expect(try recorded(bytes, piece: piece) == whole) }
  }

  @Test(arguments: [
    ("<trk><trkseg><trkpt lat='1'/></trkseg></trk>", "line 3: 'trkpt' has no 'lon'"),
    ("\n<wpt lat='x' lon='2'/>", "line 4: 'x' is no latitude"),
    ("<wpt lat='1' lon='181'/>", "line 3: the longitude '181' is out of range"),
    ("<wpt lat='nan' lon='1'/>", "line 3: 'nan' is no latitude"),
    ("<wpt lat='1' lon='1'><time>soon</time></wpt>", "line 3: 'soon' is no time"),
    ("<trk><trkpt lat='1' lon='1'/></trk>", "line 3: 'trkpt' can't be in 'trk'"),
    ("<trk><trkseg>", "line 4: </gpx> stands where <trkseg> is open"),
    ("<name>&nbsp;</name>", "line 3: the entity 'nbsp' isn't known"),
    ("<name>&#1;</name>", "line 3: a character reference names no character that XML has"),
    ("<name a='1' a='2'/>", "line 3: an element has two attributes of one name"),
  ])
  func faultsNameTheirLine(content: String, message: String) {
    let error = #expect(throws: Failure.self) { try recorded(gpx(content)) }
    #expect(error.map { "\($0)" }?.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func bombsAreRefused() {
    let bombs: [[UInt8]] = [
      Array("<!DOCTYPE gpx [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><gpx>&a;</gpx>".utf8),
      Array(("<gpx>" + String(repeating: "<a>", count: 100_000)).utf8),
      Array(("<gpx " + String(repeating: "a", count: 3 << 20)).utf8),
      Array("<gpx><name>\(String(repeating: "a", count: 1 << 20 + 1))</name></gpx>".utf8),
      Array(
        ("<gpx " + (0..<1000).map { "a\($0)=''" }.joined(separator: " ") + "/>").utf8),
      Array("<svg/>".utf8), [], Array("<gpx>".utf8),
    ]
    for bomb in bombs { #expect(throws: Failure.self) { try recorded(bomb) } }
  }
}
