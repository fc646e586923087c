import Foundation
import TestSupport
import Testing

/// Which folders are mapped, and under which labels.
@Suite struct RootTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src/inner")
    try folder.makeFile("src/file", "12345")
    try folder.makeFolder("a=b")
    try folder.makeFolder("=c")
    try folder.makeFolder("-d")
    try folder.makeFolder("--help")
    try folder.makeLink("link", to: "src")
  }

  private func map(_ arguments: String...) throws -> WrittenMap {
    let outcome = try Geomapper.run(["map"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    return try WrittenMap(outcome.output)
  }

  @Test func mapsFolders() throws {
    let map = try map("src")
    #expect(map.paths == ["src", "src/file", "src/inner"])
    #expect(map.header["projection"] as? Int == 2)
    #expect(map.header["layout"] as? String == "settled")
    #expect(map.header["partial"] == nil)
    #expect(map.summary == ["folders": 2, "files": 1, "unreadable": 0])
    #expect(map["src/file"]?["size"] as? Int == 5)
    #expect(map["src/file"]?["modified"] != nil)
    #expect(map["src"]?["size"] as? Int == 2)
  }

  @Test func labelsNameTheRoots() throws {
    #expect(try map("x=src").paths == ["x", "x/file", "x/inner"])
    #expect(try map("src///").roots == ["src"])
    #expect(try map("./a=b").roots == ["a=b"])
    #expect(try map("=c").roots == ["=c"])
    #expect(try map("x=a=b").roots == ["x"])
    #expect(try map("src/inner/..").roots == ["src"])
    #expect(try map("src/.").roots == ["src"])
    #expect(try map("link").paths == ["link", "link/file", "link/inner"])
    #expect(try map("--max-depth=0", "/").roots == ["root"])
    #expect(try map("--max-depth=0", "///").roots == ["root"])
  }

  @Test func currentFolderIsTheDefault() throws {
    let name = folder.path.split(separator: "/").last.map(String.init)
    #expect(try map().roots == [name])
    #expect(try map("--max-depth", "0").paths == [name])
    #expect(try map(".").roots == [name])
    #expect(try map("src/..").roots == [name])
  }

  @Test func rootsComeInTheOrderOfTheirLabels() throws {
    let map = try map("src", "Z=src/inner", "./a=b", "src2=src")
    #expect(map.roots == ["Z", "a=b", "src", "src2"])
    #expect(
      map.paths == ["Z", "a=b", "src", "src/file", "src/inner", "src2", "src2/file", "src2/inner"])
  }

  @Test func optionsMayComeAnywhere() throws {
    let map = try map("src", "--max-depth", "0", "x=src", "--layout=pinned")
    #expect(map.roots == ["src", "x"])
    #expect(map.header["layout"] as? String == "pinned")
    #expect(map.header["partial"] as? Bool == true)
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try map("--", "-d", "--help").roots == ["--help", "-d"])
    #expect(try map("-q", "--", "src", "a=./--help").roots == ["a", "src"])
    #expect(try map("./-d").roots == ["-d"])
  }

  @Test func lastOfAnOptionWins() throws {
    let map = try map(
      "--max-depth", "0", "src", "--max-depth", "1", "--layout=pinned", "--layout", "settled")
    #expect(map.paths.count == 3)
    #expect(map.header["layout"] as? String == "settled")
  }

  @Test func noStatReadsNoMetadata() throws {
    let map = try map("--no-stat", "src")
    #expect(map["src/file"]?["size"] == nil)
    #expect(map.features.allSatisfy { $0["modified"] == nil })
    #expect(map["src"]?["size"] as? Int == 2)
  }

  @Test func invalidUTF8IsMapped() throws {
    try folder.makeFile(bytes: Array("src/".utf8) + [0xFF])
    let label: [UInt8] = [0xC3, 0x28]
    let arguments = [Array("map".utf8), label + Array("=src".utf8)]
    let outcome = try Geomapper.start(bytes: arguments, in: folder.path).finish()
    #expect(outcome.status == 0)
    let map = try WrittenMap(outcome.output)
    #expect(map.roots == ["\u{FFFD}("])
    #expect(map["\u{FFFD}("]?["rawPath"] as? String == "%C3%28")
    #expect(map["\u{FFFD}(/\u{FFFD}"]?["rawPath"] as? String == "%C3%28/%FF")
  }

  @Test func folderWithAnInvalidNameIsMapped() throws {
    let made = try Geomapper.shell(#"mkdir "$(printf '\377')""#, in: folder.path)
    try #require(made.status == 0)
    let outcome = try Geomapper.start(bytes: [Array("map".utf8), [0xFF]], in: folder.path).finish()
    #expect(outcome.status == 0)
    #expect(try WrittenMap(outcome.output).features.first?["rawPath"] as? String == "%FF")
  }

  @Test(arguments: [
    ["map"], ["verify"], ["stats"], ["serve"], ["split", "--parts=2"],
    ["locate", "src", "--root"], ["whereis", "0,0", "--root"],
    ["map", "--files-from=src/file"], ["locate", "--layout=pinned", "src", "--root"],
  ])
  func labelsTooLongForANameAreWrongUsage(command: [String]) throws {
    let long = String(repeating: "x", count: 1 << 16)
    let outcome = try Geomapper.run(command + ["\(long)=src"], in: folder.path)
    #expect(outcome.signal == nil && outcome.status == 2, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("65536 bytes"), "\(outcome.errorText)")
  }

  @Test(arguments: ["geojson", "geojsonseq", "geojsonl", "csv", "gpx"])
  func writesAllFormats(format: String) throws {
    let outcome = try Geomapper.run(["map", "--format", format, "src"], in: folder.path)
    #expect(outcome.status == 0)
    let beginnings = [
      "geojson": #"{"type":"FeatureCollection","#, "geojsonseq": "\u{1E}{\"type\":\"Feature\",",
      "geojsonl": #"{"type":"Feature","#,
      "csv": "path,kind,depth,size,modified,minzoom,lon,lat,id,name,special,rawPath\r\n",
      "gpx": "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    ]
    #expect(outcome.text.hasPrefix(beginnings[format] ?? "?"))
    #expect(outcome.text.utf8.last == 0x0A)
    let again = try Geomapper.run(
      ["map", "--format=\(format)", "--threads=3", "src"], in: folder.path)
    #expect(again.output == outcome.output)
  }

  @Test func writesTippecanoeMembers() throws {
    for format in ["geojson", "geojsonseq", "geojsonl"] {
      let outcome = try Geomapper.run(
        ["map", "--tippecanoe", "--format", format, "src"], in: folder.path)
      #expect(outcome.text.contains(#","tippecanoe":{"minzoom":"#))
    }
  }
}
