import TestSupport
import Testing

/// Lists of folders, the snapshots of parts, and the joined snapshot, with the real program.
@Suite struct SplitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, files) in [("tree", 1), ("tree/big", 60), ("tree/big/deep", 30), ("tree/small", 2)] {
      try folder.makeFolder(name)
      for number in 0..<files { try folder.makeFile("\(name)/file \(number)", "x") }
    }
    for number in 0..<30 { try folder.makeFile("tree/many/\(number)/a") }
    try folder.makeFile("tree/.gitignore", "small\n")
    try folder.makeFile("tree/.git/HEAD", "ref: refs/heads/main\n")
  }

  private func expectRefusal(
    _ arguments: [String], says parts: String..., location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try Geomapper.run(arguments, in: folder.path)
    #expect(outcome.status == 2, sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    for part in parts {
      #expect(outcome.errorText.contains(part), "\(outcome.errorText)", sourceLocation: location)
    }
  }

  /// Splits the tree and reads all parts.
  private func makeParts(of operands: String = "tree", _ options: String = "") throws -> [String] {
    let outcome = try Geomapper.shell(
      """
      "$T" split -q --parts 3 \(operands) || exit 9
      for l in parts/*.list; do "$T" snapshot -q \(options) --only "$l" -o "$l.geosnap" \(operands); done
      """, in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    return try folder.names(in: "parts").filter { $0.hasSuffix(".geosnap") }.map { "parts/\($0)" }
  }

  /// Compares a joined snapshot with that of one run, but for their times and checksums.
  private func expectWhole(
    of operands: String, _ options: String = "", location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try Geomapper.shell(
      """
      "$T" join -o joined parts/*.geosnap && "$T" snapshot -q \(options) -o whole \(operands)
      "$T" snapshot --info joined | grep -vE '^(snapshot|taken)' > a; "$T" snapshot --info whole | grep -vE '^(snapshot|taken)' > b
      cmp a b || { diff a b; exit 7; }
      # The time and the checksum of the header, then the checksums of the trailer.
      n=$(($(wc -c < whole) - 16)); cut() { head -c $n "$1" | tail -c +29; }
      h=$(od -An -tu4 -j12 -N4 whole | tr -d ' '); cut joined > a; cut whole > b
      cmp -l a b | awk -v h=$h '$1 + 28 <= 16 + h || $1 + 28 > 20 + h {exit 1}'
      """, in: folder.path)
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errorText)", sourceLocation: location)
  }

  @Test(arguments: [
    "", "--exclude 'file 1*'", "--gitignore", "--type f", "--size +0", "--one-file-system",
  ])
  func joinedPartsEqualOneRun(options: String) throws {
    #expect(try makeParts(of: "tree", options).count == 4)
    try expectWhole(of: "tree", options)
  }

  @Test func aSnapshotOfASnapshotHasItsOptionsOnce() throws {
    let outcome = try Geomapper.shell(
      """
      "$T" snapshot --exclude x -o one b=tree/big tree/many && "$T" snapshot -o two one
      "$T" snapshot --info two | grep -c exclude
      """, in: folder.path)
    #expect(outcome.text == "1\n")
  }

  /// Lists are for a disk, so split doesn't have their options.
  @Test func splitTakesNoListOfPaths() throws {
    let help = try Geomapper.run(["split", "--help"], in: folder.path).text
    for option in ["--files-from", "--list-format", "--null"] {
      #expect(!help.contains(option))
      try expectRefusal(
        ["split", "--parts", "2", option, "tree"], says: "unknown option '\(option)'")
    }
  }

  @Test func severalRootsAreOneTree() throws {
    _ = try makeParts(of: "b=tree/big tree/many")
    try expectWhole(of: "b=tree/big tree/many")
    try expectRefusal(
      ["snapshot", "--only", "parts/0.list", "-o", "x", "tree/many"], says: "as b=DIR")
  }

  @Test func theFolderMayHaveAnotherName() throws {
    let outcome = try Geomapper.shell(
      """
      "$T" split -q --parts 3 tree && mv tree other
      for l in parts/*.list; do "$T" snapshot --only "$l" -o "$l.geosnap" other; done
      "$T" join parts/*.geosnap > joined; "$T" map -q joined > a; "$T" map -q tree=other | cmp - a
      """, in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
  }

  @Test func singlePartsHaveThePlacesOfTheWholeMap() throws {
    let outcome = try Geomapper.shell(
      """
      printf 'tree/big/deep\\0' | "$T" snapshot --only - -o deep.geosnap tree
      "$T" map --format geojsonl deep.geosnap | grep '"path":"tree/big/deep' > a
      "$T" map --format geojsonl tree | grep '"path":"tree/big/deep' | cmp - a && wc -l < a
      """, in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.text.contains("31"))
  }

  @Test func foreignPartsAreRefused() throws {
    let parts = try makeParts()
    try #require(parts.count == 4)
    try folder.makeFile("joined", "older")
    try expectRefusal(["join", "-o", "joined"] + parts.dropLast(), says: "no part has 'tree/")
    try expectRefusal(["join", "-o", "joined"] + parts.dropFirst(), says: "no part has 'tree'")
    try expectRefusal(
      ["join", "-o", "joined"] + parts + [parts[1]], says: "both have", "'\(parts[1])'")
    try expectRefusal(["join", "-o", "joined", "tree/file 0"], says: "not a snapshot")
    try expectRefusal(["join"], says: "no parts given")
    let outcome = try Geomapper.shell(
      """
      "$T" snapshot -q -o whole tree; "$T" snapshot -q --exclude x --only parts/3.list -o other tree
      """, in: folder.path)
    #expect(outcome.status == 0)
    try expectRefusal(["join", "-o", "joined", "whole"], says: "'whole' is not a part")
    try expectRefusal(
      ["join", "-o", "joined"] + parts.dropLast() + ["other"], says: "different trees", "options")
    #expect(try folder.text("joined") == "older")
  }

  @Test func missingPartsAreUnreadableOnRequest() throws {
    let parts = try makeParts()
    let outcome = try Geomapper.run(
      ["join", "--incomplete", "-o", "joined"] + parts.dropLast(), in: folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("no part has it"))
    let map = try Geomapper.run(["map", "--format", "csv", "joined"], in: folder.path)
    #expect(map.status == 1)
    let rest = try Geomapper.run(
      ["join", "--incomplete", "-o", "joined"] + parts.dropFirst(), in: folder.path)
    #expect(rest.status == 1)
    #expect(rest.errorText.contains("tree: no part has it"))
  }

  @Test func listsAreChecked() throws {
    try folder.makeFile("empty.list", "")
    try folder.makeFile("text.list", "tree\n")
    try folder.makeFile("dots.list", "tree/../etc\0")
    for (name, words) in [
      ("empty", "names no folder"), ("text", "not a list"), ("dots", "'tree/../etc'"),
    ] {
      try expectRefusal(["snapshot", "--only", "\(name).list", "-o", "x", "tree"], says: words)
    }
    try folder.makeFile("gone.list", "tree/gone\0tree/small\0")
    let outcome = try Geomapper.run(
      ["snapshot", "--only", "gone.list", "-o", "x", "tree"], in: folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("'tree/gone' is not there"))
    try expectRefusal(["map", "--shard", "gone.list", "tree"], says: "snapshot --only")
    try expectRefusal(["split", "tree"], says: "--parts N")
    try folder.makeFile("parts/note")
    try expectRefusal(["split", "--parts", "2", "tree"], says: "'parts' is not empty")
  }
}
