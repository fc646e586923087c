import Foundation
import TestSupport
import Testing

/// Every question about one tree gets the same answer from a disk, a snapshot, lists and a
/// revision.
@Suite struct EverySourceTests {
  let folder: TemporaryFolder

  /// A source of the tree, and the facts it has.
  struct Source: CustomStringConvertible {
    let description: String
    /// The options and the operand that name the root.
    let options: String
    let root: String
    var hasSizes = true
    var hasTimes = true
    var hasRoom = false
    var hasOwners = false
  }

  static let sources = [
    Source(
      description: "disk", options: "", root: "copy/repo", hasRoom: true, hasOwners: true),
    Source(description: "snapshot", options: "", root: "s", hasRoom: true, hasOwners: true),
    Source(
      description: "list of find", options: "--files-from list --list-format find", root: "repo=."),
    Source(
      description: "export of ncdu", options: "--files-from ncdu --list-format ncdu",
      root: "/x/repo", hasRoom: true),
    Source(
      description: "list of names", options: "--files-from lines", root: "repo=.", hasSizes: false,
      hasTimes: false),
    Source(description: "revision", options: "--git repo", root: "HEAD", hasTimes: false),
    Source(
      description: "one of several revisions", options: "--git repo", root: "repo=git:HEAD~0",
      hasTimes: false),
    Source(description: "snapshot of a revision", options: "", root: "g", hasTimes: false),
  ]

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q repo; cd repo; git config user.name a; git config user.email a@b
      mkdir -p a/b/c d/.hid "odd name"; printf 12345 > a/one.c; printf 1 > a/b/two.o
      printf 22 > a/b/c/one.h; : > d/.hid/three.c; ln -s one.c a/link; printf 7 > "odd name/q é"
      for i in 1 2 3 4 5 6 7 8 9; do printf $i > d/file$i.c; done
      git add -A; git commit -qm one; cd ..
      mkdir copy; git -C repo archive --prefix=repo/ HEAD | tar x -C copy
      "$T" snapshot -q -o s copy/repo; "$T" snapshot -q -o g --git repo
      cd copy/repo; find . -printf '%s %T@ %y %p\0' > ../../list; find . | sort -r > ../../lines
      find . -type d -printf '%p/\n' >> ../../lines
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    try folder.makeFile("ncdu", Self.export(of: folder("copy/repo"), named: "/x/repo"))
  }

  /// A folder as exported by ncdu.
  private static func export(of path: String, named name: String) throws -> String {
    func facts(_ path: String, _ name: String) throws -> String {
      var found = stat()
      if lstat(path, &found) != 0 { throw POSIXError(.ENOENT) }
      let isOther = found.st_mode & S_IFMT == S_IFLNK ? ",\"notreg\":true" : ""
      return "{\"name\":\"\(name)\",\"asize\":\(found.st_size),"
        + "\"dsize\":\(found.st_blocks * 512),\"mode\":\(found.st_mode),"
        + "\"mtime\":\(found.st_mtim.tv_sec)\(isOther)}"
    }
    func folder(_ path: String, _ name: String) throws -> String {
      var text = "[" + (try facts(path, name))
      for child in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
        var found = stat()
        lstat("\(path)/\(child)", &found)
        let isFolder = found.st_mode & S_IFMT == S_IFDIR
        text +=
          ",\n"
          + (try isFolder ? folder("\(path)/\(child)", child) : facts("\(path)/\(child)", child))
      }
      return text + "]"
    }
    return "[1,2,{\"progname\":\"ncdu\",\"progver\":\"1\",\"timestamp\":1},\n"
      + (try folder(path, name)) + "]\n"
  }

  private func run(_ script: String) throws -> Subprocess.Outcome {
    try Geomapper.shell(script, in: folder.path)
  }

  /// The sources to ask, the disk first; with a smaller test scale, others for each question.
  private func chosen(for question: Int, where isAsked: (Source) -> Bool) -> [Source] {
    let (all, step) = (Self.sources.filter(isAsked), TestScale.each(1))
    let others = all.indices.dropFirst().filter { $0 % step == question % step }
    return all.prefix(1) + others.map { all[$0] }
  }

  /// Runs a command on each source that has the necessary facts.
  ///
  /// - Parameter command: `@` is replaced by the options and the root as an operand, `%` by the
  ///   options and the root with `--root`.
  private func compare(
    _ command: String, _ status: Int32 = 0, where isAsked: (Source) -> Bool = { _ in true }
  ) throws {
    var first: Subprocess.Outcome?
    for source in chosen(for: command.utf8.count, where: isAsked) {
      let script = command.replacing("@", with: "\(source.options) '\(source.root)'")
        .replacing("%", with: "-q \(source.options) --root '\(source.root)'")
      let outcome = try run(script)
      #expect(outcome.status == status, "\(script): \(outcome.errorText)")
      let isSame = outcome.output == (first ?? outcome).output
      #expect(isSame, "\(source): \(script)\n\(outcome.text)\n\(first?.text ?? "")")
      if first == nil {
        first = outcome
        #expect(!outcome.output.isEmpty, "\(script)")
      }
    }
  }

  @Test func locateAnswersTheSame() throws {
    let paths =
      "map:repo repo/a repo/a/one.c/ map:repo/d/.hid/three.c 'repo/odd name/q é' repo/a/link"
    try compare("\"$T\" locate % \(paths)") { $0.hasSizes }
    try compare("\"$T\" locate --layout pinned % map:repo/a/new map:repo/a/new/")
    try compare("\"$T\" locate --layout pinned --count % \(paths)") { $0.hasSizes }
    try compare("\"$T\" locate --format geojson % \(paths)") { $0.hasTimes }
    try compare("\"$T\" locate --format geojson % map:repo/none map:repo/a", 1) { $0.hasTimes }
    for format in ["text", "geojson", "gpx"] {
      try compare("\"$T\" route --format \(format) % map:repo/a/b/c/one.h repo/d/file3.c")
    }
    let questions =
      #"{"path":"repo/a"}\n{"path":"map:repo/a/one.c"}\n{"path":"map:repo/d/"}\n{"lon":10,"lat":10}\n"#
      + #"{"path":"map:other"}\n"#
    try compare("printf '\(questions)' | \"$T\" locate --coprocess %")
    try compare("printf '\(questions)' | \"$T\" whereis --coprocess --layout pinned %")
  }

  @Test func whereisAnswersTheSame() throws {
    let located = try run("\"$T\" locate -q --root s repo/a/b/two.o").text
    let place = try #require(located.firstMatch(of: /lon,lat +(\S+)/)).1
    for options in ["", "--radius 2000000 --limit 50", "--zoom 2", "--layout pinned"] {
      try compare("\"$T\" whereis \(options) % -- \(place)") { $0.hasSizes }
    }
    // An argument that begins with a minus sign and a digit is not an option.
    try compare("\"$T\" whereis % -0.5,1") { $0.hasSizes }
  }

  @Test func findAnswersTheSame() throws {
    for options in ["one", "'a one'", "repo --limit 3", "c --layout pinned", "é"] {
      try compareFound("\"$T\" find \(options) @")
    }
    try compare("\"$T\" find --format geojson one @") { $0.hasTimes }
  }

  /// Compares the output of `find`: with sizes for the sources that have them, and without for all.
  private func compareFound(_ command: String) throws {
    try compare(command) { $0.hasSizes }
    try compare("\(command) | sed 's/^.*  repo/repo/'")
  }

  @Test func selectionsExcludeTheSame() throws {
    for options in [
      "--exclude b", "--no-hidden", "--name '*.c'", "--type d",
      "--include '**/*.c' --exclude '**/*.h'",
    ] {
      try compareFound("\"$T\" find \(options) --limit 100 e @")
      try compare("\"$T\" whereis --radius 9000000 --limit 100 \(options) % 0,0") { $0.hasSizes }
    }
    // A list of names can't distinguish links from files.
    try compare("\"$T\" whereis --radius 9000000 --limit 99 --type f % 0,0") { $0.hasSizes }
    try compare("\"$T\" find --size +1 --limit 100 e @") { $0.hasSizes }
    try compare("\"$T\" whereis --newer 2001-01-01 --radius 9000000 % 0,0") { $0.hasTimes }
    for source in Self.sources where !source.hasSizes {
      let refused = try run("\"$T\" find --size +1 e \(source.options) \(source.root)")
      #expect(refused.status == 2 && refused.errorText.contains("has no sizes"))
    }
    for source in Self.sources.dropFirst() {
      let refused = try run("\"$T\" find --gitignore e \(source.options) \(source.root)")
      #expect(refused.status == 2 && refused.errorText.contains("--gitignore"), "\(source)")
    }
  }

  @Test func verificationIsTheSame() throws {
    try compare("\"$T\" verify -q --layout settled @; echo $?")
  }

  /// The properties of the root of a map with totals, and the totals of stats.
  @Test func unknownSumsAreLeftOut() throws {
    for source in Self.sources {
      let map = try WrittenMap(run("\"$T\" map --totals \(source.options) '\(source.root)'").output)
      let stats = try run("\"$T\" stats --format json \(source.options) '\(source.root)'")
      #expect(stats.status == 0, "\(source): \(stats.errorText)")
      let found = try JSONSerialization.jsonObject(with: Data(stats.output)) as? [String: Any]
      let total = try #require(found?["total"] as? [String: Int])
      let root = try #require(map["repo"])
      #expect(root["files"] as? Int == 15 && total["files"] == 15, "\(source)")
      // The link has a size of five bytes, too.
      let bytes = source.hasSizes ? 5 + 5 + 1 + 2 + 1 + 9 : nil
      #expect(root["bytes"] as? Int == bytes && total["bytes"] == bytes, "\(source): \(total)")
      #expect((root["allocated"] == nil) == !source.hasRoom, "\(source)")
      #expect((total["allocated"] == nil) == !source.hasRoom, "\(source)")
      #expect((total["newest"] == nil) == !source.hasTimes, "\(source)")
      #expect((found?["owners"] as? [Any])?.isEmpty == !source.hasOwners, "\(source)")
      #expect((root["modified"] == nil) == !source.hasTimes, "\(source)")
      let text = try run("\"$T\" stats \(source.options) '\(source.root)'").text
      let title = source.hasRoom ? "on disk" : source.hasSizes ? "bytes" : "share"
      #expect(text.drop { $0 == " " }.hasPrefix(title), "\(source): \(text)")
      #expect(!text.contains("0 bytes") || source.hasSizes, "\(text)")
    }
  }

  @Test func unusableLinesAreNamed() throws {
    let script = "printf 'a/x\\n/elsewhere\\n' > bad; mkdir tmp; export TMPDIR=tmp; "
    for command in [
      "locate -q --root r=. r/a/x", "whereis -q --root r=. 0,0", "route -q --root r=. r r/a",
      "find x r=.", "stats r=.", "verify r=.", "map --totals r=.",
    ] {
      let outcome = try run(script + "\"$T\" \(command) --files-from bad; e=$?; ls -A tmp; exit $e")
      #expect(outcome.status == 1, "\(command): \(outcome.errorText)")
      #expect(!outcome.output.isEmpty, "\(command)")
      let isQuiet = command.contains("-q")
      #expect(
        outcome.errorText.contains("bad, line 2: '/elsewhere' is not below '.'") == !isQuiet,
        "\(command): \(outcome.errorText)")
      #expect(!outcome.text.contains(".tmp"), "\(command)")
      let scarce = try run("TMPDIR=nowhere \"$T\" \(command) --files-from lines")
      #expect(scarce.status == 3 && scarce.errorText.contains("set TMPDIR"), "\(command)")
      let missing = try run("\"$T\" \(command) --files-from nowhere")
      #expect(missing.status == 2 && missing.errorText.contains("the list 'nowhere'"))
    }
    let split = try run("\"$T\" split --parts 2 r=. --files-from lines; e=$?; ls; exit $e")
    #expect(split.status == 2 && split.errorText.contains("unknown option '--files-from'"))
    #expect(!split.text.contains("parts"))
    for command in ["locate --coprocess --root r=.", "locate --root r=. -"] {
      let both = try run("\"$T\" \(command) --files-from - < lines")
      #expect(both.status == 2 && both.errorText.contains("standard input"), "\(both.errorText)")
    }
  }

  @Test func pathsOfOtherSourcesAreThoseOfTheMap() throws {
    // The folder of that name on this disk is another one.
    try folder.makeFile("repo2/a/one.c")
    for source in Self.sources.dropFirst() {
      let options = "-q \(source.options) --root '\(source.root)'"
      let outcome = try run("\"$T\" locate \(options) repo/a copy/repo/a")
      #expect(outcome.status == 1)
      #expect(outcome.text.hasPrefix("repo/a\n"))
      #expect(
        outcome.errorText.contains("'copy/repo/a' is not on the map, whose paths begin with 'repo'")
      )
    }
    let mixed = try run("\"$T\" locate -q --root old=s --root new=copy/repo copy/repo/a old/a")
    #expect(mixed.status == 0, "\(mixed.errorText)")
    #expect(mixed.text.hasPrefix("new/a\n") && mixed.text.contains("\nold/a\n"))
  }

  @Test func entriesExcludedFromASnapshotAreNotCounted() throws {
    _ = try run(
      "\"$T\" snapshot -q --exclude '**/b' -o kept copy/repo; cp -a copy/repo less; "
        + "find less -name b -prune -exec rm -r {} +; find copy/repo -name b | grep -q .")
    func expectSame(_ question: String, _ filter: String) throws {
      let disk = try run("\"$T\" \(question) repo=less | \(filter)")
      let kept = try run("\"$T\" \(question) repo=kept | \(filter)")
      #expect(!disk.text.isEmpty, "\(disk.errorText)")
      #expect(kept.text == disk.text)
    }
    try expectSame("stats --format json --depth 9", "sed 's/,\"extensions\".*//'")
    // Excluded entries keep their places in the snapshot, so the lands differ, but the totals
    // agree.
    try expectSame("draw --sheet 120x90", "grep -B1 '>folders<'")
  }

  @Test func snapshotsExcludeTheSameAsTheDisk() throws {
    for options in [
      "--exclude b", "--no-hidden", "--exclude '**/*.c'", "--name '*.c'", "--size +1",
      "--exclude b --name 'one*' --newer 2001-01-01",
    ] {
      let disk = try run("\"$T\" map \(options) copy/repo")
      _ = try run(
        "\"$T\" snapshot -q \(options) -o kept copy/repo; \"$T\" snapshot -q -o again kept")
      #expect(try run("\"$T\" map kept").output == disk.output, "\(options)")
      #expect(disk.text.contains("\"excluded\""))
      // Excluded entries are left out of answers, too.
      for question in ["find --limit 99 e", "whereis -q --radius 9000000 --limit 99 0,0 --root"] {
        let kept = try run("\"$T\" \(question) kept")
        #expect(
          try run("\"$T\" \(question) copy/repo \(options)").output == kept.output, "\(options)")
        #expect(try run("\"$T\" \(question) again").output == kept.output, "\(options)")
      }
    }
  }
}
