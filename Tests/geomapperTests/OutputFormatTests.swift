import Foundation
import TestSupport
import Testing

/// The name of the output file decides the format, unless an option does.
@Suite struct OutputFormatTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("land/a/file", "1")
    try folder.makeFile("other/a/file", "12")
    try folder.makeFile("ride.gpx", #"<gpx version="1.1"><wpt lat="1" lon="2"/></gpx>"#)
  }

  private func run(_ line: String) throws -> Subprocess.Outcome {
    try Geomapper.run(line.split(separator: " ").map(String.init), in: folder.path)
  }

  @Test(arguments: [
    ("csv", "csv"), ("gpx", "gpx"), ("geojsonl", "geojsonl"), ("ndjson", "geojsonl"),
    ("geojsons", "geojsonseq"), ("html", "html"), ("fgb", "flatgeobuf"), ("parquet", "parquet"),
    ("pmtiles", "pmtiles"), ("json", "geojson"), ("geojson", "geojson"), ("CSV", "csv"),
    ("txt", "geojson"),
  ])
  func endingsDecideTheFormatOfMaps(ending: String, format: String) throws {
    let outcome = try run("map -q -o x.\(ending) land")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(try run("map -q -o expected --format \(format) land").status == 0)
    #expect(try folder.read("x.\(ending)") == folder.read("expected"))
  }

  /// The format that each command infers from a name.
  @Test(arguments: [
    ("diff -o x.json land other", "{\"states\":"), ("diff -o x.csv land other", "path,"),
    ("diff -o x.html land other", "<!doctype html>"), ("stats -o x.json land", "{\"total\":"),
    ("find -o x.geojsonl file land", "{\"type\":\"Feature\""),
    ("locate --root land -o x.csv land/a", "path,"),
    ("whereis --root land -o x.gpx 1,1", "<?xml"),
    ("route --root land -o x.geojson land/a land/a/file", "{\"type\":\"Feature\""),
    ("track info -o x.json ride.gpx", "{\"file\":"),
    ("track convert -o x.csv ride.gpx", "kind,"),
    ("recordings list --directory . -o x.json", "["), ("verify -o x.json land", "{\"right\":"),
    ("history -o x.csv land", "path,"), ("draw --sheet 120x90 -o x.svg land", "<?xml"),
  ])
  func endingsDecideTheFormatOfCommands(line: String, beginning: String) throws {
    let outcome = try run(line)
    #expect(outcome.status == 0, "\(line): \(outcome.errorText)")
    let name = try #require(line.split(separator: " ").first { $0.hasPrefix("x.") })
    let text = String(decoding: try folder.read(String(name)).prefix(60), as: UTF8.self)
    #expect(text.hasPrefix(beginning), "\(line): \(text)")
  }

  @Test(arguments: [
    "map -o x.svg land", "map -o x.png land", "map --format csv -o x.parquet land",
    "map --format geojson -o x.csv land", "map --format parquet -o x.json land",
    "draw -o x.json land", "draw --format svg -o x.png land", "diff -o x.gpx land other",
    "stats -o x.csv land", "find -o x.html file land", "route --root land -o x.csv land land/a",
    "track convert -o x.svg ride.gpx", "track info -o x.gpx ride.gpx", "verify -o x.csv land",
    "snapshot -o x.csv land", "split --parts 2 -o x.csv land", "recordings list -o x.gpx",
  ])
  func unsupportedEndingsAreWrongUsage(line: String) throws {
    let before = try folder.names()
    let outcome = try run(line)
    #expect(outcome.status == 2, "\(line)")
    #expect(outcome.errorText.contains("'x."), "\(line): \(outcome.errorText)")
    #expect(try folder.names() == before)
  }

  @Test(arguments: [
    "map --format geojsonl -o x.json land", "map --format geojsonseq -o x.geojson land",
    "map --format csv -o x.txt land", "stats --format json -o x.geojson land",
    "map --format csv -o x land", "map --format csv -o .gpx land",
  ])
  func otherNamesAllowAnyFormat(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.status == 0, "\(line): \(outcome.errorText)")
  }

  @Test func namesOfPipesAreIgnored() throws {
    try folder.makePipe("x.csv")
    let outcome = try Geomapper.shell(
      "cat x.csv & \"$T\" map -o x.csv land; wait", in: folder.path)
    #expect(outcome.status == 0 && outcome.text.hasPrefix("{\"type\":\"FeatureCollection\""))
  }

  /// JSON reports, with the file that is written.
  @Test func reportsAreJSON() throws {
    func object(_ line: String) throws -> [String: Any] {
      let outcome = try run(line)
      #expect(outcome.status == 0, "\(line): \(outcome.errorText)")
      return try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    }
    #expect(try run("snapshot -o land.geosnap land").status == 0)
    let info = try object("snapshot --info land.geosnap --format json")
    #expect(info["folders"] as? Int == 2 && info["sound"] as? Bool == true)
    let set = try object("split --parts 1 --format json land")
    #expect(set["lists"] as? Int == 1 || set["lists"] as? Int == 2)
    let lists = try folder.names(in: "parts")
    for name in lists {
      #expect(try run("snapshot -q --only parts/\(name) -o \(name) land").status == 0)
    }
    let parts = lists.joined(separator: " ")
    let joined = try object("join --format json -o whole.geosnap \(parts)")
    #expect(joined["parts"] as? Int == lists.count)
    #expect(try run("map land").output == run("map whole.geosnap").output)
    #expect(try run("join --format json \(parts)").errorText.contains("needs --output FILE"))
    #expect(try run("join -o whole.csv \(parts)").status == 2)
    let summary = try object("diff --format json land other")
    #expect((summary["changed"] as? [String: Any])?["files"] as? Int == 1)
  }

  @Test func answersHaveDepthAndFormats() throws {
    #expect(try run("find --max-depth 1 file land").output.isEmpty)
    #expect(try run("find --max-depth 2 file land").text.contains("land/a/file"))
    let stats = try run("stats --max-depth 1 --format json land").text
    #expect(stats.hasPrefix("{\"total\":{\"folders\":2,\"files\":0,"), "\(stats)")
    for format in ["geojsonseq", "geojsonl", "csv", "gpx"] {
      let found = try run("find --format \(format) land land").text
        .split(whereSeparator: \.isNewline)
      let map = Set(try run("map --format \(format) land").text.split(whereSeparator: \.isNewline))
      #expect(!found.isEmpty && found.allSatisfy(map.contains), "\(format)")
    }
  }

  /// Files of other kinds are refused, with the command that makes them.
  @Test(arguments: [
    ("map -o x.shp land", "ogr2ogr x.shp x.geojson"),
    ("map -o x.kml land", "ogr2ogr x.kml x.geojson"),
    ("map -o x.mbtiles land", "tippecanoe -o x.mbtiles x.geojsonl"),
    ("map -o x.geojson.gz land", "pack the finished file"),
    ("draw -o x.pdf land", "rsvg-convert -f pdf -o x.pdf x.svg"),
    ("draw -o x.jpg land", "magick x.png x.jpg"),
    ("diff -o x.xlsx land other", "ogr2ogr x.xlsx x.csv"),
    ("stats -o x.pdf land", "choose text or json\n"), ("snapshot -o x.zip land", "ends in .zip"),
    ("history --film x.mov land", "ffmpeg -i x.mp4 x.mov"),
  ])
  func filesOfOtherKindsAreRefused(line: String, advice: String) throws {
    let outcome = try run(line)
    #expect(outcome.status == 2 && outcome.errorText.contains(advice), "\(outcome.errorText)")
    #expect(try !folder.names().contains { $0.hasPrefix("x.") })
  }

  @Test(arguments: ["parquet", "flatgeobuf", "pmtiles"])
  func binaryFormatsAreNotWrittenToATerminal(format: String) throws {
    let terminal = try PseudoTerminal()
    let process = try Geomapper.start(
      ["map", "--format", format, "-o", "-", "land"], in: folder.path,
      output: .descriptor(terminal.terminal))
    let outcome = process.finish()
    #expect(outcome.status == 2 && outcome.errorText.contains("use --output FILE"))
    #expect(terminal.finish().isEmpty)
  }
}
