import Foundation
import TestSupport
import Testing

/// Outputs don't contain the tree's location on the machine.
@Suite struct PrivacyTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/file.txt", "text")
    try folder.makeFile("src/b/c/file.txt", "text")
    try folder.makeLink("src/link", to: "a")
    try folder.makeLink("src/broken", to: "nowhere")
    try folder.makeLink("src/loop", to: "..")
  }

  /// Expects that the bytes contain no absolute path.
  private func expectNoPath(_ bytes: [UInt8], _ what: String) {
    // Its last name alone would identify it.
    let name = folder.path.split(separator: "/").last.map(String.init) ?? folder.path
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.isEmpty, "\(what)")
    for secret in [folder.path, name, Geomapper.path, FileManager.default.currentDirectoryPath] {
      #expect(!text.contains(secret), "\(what)")
    }
  }

  @Test(arguments: ["src", "x/../src", "absolute"])
  func noOutputHasAbsolutePaths(given: String) throws {
    let root = given == "absolute" ? folder("src") : given
    try folder.makeFolder("x")
    let formats = ["geojson", "geojsonseq", "geojsonl", "csv", "gpx", "html"]
    var commands = formats.map { ["map", root, "--format", $0] }
    commands += [
      ["map", root, "--follow"], ["map", root, "--totals", "--links"],
      ["map", root, "--gitignore", "--exclude", "*.txt"], ["stats", root],
      ["stats", "--format", "json", root],
    ]
    for format in ["text", "geojson"] {
      commands += [
        ["locate", "--format", format, "--root", root, "src/a/file.txt", folder("src/b")],
        ["whereis", "--format", format, "--root", root, "0,0"],
        ["route", "--format", format, "--root", root, "src/a/file.txt", "src/b/c"],
      ]
    }
    commands.append(["route", "--format", "gpx", "--root", root, "src/a/file.txt", "src/b/c"])
    for arguments in commands {
      let outcome = try Geomapper.run(arguments, in: folder.path)
      #expect([0, 1].contains(outcome.status), "\(arguments): \(outcome.errorText)")
      expectNoPath(outcome.output, "\(arguments)")
    }
  }

  private static let pages = [
    "/", "/tilejson.json", "/style.json", "/tiles/0/0/0.json", "/tiles/0/0/0.mvt", "/stats",
    "/at?lon=0&lat=0", "/search?q=file",
  ]
  private static let nodes = ["/node?path=src/a", "/node?path=src/a/file.txt"]

  @Test func noAnswerToOtherMachinesHasAbsolutePaths() throws {
    let served = try ServedWorld(["--host", "0.0.0.0", folder("src")], in: folder.path)
    let token = try #require(served.token)
    for path in Self.pages + Self.nodes {
      let answer = try served.get(path, ["Authorization": "Bearer \(token)"])
      #expect(answer.status == 200, "\(path)")
      expectNoPath(answer.body, path)
    }
  }

  /// Only requests for a node from this machine get its path on the disk.
  @Test func localNodesHaveTheirPath() throws {
    let served = try ServedWorld([folder("src")], in: folder.path)
    for path in Self.pages {
      let answer = try served.get(path)
      #expect(answer.status == 200, "\(path)")
      expectNoPath(answer.body, path)
    }
    for path in Self.nodes {
      let place = folder(String(path.dropFirst("/node?path=".count)))
      #expect(try served.get(path).json["file"] as? String == place, "\(path)")
    }
  }
}
