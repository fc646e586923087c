import Testing

@Suite struct HelpTests {
  @Test func versionNamesTheProjection() throws {
    for option in ["--version", "-V"] {
      let outcome = try Geomapper.run([option])
      #expect(outcome.status == 0)
      let words = outcome.text.split(separator: " ")
      #expect(words.first == "geomapper")
      #expect(outcome.text.hasSuffix("(projection 1)\n"))
      #expect(outcome.error.isEmpty)
    }
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "map"], ["map", "--help"], ["map", "-qh"],
    ["help", "deed"], ["help", "join"], ["help", "snapshot"],
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

  @Test func helpIsOneTextHoweverItIsAskedFor() throws {
    let text = try Geomapper.run(["help", "map"]).text
    #expect(try Geomapper.run(["map", "--help"]).text == text)
    #expect(try Geomapper.run(["help", "help"]).text == Geomapper.run(["help"]).text)
    // Whatever is wrong elsewhere.
    #expect(try Geomapper.run(["map", "nowhere", "-h", "--nonsense"]).text == text)
  }

  @Test func helpNamesAllOptions() throws {
    let text = try Geomapper.run(["help", "map"]).text
    for option in [
      "-o, --output FILE", "--format FORMAT", "--layout LAYOUT", "--zoom Z", "--bbox W,S,E,N",
      "--max-depth N", "--threads N", "--no-stat", "--tippecanoe", "--progress WHEN",
      "-q, --quiet", "-h, --help", "    --exclude GLOB", "    --exclude-from FILE",
      "    --include GLOB", "    --no-hidden", "    --gitignore", "    --name GLOB",
      "    --type T,...", "    --size [+-=]N", "    --newer WHEN", "    --older WHEN",
      "    --deed FILE",
      "    --files-from LIST", "    --list-format FORMAT", "-0, --null",
    ] {
      #expect(text.contains("  \(option)"), "\(option)")
    }
  }

  @Test func noArgumentsIsWrongUsage() throws {
    let outcome = try Geomapper.run([])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorText.contains("Usage: geomapper COMMAND"))
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
