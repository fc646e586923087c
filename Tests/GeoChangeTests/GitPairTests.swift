import GeoFormats
import GeoSources
import GeoCore
import GeoPipeline
import GeoTree
import GeoWeb
import TestSupport
import Testing

@testable import GeoChange

/// Comparing two revisions gives the same result whether equal subtrees are skipped or read.
@Suite struct GitPairTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try git("init -q --bare repo")
  }

  private var repository: [UInt8] { Array(folder("repo").utf8) }

  private func git(_ arguments: String) throws {
    let script = "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git \(arguments)"
    let outcome = try Subprocess.run("/bin/sh", ["-c", script], in: folder.path)
    try #require(outcome.status == 0, "\(outcome.errorText)")
  }

  /// Commits both states, as `old` and `new`.
  private func commit(_ pair: StatePair) throws {
    var stream: [UInt8] = []
    for (name, state) in [("old", pair.old), ("new", pair.new)] {
      stream += Array("reset refs/heads/\(name)\ncommit refs/heads/\(name)\n".utf8)
      stream += Array("committer a <a@b> 7 +0000\ndata 0\n".utf8)
      for (path, entry) in state.entries {
        // Names of any bytes, the same in both states.
        let quoted = path.utf8.flatMap { $0 == UInt8(ascii: "c") ? Array(#"\377\n"#.utf8) : [$0] }
        func put(_ mode: String, _ content: [UInt8]?) {
          let object = content == nil ? String(repeating: "1", count: 40) : "inline"
          stream += Array("M \(mode) \(object) \"".utf8) + quoted + Array("\"\n".utf8)
          if let content { stream += Array("data \(content.count)\n".utf8) + content + [0x0A] }
        }
        switch entry {
        case .folder: break
        // The contents of a submodule are unknown.
        case .closed: put("160000", nil)
        case .unreadable: put("100644", Array("unlike".utf8))
        case .file(let kind, let size, let seconds, let nanoseconds):
          let content = [UInt8](repeating: UInt8(97 + seconds), count: Int(size))
          put(kind == .symlink ? "120000" : nanoseconds == 0 ? "100644" : "100755", content)
        }
      }
    }
    try folder.makeFile(bytes: Array("stream".utf8), stream)
    try git("-C repo fast-import --quiet --force < stream")
  }

  /// Two revisions written as a map, a table and a summary.
  private func written(
    _ old: GitRevision, _ new: GitRevision, skipsEqual: Bool, threads: Int = 2
  ) async throws -> [String] {
    func root(_ revision: GitRevision) -> ScanRoot {
      ScanRoot(label: Array("r".utf8), directory: Array("r".utf8), source: revision)
    }
    var comparison = Comparison(old: [root(old)], new: [root(new)])
    comparison.scan.threads = threads
    comparison.maySkipEqual = skipsEqual
    var request = ChangeMapRequest(
      comparison, states: [.init(name: [0x61]), .init(name: [0x62])],
      frame: StandalonePage.changes.frame)
    var texts: [String] = []
    for format in [FileFormat.geojson, .csv] {
      request.format = format
      var bytes: [UInt8] = []
      for try await chunk in try await request.open() {
        chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    var batches = try await comparison.start().makeAsyncIterator()
    while let progress = try await batches.next(isolation: nil) {
      texts += progress.faults.map { "fault: \($0)" }
    }
    let tree = try batches.finish()
    return texts + ["\(ChangeSummary(tree, top: 5))", "\(tree.total)"]
  }

  private func differing(
    _ old: String = "old", _ new: String = "new"
  ) -> (old: GitRevision, new: GitRevision)? {
    GitRevision.differing((Array(old.utf8), Array(new.utf8)), of: repository)
  }

  private func whole(_ name: String) throws -> GitRevision {
    try GitRevision(Array(name.utf8), of: repository)
  }

  @Test func skippingEqualFoldersChangesNothing() async throws {
    try await StatePair.check("two revisions", cases: 60, mayFail: true) { states in
      try commit(states)
      let (old, new) = (try whole("old"), try whole("new"))
      let all = try await written(old, new, skipsEqual: false)
      if try await written(old, new, skipsEqual: true) != all { return "passing over differs" }
      guard let pair = differing() else { return "they can't be read together" }
      if try pair.old.committed() != 7 { return "the time is another one" }
      let found = try await written(pair.old, pair.new, skipsEqual: true, threads: 1)
      return found == all ? nil : "\(found) is not \(all)"
    }
  }

  /// States with a file that moved, and an unchanged folder that may have a copy.
  private func states(copy: Bool) -> StatePair {
    let file = MemoryState.Entry.file(kind: .regular, size: 3, seconds: 0, nanoseconds: 0)
    var old = MemoryState(entries: ["same": .folder, "same/a": .folder, "same/a/b": .unreadable])
    if copy { old.entries["same/a/copy"] = file }
    var new = old
    old.entries["x"] = file
    new.entries["y"] = file
    return StatePair(old: old, new: new)
  }

  @Test func copiesInEqualFoldersAreNotMoves() async throws {
    for copy in [false, true] {
      try commit(states(copy: copy))
      let pair = try #require(differing())
      let map = try await written(pair.old, pair.new, skipsEqual: true)[0]
      #expect(map.contains("\"change\":\"moved\"") != copy)
      #expect(map.contains("\"change\":\"added\"") == copy)
    }
  }

  /// More folders than git is asked for in one batch, in both states and in one, with files that
  /// moved.
  @Test func manyFoldersAreReadInBatches() async throws {
    var states = StatePair(old: MemoryState(), new: MemoryState())
    for number in 0..<600 {
      let path = "d\(number % 20)/e\(number)"
      func put(_ state: WritableKeyPath<StatePair, MemoryState>, _ name: String, _ size: Int64) {
        states[keyPath: state].entries["d\(number % 20)"] = .folder
        states[keyPath: state].entries[path] = .folder
        states[keyPath: state].entries["\(path)/\(name)"] =
          .file(kind: .regular, size: size, seconds: Int64(number % 26), nanoseconds: 0)
      }
      if number % 7 != 0 { put(\.old, "same", 9) }
      if number % 5 != 0 { put(\.new, "same", 9) }
      if number % 3 == 0 { put(\.old, "old", Int64(20 + number)) }
      if number % 3 == 0 { put(\.new, number % 2 == 0 ? "new" : "old", Int64(20 + number)) }
    }
    try commit(states)
    let all = try await written(whole("old"), whole("new"), skipsEqual: false)
    let pair = try #require(differing())
    #expect(try await written(pair.old, pair.new, skipsEqual: true) == all)
    #expect(all[0].contains("\"change\":\"moved\""))
  }

  @Test func unreadFoldersAreReported() async throws {
    try commit(states(copy: true))
    let pair = try #require(differing())
    let faults = try await written(pair.old, pair.new, skipsEqual: false).filter {
      $0.hasPrefix("fault: ")
    }
    #expect(faults.count == 1 && faults[0].contains("was not read"), "\(faults)")
    // Its tree is read only when it is needed, and by then it is gone.
    try git("-C repo prune-packed; find repo/objects -type f -delete")
    let late = try #require(
      try await written(pair.old, pair.new, skipsEqual: true).first { $0.hasPrefix("fault: ") })
    #expect(late.contains("git"))
  }

  @Test func anyRevisionNameIsAccepted() async throws {
    try commit(states(copy: false))
    try git("-C repo -c user.name=a -c user.email=a@b tag -a -m t annotated new")
    let long = "old" + String(repeating: "^0", count: 3000)
    for (old, new) in [
      ("old", "annotated"), ("old^{tree}", "new"), ("old:same", "new:same/a"), (long, "new"),
      ("old", "new" + long.dropFirst(3)),
    ] {
      let pair = try #require(differing(old, new), "\(old) \(new)")
      let all = try await written(whole(old), whole(new), skipsEqual: false)
      #expect(try await written(pair.old, pair.new, skipsEqual: true) == all)
      #expect(try pair.old.committed() == whole(old).committed(), "\(old)")
      #expect(try pair.new.committed() == whole(new).committed(), "\(new)")
    }
    for (old, new) in [("old", "nowhere"), ("old:x", "new"), ("", "new"), ("old\n", "new")] {
      #expect(differing(old, new) == nil, "\(old) \(new)")
    }
    #expect(GitRevision.differing((Array("a".utf8), Array("b".utf8)), of: [0x2F]) == nil)
  }
}
