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

  @Test func pointsWithExtensions() throws {
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

  @Test func elementsOfTheOldVersionFindAPlace() throws {
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

  @Test func prefixesCommentsAndSections() throws {
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

  @Test(arguments: [false, true]) func unicodeOfTwoBytes(isBigEndian: Bool) throws {
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

  @Test func latin1() throws {
    let head = "<?xml version='1.0' encoding='ISO-8859-1'?><gpx><wpt lat='1' lon='2'><name>"
    let bytes = Array(head.utf8) + [0xC4] + Array("</name></wpt></gpx>".utf8)
    for piece in [1, 50, 4096] {
      #expect(try recorded(bytes, piece: piece)[1].contains(" Ä|"))
    }
  }

  @Test func piecesOfAnySizeAreTheSame() throws {
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
  func faultsAreToldWithTheirLine(content: String, message: String) {
    let error = #expect(throws: TrackError.self) { try recorded(gpx(content)) }
    #expect(error.map { "\($0)" }?.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func bombsAreRefused() {
    let bombs: [[UInt8]] = [
      Array("<!DOCTYPE gpx [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><gpx>&a;</gpx>".utf8),
      Array(("<gpx>" + String(repeating: "<a>", count: 100_000)).utf8),
      Array(("<gpx " + String(repeating: "a", count: 3 << 20)).utf8),
      Array(
        ("<gpx " + (0..<1000).map { "a\($0)=''" }.joined(separator: " ") + "/>").utf8),
      Array("<svg/>".utf8), [], Array("<gpx>".utf8),
    ]
    for bomb in bombs { #expect(throws: TrackError.self) { try recorded(bomb) } }
  }
}
