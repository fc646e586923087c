import GeoCore
import TestSupport
import Testing

@testable import GeoSources

@Suite struct ListTests {
  @Test func readsLinesInAnyOrder() async throws {
    let expected = Listing(
      lines: ["r/ 3", "r/z", "r/b/ 2", "r/b/a", "r/b/c", "r/c/ 1", "r/c/empty/ 0"])
    for text in [
      "z\nb/a\nb/c\nc/empty/\n", "c/empty/\nb\nb/c\n./z\nb/a", "b/c\n./b//a\n.\nc\nz\nc/./empty/.",
      "b/a\nb/a\nz\nb/c\nz\nc/empty/\nc/empty/\n",
    ] {
      #expect(try await list(text) == expected, "\(text)")
    }
    #expect(try await list("") == Listing(lines: ["r/ 0"]))
  }

  @Test func prefixes() async throws {
    let one = Listing(lines: ["r/ 1", "r/a"])
    #expect(try await list("/x//./y/a\n", prefix: "//x/y/") == one)
    #expect(try await list("../x/a\n../x\n", prefix: "../x") == one)
    #expect(try await list("/a\n//\n/\n", prefix: "/") == one)
    let nothing = try await list("x/ya\nx\nx/\n/x/y/a\n../y/a\nx/y/../y/a\n", prefix: "x/y")
    #expect(nothing.lines == ["r/ 0"])
    #expect(
      nothing.faults == [
        "line 1: 'x/ya' is not below 'x/y'", "line 2: 'x' is not below 'x/y'",
        "line 3: 'x/' is not below 'x/y'", "line 4: '/x/y/a' is not below 'x/y'",
        "line 5: '../y/a' is not below 'x/y'", "line 6: 'x/y/../y/a' leads upwards by '..'",
      ])
  }

  @Test func unusablePathsAreReported() async throws {
    let long = String(repeating: "n", count: NameRecord.longestName)
    let listing = try await list("a\u{0}b\n\n\(long)\n\(long)n\nd/../e/f\n..\n...\n")
    #expect(listing.lines == ["r/ 2", "r/...", "r/65535"])
    #expect(
      listing.faults == [
        "line 1: 'a\\u{00}b' holds a zero byte", "line 2: it is empty",
        "line 4: a name in it is longer than 65535 bytes",
        "line 5: 'd/../e/f' leads upwards by '..'", "line 6: '..' leads upwards by '..'",
      ])
  }

  @Test func readsFactsOfFind() async throws {
    let text = [
      "4096 1.5 d .", "1 2.0 l a/link", "5 -7.25 f a/x", "4096 9.0 d a", "0 3.0 p pipe",
      "4096 8.0 d none",
    ]
    let expected = Listing(
      lines: [
        "r/ 3 @1", "r/pipe 0 @3 fifo", "r/a/ 2 @9", "r/a/link 1 @2 symlink", "r/a/x 5 @-7",
        "r/none/ 0 @8",
      ])
    for entries in [text, text.reversed(), text + text] {
      #expect(try await list(entries.map { $0 + "\0" }.joined(), .find) == expected)
    }
  }

  /// Contradictory facts in a list stay unknown, whatever comes first.
  @Test func contradictionsAreReported() async throws {
    for (entries, lines, faults) in [
      (
        ["1 2 f a", "1 3 f a"], ["r/ 1", "r/a unreadable"],
        ["entry 2: 'a' is listed again, otherwise than at entry 1"]
      ),
      (
        ["1 2 f a", "1 2 l a"], ["r/ 1", "r/a unreadable unknown"],
        ["entry 2: 'a' is listed again, otherwise than at entry 1"]
      ),
      (
        ["1 2 d a", "1 3 d a"], ["r/ 1", "r/a/ 0 unreadable"],
        ["entry 2: 'a' was listed before, with another time of change"]
      ),
      (["1 2 d a", "9 2 d a"], ["r/ 1", "r/a/ 0 @2"], []),
      (
        ["1 2 f a", "1 2 d a"], ["r/ 1", "r/a/ 0 @2"],
        ["entry 1: 'a' is not a folder by its type, but elsewhere the list has it as one"]
      ),
      (
        ["1 2 f a/b", "1 2 l a"], ["r/ 1", "r/a/ 1", "r/a/b 1 @2"],
        ["entry 2: 'a' is not a folder by its type, but elsewhere the list has it as one"]
      ),
      (
        ["1 2 f a", "1 2 d a", "1 2 f b", "1 3 f b", "1 2 f c"],
        ["r/ 3", "r/b unreadable", "r/c 1 @2", "r/a/ 0 @2"],
        [
          "entry 1: 'a' is not a folder by its type, but elsewhere the list has it as one",
          "entry 4: 'b' is listed again, otherwise than at entry 3",
        ]
      ),
      (
        ["1 2 f ."], ["r/ 0"],
        ["entry 1: '.' is not a folder by its type, but it is what is mapped"]
      ),
      (
        ["1 2 f a/"], ["r/ 1", "r/a/ 0"],
        ["entry 1: 'a/' is not a folder by its type, but a slash ends its path"]
      ),
    ] as [([String], [String], [String])] {
      let forward = try await list(entries.map { $0 + "\0" }.joined(), .find)
      #expect(forward == Listing(lines: lines, faults: faults))
      let backward = try await list(entries.reversed().map { $0 + "\0" }.joined(), .find)
      #expect(backward.lines == lines)
      #expect(backward.faults.count == faults.count)
    }
  }

  @Test func readsDeepPaths() async throws {
    let depth = 10_000
    let path = [String](repeating: "d", count: depth).joined(separator: "/")
    let listing = try await list("\(path)/f\n")
    #expect(listing.lines.count == depth + 2)
    #expect(listing.lines.last == "\(2 * depth + 1)/f")
    let opening = [String](repeating: "[{\"name\":\"d\"},\n", count: depth).joined()
    let export =
      "[1,0,{},\(opening){\"name\":\"f\"}" + String(repeating: "]", count: depth) + "]"
    #expect(try await list(export, .ncdu, prefix: "d").lines.count == depth + 1)
    // Unknown values are skipped at any depth.
    let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(
      try await list("[1,0,{\"x\":\(nested)},[{\"name\":\"d\"}]]", .gdu, prefix: "d")
        == Listing(lines: ["r/ 0"]))
  }

  @Test func unreadableAndChangedListsAreErrors() async throws {
    #expect(throws: ListError.self) { try ListTree(opening: ListSource(file: [47])) }
    let folder = try TemporaryFolder()
    try folder.makeFile("list", String(repeating: "a/b\n", count: 100))
    let input = try ListInput(opening: ListSource(file: Array(folder("list").utf8)))
    var bytes: [UInt8] = []
    while try input.readBlock(at: Int64(bytes.count), appendingTo: &bytes) {}
    #expect(input.count == 400)
    try folder.makeFile("list", "a/")
    #expect(try input.readBlock(at: 0, appendingTo: &bytes))
    #expect(throws: ListError.changed(list: input.name)) {
      try input.readBlock(at: 2, appendingTo: &bytes)
    }
  }
}
