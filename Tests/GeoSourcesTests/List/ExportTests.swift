import GeoCore
import Testing

@testable import GeoSources

@Suite struct ExportTests {
  /// Nested folders: only the new part of each path is compared, and the paths are right.
  @Test(arguments: [false, true]) func deepExportsAreReadInLinearTime(hasFiles: Bool) throws {
    let depth = 3000
    var text = "[1,0,{}"
    for level in 0..<depth {
      text += ",[{\"name\":\"n\(level % 10)\"}"
      if hasFiles { text += ",{\"name\":\"f\"}" }
    }
    text += String(repeating: "]", count: depth + 1)
    let file = try ListFile(Array(text.utf8))
    var source = ListSource(file: file.path)
    source.format = .ncdu
    var parser = ExportParser(try ListInput(opening: source), source)
    var resolver = PathResolver(ListPrefix(Array("n0".utf8)))
    var table = FolderTable()
    var entry = ListedEntry()
    var faults: [ListFault] = []
    var expected: [UInt8] = []
    var level = 0
    var looked = 0
    while try parser.next(into: &entry, faults: &faults) == .entry {
      if entry.path.last == UInt8(ascii: "f") {
        #expect(entry.path == expected + Array("/f".utf8))
      } else {
        expected += Array("\(level > 0 ? "/" : "")n\(level % 10)".utf8)
        level += 1
        #expect(entry.path == expected)
      }
      looked += entry.path.count - entry.kept
      _ = resolver.resolve(&entry, in: &table, makes: true)
      #expect(entry.kept == entry.path.count)
    }
    #expect(level == depth && faults.isEmpty)
    #expect(looked < 10 * depth)
  }

  private func export(_ items: String) async throws -> Listing {
    try await list(
      "[1,2,{\"progname\":\"ncdu\",\"timestamp\":1},\n[{\"name\":\"/x\"}\(items)]]\n", .ncdu,
      prefix: "/x")
  }

  @Test func readsFactsOfExports() async throws {
    let listing = try await export(
      """
      ,{"name":"zero"}, {"name":"s","asize":5,"dsize":4096}
      ,{"asize":6,"name":"t","mtime":7,"nlink":2,"ino":1,"unknown":[{"a":[1.5e-3,null]},true]}
      ,{"name":"before","mtime":18446744073709551614},{"name":"too","mtime":-2}
      ,{"name":"link","asize":1,"mode":41471,"mtime":3,"notreg":true},{"name":"what","notreg":true}
      ,{"name":"bad","read_error":true},{"name":"left","excluded":"pattern"}
      ,{"name":"mount","excluded":"otherfs","mtime":4},{"name":"proc","excluded":"kernfs"}
      ,[{"name":"d","asize":4096,"mtime":9,"mode":16877},{"name":"in","asize":1}]
      ,[{"name":"closed","read_error":true}],[{"name":"torn","read_error":true},{"name":"f"}]
      """)
    #expect(
      listing
        == Listing(
          lines: [
            "r/ 14", "r/bad unreadable", "r/before 0 @-2", "r/left unknown", "r/link 1 @3 symlink",
            "r/s 5", "r/t 6 @7", "r/too 0 @-2", "r/what 0 unknown", "r/zero 0",
            "r/closed/ ? unreadable", "r/d/ 1 @9", "r/d/in 1", "r/mount/ ? @4", "r/proc/ ?",
            "r/torn/ 1 unreadable", "r/torn/f 0",
          ],
          faults: [
            "r/bad: could not be read when the list was made",
            "r/closed: could not be read when the list was made",
            "r/torn: could not be read when the list was made",
          ]))
  }

  /// What an export says of the storage of its files, one text for each.
  private func storage(_ program: String, _ items: String) throws -> [String] {
    let file = try ListFile(
      Array(
        "[1,2,{\"timestamp\":1,\"progname\":\"\(program)\"},[{\"name\":\"/x\",\"dev\":7}\(items)]]"
          .utf8))
    var source = ListSource(file: file.path)
    source.format = .ncdu
    var parser = ExportParser(try ListInput(opening: source), source)
    var entry = ListedEntry()
    var faults: [ListFault] = []
    var lines: [String] = []
    while try parser.next(into: &entry, faults: &faults) == .entry {
      if entry.facts.kind == .directory { continue }
      // As the sorter keeps it.
      var record: [UInt8] = []
      let name = entry.path
      EntryRecord.append(rank: 3, name: name.span, entry.facts, position: 4, to: &record)
      #expect(EntryRecord.facts(record.span, at: 0) == entry.facts)
      #expect(EntryRecord.end(record.span, at: 0) == record.count)
      #expect(Array(record[EntryRecord.name(record.span, at: 0)]) == name)
      let known = entry.facts.fileStorage
      let facts = entry.facts.entryFacts(withMetadata: true)
      lines.append(
        "\(String(decoding: name, as: UTF8.self)) \(facts.status == .unasked ? -1 : facts.size) \(known.allocated)"
          + (facts.links > 1
            ? " \(known.identity.device) \(known.identity.inode) \(facts.links)" : ""))
    }
    #expect(faults.isEmpty)
    return lines
  }

  @Test func readsStorageOfFiles() throws {
    #expect(
      try storage(
        "ncdu",
        """
        ,{"name":"a","asize":5,"dsize":4096},{"name":"sparse","asize":9000}
        ,{"name":"b","asize":6,"dsize":8192,"ino":18446744073709551615,"hlnkc":true,"nlink":3}
        ,[{"name":"d","dev":8},{"name":"c","asize":6,"dsize":8192,"ino":9,"hlnkc":true}],{"name":"no","excluded":"pattern"}
        ,{"name":"e","asize":6,"dsize":8192,"ino":9,"hlnkc":true}
        """) == [
          "/x/a 5 4096", "/x/sparse 9000 0", "/x/b 6 8192 7 18446744073709551615 3",
          "/x/d/c 6 8192 8 9 2", "/x/no -1 -1", "/x/e 6 8192 7 9 2",
        ])
    // gdu marks all names of a file but the first.
    #expect(
      try storage(
        "gdu",
        #",{"name":"a","asize":5,"dsize":4096},{"name":"b","asize":5,"dsize":4096,"ino":9,"hlnkc":true}"#
      )
        == ["/x/a 5 4096", "/x/b 5 0"])
  }

  @Test func namesAreUnescapedToBytes() async throws {
    let name = Array(#"\u00e4\ud83d\ude00\"\\\b\f\n\r\t\u0001"#.utf8)
    let head = Array(#"[1,0,{},[{"name":"."},{"name":""#.utf8)
    let listing = try await list(head + name + [0xFF, 0x7F] + Array(#""}]]"#.utf8), .gdu)
    #expect(
      listing.lines == [
        "r/ 1", "r/\u{E4}\u{1F600}\"\\\\\\u{08}\\u{0C}\\n\\r\\t\\u{01}\\xFF\\u{7F} 0",
      ])
  }

  @Test func unusableItemsAreReported() async throws {
    let listing = try await export(
      """
      ,{},{"name":""},{"name":"a/b"},{"name":".."},{"name":"a","name":"b"},{"name":1}
      ,{"name":"c","asize":-1},{"name":"d","asize":1.5},{"name":"i","dsize":-4096},{"name":"e","mtime":"x"}
      ,{"name":"f","mtime":1e3},[{"asize":1},{"name":"g"},[{"name":"h"}]],{"name":"good"}
      ,{"name":"nul\\u0000"}
      """)
    #expect(listing.lines == ["r/ 1", "r/good 0"])
    let reasons = listing.faults.map { $0.drop { $0 != ":" }.dropFirst(2) }
    #expect(
      reasons == [
        "it has no name (in '/x')", "its name is empty (in '/x')", "'a/b' is no name (in '/x')",
        "'..' is no name (in '/x')", "it has 'name' twice (in '/x')",
        "its 'name' is of the wrong type (in '/x')",
        "its 'asize' is not a number of bytes (in '/x')",
        "its 'asize' is not a number of bytes (in '/x')",
        "its 'dsize' is not a number of bytes (in '/x')",
        "its 'mtime' is of the wrong type (in '/x')",
        "its 'mtime' is not a number of seconds (in '/x')",
        "it has no name; it is left out with all that is in it (in '/x')",
        "'/x/nul\\u{00}' holds a zero byte",
      ])
    #expect(listing.faults.first?.hasPrefix("byte 56: ") == true)
  }

  @Test(arguments: [
    "", "x", "{}", "[]", "[2,0,{},[{\"name\":\".\"}]]", "[1.0,0,{},[{\"name\":\".\"}]]",
    "[1,0,[],[{\"name\":\".\"}]]", "[1,0,{}]", "[1,0,{},{\"name\":\".\"}]", "[1,0,{},[]]",
    "[1,0,{},[[{\"name\":\".\"}]]]", "[1,0,{\"a\" 1},[{\"name\":\".\"}]]",
    "[1,0,{},[{\"name\":\"\\ud800\"}]]", "[1,0,{},[{\"name\":\"\\udc00\"}]]",
    "[1,0,{},[{\"name\":\"\\u12g4\"}]]", "[1,0,{},[{\"name\":\"\\x\"}]]",
    "[1,0,{},[{\"name\":\"\n\"}]]", "[1,0,{},[{\"name\":\".\",}]]", "[01,0,{},[{\"name\":\".\"}]]",
    "[1,0,{\"a\":truth},[{\"name\":\".\"}]]", "[1,0,{\"a\":.5},[{\"name\":\".\"}]]",
  ])
  func otherJSONIsReported(text: String) async throws {
    let listing = try await list(text, .ncdu)
    #expect(listing.lines == ["r/ 0"])
    #expect(listing.faults.count == 1)
    #expect(listing.faults.first?.hasSuffix("not an export of ncdu or gdu from here on") == true)
  }

  @Test(arguments: [
    ("x", 1), ("[2", 3), ("[1,0,{},[{\"name\":\"\n\"}]]", 19),
    ("[1,0,{},[{\"name\":\"\\x\"}]]", 20),
    ("[1,0,{},[{\"name\":\"\\u12g4\"}]]", 23), ("[1,0,{}", 8), ("[1,0,{},[{\"name\":\".\"}]],", 24),
  ])
  func faultsNameTheirByte(text: String, byte: Int) async throws {
    let listing = try await list(text, .ncdu)
    #expect(listing.faults.first?.hasPrefix("byte \(byte): ") == true, "\(listing.faults)")
  }

  /// The part of an export before it breaks off counts.
  @Test func truncatedExportsAreReported() async throws {
    let whole = #"[1,0,{},[{"name":"."},{"name":"a"},[{"name":"b"},{"name":"c"}],{"name":"d"}]]"#
    for count in 0..<whole.utf8.count {
      let listing = try await list(String(whole.prefix(count)), .ncdu)
      #expect(listing.faults.count == 1)
      let known = ["r/ 3", "r/a 0", "r/d 0", "r/b/ 1", "r/b/c 0"]
      #expect(listing.lines.dropFirst().allSatisfy { known.contains($0) || $0 == "r/b/ 0" })
    }
    #expect(try await list(whole, .ncdu).lines == ["r/ 3", "r/a 0", "r/d 0", "r/b/ 1", "r/b/c 0"])
    #expect(try await list(whole + ",1", .ncdu).faults.count == 1)
    #expect(try await list(String(whole.dropLast()) + ",{\"later\":1}]\n", .ncdu).faults.isEmpty)
  }
}
