import GeoCore
import GeoSources
import GeoTree
import TestSupport
import Testing

@testable import geomapper

/// The sources, labels and errors of operands and options. Runs in the test's own process.
@Suite struct SourceResolverTests {
  let folder: TemporaryFolder

  /// Two revisions, two folders, a snapshot, a map, an export and lists.
  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src")
    try folder.makeFile("src/a", "1")
    try folder.makeFolder("other")
    try folder.makeFolder("git:x")
    try folder.makeFile("names", "src\nsrc/a\nsrc/b/c\n")
    try folder.makeFile("notes.txt", "./a\n./b\n")
    try folder.makeFile(
      "export", #"[1,2,{"progname":"ncdu","timestamp":77},[{"name":"/x/top"},{"name":"f"}]]"#)
    for arguments in [["snapshot", "-q", "-o", "snap", "src"], ["map", "-q", "-o", "map", "src"]] {
      _ = try Geomapper.run(arguments, in: folder.path)
    }
    _ = try Geomapper.run(["snapshot", "-q", "-o", "two", "src", "other"], in: folder.path)
    let script = """
      git init -q repo && cd repo && export GIT_COMMITTER_DATE=2001-01-01T00:00:00Z
      echo 1 >f && mkdir d && echo 2 >d/g && git add . &&
      git -c user.name=n -c user.email=e commit -q -m m && git tag v1 && git tag src
      """
    let made = try Subprocess.run("/bin/sh", ["-c", "cd '\(folder.path)' && \(script)"])
    #expect(made.status == 0)
  }

  /// Replaces `@/` by the path of the folder.
  private func bytes(_ text: String) -> [UInt8] {
    Array(
      text.split(separator: "@", omittingEmptySubsequences: false)
        .joined(separator: folder.path).utf8)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: folder.path).joined(separator: "@")
  }

  private func low(_ options: [String]) -> LowArguments {
    var low = LowArguments()
    low.isQuiet = true
    low.progress = .never
    for option in options {
      let (name, value) = (option.prefix { $0 != "=" }, option.drop { $0 != "=" }.dropFirst())
      low.typed.append((String(name), [Array(value.utf8)]))
      switch name {
      case "git": low.gitRepository = bytes(String(value))
      case "files-from": low.list.file = bytes(String(value))
      case "one-file-system": low.map.scan.staysOnFileSystem = true
      case "follow": low.map.scan.followsLinks = true
      case "gitignore": low.rules = [.gitignore]
      case "exclude": low.rules = [.exclude(Array(value.utf8))]
      default: Issue.record("no option '\(name)'")
      }
    }
    return low
  }

  /// Each root as `LABEL=KIND`.
  private func shown(_ roots: [ScanRoot]) -> String {
    roots.map { root in
      let kind =
        root.source.isLive
        ? "disk"
        : root.source.isSequential
          ? "list"
          : root.source.knowledge == .objects ? "git" : root.source.isDecided ? "kept" : "map"
      return "\(String(decoding: root.label, as: UTF8.self))=\(kind)"
    }.joined(separator: " ")
  }

  /// Expects the output of each case, or the status and message of its failure.
  private func expect(_ cases: [Case], _ body: (Case) throws -> String) {
    for one in cases {
      let found: String
      do {
        found = try body(one)
      } catch let failure as Failure {
        found = "\(failure.status): " + text(Array(failure.message.utf8))
      } catch {
        found = "\(error)"
      }
      #expect(found == one.expected, "\(one.options) \(one.operands)")
    }
  }

  private struct Case {
    let options: [String]
    let operands: [String]
    let expected: String

    init(_ operands: String..., options: [String] = [], expected: String) {
      (self.operands, self.options, self.expected) = (operands, options, expected)
    }
  }

  private static let roots = [
    Case("@/src", expected: "src=disk"),
    Case("@/src/", "x=@/src", expected: "src=disk x=disk"),
    Case("@/src/..//src/.", expected: "src=disk"),
    Case("@/nothere", expected: "nothere=disk"),
    Case("@/snap", expected: "src=kept"),
    Case("x=@/snap", expected: "x=kept"),
    Case("@/two", expected: "other=kept src=kept"),
    Case(
      "x=@/two",
      expected: "usage: the snapshot '@/two' has 2 roots, each with a label of its own: "
        + "give it no LABEL"),
    Case("", expected: "usage: the path of a folder is empty; for the current folder, give '.'"),
    Case(
      "x=",
      expected: "usage: no folder follows the '=' in 'x='; for a folder of that name, give "
        + "'./x='"),
    Case("x=@/nothere", expected: "usage: can't map '@/nothere': No such file or directory"),
    Case("x=@/names", expected: "usage: can't map '@/names': not a folder"),
    Case(
      "x=@/map",
      expected: "usage: can't map '@/map': not a folder, but "
        + "a map; 'geomapper verify' checks it, and 'geomapper diff' compares it"),
    Case("v1", options: ["git=@/repo"], expected: "repo=git"),
    Case(options: ["git=@/repo"], expected: "repo=git"),
    Case("y=v1:d", "v1:d", options: ["git=@/repo"], expected: "y=git d=git"),
    Case(
      "git:v1", "HEAD", "@/src", options: ["git=@/repo"], expected: "repo=git repo=git src=disk"),
    Case("x=git:v1", "@/snap", options: ["git=@/repo"], expected: "x=git src=kept"),
    Case(
      "git:v1", "none", options: ["git=@/repo"],
      expected: "usage: 'none' is not a file or folder here, nor a revision in the "
        + "repository '@/repo'"),
    Case("@/src", options: ["files-from=@/names"], expected: "src=list"),
    Case(
      "a", "b", options: ["files-from=@/names"],
      expected:
        "usage: a list is for one folder, not 'a' and 'b': give the path that all its lines "
        + "begin with"),
    Case(
      options: ["files-from=@/export"],
      expected: "usage: '@/export' is not a list of paths, but an "
        + "export; give it as --files-from FILE --list-format ncdu"),
  ]

  /// Commands that read the tree once.
  @Test func opensSources() {
    expect(Self.roots) { one in
      shown(try Inputs(low(one.options), one.operands.map(bytes), read: .once).roots)
    }
  }

  private static let kept = [
    Case("@/src", expected: "src=disk"),
    Case("@/src", options: ["files-from=@/names"], expected: "src=kept, disk no"),
    Case("@/src", options: ["exclude=b"], expected: "src=disk"),
    Case("@/src", options: ["follow"], expected: "src=kept, disk yes"),
    Case("v1", options: ["git=@/repo"], expected: "repo=git"),
    Case(
      "@/snap", options: ["one-file-system"],
      expected:
        "usage: --one-file-system can't be used with '@/snap': it applies when a snapshot is taken; "
        + "give it to 'geomapper snapshot'"),
    Case(
      "v1", options: ["git=@/repo", "follow"],
      expected: "usage: --follow can't be used with 'v1': it needs a disk"),
  ]

  /// Commands with random access.
  @Test func storesStreamsForRandomAccess() {
    expect(Self.kept) { one in
      let inputs = try Inputs(low(one.options), one.operands.map(bytes), read: .anywhere)
      let isKept =
        inputs.roots.contains { $0.source.isDecided } && !one.operands[0].contains("snap")
      let disk = inputs.named.allSatisfy { $0.source.isLive } ? "yes" : "no"
      return shown(inputs.roots) + (isKept ? ", disk \(disk)" : "")
    }
  }

  /// With a selection, a command that doesn't select reads the selected entries alone.
  @Test func readsSelectedEntries() throws {
    let plain = try Inputs(low([]), [bytes("@/src")], read: .selected)
    #expect(shown(plain.roots) == "src=disk")
    let selected = try Inputs(low(["exclude=a"]), [bytes("@/src")], read: .selected)
    #expect(shown(selected.roots) == "src=disk")
    #expect(selected.scan.selection.isActive)
    #expect(!selected.selection.isActive)
    #expect(shown(selected.named) == "src=disk")
    // The folder of a list need not exist on disk.
    let listed = try Inputs(
      low(["files-from=@/names", "exclude=b"]), [bytes("nowhere/src")], read: .selected)
    #expect(shown(listed.named) == "src=kept")
  }

  private static let states = [
    Case("@/src", "@/snap", expected: "src=disk src 5, src=kept src then"),
    Case("@/map", "x=@/map", expected: "src=map src, x=map x"),
    Case("@/export", "y=@/export", expected: "top=kept top 77, y=kept y 77"),
    // The folder that both lists have is the root of both.
    Case("@/names", "@/notes.txt", expected: "names=kept names, notes=kept notes"),
    Case("@/names", "@/names", expected: "src=kept src, src=kept src"),
    Case(
      "v1", "HEAD", options: ["git=@/repo"],
      expected: "repo=git v1 978307200, repo=git HEAD 978307200"),
    Case(
      "git:v1", "@/src", options: ["git=@/repo"],
      expected: "repo=git v1 978307200, src=disk src 5"),
    Case("@/nothere", "@/src", expected: "usage: can't map '@/nothere': No such file or directory"),
    Case("@/two", "@/src", expected: "other=kept src=kept other, src then, src=disk src 5"),
    Case(
      "@/snap", "@/src", options: ["gitignore"],
      expected:
        "usage: --gitignore can't be used with '@/snap': it applies when a snapshot is taken; "
        + "give it to 'geomapper snapshot'"),
    Case("@/src", "x=@/src", options: ["gitignore"], expected: "src=kept src 5, x=kept x 5"),
  ]

  @Test func opensStates() {
    expect(Self.states) { one in
      try OpenState.states(one.operands.map { [bytes($0)] }, low(one.options), now: 5).map {
        state in
        let time = state.state.time.map { $0 > 1_000_000_000 ? " then" : " \($0)" } ?? ""
        return "\(shown(state.roots)) \(String(decoding: state.state.name, as: UTF8.self))\(time)"
      }.joined(separator: ", ")
    }
  }

  /// A history ends at a revision, with or without the mark.
  @Test(arguments: [[], ["v1"], ["git:v1"], ["r=git:HEAD"]])
  func historiesEndAtARevision(operands: [String]) throws {
    var low = low(["git=@/repo"])
    low.operands = operands.map(bytes)
    let head = try HistoryReading(low).head()
    #expect(head == (try GitRevision.commit(Array("HEAD".utf8), of: bytes("@/repo"))))
    #expect(try HistoryReading(low).world().faults == 0)
  }

  /// Two revisions are read only where they differ, if that is enough.
  @Test func readsRevisionsWhereTheyDiffer() throws {
    let operands = ["v1", "src"].map { [bytes($0)] }
    let states = try OpenState.states(
      operands, low(["git=@/repo"]), now: nil, asFarAsTheyDiffer: true)
    #expect(states.map { $0.roots[0].source.entryCount } == [nil, nil])
    #expect(states.map(\.state.time) == [978_307_200, 978_307_200])
  }

  /// Labels come from the paths alone if the disk isn't needed.
  @Test func readsNothing() throws {
    let resolver = SourceResolver(low([]))
    #expect(
      shown(try resolver.unreadRoots([bytes("@/nothere/a/.."), bytes("x=b")]))
        == "nothere=disk x=disk")
    #expect(resolver.areFolders([bytes("@/src"), bytes("@/nothere")]))
    for operand in ["@/snap", "git:v1", "x=git:v1"] {
      #expect(!resolver.areFolders([bytes(operand)]), "\(operand)")
    }
    #expect(!SourceResolver(low(["git=@/repo"])).areFolders([]))
  }
}

/// What the text of operands means.
@Suite struct OperandTests {
  @Test func labelsAndMarks() throws {
    func read(_ text: String) throws -> [String?] {
      let operand = try Operand(Array(text.utf8))
      return [operand.label, operand.path, operand.revision].map { bytes in
        bytes.map { String(decoding: $0, as: UTF8.self) }
      }
    }
    #expect(try read("a/b") == [nil, "a/b", nil])
    #expect(try read("x=a/b") == ["x", "a/b", nil])
    #expect(try read("x=git:v1:d") == ["x", "git:v1:d", "v1:d"])
    #expect(try read("git:v1") == [nil, "git:v1", "v1"])
    #expect(try read("./git:v1") == [nil, "./git:v1", nil])
    #expect(try read("./x=git:v1") == [nil, "./x=git:v1", nil])
  }

  @Test func operandsAreRevisionsOfARepository() throws {
    let all = try Operand.all([Array("x=v1".utf8), Array("HEAD".utf8)], Array("repo".utf8))
    #expect(all.map(\.revision) == [Array("v1".utf8), Array("HEAD".utf8)])
    #expect(all.map(\.path) == [Array("v1".utf8), Array("HEAD".utf8)])
    // If one operand is marked, the others are paths, if those exist.
    let mixed = try Operand.all([Array("git:v1".utf8), Array("/".utf8)], Array("repo".utf8))
    #expect(mixed.map(\.revision) == [Array("v1".utf8), nil])
  }
}
