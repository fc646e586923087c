import Testing

@Suite struct HelpTests {
  @Test func versionNamesTheProjection() throws {
    for option in ["--version", "-V"] {
      let outcome = try Geomapper.run([option])
      #expect(outcome.status == 0)
      let words = outcome.text.split(separator: " ")
      #expect(words.first == "geomapper")
      #expect(outcome.text.hasSuffix("(projection 2)\n"))
      #expect(outcome.error.isEmpty)
    }
  }

  /// The commands in the help.
  private static func commands() throws -> [String] {
    try Geomapper.run(["--help"]).text.split(separator: "\nHelp:\n")[0].split(separator: "\n")
      .filter {
        $0.hasPrefix("  ") && !$0.hasPrefix("   ")
      }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test(arguments: [
    ["--help"], ["help"], ["help", "map"], ["map", "--help"], ["help", "split"], ["help", "join"],
    ["find", "--help"], ["stats", "--help"], ["help", "snapshot"],
  ])
  func helpFitsInto80Columns(arguments: [String]) throws {
    let outcome = try Geomapper.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    #expect(outcome.text.contains("Usage: geomapper"))
    #expect(outcome.text.contains("Examples:"))
    for line in outcome.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    for line in outcome.text.split(separator: "\n") { #expect(!line.hasSuffix(" "), "\(line)") }
  }

  @Test func shortHelpFitsAScreen() throws {
    let commands = try Self.commands()
    #expect(commands.contains("map") && commands.contains("find"))
    for arguments in [["-h"], ["map", "-qh"]] + commands.map({ [$0, "-h"] }) {
      let outcome = try Geomapper.run(arguments)
      #expect(outcome.status == 0 && outcome.error.isEmpty)
      #expect(outcome.text.contains("Usage: geomapper"))
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 24, "\(arguments): \(lines.count)")
      for line in lines { #expect(line.count <= 80 && !line.hasSuffix(" "), "\(line)") }
      let options = lines.filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }
      #expect(arguments == ["-h"] || 1...15 ~= options.count, "\(arguments): \(options.count)")
      // Each option has one line, with a description.
      for option in options { #expect(option.split(separator: "  ").count >= 2, "\(option)") }
    }
  }

  /// Each command is in one of six groups, with a verb and at most eight words.
  @Test func commandsAreInGroups() throws {
    let lines = try Geomapper.run(["-h"]).text.split(separator: "\n").dropFirst().dropLast()
    #expect(lines.filter { !$0.hasPrefix(" ") }.count == 6)
    #expect(try lines.count == Self.commands().count)
    for line in lines {
      let words = line.dropFirst(25).split(separator: " ")
      #expect(2...8 ~= words.count && words[0].first?.isUppercase == true, "\(line)")
    }
  }

  @Test func wordsAreExplained() throws {
    let text = try Geomapper.run(["help", "words"]).text
    for word in [
      "land ", "settled ", "pinned ", "projection 2 ", "cartouche ", "ruin ", "snapshot ",
    ] {
      #expect(text.contains("\n  \(word)"), "\(word)")
    }
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func helpNamesOnlyItsCommand() throws {
    for command in try Self.commands() {
      let text = try Geomapper.run([command, "--help"]).text
      let examples = try #require(text.split(separator: "Examples:\n").last)
      #expect(examples.hasPrefix("  geomapper \(command) ") || command == "map", "\(command)")
      #expect(text.contains("Exit status:"))
      #expect(text.contains("Everything was mapped") == (command == "map"), "\(command)")
    }
  }

  @Test func helpIsTheSameByAnyOption() throws {
    let text = try Geomapper.run(["help", "map"]).text
    #expect(try Geomapper.run(["map", "--help"]).text == text)
    #expect(try Geomapper.run(["help", "help"]).text == Geomapper.run(["help"]).text)
    // Other errors don't matter.
    #expect(try Geomapper.run(["map", "nowhere", "--help", "--nonsense"]).text == text)
    let brief = try Geomapper.run(["map", "-h"]).text
    #expect(try Geomapper.run(["map", "nowhere", "-h", "--nonsense"]).text == brief)
    #expect(brief != text)
  }

  @Test func helpNamesAllOptions() throws {
    let text = try Geomapper.run(["help", "map"]).text
    for option in [
      "-o, --output FILE", "--format FORMAT", "--layout LAYOUT", "--zoom Z", "--bbox W,S,E,N",
      "--max-depth N", "--threads N", "--no-stat", "--tippecanoe", "--progress WHEN",
      "-q, --quiet", "-h, --help", "    --exclude GLOB", "    --exclude-from FILE",
      "    --include GLOB", "    --no-hidden", "    --gitignore", "    --name GLOB",
      "    --type T,...", "    --size [+-=]N", "    --newer WHEN", "    --older WHEN",
      "    --files-from LIST", "    --list-format FORMAT", "-0, --null",
    ] {
      #expect(text.contains("  \(option)"), "\(option)")
    }
  }

  /// What all commands share is explained once; options that many tasks need are in `-h`.
  @Test func topicsExplainWhatCommandsShare() throws {
    for (topic, words) in [
      ("selection", ["--exclude-from FILE", "the last one", "--redact-key", "1.5G"]),
      ("sources", ["--list-format", "kept:WHEN"]), ("output", [".geojsonl", "Exit status", "-q"]),
      ("time", ["yesterday", "3mo", "@1769860800"]),
    ] {
      let text = try Geomapper.run(["help", topic]).text
      for word in words { #expect(text.contains(word), "\(topic): \(word)") }
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
    let map = try Geomapper.run(["map", "-h"]).text
    for option in ["--no-hidden", "--size", "--newer", "--files-from", "--tippecanoe"] {
      #expect(map.contains("\(option) "), "\(option)")
    }
    #expect(try Geomapper.run(["draw", "-h"]).text.contains("--dark "))
    #expect(try Geomapper.run(["map", "--help"]).text.contains("geomapper help selection"))
  }

  @Test func unknownTopicIsWrongUsage() throws {
    let outcome = try Geomapper.run(["help", "mpa"])
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("did you mean 'map'?"))
  }

  @Test(arguments: ["--help", "--version"])
  func fullOutputIsAnError(option: String) throws {
    let outcome = try Geomapper.shell("\"$T\" \(option) > /dev/full", in: "/")
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("No space left on device"))
  }

  @Test(arguments: ["--help", "--version"])
  func closedOutputIsAnError(option: String) throws {
    let outcome = try Geomapper.shell("\"$T\" \(option) >&-", in: "/")
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("standard output is closed"))
  }
}
