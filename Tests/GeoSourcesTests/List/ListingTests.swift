import Foundation
import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Listings by programs for backups, archives and cloud storages.
@Suite struct ListingTests {
  private func open(_ bytes: [UInt8]) throws -> ListTree {
    let file = try ListFile(bytes)
    return try ListTree(opening: ListSource(file: file.path), isDetected: true)
  }

  private func open(_ text: String) throws -> ListTree { try open(Array(text.utf8)) }

  /// A random tree gives the same tree from its listing, with the facts that the format has.
  @Test func listingsRestoreTheTree() async throws {
    for seed in TestScale.seeds(40) {
      for format in ListFormat.listings {
        var generator = SeededGenerator(seed: seed)
        // unzip shows names as they are; a name with a line end would be two.
        let alphabet: ClosedRange<UInt8> =
          generator.chance(0.3) ? 0x61...0x62 : format == .unzip ? 0x30...0xFF : 0x01...0xFF
        let shape = Tree.Shape(
          nodes: generator.number(in: 0...80), folders: 0.3, depth: 0.4, alphabet: alphabet)
        let names = Tree.random(shape, roots: 1, using: &generator).folders[0].contents
        let tree = ListedTree(names.withoutSlashes, hasFacts: true, hasTimes: format.hasTimes)
        let top = format == .restic ? "/top" : format == .rclone ? "." : "top"
        let bytes = tree.listing(format, in: top)
        let listing = try await list(bytes, format, prefix: top)
        var lines = tree.lines
        // rclone doesn't list the root itself.
        if format == .rclone { lines[0] = String(lines[0].prefix { $0 != "@" }.dropLast()) }
        #expect(listing.faults.isEmpty, "\(format.rawValue), seed \(seed)")
        #expect(listing.lines == lines, "\(format.rawValue), seed \(seed)")
        if format == .rclone && tree.nodes.count == 1 { continue }
        let found = try open(bytes)
        #expect(found.list.format == format, "\(format.rawValue), seed \(seed)")
        if format != .rclone { #expect(found.top == Array(top.utf8), "seed \(seed)") }
        #expect(found.seconds == (format == .restic ? 123 : nil))
      }
    }
  }

  /// Mutated listings are read to their end.
  @Test func mutatedListingsAreReadOrReported() async throws {
    for seed in TestScale.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      let format = ListFormat.listings.randomElement(using: &generator) ?? .tar
      let shape = Tree.Shape(nodes: 20, alphabet: 0x41...0xFF)
      let tree = Tree.random(shape, roots: 1, using: &generator).folders[0].contents
      var bytes = ListedTree(tree, hasFacts: true).listing(format, in: ".")
      bytes.mutate(
        0...6, inserting: Array("\0\n/. -0129\"\\[]{},:u=#^\u{FF}".utf8), using: &generator)
      let listing = try await list(bytes, format, memory: generator.chance(0.5) ? 1 : 1 << 20)
      let root = listing.lines.first ?? ""
      #expect(root.hasPrefix("r/ "), "seed \(seed): \(root)")
      #expect(!listing.lines.contains { $0.hasSuffix("out of order") }, "seed \(seed)")
      #expect(Set(listing.lines).count == listing.lines.count, "seed \(seed)")
    }
  }

  @Test func otherTextIsReadAsLines() throws {
    for text in [
      "", "a\nb\n", "{\n", "[\"a\"]\n", "[notes]\n", "#mtrees\n", "# notes\na=b\n", "/set\n",
      "Archive: x\n",
      "-rw-r--r-- notes\n", "-rw-r--r-- 2026-01-31 12:00 x\n", "{\"type\":\"d\"}\n", "1 2 f a\n",
      "{\"struct_type\":\"snapshot\"", "drwxr-xr-x\n", "Length      Date    Time    Name\n",
    ] {
      #expect(try open(text).list.format == .lines, "\(text)")
    }
    // The first line of paths is enough; the beginnings of other formats are not.
    for text in ["a\nb", "2026 1/x\n", "/sea\n", "-x\n"] {
      #expect(ListFormat.areDecided(by: Array(text.utf8)), "\(text)")
    }
    for text in [
      "", "a", "\n", "{\n", "[\n", "# x\n", "/set type=f\n", "Archive: x\n", "4 1.5 d a\n",
    ] {
      let isDecided = ListFormat.areDecided(by: Array(text.utf8))
      #expect(isDecided == text.hasPrefix("/set"), "\(text)")
    }
    #expect(try open("1 2.5 f a\0").list.format == .find)
    let both =
      #"{"struct_type":"node","type":"d","path":"a","mtime":"","mode":"drwxr-xr-x"}"# + "\n"
    #expect {
      try open(both)
    } throws: { error in
      guard case ListError.ambiguous(_, let formats) = error else { return false }
      return formats == [.restic, .borg]
    }
  }

  @Test func findsTheCommonFolder() throws {
    func top(_ paths: String...) throws -> String {
      let lines = paths.map { "-rwxr-xr-x a/b 1 2026-01-31 12:00 \($0)\n" }.joined()
      return String(decoding: try open(lines).top ?? [], as: UTF8.self)
    }
    #expect(try top("a/b/c", "a/b/d/e") == "a/b")
    #expect(try top("a/", "a/b/", "a/b/c") == "a")
    #expect(try top("./a//b/c", "a/./b/d") == "a/b")
    #expect(try top("/a/b", "/a/bc/d") == "/a")
    #expect(try top("/a/b", "c/d") == "/a")
    #expect(try top("/a", "/b/c") == "/")
    #expect(try top("a", "b/c") == ".")
    #expect(try top("./", "./a/b") == ".")
    #expect(try top("a/b/c", "../x", "a/x/../../y") == "a/b")
    #expect(try top("ab/c", "a/c") == ".")
    // rclone and mtree say which folder they list.
    func own(_ text: String) throws -> String {
      String(decoding: try open(text).top ?? [], as: UTF8.self)
    }
    #expect(try own(#"[{"Path":"a/b","IsDir":false}]"#) == ".")
    #expect(try own("#mtree\n/. type=dir\n./a/b type=file\n") == ".")
  }

  /// A listing with a byte order mark, as PowerShell writes it, is read like one without.
  @Test func readsByteOrderMarks() throws {
    let line = "-rw-r--r-- a/b 1 2026-01-31 12:00 t/\u{E4}\u{1F600}"
    let text = line + "\r\n" + line + "x\r\n"
    var units = Array(text.utf16)
    // A name of Windows that is not valid text.
    units.insert(0xD83D, at: line.utf16.count)
    var half = Array(text.utf8)
    half.insert(contentsOf: [0xED, 0xA0, 0xBD], at: line.utf8.count)
    let list: [(bytes: [UInt8], text: [UInt8])] = [
      ([0xEF, 0xBB, 0xBF] + Array(text.utf8), Array(text.utf8)),
      ([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, half),
      ([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, half),
    ]
    for (bytes, text) in list {
      #expect(MarkedText.decoded(bytes) == text.filter { $0 != 13 })
      var decoder = try #require(MarkedText(bytes))
      var pieces: [UInt8] = []
      for byte in bytes.dropFirst(decoder.mark) { decoder.decode([byte], to: &pieces) }
      decoder.finish(to: &pieces)
      #expect(pieces == text.filter { $0 != 13 })
      let found = try open(bytes)
      #expect(found.list.format == .tar && found.top == Array("t".utf8))
    }
    #expect(try open([0xFF, 0xFE]).list.format == .lines)
    #expect(MarkedText([0xEF, 0xBB]) == nil && MarkedText.needsMore([0xEF, 0xBB]))
  }

  /// A pipe that brings single bytes is looked at as often as its first lines end, or it doubles.
  @Test func formatIsRecognizedFromSingleBytes() throws {
    for text in [
      "#mtree\n", String(repeating: "# x\n", count: 500), String(repeating: "x", count: 2000),
    ] {
      let folder = try TemporaryFolder()
      try folder.makePipe("pipe")
      let path = folder("pipe")
      Thread.detachNewThread {
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        for byte in text.utf8 { try? file.write(contentsOf: [byte]) }
        try? file.close()
      }
      let input = try ListInput(opening: ListSource(file: Array(path.utf8)))
      var looks = 0
      var lengths: [Int] = []
      let bytes = try input.beginning(1 << 16) { bytes in
        looks += 1
        lengths.append(bytes.count)
        return false
      }
      #expect(bytes == Array(text.utf8))
      #expect(looks <= 16 + 12, "\(lengths)")
      #expect(lengths == lengths.sorted())
    }
  }

  /// restic lists the folders above what was backed up, too.
  @Test func findsTheFolderOfABackup() throws {
    func top(_ sources: String, _ entries: String...) throws -> String {
      let head = #"{"struct_type":"snapshot","time":"2026-01-31T12:00:00Z","paths":\#(sources)}"#
      let lines = entries.map {
        #"{"type":"\#($0.hasSuffix("/") ? "dir" : "file")","path":"\#($0)","struct_type":"node"}"#
      }
      let text = ([head] + lines).map { $0 + "\n" }.joined()
      return String(decoding: try open(text).top ?? [], as: UTF8.self)
    }
    #expect(try top(#"["/a/b"]"#, "/a/", "/a/b/", "/a/b/c/", "/a/b/c/d/", "/a/b/c/d/f") == "/a/b")
    #expect(try top(#"["/x/b"]"#, "/b/", "/b/c/", "/b/c/d") == "/b")
    #expect(try top(#"["/a/b","/a/c"]"#, "/a/", "/a/b/", "/a/b/f", "/a/c/", "/a/c/f") == "/a")
    #expect(try top(#"["/x/a/b","/x/a/c"]"#, "/a/", "/a/b/", "/a/b/f") == "/a")
    #expect(try top(#"["/a/b","/c"]"#, "/a/", "/a/b/", "/a/b/f", "/c/") == "/")
    #expect(try top(#"["/a/f"]"#, "/a/", "/a/f") == "/a")
    #expect(try top("null", "/a/", "/a/b/") == "/a/b")
  }

  private func check(
    _ format: ListFormat, _ text: String, lines: [String], faults: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let listing = try await list(text, format)
    #expect(listing.lines == lines, sourceLocation: sourceLocation)
    #expect(listing.faults == faults, sourceLocation: sourceLocation)
  }

  @Test func mtree() async throws {
    let text = """
      #mtree
      /set type=file size=5
      . type=dir time=1.0
      # ./a
      a type=dir
          x\\040y \\
              time=-2.5 sha256=ab=c
          l type=link link=a\\012b time=3
          p type=fifo
      ..
      a/b/full size=7 time=4.000000001 optional
      /unset size type
      n
      bad\\9 type=file
      z size=-1
      q type=what
      ..
      ..
      k type=file
      """
    try await check(
      .mtree, text,
      lines: [
        "r/ 2 @1", "r/n", "r/a/ 4", "r/a/l 3 @3 symlink", "r/a/p 0 fifo", "r/a/x y 5 @-2",
        "r/a/b/ 1", "r/a/b/full 7 @4",
      ],
      faults: [
        "line 14: its name has an escape that is unknown: 'bad\\\\9'",
        "line 15: 'size=-1' has no valid value", "line 16: 'type=what' has no valid value",
        "line 18: '..' leads above the first folder",
        "line 19: no line end follows: it was cut off, or is longer than 16 MiB",
      ])
  }

  @Test func tar() async throws {
    let text = #"""
      V--------- 0/0 0 2026-01-31 12:00 label--Volume Header--
      drwxr-xr-x root/root         0 2026-11-23 18:27 ./
      -rw-r--r-- a b/c d          15 2026-01-31 12:00 x\ny\\ 
      -rw-r--r--  0 u  g           4 Feb 13  2009 b -> c
      -rw-r--r--+ 0 u  g           5 Nov  3 18:27 s
      lrwxrwxrwx u/g               0 2026-01-31 12:00 l -> t\303\251\n
      hrw-r--r-- u/g               0 2026-01-31 12:00 h link to x
      crw-r--r-- u/g             1,3 2026-01-31 12:00 dev
      brwSr-sr-T u/g             8,1 2026-01-31 12:00 blk
      prw-r--r-- u/g               0 2026-01-31 12:00 fifo
      lrwxrwxrwx u/g               0 2026-01-31 12:00 a -> b -> c
      lrwxrwxrwx u/g               0 2026-01-31 12:00 nothing
      -rw-r--r-- u/g               0 2026-01-31 12:00 bad\q
      hrwxrwxrwx u/g               0 2026-01-31 12:00 l2 link to l
      hrwxrwxrwx u/g               0 2026-01-31 12:00 l3 link to l2
      block 12: -rw-r--r-- u/g     6 2026-01-31 12:00 numbered
      block 13: ** Block of NULs **
      -rw-r--r-- u/g               7 2026-01-31 12:00 windows\#r
      total 0
      -rw-r--r-- u/g               0 x
      -rw-r--r-- 2026-01-31 12:00 x
      -rw-r--r-- u/g               0 2026-01-31 12:00 cu
      """#
    try await check(
      .tar, text,
      lines: [
        "r/ 12", "r/b -> c 4", "r/blk 0 block", "r/dev 0 character", "r/fifo 0 fifo", "r/h",
        "r/l 4 symlink", "r/l2 symlink", "r/l3 symlink", "r/numbered 6", "r/s 5",
        "r/windows 7", #"r/x\ny\\  15"#,
      ],
      faults: [
        "line 11: its name or its target has an arrow in it, so both are unknown",
        "line 12: no target follows the name of the link",
        #"line 13: its name has an escape that is unknown: 'bad\\q'"#,
        "line 19: it does not begin with a mode, as 'tar -tv' has it",
        "line 20: no size and time follow the mode, as 'tar -tv' has them",
        "line 21: no size and time follow the mode, as 'tar -tv' has them",
        "line 22: no line end follows: it was cut off",
      ])
  }

  /// GNU tar pads times to the longest so far.
  @Test func paddedTimes() async throws {
    try await check(
      .tar,
      """
      -rw-r--r-- u/g 1 2026-01-31 12:00:59 a
      -rw-r--r-- u/g 2 2026-01-31 12:00:59.25 b
      -rw-r--r-- u/g 3 2026-01-31 12:00:59     c
      -rw-r--r-- u/g 4 2026-01-31 12:00:59.5  d
      -rw-r--r-- u/g 5 2026-01-31 12:00:59  e

      """, lines: ["r/ 4", "r/ c 3", "r/a 1", "r/b 2", "r/d 4"],
      faults: ["line 5: its time is shorter than others, but no spaces follow it as in those"])
  }

  /// busybox shows a further name with the mode of the file, and an arrow to a name before.
  @Test func busyboxTar() async throws {
    try await check(
      .tar,
      """
      drwxr-xr-x root/root         0 2026-11-27 01:27:54 d/
      -rw-r--r-- root/root    100000 2026-11-27 01:27:54 d/big
      lrwxrwxrwx root/root         0 2026-11-27 01:27:54 l -> f
      -rwxrwxrwx root/root         0 2026-11-27 01:27:54 l2 -> l
      -rw-r--r-- root/root         0 2026-11-27 01:27:54 big2 -> d/big
      -rw-r--r-- root/root         0 2026-11-27 01:27:54 name -> nothing
      -rw-r--r-- root/root         7 2026-11-27 01:27:54 full -> l

      """,
      lines: [
        "r/ 6", "r/big2", "r/full -> l 7", "r/l 1 symlink", "r/l2 symlink", "r/name -> nothing 0",
        "r/d/ 1", "r/d/big 100000",
      ], faults: [])
  }

  @Test func unzip() async throws {
    let head = """
      Archive:  x.zip
      a comment
        Length      Date    Time    Name
      ---------  ---------- -----   ----

      """
    let entries = """
              0  2026-11-23 18:27   a/
             15  11-23-2026 18:27   a/x y\u{20}
             16  11-23-26 18:27  ^lower
      rubbish

      """
    let total = """
      ---------                     -------
             31                     3 files

      """
    let lines = ["r/ 2", "r/lower 16", "r/a/ 1", "r/a/x y  15"]
    let rubbish = "line 8: it has no size, date, time and name, as 'unzip -l' has them"
    try await check(.unzip, head + entries + total, lines: lines, faults: [rubbish])
    for text in ["Archive:  e.zip\n", "Archive:  e.zip\r\nwarning [e.zip]:  zipfile is empty\n"] {
      #expect(try open(text).list.format == .unzip)
      try await check(.unzip, text, lines: ["r/ 0"], faults: [])
    }
    #expect(try open("Archive:  e.zip\nb\n").list.format == .lines)
    try await check(
      .unzip, head + entries, lines: lines,
      faults: [rubbish, "line 9: the total is missing: it was cut off"])
    try await check(
      .unzip, head + entries + total + "more\n", lines: lines,
      faults: [rubbish, "line 11: it is after the total: list one archive at a time"])
  }

  @Test func objects() async throws {
    try await check(
      .restic,
      #"""
      {"struct_type":"snapshot","time":"2026-01-31T12:00:00Z","paths":["/a"]}
      {"message_type":"node","struct_type":"node","type":"file","path":"./e","mtime":"1970-01-01T01:00:05.9+01:00"}
      {"struct_type":"node","type":"symlink","path":"./l","mtime":"1970-01-01T00:00:05Z"}
      {"struct_type":"node","type":"file","path":"./w","size":"3"}
      {"struct_type":"node","type":"file","path":"./v","size":1.5}
      {"struct_type":"node","type":"file","path":"./u","path":"./u"}
      {"struct_type":"node","type":"file"}
      {"struct_type":"node","path":"./t"}
      {"struct_type":"node","type":"file","path":"./s","mtime":"yesterday"}
      {"struct_type":"node","type":"file","pa
      {"struct_type":"node","type":"file","path":"./r","size":3} x
      {"struct_type":"statistics"}
      {"struct_type":"node","type":"file","path":"./q/../p"}
      {"struct_type":"snapshot","time":"2026-01-31T12:00:00Z"}
      {"struct_type":"node","type":"file","path":"./o","size":3}
      {"struct_type":"node","type":"file","path":"./o","size":4}
      {"struct_type":"no
      """#,
      lines: ["r/ 3", "r/e 0 @5", "r/l symlink", "r/o unreadable"],
      faults: [
        "line 4: its 'size' is of the wrong type", "line 5: its 'size' is not a number of bytes",
        "line 6: it has 'path' twice", "line 7: it has no path", "line 8: it has no type",
        "line 9: its 'mtime' is not a time",
        "line 10: a character that a string may have was expected: cut off, or not JSON",
        "line 11: the end of the line was expected: cut off, or not JSON",
        "line 13: './q/../p' leads upwards by '..'",
        "line 14: another snapshot begins: list one at a time",
        "line 17: the end of a string was expected: cut off, or not JSON",
        "line 16: 'o' is listed again, otherwise than at line 15",
      ])
    let old =
      #"[{"time":"2026-01-31T12:00:00Z","tags":null,"paths":["/x/a"],"nodes":[{"type":"dir","path":"/a"},"#
      + #"{"type":"file","path":"/a/b","size":3}],"struct_type":""}"#
    let oldTree = try open(old + "]\n")
    #expect(oldTree.list.format == .restic && oldTree.hasOwnTop)
    #expect(oldTree.top == Array("/a".utf8) && oldTree.seconds == 1_769_860_800)
    var listing = try await list(old + "]\n", .restic, prefix: "/a")
    #expect(listing == Listing(lines: ["r/ 1", "r/b 3"], faults: []))
    listing = try await list(old + #",{"time":1}]"#, .restic, prefix: "/a")
    #expect(listing.lines == ["r/ 1", "r/b 3"])
    #expect(listing.faults.first?.hasSuffix("another snapshot begins: list one at a time") == true)
    try await check(
      .borg,
      #"""
      {"type": "-", "mode": "hrw-r--r--", "path": "h", "size": 0, "mtime": "2026-01-31T12:00:00.5"}
      {"type": "-", "mode": "-rw-r--r--", "path": "a", "size": 4, "mtime": "1970-01-01T12:00:00.5+12:00"}
      {"type": "p", "mode": "prw-r--r--", "path": "p", "size": 0, "mtime": "2026-01-31T12:00:00.5"}

      """#,
      lines: ["r/ 3", "r/a 4 @0", "r/h", "r/p 0 fifo"], faults: [])
    try await check(
      .rclone,
      #"[{"Path":"a","Size":-1,"IsDir":false,"ModTime":""},{"Path":"b/c","Size":3,"IsDir":false},{"Size":1}"#,
      lines: ["r/ 2", "r/a", "r/b/ 1", "r/b/c 3"],
      faults: [
        "byte 90: it has no Path", "byte 100: ',' was expected: cut off, or not JSON",
      ])
  }
}

extension Tree {
  /// The tree with another byte in place of slashes.
  fileprivate var withoutSlashes: Tree {
    func name(_ name: [UInt8]) -> [UInt8] { name.map { $0 == 47 ? 95 : $0 } }
    var seen: Set<[UInt8]> = []
    return Tree(
      folders: folders.compactMap {
        seen.insert(name($0.name)).inserted
          ? Folder(name($0.name), $0.contents.withoutSlashes) : nil
      },
      files: files.map(name).filter { seen.insert($0).inserted })
  }
}
