import TestSupport
import Testing

/// Former names of options keep their effect; only terminals show the new names.
@Suite struct OldNameTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("land/a/file", "1")
    try folder.makeFile("land/b/file", "12")
    try folder.makeFile("other/a/file", "123")
    let split = try Geomapper.run(
      ["split", "--root", "land", "land/a", "-o", "a.shard"], in: folder.path)
    #expect(split.status == 0, "\(split.errorText)")
  }

  /// The text without the reference time of ages.
  private func timeless(_ text: String) -> String {
    text.replacing(/"now":[0-9]+/, with: "")
  }

  /// The standard error shown on a terminal.
  private func shown(_ arguments: [String]) throws -> String {
    let terminal = try PseudoTerminal()
    _ = try Geomapper.start(
      arguments, in: folder.path, error: .descriptor(terminal.terminal)
    ).finish()
    return terminal.finish()
  }

  @Test(arguments: [
    ("stats --top 1 land", "stats --limit 1 land", "'--top' is now '--limit'"),
    ("stats --json land", "stats --format json land", "'--json' is now '--format json'"),
    ("diff --top 1 land other", "diff --limit 1 land other", "'--top' is now '--limit'"),
    (
      "draw --size=120x90 --size +1 land", "draw --sheet=120x90 --size +1 land",
      "'--size' is now '--sheet'"
    ),
    ("deed --root land land/a", "split --root land land/a", "'deed' is now 'split'"),
    ("split --split 2 land", "split --parts 2 land", "'--split' is now '--parts'"),
    (
      "map --deed a.shard land", "map --shard a.shard land", "'--deed' is now '--shard'"
    ),
  ])
  func oldNamesHaveTheSameEffect(old: String, new: String, note: String) throws {
    let (old, new) = (old.split(separator: " ").map(String.init), new.split(separator: " "))
    let outcome = try Geomapper.run(old, in: folder.path)
    let expected = try Geomapper.run(new.map(String.init), in: folder.path)
    #expect(expected.status == 0 && !expected.output.isEmpty, "\(expected.errorText)")
    #expect(outcome.status == 0 && timeless(outcome.text) == timeless(expected.text))
    // Programs get no additional line.
    #expect(outcome.errorText == expected.errorText)
    let lines = try shown(old).split(separator: "\r\n").filter { $0.contains("is now") }
    #expect(lines == ["geomapper: \(note)"])
  }

  @Test func aNameIsSaidOnce() throws {
    let text = try shown(["stats", "--top", "1", "--top=2", "--json", "land"])
    #expect(text.split(separator: "\r\n").count == 2, "\(text)")
    #expect(try shown(["stats", "--limit", "1", "land"]).isEmpty)
    #expect(try shown(["stats", "-q", "--top", "1", "land"]).isEmpty)
  }

  /// Whether a help text lists an option.
  private func has(_ option: String, _ text: String) -> Bool {
    text.split(separator: "\n").contains {
      $0.hasPrefix("      \(option)") || $0.hasPrefix("  \(option)")
    }
  }

  @Test func helpAndSuggestionsHaveNewNamesAlone() throws {
    for (command, old) in [("stats", "--top"), ("stats", "--json"), ("diff", "--top")] {
      #expect(try !has(old, Geomapper.run([command, "--help"]).text), "\(command)")
      #expect(try !Geomapper.run([command, "-h"]).text.contains(old), "\(command)")
    }
    for kind in ["bash", "zsh", "fish", "man"] {
      let text = try Geomapper.run(["--generate", kind]).text.replacing("\\-", with: "-")
      #expect(!text.contains("--top") && !text.contains("-l top"), "\(kind)")
    }
    let outcome = try Geomapper.run(["stats", "--tpo", "1"])
    #expect(outcome.status == 2 && !outcome.errorText.contains("--top"))
    #expect(try Geomapper.run(["stats", "--jsn"]).errorText.contains("--json") == false)
  }

  @Test func aFormerCommandIsAccepted() throws {
    let outcome = try Geomapper.run(
      ["deed", "-q", "--split", "2", "-o", "deeds", "land"], in: folder.path)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    // Scripts rely on the names of the files.
    #expect(try folder.names(in: "deeds").allSatisfy { $0.hasSuffix(".deed") })
    #expect(
      try shown(["deed", "--split", "2", "land"]).split(separator: "\r\n").filter {
        $0.contains("is now")
      } == ["geomapper: 'deed' is now 'split'", "geomapper: '--split' is now '--parts'"])
    #expect(
      try Geomapper.run(["help", "deed"]).text == Geomapper.run(["help", "split"]).text)
    for text in try [["--help"], ["-h"], ["deedd"], ["--generate", "bash"]].map({
      try Geomapper.run($0).text + Geomapper.run($0).errorText
    }) { #expect(!text.contains("deed ") && !text.contains("'deed'")) }
  }

  /// Options that are the default now are accepted, and hidden.
  @Test func whatIsTheDefaultNowIsHidden() throws {
    #expect(try !has("--complete", Geomapper.run(["map", "--help"]).text))
    #expect(try !Geomapper.run(["map", "--complet"]).errorText.contains("'--complete'"))
    for kind in ["bash", "zsh", "fish", "man"] {
      let text = try Geomapper.run(["--generate", kind]).text.replacing("\\-", with: "-")
      #expect(!text.contains("--complete ") && !text.contains("-l complete "), "\(kind)")
    }
    let maps = try ["--complete", "-q"].map {
      try Geomapper.run(
        ["map", "--format", "pmtiles", "--max-zoom", "3", $0, "land"], in: folder.path)
    }
    #expect(maps[0].status == 0 && maps[0].output == maps[1].output && !maps[0].output.isEmpty)
  }

  @Test(arguments: ["draw", "history"])
  func noHelpHasAnOptionTwice(command: String) throws {
    let lines = try Geomapper.run([command, "--help"]).text.split(separator: "\n")
    let options = lines.filter { $0.hasPrefix("      --") || $0.hasPrefix("  -") }
      .compactMap { $0.split(separator: " ").first { $0.hasPrefix("--") } }
    #expect(Set(options).count == options.count, "\(options)")
    #expect(options.contains("--sheet"))
  }

  @Test func whatIsNoValueIsSaid() throws {
    for (arguments, message) in [
      ("stats --json=1 land", "--json takes no value"), ("stats --top", "--top needs a value"),
      ("draw --size A7 land", "--size: 'A7' is not a size"),
      ("draw --sheet A7 land", "A3, A2, or WxH"),
      ("draw --size", "--size needs a value"),
    ] {
      let outcome = try Geomapper.run(
        arguments.split(separator: " ").map(String.init), in: folder.path)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }
}
