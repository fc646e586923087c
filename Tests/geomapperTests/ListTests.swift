import Foundation
import TestSupport
import Testing

/// `--files-from`, with lists from other programs.
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
    // Folders with contents need neither a slash nor a line.
    let files = try output("cd src/b; \"$T\" map --no-stat")
    #expect(try output("cd src/b; find . | \"$T\" map --files-from -") == files)
    #expect(try output("cd src/b; find . -type f | \"$T\" map --files-from -") == files)
    #expect(try output("cd src/b; find * -type f | \"$T\" map --files-from -") == files)
  }

  /// Two states have one root, though the second has one more folder at the top.
  @Test func listingsShareTheirRoot() throws {
    let line = "-rw-r--r-- u/g 1 2026-01-31 12:00 "
    try folder.makeFile("one.list", "\(line)a/x\n\(line)a/y\n")
    try folder.makeFile("two.list", "\(line)a/x\n\(line)a/y\n\(line)b/z\n")
    for (old, new, change) in [("one", "two", "added"), ("two", "one", "removed")] {
      let rows = try run("\"$T\" diff --format csv \(old).list \(new).list").text
        .split(separator: "\r\n").dropFirst().filter { !$0.hasPrefix("\(new),") }
      #expect(rows.count == 2, "\(rows)")
      #expect(rows.allSatisfy { $0.hasPrefix("\(new)/b") && $0.contains(",\(change),") }, "\(rows)")
    }
    // Those of two releases stay apart.
    try folder.makeFile("v1.list", "\(line)tree-1/x\n")
    try folder.makeFile("v2.list", "\(line)tree-2/x\n")
    #expect(try run("\"$T\" diff v1.list v2.list").text.contains("nothing differs"))
  }

  @Test func archivesAreNotFolders() throws {
    for (bytes, lister) in [
      ([0x50, 0x4B, 5, 6], "unzip -l"), ([0x1F, 0x8B, 8], "tar -tvf"),
      (Array(repeating: 0, count: 257) + Array("ustar".utf8), "tar -tvf"),
    ] as [([UInt8], String)] {
      try folder.makeFile(bytes: Array("archive".utf8), bytes)
      let outcome = try run("\"$T\" stats archive")
      #expect(
        outcome.status == 2 && outcome.errorText.contains("'\(lister)'"), "\(outcome.errorText)")
    }
  }

  /// An export counts each file once, and its room on disk.
  @Test func exportsHaveAllocatedBytes() throws {
    let names = #"{"name":"a","asize":5000,"dsize":8192,"ino":9,"hlnkc":true,"nlink":2}"#
    try folder.makeFile(
      "e.json",
      #"[1,2,{"progname":"ncdu"},[{"name":"/x","dev":1},\#(names),\#(names.replacingOccurrences(of: "\"a\"", with: "\"b\"")),{"name":"sparse","asize":100000}]]"#
    )
    let list = "--files-from e.json --list-format ncdu /x"
    for source in [list, "x.geosnap"] {
      let text = try run("\"$T\" stats --format json \(source)").text
      #expect(text.contains(#""allocated":8192"#) && text.contains("105000"), "\(text)")
      _ = try run("\"$T\" snapshot -o x.geosnap \(list)")
    }
  }

  @Test func wrongLinesAreNamed() throws {
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
    #expect(lines[100] == "geomapper: 150 more could not be used, 250 in all")
    #expect(try WrittenMap(many.output).paths == ["src"])
  }

  @Test func wrongUsageIsRefused() throws {
    try folder.makeFile("list", "src/a\n")
    for (arguments, message) in [
      ("--files-from nowhere", "can't read the list 'nowhere': No such file"),
      ("--files-from src", "can't read the list 'src': Is a directory"),
      ("--files-from=", "--files-from: the name of a list is empty"),
      ("--files-from list src other", "'src' and 'other'"),
      ("--files-from list --gitignore", "it reads files"),
      ("--files-from list -x", "it needs a disk"),
      ("--files-from list -L", "it needs a disk"),
      ("--files-from list --links", "it needs a disk"),
      ("--files-from list --totals --format gpx", "it works with the GeoJSON formats"),
      ("--files-from list --size +1", "no sizes or times"),
      ("--files-from list --older @1", "no sizes or times"),
      ("--files-from list --list-format ncdu -0", "--null"),
      ("--files-from list gone/..", "give one, such as NAME=gone/.."),
      ("--files-from - --exclude-from=-", "both read standard input"),
      ("--list-format find", "needs --files-from LIST"), ("-0", "needs --files-from LIST"),
      ("--files-from list --list-format fnd", "did you mean 'find'?"),
    ] {
      let outcome = try run("\"$T\" map \(arguments)")
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorText.contains(message), "\(arguments): \(outcome.errorText)")
    }
  }

  /// A listing by another program is read in place of a folder, or as a list with or without format.
  @Test func listingsAreComparedAndMapped() throws {
    try folder.makeFile(
      "old.list",
      """
      drwxr-xr-x a/b  0 2026-01-31 12:00 top/
      -rw-r--r-- a/b  7 2026-01-31 12:00 top/x\\040y
      -rw-r--r-- a/b  7 2026-01-31 12:00 top/z

      """)
    try folder.makeFile(
      "new.json",
      #"""
      {"struct_type":"snapshot","time":"2001-02-03T04:05:06Z","paths":["/a/top"]}
      {"struct_type":"node","type":"dir","path":"/a"}
      {"struct_type":"node","type":"dir","path":"/a/top"}
      {"struct_type":"node","type":"file","path":"/a/top/x y","size":7}
      {"struct_type":"node","type":"file","path":"/a/top/../w"}

      """#)
    let csv = "--format csv | cut -d, -f1,2,4 | tr -d '\\r'"
    let rows = "path,kind,size\ntop,continent,2\ntop/x y,poi,7\ntop/z,poi,7\n"
    for way in [
      "old.list", "--files-from old.list", "--files-from - < old.list", "--files-from old.list top",
      "--files-from old.list --list-format tar top=./top",
    ] {
      #expect(try run("\"$T\" map \(way) \(csv)").text == rows, "\(way)")
    }
    let named = rows.replacing("top", with: "n")
    for way in ["n=old.list", "--files-from old.list n=", "--files-from old.list n=top"] {
      #expect(try run("\"$T\" map \(way) \(csv)").text == named, "\(way)")
    }
    let difference = try run("\"$T\" diff --format csv old.list new.json | cut -d, -f1-4")
    #expect(difference.text == "path,kind,depth,change\ntop,continent,0,\ntop/z,poi,1,removed\n")
    #expect(difference.errorText.contains("new.json, line 5: '/a/top/../w' leads upwards by '..'"))
    let info = try run("\"$T\" snapshot -q -o kept new.json; \"$T\" snapshot --info kept")
    #expect(info.text.contains("taken     2001-02-03T04:05:06Z"))
    #expect(try run("\"$T\" history --format csv new.json").text.contains(",2001-02-03T04:05:06Z,"))
    #expect(try run("\"$T\" stats -q old.list new=new.json").status == 1)
    try folder.makeFile(
      "both", #"{"struct_type":"node","type":"d","path":"a","mtime":"","mode":"drwxr-xr-x"}"#)
    try folder.makeFile("flat.tar", "-rw-r--r-- a/b  7 2026-01-31 12:00 x\n")
    #expect(try run("\"$T\" map flat.tar \(csv)").text.contains("\nflat,continent,1\n"))
    for (arguments, message) in [
      ("both", "the list 'both' may be of restic or borg: choose one"),
      ("--files-from - < flat.tar", "standard input have no folder in common"),
      ("--files-from old.list --list-format tar -0", "--null"),
      ("--files-from old.list a b", "a list is for one folder"),
    ] {
      let outcome = try run("\"$T\" map \(arguments)")
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(message), "\(arguments): \(outcome.errorText)")
    }
  }

  /// A pipe is read once and stored on disk, where there may be no room.
  @Test func pipesNeedScratchSpace() throws {
    let pipe = "seq -f 'src/%g' 1000 | \"$T\" map --files-from - --format csv src"
    let outcome = try run("mkdir tmp && export TMPDIR=tmp && \(pipe) && ls -A tmp")
    #expect(outcome.status == 0)
    #expect(outcome.text.split(separator: "\r\n").count == 1002)
    let failure = try run("export TMPDIR=nowhere && \(pipe) -o out")
    #expect(failure.status == 3)
    #expect(failure.errorText.contains("No such file or directory; set TMPDIR to a folder"))
    #expect(throws: SystemFailure.self) { try folder.read("out") }
  }

  @Test func filesAreReadFromTheirOffset() throws {
    try folder.makeFile("list", "not this\nsrc/a\nsrc/b\n")
    let outcome = try run("(head -c 9 > /dev/null; \"$T\" map --files-from - src) < list")
    #expect(outcome.status == 0)
    #expect(try WrittenMap(outcome.output).paths == ["src", "src/a", "src/b"])
  }

  /// A list with the same facts as the disk gives the same bytes, whatever the options.
  @Test func equalFactsGiveEqualBytes() throws {
    let options = [
      "--exclude=[a-m]*", "--exclude=**/*5*", "--include=**/x*", "--no-hidden", "--name=*[0-9]*",
      "--size=+10", "--size=-30", "--type=f", "--type=d", "--type=l", "--newer=@5000",
      "--older=@20000", "--zoom=5", "--bbox=-90,-60,60,60", "--max-depth=2", "--layout=pinned",
      "--no-stat", "--format=csv", "--format=gpx", "--format=geojsonseq", "--tippecanoe",
      "--quiet", "--threads=2",
    ]
    for seed in TestScale.seeds(6) {
      var generator = SeededGenerator(seed: seed)
      let shape = Tree.Shape(nodes: 120, folders: 0.35, depth: 0.4, alphabet: 0x30...0x7A)
      let trees = Tree.random(shape, roots: 1, using: &generator)
      let folder = try TemporaryFolder()
      try make(trees.folders[0].contents, at: "src", in: folder, using: &generator)
      for _ in 0..<4 {
        var given = options.filter { _ in generator.chance(0.15) }
        if given.contains("--no-stat") {
          given.removeAll { ["--size", "--newer", "--older"].contains($0.prefix { $0 != "=" }) }
        }
        if given.contains("--format=csv") || given.contains("--format=gpx") {
          given.removeAll { $0 == "--tippecanoe" }
        }
        let words = given.map { "'\($0)'" }.joined(separator: " ")
        let live = try Geomapper.shell("\"$T\" map src \(words)", in: folder.path)
        let list = try Geomapper.shell(
          "find src -printf '%s %T@ %y %p\\0' | shuf -z "
            + "| \"$T\" map --files-from - --list-format find src \(words)",
          in: folder.path)
        #expect(live.status == 0)
        #expect(list.status == 0, "\(list.errorText)")
        #expect(live.output == list.output, "seed \(seed), \(words)")
      }
    }
  }

  private func make(
    _ tree: Tree, at path: String, in folder: TemporaryFolder,
    using generator: inout SeededGenerator
  ) throws {
    func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
    try folder.makeFolder(path)
    for name in tree.files {
      let file = "\(path)/\(text(name))"
      if generator.chance(0.1) {
        try folder.makeLink(file, to: "nowhere")
      } else {
        try folder.makeFile(file, String(repeating: "x", count: generator.number(in: 0...40)))
      }
      try folder.setModified(file, generator.number(in: -9000...30_000))
    }
    for part in tree.folders {
      try make(part.contents, at: "\(path)/\(text(part.name))", in: folder, using: &generator)
    }
    try folder.setModified(path, generator.number(in: -9000...30_000))
  }
}
