import Foundation
import TestSupport
import Testing

/// Options that exclude entries.
@Suite struct SelectionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/x.c", "hello")
    try folder.makeFile("src/a/y.o", String(repeating: "-", count: 3000))
    try folder.makeFile("src/b/deep/x.c", "hello!")
    try folder.makeFile("src/.hidden/z")
    try folder.makeFile("src/.dot")
    try folder.makeLink("src/link", to: "a")
    try folder.makePipe("src/pipe")
  }

  /// Paths in the root; lines of a file count as `FILE`.
  private func map(_ arguments: String...) throws -> WrittenMap {
    let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    return try WrittenMap(outcome.output)
  }

  private func shown(_ arguments: String...) throws -> Set<String> {
    let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    return Set(try WrittenMap(outcome.output).paths.map { String($0.dropFirst(4)) })
  }

  private let all: Set<String> = [
    "", ".dot", "link", "pipe", ".hidden", ".hidden/z", "a", "a/x.c", "a/y.o", "b", "b/deep",
    "b/deep/x.c",
  ]

  @Test func nothingIsExcludedByDefault() throws {
    #expect(try shown() == all)
    let whole = try map()
    #expect(whole.header["partial"] == nil)
    #expect(whole.excluded == nil)
  }

  @Test func selectsByPattern() throws {
    #expect(try shown("--exclude", "a") == all.subtracting(["a", "a/x.c", "a/y.o"]))
    #expect(try shown("--exclude", "x.c") == all.subtracting(["a/x.c", "b/deep/x.c"]))
    #expect(try shown("--exclude", "deep") == all.subtracting(["b/deep", "b/deep/x.c"]))
    #expect(try shown("--exclude", "/*.c") == all)
    #expect(try shown("--exclude=**/*.c") == all.subtracting(["a/x.c", "b/deep/x.c"]))
    #expect(try shown("--exclude", "b/**") == all.subtracting(["b/deep", "b/deep/x.c"]))
    #expect(try shown("--exclude", "a/*", "--include", "a/x.*") == all.subtracting(["a/y.o"]))
    #expect(
      try shown("--include", "a/*") == ["", "a", "a/x.c", "a/y.o", "b", "b/deep", ".hidden"])
    #expect(
      try shown("--include", "a/*", "--exclude", "a/*") == ["", "a", "b", "b/deep", ".hidden"])
    #expect(try shown("--no-hidden") == all.subtracting([".dot", ".hidden", ".hidden/z"]))
    #expect(
      try shown("--no-hidden", "--include", ".dot", "--include", "**/x.c")
        == ["", ".dot", "a", "a/x.c", "b", "b/deep", "b/deep/x.c"])
  }

  @Test func selectsByPatternsFromAFile() throws {
    try folder.makeFile("globs", "# none\n\na/*\r\n!a/x.c\n.hidden/\n")
    #expect(
      try shown("--exclude-from", "globs") == all.subtracting(["a/y.o", ".hidden", ".hidden/z"]))
    let piped = try Geomapper.shell(
      "echo '**/x.c' | \"$T\" map src --exclude-from=- --format csv", in: folder.path)
    #expect(piped.status == 0)
    #expect(!piped.text.contains("x.c"))
    #expect(piped.text.contains("y.o"))
  }

  @Test func selectsByKindNameAndSize() throws {
    #expect(try shown("--type", "l,p") == ["link", "pipe"])
    #expect(try shown("--type=d") == ["", ".hidden", "a", "b", "b/deep"])
    #expect(
      try shown("--type=f", "--type=d") == all.subtracting(["link", "pipe"]))
    #expect(
      try shown("--name", "x*", "--type", "f") == ["a/x.c", "b/deep/x.c"])
    #expect(try shown("--type=f", "--size", "+5") == ["a/y.o", "b/deep/x.c"])
    #expect(try shown("--type=f", "--size", "+5", "--size=-2k") == ["b/deep/x.c"])
    #expect(try shown("--type=f", "--size", "5") == ["a/x.c"])
    #expect(try shown("--type=f", "--size", "-1") == [".dot", ".hidden/z"])
  }

  @Test func selectsByTime() throws {
    try folder.setModified("src/a/x.c", 1000)
    try folder.setModified("src/a/y.o", 2000)
    try folder.makeFile("mark")
    try folder.setModified("mark", 1500)
    #expect(try shown("--type=f", "--older", "@1500") == ["a/x.c"])
    #expect(try shown("--type=f", "--older=mark") == ["a/x.c"])
    #expect(try shown("--type=f", "--newer", "@1000", "--older", "mark").isEmpty)
    #expect(try shown("--type=f", "--newer", "@1500", "--older", "1970-01-02") == ["a/y.o"])
    #expect(
      try shown("--type=f", "--newer", "1970-01-01T00:16:39Z", "--older", "mark") == ["a/x.c"])
  }

  @Test func excludedEntriesAreCounted() throws {
    for file in ["a/x.c", "a/y.o", "b/deep/x.c", ".hidden/z", ".dot"] {
      try folder.setModified("src/\(file)", 1_700_000_000)
    }
    let written = try map(
      "--exclude", "b", "--no-hidden", "--gitignore", "--type=f,d", "--name", "*.c", "--size=-9k",
      "--newer", "@0", "--older", "@1735689600")
    #expect(written.header["partial"] as? Bool == true)
    #expect(
      written.excluded == [
        "pattern": 1, "hidden": 2, "gitignore": 0, "type": 2, "name": 1, "size": 0, "newer": 0,
        "older": 0,
      ])
    let text = try Geomapper.run(
      ["map", "src", "--older=@0", "--type=f", "--exclude=b", "--quiet"],
      in: folder.path
    ).text
    #expect(
      text.hasSuffix(#""unreadable":0,"excluded":{"pattern":1,"type":5,"older":4}}}"# + "\n"))
    let message = try Geomapper.run(
      ["map", "src", "--no-hidden", "--progress=always", "--format=gpx"], in: folder.path
    ).errorText
    #expect(message.contains(", 0 unreadable, 2 left out (hidden 2), "))
  }

  @Test func excludedFoldersKeepTheirLand() throws {
    let whole = try map()
    let part = try map("--exclude", "a", "--exclude", "b/deep", "--no-hidden")
    #expect(part["src"]?["size"] as? Int == 6)
    for path in part.paths {
      #expect(part[path] as NSDictionary? == whole[path] as NSDictionary?)
    }
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func excludedFoldersAreNotOpened() throws {
    try folder.setMode("src/b", 0)
    let launcher = Geomapper.unprivileged ?? []
    #expect(try Geomapper.run(["map", "src"], in: folder.path, launcher: launcher).status == 1)
    let outcome = try Geomapper.run(
      ["map", "src", "--exclude", "b"], in: folder.path, launcher: launcher)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func combinesWithOtherFilters() throws {
    #expect(
      try shown("--max-depth", "1", "--exclude", "a") == [
        "", ".dot", "link", "pipe", ".hidden", "b",
      ])
    let written = try map("--max-depth=0", "--exclude", "a", "--type", "f")
    #expect(written.paths.isEmpty)
    // Entries that another filter hides anyway aren't counted.
    #expect(written.excluded == ["pattern": 0, "type": 1])
  }

  /// The lines with a selection are a subset of the lines without one.
  @Test func selectedLinesAreASubset() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 7)
    for number in 0..<120 {
      let parts = (0..<generator.number(in: 0...4)).map { _ in
        "abc.".randomElement(using: &generator).map { "\($0)d" } ?? "d"
      }
      let name =
        (parts + [
          "\(["f", ".g", "h"].randomElement(using: &generator) ?? "f")\(number).\(number % 3)"
        ]).joined(separator: "/")
      try folder.makeFile("src/.keep")
      if let cut = name.lastIndex(of: "/") { try folder.makeFolder("src/\(name[..<cut])") }
      try folder.makeFile(
        "src/\(name)", String(repeating: "x", count: generator.number(in: 0...40)))
      if number % 3 == 0 { try folder.setModified("src/\(name)", 1_577_836_800) }  // 2020-01-01
    }
    try folder.makeFile("src/.gitignore", "*.1\nad/\n!f*\n")
    let options = [
      "--exclude=ad", "--exclude=**/*.0", "--exclude=**/[ab]d/**", "--include=**/f*",
      "--include=**",
      "--no-hidden", "--gitignore", "--name=f*", "--name=*.2", "--size=+10", "--size=-30",
      "--type=f", "--type=d", "--newer=@5", "--older=2020-06-01", "--zoom=7",
      "--bbox=-90,-60,60,60", "--layout=pinned", "--threads=1",
    ]
    func lines(_ arguments: [String]) throws -> [Substring] {
      let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
      #expect(outcome.status == 0)
      return outcome.text.split(separator: "\n").dropFirst().dropLast().map {
        $0.hasSuffix(",") ? $0.dropLast() : $0
      }
    }
    // A folder that `--max-depth` leaves unread lacks its size, so that filter isn't tested here.
    let wholes = ["settled": try lines([]), "pinned": try lines(["--layout=pinned"])]
    let property = Property<[String]>(
      "lines are a subset",
      generate: { generator in options.filter { _ in generator.chance(0.15) } },
      shrink: { list in
        list.indices.map { index in
          var less = list
          less.remove(at: index)
          return less
        }
      },
      fault: { arguments in
        let whole = wholes[arguments.contains("--layout=pinned") ? "pinned" : "settled"] ?? []
        let part = try lines(arguments)
        // In the same order, and each once.
        var rest = whole[...]
        for line in part {
          guard let index = rest.firstIndex(of: line) else {
            return "not among the others: \(line)"
          }
          rest = rest[(index + 1)...]
        }
        return nil
      })
    let found = try property.counterexample(cases: 30)
    #expect(found == nil, "\(found?.description ?? "")")
  }
}
