import TestSupport
import Testing

/// Deeds, their parts and the map that these come to, by the real program.
@Suite struct DeedTests {
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
      "$T" deed -q --split 3 -o deeds tree || exit 9
      for d in deeds/*; do "$T" map \(options) --deed "$d" -o "parts/${d#deeds/}" tree || exit 8; done
      """, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    return try folder.names(in: "parts").map { "parts/\($0)" }
  }

  @Test func partsMadeTwoAtATimeMakeTheMap() throws {
    let script = """
      "$T" deed --split 4 -o deeds tree
      ls deeds | xargs -P2 -I{} "$T" map --deed deeds/{} -o parts/{} tree
      "$T" join -o joined parts/* && "$T" map -o whole tree && cmp joined whole
      "$T" join parts/* | cmp - whole
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.isEmpty)
    let report = "4 deeds and the rest, about 158 entries; the largest share"
    #expect(outcome.errorText.contains(report))
    #expect(try folder.names(in: "deeds") == ["0.deed", "1.deed", "2.deed", "3.deed", "4.deed"])
  }

  @Test(arguments: [
    "--format csv --zoom 8", "--tippecanoe --no-stat", "--links", "--layout pinned",
  ])
  func optionsAreTheSame(options: String) throws {
    let isLayout = options.contains("layout")
    let script = """
      "$T" deed -q \(isLayout ? options : "") --split 3 -o deeds tree
      for d in deeds/*; do
        "$T" map \(isLayout ? "" : options) --deed "$d" -o "parts/${d#deeds/}" tree
      done
      "$T" join parts/* > joined && "$T" map \(options) tree | cmp - joined
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func deedOfAFolderIsEnoughToMapIt() throws {
    let script = """
      "$T" deed --root tree tree/big -o big.deed && "$T" map --deed big.deed -o part tree
      "$T" map --format geojsonl --deed - tree < big.deed | sed '1d;$d' > lines
      "$T" map --format geojsonl tree | grep '"path":"tree/big[/"]' | cmp - lines
      cd tree && "$T" deed big | cmp - ../big.deed
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.isEmpty)
    #expect(
      outcome.errorText
        == "geomapper: a deed of 'tree/big' in the map of the current folder; for another, give "
        + "--root\n")
    try expectRefusal(["join", "part"], says: "part of 'tree/big' alone")
  }

  @Test func theFolderMayHaveAnotherName() throws {
    let script = """
      "$T" deed -q --split 3 -o deeds tree && "$T" map -o whole tree && mv tree elsewhere
      for d in deeds/*; do "$T" map --deed "$d" -o "parts/${d#deeds/}" elsewhere; done
      "$T" join parts/* | cmp - whole
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func severalRootsAreOneWorld() throws {
    let script = """
      "$T" deed -q --split 3 -o deeds b=tree/big tree/many
      for d in deeds/*; do "$T" map --deed "$d" -o "parts/${d#deeds/}" b=tree/big tree/many; done
      "$T" join parts/* > joined; "$T" map b=tree/big tree/many | cmp - joined
      """
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    try expectRefusal(
      ["map", "--deed", "deeds/0.deed", "tree/many"], says: "say where that is, as b=DIR")
    try expectRefusal(
      ["map", "--deed", "deeds/0.deed", "tree/big", "tree/many"], says: "no root 'big'")
  }

  @Test func partsThatDoNotBelongTogetherAreRefused() throws {
    let parts = try makeParts()
    try #require(parts.count == 4)
    try expectRefusal(["join"] + parts.dropLast(), says: "1 of 4 parts missing", "deeds 3")
    try expectRefusal(["join"] + parts + [parts[1]], says: "are the same part")
    try expectRefusal(["join"] + parts.dropLast() + ["tree/file 0"], says: "no part of a map")
    try expectRefusal(["join"] + parts.dropLast() + ["nowhere"], says: "'nowhere'", "No such file")
    try expectRefusal(["join"] + parts.dropLast() + ["tree"], says: "no regular file")
    try expectRefusal(["join"], says: "no parts to join")
    #expect(try run("deed", "-q", "--split", "2", "-o", "other", "tree").status == 0)
    #expect(try run("map", "--deed", "other/2.deed", "-o", "other/2", "tree").status == 0)
    try expectRefusal(["join"] + parts.dropLast() + ["other/2"], says: "different splits")
    #expect(
      try run("map", "--zoom", "4", "--deed", "deeds/3.deed", "-o", parts[3], "tree").status == 0)
    try expectRefusal(["join"] + parts, says: "different options")
  }

  @Test func changedPartsAreRefusedAndNothingIsWritten() throws {
    let parts = try makeParts("--format csv")
    let part = try #require(parts.first { try folder.text($0).contains("big/file 1,") })
    let text = try folder.text(part)
    try folder.makeFile(part, text.replacing("big/file 1,", with: "big/file 2,"))
    try folder.makeFile("joined", "older")
    try expectRefusal(["join"] + parts, says: "its check sum is wrong")
    try expectRefusal(["join", "-o", "joined"] + parts, says: "its check sum is wrong")
    #expect(try folder.text("joined") == "older")
    try folder.makeFile(part, String(text.dropLast(30)))
    try expectRefusal(["join"] + parts, says: part)
  }

  @Test func changedDeedsAreRefused() throws {
    #expect(try run("deed", "-q", "--root", "tree", "tree/big", "-o", "a.deed").status == 0)
    let text = try folder.text("a.deed")
    try folder.makeFile("b.deed", text.replacing("\"digits\":6", with: "\"digits\":7"))
    try expectRefusal(["map", "--deed", "b.deed", "tree"], says: "check sum is wrong")
    try folder.makeFile("b.deed", String(text.dropLast(9)))
    try expectRefusal(["map", "--deed", "b.deed", "tree"], says: "not complete")
    try expectRefusal(["map", "--deed", "tree/file 0", "tree"], says: "is no deed")
    try expectRefusal(["map", "--deed", "nowhere", "tree"], says: "can't read the deed 'nowhere'")
    try expectRefusal(
      ["map", "--deed", "a.deed", "--layout", "pinned", "tree"], says: "the deed says the layout")
    for option in ["-x", "-L", "--totals"] {
      try expectRefusal(
        ["map", option, "--deed", "a.deed", "tree"], says: "it needs the whole tree")
    }
  }

  @Test func deedsThatDoNotFitAreRefused() throws {
    _ = try makeParts()
    try expectRefusal(["map", "--deed", "deeds/1.deed", "parts"], says: "does not fit 'parts'")
    #expect(try run("deed", "-q", "--root", "tree", "tree/many", "-o", "a.deed").status == 0)
    try folder.makeFolder("tree/many/new")
    try expectRefusal(["map", "--deed", "a.deed", "tree"], says: "'tree/many' is not the folder")
    // What lies on the way to a part says where the part is.
    try folder.makeFolder("tree/new")
    try expectRefusal(["map", "--deed", "deeds/0.deed", "-o", "x", "tree"], says: "does not fit")
    #expect(try !folder.names().contains("x"))
  }

  @Test func linksAreNotFollowed() throws {
    #expect(try run("deed", "-q", "--root", "tree", "tree/big", "-o", "a.deed").status == 0)
    let moved = try Geomapper.shell("mv tree/big away && ln -s ../away tree/big", in: folder.path)
    #expect(moved.status == 0)
    try expectRefusal(["map", "--deed", "a.deed", "tree"], says: "does not fit 'tree'")
    try expectRefusal(["deed", "--root", "tree", "tree/big"], says: "no folder")
  }

  @Test func wrongUsageIsExplained() throws {
    try expectRefusal(["deed"], says: "there is no PATH")
    try expectRefusal(["deed", "tree", "parts"], says: "one PATH at a time")
    try expectRefusal(["deed", "--root", "tree", "parts"], says: "is not below")
    try expectRefusal(["deed", "--root", "tree", "tree/none"], says: "No such file")
    try expectRefusal(["deed", "--root", "tree", "tree/file 0"], says: "it is no folder")
    try expectRefusal(["deed", "--split", "0", "tree"], says: "1 to 10000")
    try expectRefusal(
      ["deed", "--split", "2", "--root", "tree"], says: "the roots are the operands")
    try expectRefusal(["deed", "--split", "2", "-o", "tree", "tree"], says: "is not empty")
    try expectRefusal(["deed", "--split", "2", "-o", "tree/file 0", "tree"], says: "tree/file 0")
    try expectRefusal(
      ["deed", "--split", "2", "-o", "none/new", "tree"], says: "does not exist; make")
    try folder.makeLink("dangling", to: "none")
    try expectRefusal(
      ["deed", "--split", "2", "-o", "dangling", "tree"],
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
        "$T" deed -q --split 3 -o deeds tree
        for d in deeds/*; do "$T" map -q --deed "$d" -o "parts/${d#deeds/}" tree; done
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
