import Foundation
import TestSupport
import Testing

/// Generated files for other programs.
@Suite struct GenerateTests {
  private static func find(_ program: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func generate(_ kind: String) throws -> String {
    let outcome = try Geomapper.run(["--generate", kind])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(try Geomapper.run(["--generate=\(kind)"]).text == outcome.text)
    return outcome.text
  }

  /// The commands and options that `--help` lists, asked once for all tests.
  private static let listed = Result { try vocabulary() }

  private static func vocabulary() throws -> (commands: [String], options: [String: [String]]) {
    let help = try Geomapper.run(["--help"]).text
    let section = help.split(separator: "\nHelp:\n")[0]
    let commands = section.split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.hasPrefix("   ")
    }
    .compactMap { $0.split(separator: " ").first.map(String.init) }
    var options: [String: [String]] = [:]
    for command in commands where command != "help" {
      let lines = try Geomapper.run([command, "--help"]).text.split(separator: "\n")
      options[command] = lines.compactMap { line in
        guard line.hasPrefix("  -") || line.hasPrefix("      --") else { return nil }
        return line.split(separator: " ").first { $0.hasPrefix("--") }.map(String.init)
      }
    }
    return (commands, options)
  }

  @Test(arguments: ["man", "bash", "zsh", "fish"])
  func namesEveryOptionOfTheHelp(kind: String) throws {
    let text = try generate(kind).replacing("\\-", with: "-")
    let (commands, options) = try Self.listed.get()
    #expect(commands.contains("map") && options["map", default: []].contains("--output"))
    for command in commands { #expect(text.contains(command)) }
    for (command, options) in options {
      let text = kind == "man" ? try generate("man-\(command)").replacing("\\-", with: "-") : text
      for option in options {
        let name = kind == "fish" ? "-l \(option.dropFirst(2))" : option
        #expect(text.contains(name), "\(command) \(option)")
      }
    }
  }

  @Test func unknownKindsAreRefused() throws {
    for (arguments, message) in [
      (["--generate"], "--generate needs a value"),
      (["--generate", "tcsh"], "'tcsh' is not a kind"),
      (["--generate", "fihs"], "did you mean 'fish'?"), (["--generate="], "'' is not a kind"),
      (["--generrate", "man"], "did you mean '--generate'?"),
    ] {
      let outcome = try Geomapper.run(arguments)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }

  /// The names of all manual pages.
  private func pages() throws -> [String] {
    try ["man"] + Self.listed.get().commands.map { "man-\($0)" }
  }

  @Test func thereIsAManualPageForEachCommand() throws {
    let list = try generate("man").replacing("\\-", with: "-")
    for page in try pages() {
      let text = try generate(page)
      for heading in [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES",
        "SEE ALSO",
      ] {
        #expect(text.contains(".SH \(heading)\n"), "\(page): \(heading)")
      }
      #expect(page == "man" || list.contains("geomapper\(page.dropFirst(3))"), "\(page)")
    }
    #expect(list.contains(".SH FILES\n") && list.contains(".SH WORDS\n"))
  }

  @Test(.enabled(if: find("groff") != nil, "groff is not installed"))
  func manualPagesAreWellFormed() throws {
    let folder = try TemporaryFolder()
    for page in try pages() { try folder.makeFile(page, generate(page)) }
    let groff = try #require(Self.find("groff"))
    let files = try pages().map { folder($0) }
    let outcome = try Subprocess.run(groff, ["-man", "-ww", "-Tascii", "-P-cbou"] + files)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    #expect(outcome.text.contains("-o, --output FILE"))
  }

  @Test(.enabled(if: find("mandoc") != nil, "mandoc is not installed"))
  func manualPagesPassTheLinter() throws {
    let folder = try TemporaryFolder()
    for page in try pages() { try folder.makeFile(page, generate(page)) }
    let outcome = try Subprocess.run(
      try #require(Self.find("mandoc")), ["-Tlint"] + pages().map { folder($0) })
    #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.text)")
  }

  @Test(
    .enabled(if: find("zsh") != nil && find("fish") != nil, "zsh or fish is not installed"),
    arguments: ["zsh", "fish"])
  func shellsParseTheirCompletions(shell: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("completion", generate(shell))
    let outcome = try Subprocess.run(
      try #require(Self.find(shell)), ["-n", folder("completion")])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
  }

  @Test(.enabled(if: find("fish") != nil, "fish is not installed"))
  func fishCompletes() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("completion.fish", generate("fish"))
    let outcome = try Subprocess.run(
      try #require(Self.find("fish")),
      [
        "--no-config", "-c",
        "source \(folder("completion.fish")); complete -C 'geomapper map --layout p'; "
          + "complete -C 'geomapper ma'; complete -C 'geomapper map --format=par'; "
          + "complete -C 'geomapper track conv'; complete -C 'geomapper track info conv'",
      ])
    let words = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    for word in ["pinned", "map", "--format=parquet"] {
      #expect(words.contains { $0 == word }, "\(outcome.text)")
    }
    #expect(words.filter { $0 == "convert" }.count == 1, "\(outcome.text)")
  }

  /// The completions that bash offers for the last word.
  private func complete(_ words: [String], in folder: TemporaryFolder) throws -> Set<String> {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      cd '\(folder.path)/files' && source '\(folder.path)/completion.bash'
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1)
      _geomapper; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try Subprocess.run(
      try #require(Self.find("bash")), ["--norc", "-c", script])
    #expect(outcome.status == 0)
    return Set(outcome.text.split(separator: "\n").map(String.init))
  }

  @Test(.enabled(if: find("bash") != nil, "bash is not installed"))
  func bashCompletes() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("completion.bash", generate("bash"))
    try folder.makeFile("files/world/file")
    try folder.makeFile("files/work.txt")
    #expect(try complete(["geomapper", "ma"], in: folder) == ["map"])
    #expect(try complete(["geomapper", "--ver"], in: folder) == ["--version"])
    #expect(try complete(["geomapper", "help", "m"], in: folder).contains("map"))
    #expect(try complete(["geomapper", "help", "w"], in: folder) == ["whereis", "words"])
    #expect(try complete(["geomapper", "--generate", "z"], in: folder) == ["zsh"])
    #expect(
      try complete(["geomapper", "map", "--layout", ""], in: folder) == ["settled", "pinned"])
    #expect(try complete(["geomapper", "map", "--form"], in: folder) == ["--format"])
    #expect(try complete(["geomapper", "map", "-o", "wo"], in: folder) == ["world", "work.txt"])
    #expect(try complete(["geomapper", "map", "--zoom", "1"], in: folder).isEmpty)
    #expect(try complete(["geomapper", "map", "world/f"], in: folder) == ["world/file"])
    // With '=' among the characters that separate words, as is the default, and without.
    let format = ["geomapper", "map", "--format"]
    #expect(try complete(format + ["=", "par"], in: folder) == ["parquet"])
    #expect(try complete(format + ["="], in: folder).contains("geojson"))
    #expect(
      try complete(["geomapper", "map", "--format=par"], in: folder) == ["--format=parquet"])
    #expect(try complete(["geomapper", "--generate", "=", "z"], in: folder) == ["zsh"])
    #expect(try complete(["geomapper", "--generate=z"], in: folder) == ["--generate=zsh"])
    #expect(
      try complete(["geomapper", "map", "--output=wo"], in: folder).contains("--output=world"))
    #expect(try complete(["geomapper", "track", "conv"], in: folder) == ["convert"])
    #expect(try complete(["geomapper", "track", "--format", "json", "in"], in: folder) == ["info"])
    #expect(
      try complete(["geomapper", "track", "info", "wo"], in: folder) == ["world", "work.txt"])
    #expect(try complete(["geomapper", "recordings", ""], in: folder).contains("export"))
  }
}
