import Foundation
import TestSupport
import Testing

/// `--files-from`, with lists that other programs made.
@Suite struct ListTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/x.c", "hello")
    try folder.makeFile("src/b/deep/y.o", String(repeating: "-", count: 3000))
    try folder.makeFile(bytes: Array("src/".utf8) + [0xFF, 10, 34], [1, 2, 3])
    try folder.makeFolder("src/empty")
    try folder.makeLink("src/link", to: "a")
    try folder.makePipe("src/pipe")
    try folder.setModified("src/a/x.c", -2)
    try folder.setModified("src/b", 1_000_000_000)
  }

  private func run(_ script: String) throws -> Subprocess.Outcome {
    try Geomapper.shell(script, in: folder.path)
  }

  private func output(_ script: String) throws -> [UInt8] {
    let outcome = try run(script)
    #expect(outcome.status == 0)
    #expect(outcome.errorText.isEmpty)
    return outcome.output
  }

  @Test func listsOfFindAreLikeTheDisk() throws {
    let find = #"-printf '%s %T@ %y %p\0'"#
    let live = try output("\"$T\" map src")
    #expect(
      try output("find src \(find) | \"$T\" map --files-from - --list-format=find src") == live)
    try folder.makeFolder("elsewhere")
    #expect(
      try output(
        "cd src && find . \(find) | \"$T\" map --files-from=- --list-format=find src=.") == live)
    #expect(
      try output(
        "find \"$PWD/src/\" \(find) > list; \"$T\" map --files-from list --list-format=find "
          + "\"$PWD//src/./\"") == live)
    #expect(
      try output(
        "find src \(find) | sort -zr | \"$T\" map --files-from - --list-format=find src") == live)
  }

  @Test func listsOfPathsHaveNoFacts() throws {
    try folder.makeFolder("plain/empty")
    try folder.makeFile(bytes: Array("plain/".utf8) + [0xFF, 10, 34])
    try folder.makeFile("plain/.hidden/x")
    #expect(
      try output(
        "find plain -type d -printf '%p/\\0' -o -print0 | "
          + "\"$T\" map --files-from - -0 plain")
        == output("\"$T\" map --no-stat plain"))
    // Folders that have something in them need neither a slash nor a line.
    let files = try output("cd src/b; \"$T\" map --no-stat")
    #expect(try output("cd src/b; find . | \"$T\" map --files-from -") == files)
    #expect(try output("cd src/b; find . -type f | \"$T\" map --files-from -") == files)
    #expect(try output("cd src/b; find * -type f | \"$T\" map --files-from -") == files)
  }

  @Test func whatIsWrongIsNamed() throws {
    try folder.makeFile(
      "list", "src/a\nsrc/../b\n\nother/c\n/src/d\nsrc\n./src/e\nsrc//f/./g\nsrc/a/h\nsrc/f\n")
    let outcome = try run("\"$T\" map --files-from list src --format csv")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText.split(separator: "\n") == [
        "geomapper: list, line 2: 'src/../b' leads upwards by '..'",
        "geomapper: list, line 3: it is empty",
        "geomapper: list, line 4: 'other/c' is not below 'src'",
        "geomapper: list, line 5: '/src/d' is not below 'src'",
      ])
    let paths = outcome.text.split(separator: "\r\n").dropFirst().map {
      String($0.prefix { $0 != "," })
    }
    #expect(paths == ["src", "src/e", "src/a", "src/a/h", "src/f", "src/f/g"])
    let many = try run("seq 250 | \"$T\" map --files-from - src")
    #expect(many.status == 1)
    let lines = many.errorText.split(separator: "\n")
    #expect(lines.count == 101)
    #expect(lines[99] == "geomapper: standard input, line 100: '100' is not below 'src'")
    #expect(lines[100] == "geomapper: 150 more could not be read or vanished, 250 in all")
    #expect(try WrittenMap(many.output).paths == ["src"])
  }

  @Test func wrongUsage() throws {
    try folder.makeFile("list", "src/a\n")
    for (arguments, message) in [
      ("--files-from nowhere", "can't read the list 'nowhere': No such file"),
      ("--files-from src", "can't read the list 'src': Is a directory"),
      ("--files-from=", "--files-from needs the name of a list"),
      ("--files-from list src other", "'src' and 'other'"),
      ("--files-from list --gitignore", "--gitignore reads files"),
      ("--files-from list --size +1", "--size needs sizes"),
      ("--files-from list --older @1", "--older needs sizes"),
      ("--files-from list --list-format ncdu -0", "--null"),
      ("--files-from list gone/..", "give one, such as NAME=gone/.."),
      ("--files-from - --exclude-from=-", "can't both read standard input"),
      ("--list-format find", "needs a list"), ("-0", "needs a list"),
      ("--files-from list --list-format fnd", "did you mean 'find'?"),
    ] {
      let outcome = try run("\"$T\" map \(arguments)")
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorText.contains(message), "\(arguments): \(outcome.errorText)")
    }
  }
}
