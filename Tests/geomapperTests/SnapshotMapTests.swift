import Foundation
import TestSupport
import Testing

/// A snapshot in place of the folders it was taken of.
@Suite struct SnapshotMapTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Subprocess.Outcome {
    try Geomapper.run(arguments, in: folder.path)
  }

  /// Expects that a snapshot gives the same output, messages and status as the disk.
  private func compare(
    _ roots: [String], taking: [String] = [], _ options: [String], launcher: [String] = []
  ) throws {
    let snapshot = try Geomapper.run(
      ["snapshot", "-q", "-o", "s"] + taking + roots, in: folder.path, launcher: launcher)
    let live = try Geomapper.run(
      ["map"] + taking + options + roots, in: folder.path, launcher: launcher)
    let kept = try run(["map"] + options + ["s"])
    #expect(snapshot.status == live.status)
    #expect(kept.status == live.status, "\(options)")
    #expect(kept.output == live.output, "\(options)")
    #expect(kept.errorText == live.errorText, "\(options)")
  }

  private static let options: [[String]] = [
    [], ["--threads", "1"], ["--threads", "5", "--format", "csv"], ["--format", "gpx"],
    ["--no-stat"], ["--links"], ["--totals"], ["--layout", "pinned", "--max-depth", "1"],
    ["--zoom", "6"], ["--bbox", "-90,-40,90,40"], ["--exclude", "**/*a*", "--size", "+0"],
    ["--name", "*b*", "--newer", "2001-01-01"], ["--type", "f", "--format", "geojsonl"],
  ]

  @Test func mapsEqualTheDisk() throws {
    for seed in UInt64(1)...3 {
      var generator = SeededGenerator(seed: seed)
      let tree = Tree.random(Tree.Shape(nodes: 300), roots: 1, using: &generator)
      let name = "tree\(seed)"
      try folder.makeFolder(name)
      try folder.make(tree.folders[0].contents, in: Array(name.utf8))
      try folder.makeFile("\(name)/size/large", String(repeating: "x", count: 10_000))
      try folder.makeFile("\(name)/size/old")
      try folder.setModified("\(name)/size/old", -3)
      try folder.makeLink("\(name)/link", to: "size")
      try folder.makePipe("\(name)/pipe")
      if seed > TestScale.cases(3) { continue }
      for options in Self.options { try compare([name], options) }
      // Excluded entries still count for the places of others.
      let some = ["--exclude", "**/*a*", "--size", "-2k"]
      for options in [[], ["--bbox", "-90,-40,90,40"], ["--bbox", "0,0,30,60", "--zoom", "5"]] {
        try compare([name], taking: some, options)
      }
    }
    try compare(["tree1", "two=tree2", "tree3"], [])
  }

  @Test func largeFoldersEqualTheDisk() throws {
    for number in 0..<3000 { try folder.makeFile("wide/in/file number \(number)") }
    for number in 0..<300 { try folder.makeFolder("wide/in/folder \(number)/x") }
    try compare(["wide"], [])
    try compare(["wide"], ["--threads", "1", "--name", "*7*"])
  }

  @Test func unreadableFoldersAreNamedAgain() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.makeFile("src/a/x")
    try folder.makeFile("src/b/y")
    try folder.makeFile("src/c/z")
    try folder.setMode("src/a", 0)
    // Its names can be listed, and nothing more.
    try folder.setMode("src/b", 0o444)
    try compare(["src"], [], launcher: launcher)
    try compare(["src"], ["--no-stat"], launcher: launcher)
  }

  @Test func linksAndSelectionsAreStored() throws {
    try folder.makeFile("src/a/x.o", "1")
    try folder.makeFile("src/a/y.c", "2")
    try folder.makeFile("src/gone/z.c", "3")
    try folder.makeLink("src/a/up", to: "..")
    try folder.makeLink("src/to", to: "a")
    try compare(["src"], taking: ["-L"], [])
    try compare(["src"], taking: ["-x"], [])
    // Excluded entries stay hidden, and move nothing.
    _ = try run(["snapshot", "-o", "s", "--exclude", "gone", "--exclude", "**/*.o", "src"])
    let live = try run([
      "map", "--format", "csv", "--exclude", "gone", "--exclude", "**/*.o", "src",
    ])
    #expect(try run(["map", "--format", "csv", "s"]).output == live.output)
    #expect(try run(["map", "s"]).text.contains(#""partial":true"#))
    for option in ["--gitignore", "-x", "-L"] {
      let refused = try run(["map", option, "s"])
      #expect(refused.status == 2)
      #expect(refused.errorText.contains("it applies when a snapshot is taken"))
    }
  }

  @Test func snapshotsMayHaveLabels() throws {
    try folder.makeFile("src/a")
    try folder.makeFile("dst/b")
    _ = try run(["snapshot", "-o", "s", "src"])
    _ = try run(["snapshot", "-o", "both", "src", "dst"])
    let kept = try run(["map", "--format", "csv", "old=s", "dst"])
    #expect(kept.output == (try run(["map", "--format", "csv", "old=src", "dst"]).output))
    #expect(try run(["map", "old=s", "new=s"]).status == 0)
    let refused = try run(["map", "old=both"])
    #expect(refused.status == 2)
    #expect(refused.errorText.contains("give it no LABEL"))
    #expect(try run(["map", "s", "src"]).errorText.contains("have the label 'src'"))
  }

  @Test func sumsAndVerificationEqualTheDisk() throws {
    try folder.makeFile("src/a/x.c", "12345")
    try folder.makeFile("src/b.h", "1")
    _ = try run(["snapshot", "-o", "s", "src"])
    #expect(try run(["stats", "s"]).output == run(["stats", "src"]).output)
    let verified = try run(["verify", "s"])
    #expect(verified.status == 0, "\(verified.errorText)")
    // A snapshot of the snapshot.
    _ = try run(["snapshot", "-o", "t", "s"])
    #expect(try run(["map", "t"]).output == run(["map", "src"]).output)
  }

  @Test func damageIsNamedAndTheRestIsMapped() throws {
    for part in 0..<4 {
      for number in 0..<1500 {
        try folder.makeFile("src/part \(part)/in/some file of a long name \(number * 7919)")
      }
    }
    _ = try run(["snapshot", "-o", "s", "src"])
    var bytes = try folder.read("s")
    bytes[bytes.count / 2] ^= 1
    try folder.makeFile(bytes: Array("s".utf8), bytes)
    let outcome = try run(["map", "s"])
    #expect(outcome.status == 1)
    let lines = outcome.errorText.split(separator: "\n")
    #expect((1...3).contains(lines.count))
    #expect(lines.allSatisfy { $0.hasSuffix(": its part of the snapshot is damaged") })
    let map = try WrittenMap(outcome.output)
    #expect(map.features.count > 1400)
    #expect(map.summary["unreadable"] == lines.count)
  }
}
