import Foundation
import TestSupport
import Testing

/// `-o FILE` with FILE in the mapped tree.
@Suite struct MappedOutputTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src/inner")
    try folder.makeFile("src/file", "12345")
    try folder.setModified("src", 1_000_000_000)
    try folder.setModified("src/inner", 1_100_000_000)
  }

  @Test func newFileIsNotMapped() throws {
    let expected = try Geomapper.run(["map", "src"], in: folder.path).output
    let outcome = try Geomapper.run(["map", "src", "-o", "src/out"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(try folder.read("src/out") == expected)
    let map = try WrittenMap(try folder.read("src/out"))
    #expect(map.paths == ["src", "src/file", "src/inner"])
    #expect(map["src"]?["size"] as? Int == 2)
    #expect(map["src"]?["modified"] as? Int == 1_000_000_000)
    #expect(map.summary == ["folders": 2, "files": 1, "unreadable": 0])
  }

  @Test func olderFileIsMappedLikeAnyOther() throws {
    try folder.makeFile("src/inner/out", "123")
    try folder.setModified("src/inner/out", 1_200_000_000)
    try folder.setModified("src/inner", 1_100_000_000)
    let expected = try Geomapper.run(["map", "src"], in: folder.path).output
    let outcome = try Geomapper.run(["map", "src", "-o", "src/inner/out"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(try folder.read("src/inner/out") == expected)
    let map = try WrittenMap(expected)
    #expect(map["src/inner/out"]?["size"] as? Int == 3)
    #expect(map["src/inner/out"]?["modified"] as? Int == 1_200_000_000)
    #expect(map["src/inner"]?["modified"] as? Int == 1_100_000_000)
    #expect(map["src/inner"]?["size"] as? Int == 1)
  }

  @Test func olderFileIsMappedThroughLinksAndLabels() throws {
    try folder.makeLink("link", to: "src/inner/out")
    let arguments = ["map", "a=src", "b=src/inner"]
    let expected = try Geomapper.run(arguments, in: folder.path).output
    let outcome = try Geomapper.run(arguments + ["-o", "link"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(try folder.read("src/inner/out") == expected)
    let map = try WrittenMap(expected)
    #expect(map["a/inner"]?["modified"] as? Int == 1_100_000_000)
    #expect(map["b"]?["modified"] as? Int == 1_100_000_000)
    #expect(map["b"]?["size"] as? Int == 0)
  }

  @Test func shellRedirectionIsAFileLikeAnyOther() throws {
    let outcome = try Geomapper.shell("\"$T\" map src > src/out", in: folder.path)
    #expect(outcome.status == 0)
    #expect(try WrittenMap(try folder.read("src/out")).paths.contains("src/out"))
  }
}
