import TestSupport
import Testing

/// Shard manifests, their parts and the joined map, with the real program.
@Suite struct SplitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, files) in [("tree", 1), ("tree/big", 60), ("tree/big/deep", 30), ("tree/small", 2)] {
      try folder.makeFolder(name)
      for number in 0..<files { try folder.makeFile("\(name)/file \(number)", "x") }
    }
    for number in 0..<30 { try folder.makeFile("tree/many/\(number)/a") }
    try folder.makeFolder("parts")
  }

  private func run(_ arguments: String...) throws -> Subprocess.Outcome {
    try Geomapper.run(arguments, in: folder.path)
  }

  private func expectRefusal(
    _ arguments: [String], says parts: String..., location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try Geomapper.run(arguments, in: folder.path)
    #expect(outcome.status == 2, sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    for part in parts {
      #expect(outcome.errorText.contains(part), sourceLocation: location)
    }
  }

  /// Splits the tree, and maps all parts.
  private func makeParts(_ options: String = "") throws -> [String] {
    let outcome = try Geomapper.shell(
      """
      "$T" split -q --parts 3 -o shards tree || exit 9
      for d in shards/*; do "$T" map \(options) --shard "$d" -o "parts/${d#shards/}" tree || exit 8; done
      """, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    return try folder.names(in: "parts").map { "parts/\($0)" }
  }

  @Test func partsMadeTwoAtATimeMakeTheMap() throws {
    let script = """
      "$T" split --parts 4 -o shards tree
      ls shards | xargs -P2 -I{} "$T" map --shard shards/{} -o parts/{} tree
      "$T" join -o joined parts/* && "$T" map -o whole tree && cmp joined whole
      "$T" join parts/* | cmp - whole
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.isEmpty)
    let report = "4 parts and the rest, about 158 entries; the largest is"
    #expect(outcome.errorText.contains(report))
    #expect(
      try folder.names(in: "shards") == ["0.shard", "1.shard", "2.shard", "3.shard", "4.shard"])
  }

  @Test(arguments: [
    "--format csv --zoom 8", "--tippecanoe --no-stat", "--links", "--layout pinned",
  ])
  func optionsAreTheSame(options: String) throws {
    let isLayout = options.contains("layout")
    let script = """
      "$T" split -q \(isLayout ? options : "") --parts 3 -o shards tree
      for d in shards/*; do
        "$T" map \(isLayout ? "" : options) --shard "$d" -o "parts/${d#shards/}" tree
      done
      "$T" join parts/* > joined && "$T" map \(options) tree | cmp - joined
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func manifestOfAFolderIsEnoughToMapIt() throws {
    let script = """
      "$T" split --root tree tree/big -o big.shard && "$T" map --shard big.shard -o part tree
      "$T" map --format geojsonl --shard - tree < big.shard | sed '1d;$d' > lines
      "$T" map --format geojsonl tree | grep '"path":"tree/big[/"]' | cmp - lines
      cd tree && "$T" split big | cmp - ../big.shard
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.isEmpty)
    #expect(
      outcome.errorText
        == "geomapper: shard manifest of 'tree/big' on the map of the current folder; --root DIR "
        + "names another\n")
    try expectRefusal(["join", "part"], says: "part of 'tree/big' alone")
  }

  @Test func theFolderMayHaveAnotherName() throws {
    let script = """
      "$T" split -q --parts 3 -o shards tree && "$T" map -o whole tree && mv tree elsewhere
      for d in shards/*; do "$T" map --shard "$d" -o "parts/${d#shards/}" elsewhere; done
      "$T" join parts/* | cmp - whole
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func severalRootsAreOneWorld() throws {
    let script = """
      "$T" split -q --parts 3 -o shards b=tree/big tree/many
      for d in shards/*; do "$T" map --shard "$d" -o "parts/${d#shards/}" b=tree/big tree/many; done
      "$T" join parts/* > joined; "$T" map b=tree/big tree/many | cmp - joined
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    try expectRefusal(
      ["map", "--shard", "shards/0.shard", "tree/many"], says: "say where that is, as b=DIR")
    try expectRefusal(
      ["map", "--shard", "shards/0.shard", "tree/big", "tree/many"], says: "no root 'big'")
  }

  @Test func partsThatDoNotBelongTogetherAreRefused() throws {
    let parts = try makeParts()
    try #require(parts.count == 4)
    try expectRefusal(["join"] + parts.dropLast(), says: "1 of 4 parts are missing: 3")
    try expectRefusal(["join"] + parts + [parts[1]], says: "are the same part")
    try expectRefusal(["join"] + parts.dropLast() + ["tree/file 0"], says: "not a part of a map")
    try expectRefusal(["join"] + parts.dropLast() + ["nowhere"], says: "'nowhere'", "No such file")
    try expectRefusal(["join"] + parts.dropLast() + ["tree"], says: "not a regular file")
    try expectRefusal(["join"], says: "no parts given")
    #expect(try run("split", "-q", "--parts", "2", "-o", "other", "tree").status == 0)
    #expect(try run("map", "--shard", "other/2.shard", "-o", "other/2", "tree").status == 0)
    try expectRefusal(["join"] + parts.dropLast() + ["other/2"], says: "different splits")
    #expect(
      try run("map", "--zoom", "4", "--shard", "shards/3.shard", "-o", parts[3], "tree").status == 0
    )
    try expectRefusal(["join"] + parts, says: "different options")
  }

  @Test func changedPartsAreRefusedAndNothingIsWritten() throws {
    let parts = try makeParts("--format csv")
    let part = try #require(parts.first { try folder.text($0).contains("big/file 1,") })
    let text = try folder.text(part)
    try folder.makeFile(part, text.replacing("big/file 1,", with: "big/file 2,"))
    try folder.makeFile("joined", "older")
    try expectRefusal(["join"] + parts, says: "its checksum is wrong")
    try expectRefusal(["join", "-o", "joined"] + parts, says: "its checksum is wrong")
    #expect(try folder.text("joined") == "older")
    try folder.makeFile(part, String(text.dropLast(30)))
    try expectRefusal(["join"] + parts, says: part)
  }

  @Test func changedManifestsAreRefused() throws {
    #expect(try run("split", "-q", "--root", "tree", "tree/big", "-o", "a.shard").status == 0)
    let text = try folder.text("a.shard")
    try folder.makeFile("b.shard", text.replacing("\"digits\":6", with: "\"digits\":7"))
    try expectRefusal(["map", "--shard", "b.shard", "tree"], says: "checksum is wrong")
    try folder.makeFile("b.shard", String(text.dropLast(9)))
    try expectRefusal(["map", "--shard", "b.shard", "tree"], says: "incomplete")
    try expectRefusal(["map", "--shard", "tree/file 0", "tree"], says: "is not a shard manifest")
    try expectRefusal(
      ["map", "--shard", "nowhere", "tree"], says: "can't read the shard manifest 'nowhere'")
    try expectRefusal(
      ["map", "--shard", "a.shard", "--layout", "pinned", "tree"],
      says: "the shard manifest sets the layout")
    for option in ["-x", "-L", "--totals"] {
      try expectRefusal(
        ["map", option, "--shard", "a.shard", "tree"], says: "it needs the whole tree")
    }
  }

  @Test func manifestsThatDoNotFitAreRefused() throws {
    _ = try makeParts()
    try expectRefusal(["map", "--shard", "shards/1.shard", "parts"], says: "doesn't fit 'parts'")
    #expect(try run("split", "-q", "--root", "tree", "tree/many", "-o", "a.shard").status == 0)
    try folder.makeFolder("tree/many/new")
    try expectRefusal(
      ["map", "--shard", "a.shard", "tree"], says: "'tree/many' is another folder or has changed")
    // New folders on the way to a part would move the part.
    try folder.makeFolder("tree/new")
    try expectRefusal(["map", "--shard", "shards/0.shard", "-o", "x", "tree"], says: "doesn't fit")
    #expect(try !folder.names().contains("x"))
  }

  @Test func linksAreNotFollowed() throws {
    #expect(try run("split", "-q", "--root", "tree", "tree/big", "-o", "a.shard").status == 0)
    let moved = try Geomapper.shell("mv tree/big away && ln -s ../away tree/big", in: folder.path)
    #expect(moved.status == 0)
    try expectRefusal(["map", "--shard", "a.shard", "tree"], says: "doesn't fit 'tree'")
    try expectRefusal(["split", "--root", "tree", "tree/big"], says: "not a folder")
  }

  @Test func wrongUsageIsExplained() throws {
    try expectRefusal(["split"], says: "no PATH given")
    try expectRefusal(["split", "tree", "parts"], says: "one PATH at a time")
    try expectRefusal(["split", "--root", "tree", "parts"], says: "is not below")
    try expectRefusal(["split", "--root", "tree", "tree/none"], says: "No such file")
    try expectRefusal(["split", "--root", "tree", "tree/file 0"], says: "not a folder")
    try expectRefusal(["split", "--parts", "0", "tree"], says: "1 to 10000")
    try expectRefusal(
      ["split", "--parts", "2", "--root", "tree"], says: "the roots are the operands")
    try expectRefusal(["split", "--parts", "2", "-o", "tree", "tree"], says: "is not empty")
    try expectRefusal(["split", "--parts", "2", "-o", "tree/file 0", "tree"], says: "tree/file 0")
    try expectRefusal(
      ["split", "--parts", "2", "-o", "none/new", "tree"], says: "does not exist; make")
    try folder.makeLink("dangling", to: "none")
    try expectRefusal(
      ["split", "--parts", "2", "-o", "dangling", "tree"],
      says: "'dangling' is a symbolic link to a folder that does not exist")
  }

  @Test func whatCannotBeReadIsTold() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    let outcome = try Subprocess(
      (launcher + ["/bin/sh"])[0],
      (launcher.dropFirst() + (launcher.isEmpty ? [] : ["/bin/sh"]) + [
        "-c",
        """
        chmod 0 tree/many/7
        "$T" split -q --parts 3 -o shards tree
        for d in shards/*; do "$T" map -q --shard "$d" -o "parts/${d#shards/}" tree; done
        "$T" map -q -o whole tree; echo $?
        "$T" join -o joined parts/*; echo $?; cmp joined whole && echo same
        """,
      ]).map { Array($0.utf8) }, environment: ["T=\(Geomapper.path)"], in: folder.path
    ).finish()
    #expect(outcome.text == "1\n1\nsame\n")
    #expect(
      outcome.errorText
        == "geomapper: 1 entry could not be read, or vanished, when the parts were mapped\n")
  }
}
