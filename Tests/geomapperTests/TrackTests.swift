import Foundation
import TestSupport
import Testing

/// `geomapper track`, as users run it.
@Suite struct TrackTests {
  private static let ride = """
    <?xml version="1.0"?>
    <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="0.5" lon="0"><name>Half way</name></wpt>
    <trk><name>North</name><trkseg>
    <trkpt lat="0" lon="0"><ele>1</ele><time>2024-01-01T00:00:00Z</time></trkpt>
    <trkpt lat="0.5" lon="0.00001"><ele>11</ele><time>2024-01-01T00:30:00Z</time></trkpt>
    <trkpt lat="1" lon="0"><ele>1</ele><time>2024-01-01T01:00:00Z</time></trkpt>
    </trkseg></trk></gpx>

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("ride.gpx", Self.ride)
    return folder
  }

  @Test func infoReportsTheContents() throws {
    let folder = try folder()
    let text = try Geomapper.run(["track", "info", folder("ride.gpx")]).text
    #expect(text.contains("length     111 km"))
    #expect(text.contains("duration   1:00:00, moving 1:00:00"))
    #expect(text.contains("3 in 1 segment of 1 line, 1 waypoint"))
    let json = try Geomapper.run(["track", "info", "--format", "json", folder("ride.gpx")])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(object["points"] as? Int == 3)
    #expect(abs((object["length"] as? Double ?? 0) - 111_195.08) < 1)
  }

  @Test(arguments: ["gpx", "geojson", "json", "csv"]) func pipesAndFilesGetTheSame(
    format: String
  ) throws {
    let folder = try folder()
    let piped = try Geomapper.shell(
      "cat ride.gpx | $T track convert --format \(format) -", in: folder.path)
    let written = try Geomapper.run(
      ["track", "convert", "--format", format, "-o", folder("out"), folder("ride.gpx")])
    #expect(piped.status == 0 && written.status == 0, "\(piped.errorText)\(written.errorText)")
    let file = try Data(contentsOf: URL(fileURLWithPath: folder("out")))
    #expect(Array(file) == piped.output)
    #expect(piped.text.contains("North"))
  }

  /// JSON output can be read again: alone, as a list, and with times as numbers.
  @Test func infoReadsTracksAsJSON() throws {
    let folder = try folder()
    func info(_ text: String) throws -> Subprocess.Outcome {
      try folder.makeFile("t.json", text)
      return try Geomapper.run(["track", "info", "--format", "json", "t.json"], in: folder.path)
    }
    let point = #"{"latitude":1,"longitude":2,"altitude":5,"time":"2001-01-01T00:00:00Z"}"#
    let other = #"{"time":60,"x":[{}],"longitude":2.5,"latitude":1,"altitude":null}"#
    let track = #"{"segments":[{"coords":[\#(point),\#(other)]}],"name":"n","distance":"-"}"#
    for (text, lines) in [(track, 1), ("[\(track),\(track)]", 2), ("\(track)\n\(track)\n", 2)] {
      let outcome = try info(text)
      #expect(outcome.status == 0, "\(outcome.errorText)")
      #expect(outcome.text.contains("\"lines\":\(lines),"), "\(outcome.text)")
      #expect(outcome.text.contains("2001-01-01T00:01:00.000Z"), "\(outcome.text)")
    }
    for (text, reason) in [
      ("{\n}", "line 2: a track with segments"), (#"{"segments":[{}]}"#, "with coords"),
      (track + "x", "'{'"),
    ] {
      let outcome = try info(text)
      #expect(outcome.status == 2 && outcome.errorText.contains(reason), "\(outcome.errorText)")
    }
    // A bad value isn't.
    for (bad, points) in [("200", 1), ("\"2,5\"", 1)] {
      let outcome = try info(track.replacing("2.5", with: bad))
      #expect(outcome.status == 1 && outcome.errorText.contains("longitude"))
      #expect(outcome.text.contains("\"points\":\(points),"), "\(outcome.text)")
    }
  }

  /// A bad value is left out and named, with status 1; `--strict` refuses the file.
  @Test func badValuesAreNamed() throws {
    let folder = try folder()
    try folder.makeFile("bad.gpx", Self.ride.replacing("<ele>11</ele>", with: "<ele>11 m</ele>"))
    for action in ["convert", "info", "simplify", "cues"] {
      let outcome = try Geomapper.run(["track", action, "bad.gpx"], in: folder.path)
      #expect(outcome.status == 1 && !outcome.output.isEmpty, "\(action)")
      #expect(outcome.errorText.contains("'bad.gpx': line 6: '11 m' is no elevation"), "\(action)")
      let strict = try Geomapper.run(["track", action, "--strict", "bad.gpx"], in: folder.path)
      #expect(strict.status == 2 && strict.errorText.contains("line 6: '11 m'"), "\(action)")
    }
  }

  /// Names of elements can't control the terminal.
  @Test func namesOfElementsAreEscaped() throws {
    let folder = try folder()
    for name in ["q\u{9B}2J", "q\u{200D}\u{301}"] {
      try folder.makeFile("t.gpx", "<gpx><\(name)></gpx>")
      let outcome = try Geomapper.run(["track", "info", "t.gpx"], in: folder.path)
      #expect(outcome.status == 2 && !outcome.errorText.contains("\u{9B}"), "\(outcome.errorText)")
    }
  }

  @Test func simplifyAndRedactReportRemovedPoints() throws {
    let folder = try folder()
    let simple = try Geomapper.run(["track", "simplify", folder("ride.gpx")])
    #expect(simple.text.split(separator: "<trkpt").count == 3)
    #expect(simple.errorText.contains("1 point left out, 2 kept"))
    let redacted = try Geomapper.run(
      ["track", "redact", "--near", "0,0.5,1000", folder("ride.gpx")])
    #expect(redacted.errorText.contains("2 points left out"))
    #expect(!redacted.text.contains("wpt"))
    #expect(redacted.text.split(separator: "<trkseg>").count == 3)
  }

  @Test func brokenFilesKeepTheOldOutput() throws {
    let folder = try folder()
    try folder.makeFile("broken.gpx", String(Self.ride.prefix(400)))
    try folder.makeFile("out", "old")
    let outcome = try Geomapper.run(
      ["track", "convert", "-o", folder("out"), folder("broken.gpx")])
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("broken.gpx': line "))
    #expect(try String(contentsOfFile: folder("out"), encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test(arguments: [
    (["track"], "say what to do"), (["track", "inf", "x"], "did you mean 'info'?"),
    (["track", "info"], "needs a FILE"), (["track", "convert", "a", "b"], "one FILE at a time"),
    (["track", "redact", "a"], "--near LON,LAT,METRES"),
    (["track", "info", "--near", "1,2,3", "a"], "--near needs the action redact"),
    (["track", "redact", "--near", "1,2", "a"], "is not LON,LAT,METRES"),
    (["track", "convert", "--format", "text", "a"], "is not a format of track convert"),
    (["track", "convert", "/no/such/file"], "can't read '/no/such/file'"),
  ])
  func wrongUsageIsRefused(arguments: [String], message: String) throws {
    let outcome = try Geomapper.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
    #expect(outcome.output.isEmpty)
  }

  @Test func pathsBecomeTracksWithPlaces() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("w/a/b/one", "1")
    try folder.makeFile("w/c/two", "2")
    let log = "1700000000.5 \(folder("w/a/b/one"))\n1700000010 \(folder("w/c/two"))\nx\n9 /gone\n"
    try folder.makeFile("log", log)
    let made = try Geomapper.run(["track", "from", "--root", folder("w"), folder("log")])
    #expect(made.status == 0)
    #expect(made.errorText.contains("1 path that the map doesn't have, 1 line"))
    #expect(
      made.text.contains("<ele>300</ele><time>2023-11-14T22:13:20.500Z</time><name>w/a/b/one"))
    try folder.makeFile("way.gpx", made.text)
    let places = try Geomapper.run(["track", "places", "--root", folder("w"), folder("way.gpx")])
    #expect(places.text.contains("2023-11-14T22:13:20.500Z  0 m       w/a/b\n"))
    #expect(places.text.contains(" w/c\n"))
    let cues = try Geomapper.run(["track", "cues", folder("way.gpx")])
    #expect(cues.text.contains("start at w/a/b/one, go "))
    #expect(cues.text.contains("arrive at w/c/two"))

    // JSON output for programs.
    func lines(_ arguments: String...) throws -> [[String: Any]] {
      let outcome = try Geomapper.run(
        ["track"] + arguments + ["--format", "json", "way.gpx"], in: folder.path)
      let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      #expect(object?["file"] as? String == "way.gpx")
      return try #require(object?["lines"] as? [[String: Any]])
    }
    let crossed = try #require(
      try lines("places", "--root", "w").first?["places"] as? [[String: Any]])
    #expect(crossed.first?["path"] as? String == "w/a/b")
    #expect(crossed.first?["time"] as? String == "2023-11-14T22:13:20.500Z")
    #expect(crossed.last?["path"] as? String == "w/c")
    let turns = try #require(try lines("cues", "--root", "w").first?["cues"] as? [[String: Any]])
    #expect(turns.compactMap { $0["name"] as? String } == ["w/a/b/one", "w/c/two"])
    #expect(turns.map { $0["path"] as? String } == ["w/a/b", "w/c"])
    #expect(turns.first?["bearing"] is Double && turns.last?["words"] as? String == "arrive")
  }
}
