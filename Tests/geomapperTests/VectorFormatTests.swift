import TestSupport
import Testing

/// Binary formats of the tool; `Tests/Outside` checks what other programs read.
@Suite struct VectorFormatTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for number in 0..<300 { try folder.makeFile("src/\(number % 7)/file \(number)") }
  }

  @Test(arguments: ["flatgeobuf", "parquet"])
  func sameBytesForAnyNumberOfThreads(format: String) throws {
    let first = try Geomapper.run(
      ["map", "--format", format, "--threads", "1", "src"], in: folder.path)
    #expect(first.status == 0 && first.output.count > 10_000)
    for threads in ["2", "5"] {
      let other = try Geomapper.run(
        ["map", "--format", format, "--threads", threads, "src"], in: folder.path)
      #expect(other.output == first.output)
    }
  }

  @Test func optionsOfOtherFormatsAreRefused() throws {
    for (arguments, words) in [
      (["--no-index"], "it works with flatgeobuf only"),
      (["--sparse"], "--sparse needs --format pmtiles"),
      (["--lonlat", "--format", "csv"], "it works with the GeoJSON formats"),
      (["--format", "flatgeobuf", "--tippecanoe"], "it works with the GeoJSON formats only"),
    ] {
      let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
      #expect(outcome.status == 2)
      #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    }
  }

  @Test func filesHaveCoordinatesOnRequest() throws {
    let map = try Geomapper.run(["map", "--lonlat", "src", "-o", "map"], in: folder.path)
    #expect(map.status == 0)
    let written = try WrittenMap(folder.read("map"))
    for path in written.paths {
      #expect(written[path]?["lon"] is Double && written[path]?["lat"] is Double)
    }
    let verified = try Geomapper.run(["verify", "map"], in: folder.path)
    #expect(verified.status == 0, "\(verified.errorText)")
  }

  @Test func missingScratchFolderIsReported() throws {
    // Enough to write a run; in the order of the map, the list itself needs no scratch file.
    let names = (0..<100_000).map { "src/\($0 + 100_000)" }.joined(separator: "\n")
    try folder.makeFile("list", names + "\n")
    let outcome = try Geomapper.run(
      ["map", "--files-from", "list", "--format", "flatgeobuf", "src", "-o", "map"],
      in: folder.path, launcher: ["/usr/bin/env", "TMPDIR=\(folder("nowhere"))"])
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("scratch files") && outcome.errorText.contains("TMPDIR"))
    #expect(try folder.names().sorted() == ["list", "src"])
  }
}
