import Foundation
import TestSupport
import Testing

/// `geomapper verify`.
@Suite struct VerifyTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/one", "hello")
    try folder.makeFile("src/a/two \" \\ \t", "12")
    try folder.makeFile("src/b/c/three")
    try folder.makeFile(bytes: Array("src/b/".utf8) + [0xFF, 0x80])
    try folder.makeFolder("src/empty")
    try folder.makeLink("src/link", to: "a")
  }

  private func map(_ arguments: String...) throws -> [UInt8] {
    let outcome = try Geomapper.run(["map"] + arguments + ["src"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    return outcome.output
  }

  private func verify(
    _ map: [UInt8], _ arguments: String...
  ) throws -> Subprocess.Outcome {
    try folder.makeFile(bytes: Array("map".utf8), map)
    return try Geomapper.run(["verify"] + arguments + ["map"], in: folder.path)
  }

  @Test(arguments: [
    [], ["--layout=pinned"], ["--tippecanoe"], ["--no-stat"], ["--totals"], ["--links"],
    ["-L"],
  ])
  func wholeMapsAreFaultless(_ options: [String]) throws {
    let written = try Geomapper.run(["map"] + options + ["src"], in: folder.path)
    let outcome = try verify(written.output)
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errorText)")
    #expect(!outcome.text.contains("\n  not checked"))
    #expect(
      outcome.text.split(separator: "\n").last?.hasSuffix(
        "; not checked: sizes and times, which only the disk knows") == true)
  }

  @Test(arguments: ["geojsonseq", "geojsonl"])
  func mapsWithoutHeaderAreFaultless(_ format: String) throws {
    #expect(try verify(map("--format", format)).status == 0)
    let pinned = try map("--format", format, "--layout=pinned")
    #expect(try verify(pinned, "--layout=pinned").status == 0)
    #expect(try verify(pinned).status == 4)
    let shallow = try map("--format", format, "--exclude=a")
    let outcome = try verify(shallow)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("part of a map"), "\(outcome.text)")
  }

  @Test(arguments: [
    "--zoom=3", "--max-depth=1", "--exclude=a", "--exclude=one", "--type=f", "--type=d",
    "--name=three", "--bbox=-180,0,180,90",
  ])
  func partialMapsAreFaultless(_ filter: String) throws {
    for layout in ["--layout=settled", "--layout=pinned"] {
      let outcome = try verify(map(filter, layout))
      #expect(outcome.status == 0, "\(outcome.text) \(outcome.errorText)")
      #expect(outcome.text.contains("part of a map"))
    }
  }

  /// A folder that is left out may share the lot of one that is shown.
  @Test func undecidablePlacesAreReported() throws {
    for number in 0..<30 { try folder.makeFile("src/hidden\(number)/x") }
    let outcome = try verify(map("--exclude=hidden*"))
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("which need names that are not in it"), "\(outcome.text)")
    #expect(!outcome.text.contains("as they have to be"))
    #expect(outcome.text.contains("found right: ") && outcome.text.contains(" places; not checked"))
    let json = try verify(map("--exclude=hidden*"), "--format", "json").text
    #expect(json.hasPrefix("{\"right\":false"), "\(json)")
  }

  /// A coast line shows that no folder that was left out shares the lot, so the places in it are
  /// known.
  @Test func placesOfPartialMapsAreChecked() throws {
    let text = String(decoding: try map("--exclude=*two*", "--exclude=link"), as: UTF8.self)
    let outcome = try verify(Array(text.utf8))
    #expect(outcome.status == 0 && outcome.text.contains("as they have to be"), "\(outcome.text)")
    for path in ["src/a/one", "src/b/c/three"] {
      let line = try #require(text.split(separator: "\n").first { $0.contains("\"\(path)\"") })
      let moved = line.replacing(/"coordinates":\[(-?[0-9]+)/) { match in
        "\"coordinates\":[\((Int(match.1) ?? 0) + 1)"
      }
      let found = try verify(Array(text.replacing(line, with: moved).utf8))
      #expect(found.status == 4 && found.text.contains(path), "\(found.text)")
    }
  }

  /// Every removed, doubled, cut or moved line is found.
  @Test func linesInDisorderAreFound() throws {
    let lines = try map().split(separator: 10, omittingEmptySubsequences: true)
    func check(_ changed: [ArraySlice<UInt8>], _ what: String) throws {
      let outcome = try verify(Array(changed.joined(separator: [10])) + [10])
      #expect(outcome.status == 4, "\(what): \(outcome.text)")
    }
    for index in lines.indices {
      var changed = lines
      let line = changed.remove(at: index)
      if (1..<(lines.count - 1)).contains(index) {
        // Removing a file and correcting the count equals a folder that has lost an entry.
        try check(changed, "without line \(index + 1)")
        changed.insert(line, at: index == 1 ? 2 : 1)
        try check(changed, "line \(index + 1) moved")
      } else {
        try check(changed, "without line \(index + 1)")
      }
      try check(lines[...index] + lines[index...] + [], "line \(index + 1) doubled")
      try check(Array(lines[..<index]), "cut before line \(index + 1)")
    }
  }

  @Test func foldersAreFaultless() throws {
    let outcome = try Geomapper.run(["verify", "src", "again=src"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errorText)")
    #expect(outcome.text.contains("settled: 10 folders and 10 files are"))
    #expect(outcome.text.contains("pinned: 10 folders and 10 files are"))
  }

  @Test(arguments: ["parquet", "fgb", "pmtiles", "csv", "gpx", "html"])
  func otherFormatsAreWrongUsage(ending: String) throws {
    let written = try Geomapper.run(["map", "-o", "x.\(ending)", "src/a"], in: folder.path)
    #expect(written.status == 0)
    let outcome = try Geomapper.run(["verify", "x.\(ending)"], in: folder.path)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errorText.contains("checked as geojson, geojsonseq or geojsonl"))
  }

  @Test func jsonReportHasAllCounts() throws {
    let map = try map()
    let outcome = try verify(map, "--format", "json")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let checked = try #require((report["checked"] as? [[String: Any]])?.first)
    #expect(report["right"] as? Bool == true && report["fault"] == nil)
    #expect(checked["subject"] as? String == "map" && checked["folders"] as? Int == 5)
    let faulty = try verify(map + Array("x".utf8), "--format", "json", "-o", "report.json")
    #expect(faulty.status == 4 && faulty.output.isEmpty)
    let saved = try JSONSerialization.jsonObject(with: Data(folder.read("report.json")))
    #expect((saved as? [String: Any])?["right"] as? Bool == false)
    #expect((saved as? [String: Any])?["fault"] is [String: Any])
  }

  @Test func wrongUsageIsRefused() throws {
    #expect(try Geomapper.run(["verify", "nothing"], in: folder.path).status == 2)
    try folder.makePipe("pipe")
    #expect(try Geomapper.run(["verify", "pipe"], in: folder.path).status == 2)
    try folder.makeFile("text", "some text\n")
    #expect(try Geomapper.run(["verify", "text", "src"], in: folder.path).status == 2)
    #expect(try Geomapper.run(["verify", "text"], in: folder.path).status == 2)
  }
}
