import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `geomapper diff --card`.
@Suite struct CardTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for state in ["a", "b"] {
      try folder.makeFile("\(state)/same/f", "1")
      try folder.makeFile("\(state)/src/f", String(repeating: "x", count: state == "a" ? 100 : 900))
    }
    try folder.makeFile("a/gone/f", "gone")
  }

  private func diff(
    _ arguments: [String], environment: [String] = []
  ) throws -> Subprocess.Outcome {
    try Geomapper.start(["diff"] + arguments, in: folder.path, environment: environment).finish()
  }

  @Test func isWrittenInAdditionToTheSummary() throws {
    let plain = try diff(["--apparent", "a", "b"])
    let both = try diff(["--apparent", "--card", "c.svg", "--exit-code", "a", "b"])
    #expect(both.status == 5 && both.text == plain.text && both.error.isEmpty, "\(both.errorText)")
    let card = try folder.text("c.svg")
    #expect(card.hasPrefix("<?xml") && card.hasSuffix("</svg>\n"))
    #expect(card.contains("<title>b: a → b, +796 bytes, −1 file</title>"))
    for words in [">1. src<", ">+800 bytes · ×9<", ">2. gone<", ">−4 bytes · gone<"] {
      #expect(card.contains(words), "\(words)")
    }
    // With a map, too; the same card.
    let map = ["--apparent", "--format", "geojsonl", "a", "b"]
    let mapped = try diff(["--card", "d.svg"] + map)
    #expect(mapped.status == 0)
    #expect(try mapped.output == diff(map).output && folder.text("d.svg") == card)
    #expect(try diff(["--card", "b/e.svg", "-o", "b/e.csv", "a", "b"]).status == 0)
    #expect(try !folder.text("b/e.csv").contains("e.svg"), "the card is not part of the map")
  }

  @Test func optionsChangeTheCard() throws {
    let titled = ["--card", "c.svg", "--dark", "--title", "My <tree>", "a", "b"]
    #expect(try diff(titled).status == 0)
    let card = try folder.text("c.svg")
    #expect(card.contains(">My &lt;tree&gt;<") && card.contains("#1b2227"))
    #expect(
      try diff(["--card", "c.SVG", "a", "a"]).text == "old      a\nnew      a\nnothing differs\n")
    #expect(try folder.text("c.SVG").contains("NOTHING DIFFERS"))
  }

  @Test func wrongUsageIsRefused() throws {
    for (arguments, reason) in [
      (["--card", "c.jpg"], "--card: 'c.jpg' does not end in .svg or .png"),
      (["--card", "-"], "--card: '-' does not end in .svg or .png"),
      (
        ["--card", "none/c.svg"], "the parent folder of 'none/c.svg' does not exist; make it first"
      ),
      (["--dark"], "--dark needs --card FILE"), (["--title", "x"], "--title needs --card FILE"),
    ] {
      let outcome = try diff(arguments + ["a", "b"])
      #expect(outcome.status == 2 && outcome.text.isEmpty)
      #expect(outcome.errorText.contains(reason), "\(outcome.errorText)")
    }
    let none = try diff(["--card", "c.png", "a", "b"], environment: ["PATH=\(folder.path)"])
    #expect(none.status == 2 && none.errorText.contains("PNG needs rsvg-convert or Chromium"))
    #expect(try !folder.names().contains { $0.hasPrefix("c.") })
  }

  @Test func anUnreadableFolderIsReportedOnce() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.setMode("b/same", 0)
    defer { try? folder.setMode("b/same", 0o755) }
    let outcome = try Geomapper.run(
      ["diff", "--card", "c.svg", "a", "b"], in: folder.path, launcher: launcher)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.components(separatedBy: "b/same").count == 2, "\(outcome.errorText)")
    #expect(try folder.text("c.svg").hasSuffix("</svg>\n"))
  }

  @Test(
    .enabled(if: Interposition.isPossible, Interposition.need),
    arguments: [("write", ".tmp"), ("renameat", nil)])
  func failedWritesKeepTheOldCard(call: String, place: String?) throws {
    try folder.makeFile("c.svg", "old")
    let full = try Interposition(call, on: place).failing(ENOSPC)
      .run(["diff", "--card", "c.svg", "a", "b"], in: folder)
    #expect(full.status == 3 && full.errorText.contains("'c.svg': No space left"))
    #expect(try folder.text("c.svg") == "old")
    #expect(try folder.names() == ["a", "b", "c.svg"])
  }
}
