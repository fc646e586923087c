import Foundation
import TestSupport
import Testing

@testable import GeoSources

/// `geomapper keep`.
@Suite struct KeepTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("home/a/one", "hello")
    try folder.makeFile("home/b/two", String(repeating: "-", count: 3000))
  }

  private func keep(_ arguments: String...) throws -> Subprocess.Outcome {
    try Geomapper.run(["keep", "--store", "kept"] + arguments, in: folder.path)
  }

  private func states() throws -> [[String: Any]] {
    let list = try keep("--list", "--format", "json")
    #expect(list.status == 0)
    let whole = try JSONSerialization.jsonObject(with: Data(list.output)) as? [String: Any]
    return whole?["states"] as? [[String: Any]] ?? []
  }

  private func times() throws -> [String] { try states().compactMap { $0["time"] as? String } }

  @Test func reportsChanges() throws {
    let first = try keep("--apparent", "home")
    #expect(first.status == 0)
    #expect(
      first.text.hasSuffix("Z  home: first state, 2 files, 3 folders, 3.0 kB apparent size\n"),
      "\(first)")
    try folder.makeFile("home/a/one", "hello, world")
    try folder.makeFile("home/c/three", "3")
    try FileManager.default.removeItem(atPath: folder("home/b/two"))
    let second = try keep("--apparent", "home")
    #expect(
      second.text.contains("home: 2 added, 1 removed, 1 changed, -2.9 kB apparent size since 20"),
      "\(second)")
    let third = try keep("--format", "json", "./home/")
    let line = try JSONSerialization.jsonObject(with: Data(third.output)) as? [String: Any]
    #expect((line?["added"] as? [String: Any])?["files"] as? Int == 0)
    #expect(line?["since"] is String)
    #expect(try keep("home").text.contains("home: nothing changed since 20"))
    // The others of this hour are not retained.
    #expect(try states().count == 2)
    #expect(try states().allSatisfy { $0["here"] as? Bool == true })
  }

  @Test func theStoreIsNotScanned() throws {
    let line = try Geomapper.run(["keep", "--store", "home/kept", "home"], in: folder.path)
    #expect(line.text.contains("2 files, 3 folders"), "\(line)")
    let again = try Geomapper.run(["keep", "--store", "home/kept", "home"], in: folder.path)
    #expect(again.text.contains("nothing changed"), "\(again)")
  }

  @Test func statesWithAnotherSelectionAreNotCompared() throws {
    _ = try keep("home")
    let other = try keep("--exclude", "*.o", "home")
    #expect(other.text.contains("first state"))
    #expect(other.errorText.contains("which has no selection"), "\(other)")
    let back = try keep("--exclude", "*.c", "-x", "home")
    #expect(
      back.errorText.contains("which has the selection --exclude=**/*.o"), "\(back.errorText)")
    #expect(try keep("home").text.contains("nothing changed"))
  }

  @Test func labelsDontChangeTheFolder() throws {
    _ = try keep("home")
    #expect(try keep("x=home").text.contains("x: nothing changed"))
    try folder.makeLink("link", to: "home")
    #expect(try keep("link").text.contains("link: nothing changed"))
  }

  @Test func missingFoldersAreRefused() throws {
    for arguments in [["nowhere"], ["home", "nowhere"], ["home/a/one"], ["home", "home"]] {
      let outcome = try Geomapper.run(["keep", "--store", "kept"] + arguments, in: folder.path)
      #expect(outcome.status == 2, "\(arguments)")
    }
    #expect(try states().isEmpty)
    _ = try Geomapper.run(["snapshot", "-o", "s.geosnap", "home"], in: folder.path)
    let snapshot = try keep("s.geosnap")
    #expect(snapshot.status == 2)
    #expect(snapshot.errorText.contains("keep takes folders on a disk"))
  }

  @Test func statesAreRemovedByTheirTimes() throws {
    for _ in 0..<3 { _ = try keep("--retain", "all", "home") }
    let times = try times()
    #expect(Set(times).count == 3)
    for wrong in ["2020-01-01T00:00:00Z", "yesterday", ""] {
      let outcome = try keep("--drop", times[0], wrong)
      #expect(outcome.status == 2, "\(wrong)")
      #expect(try self.times() == times)
    }
    let dry = try keep("--drop", "--dry-run", times[1], times[1])
    #expect(dry.text.hasPrefix("would remove \(times[1])  /"), "\(dry.text)")
    #expect(dry.text.filter { $0 == "\n" }.count == 1)
    #expect(try self.times() == times)
    #expect(try keep("--drop", times[1], times[0]).status == 0)
    #expect(try states().count == 1)
    #expect(try keep("--drop").status == 2)
    #expect(try keep("--list", "--drop", times[2]).status == 2)
    #expect(try keep("--dry-run", "home").status == 2)
  }

  @Test func olderStatesAreThinned() throws {
    for _ in 0..<4 { _ = try keep("--retain", "all", "home") }
    #expect(try states().count == 4)
    // The first and the newest stay.
    _ = try keep("--retain", "hours=1", "home")
    #expect(try states().count == 2)
    #expect(try keep("--retain", "hours", "home").status == 2)
  }

  /// Changes a state as if it had been kept under other circumstances.
  private func edit(_ change: (inout KeptState) -> Void) throws {
    let name = try folder.names(in: "kept").filter { $0.hasSuffix(".state") }.sorted()[0]
    var state = try KeptState(id: [], encoded: folder.read("kept/\(name)"))
    change(&state)
    try folder.makeFile(bytes: Array("kept/\(name)".utf8), state.encoded)
  }

  @Test func otherDisksAreReported() throws {
    _ = try keep("home")
    try edit { $0.roots[0].fileSystem = Array("uuid:other".utf8) }
    let outcome = try keep("home")
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("first state"))
    #expect(outcome.errorText.contains("another file system is at '/"), "\(outcome.errorText)")
  }

  @Test func statesOfOtherMachinesAreLeftAlone() throws {
    _ = try keep("--retain", "all", "home")
    try edit {
      $0.machine = Array("other".utf8)
      $0.machineName = Array("far\u{7}away".utf8)
      $0.seconds -= 86_400 * 400
    }
    let outcome = try keep("--retain", "hours=1", "home")
    #expect(outcome.text.contains("first state"))
    #expect(outcome.errorText.isEmpty)
    for _ in 0..<2 { _ = try keep("--retain", "hours=1", "home") }
    #expect(try states().count == 3)
    #expect(try keep("--list").text.contains("away:/"))
  }

  #if os(Linux)
    /// A run that waits for the store is not earlier than a state that was kept meanwhile.
    @Test func waitingForOtherRunsIsNoClockSetBack() throws {
      _ = try keep("home")
      var lock: LockedStore? = try KeptStore(at: Array(folder("kept").utf8)).locked()
      let run = try Geomapper.start(["keep", "--store", "kept", "home"], in: folder.path)
      #expect(try waitUntil { try run.isAsleep() })
      #expect(lock != nil)
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      try edit {
        $0.seconds = Int64(now.tv_sec)
        $0.nanoseconds = UInt32(now.tv_nsec)
      }
      lock = nil
      let outcome = run.finish()
      #expect(outcome.text.contains("nothing changed since"), "\(outcome)")
      #expect(outcome.errorText.isEmpty, "\(outcome.errorText)")
    }
  #endif

  @Test func clocksSetBackAreReported() throws {
    _ = try keep("home")
    try edit { $0.seconds += 86_400 }
    let outcome = try keep("--retain", "all", "home")
    #expect(outcome.text.contains("nothing changed since"))
    #expect(outcome.errorText.contains("the clock was set back"), "\(outcome.errorText)")
    // The last one kept counts, not the one of the latest time.
    let third = try keep("--retain", "all", "home")
    #expect(!third.errorText.contains("clock"), "\(third.errorText)")
    #expect(try states().count == 3)
  }

  @Test func incompleteStatesAreMarked() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.setMode("home/b", 0)
    let outcome = try Geomapper.run(
      ["keep", "--store", "kept", "home"], in: folder.path, launcher: launcher)
    try folder.setMode("home/b", 0o755)
    #expect(outcome.status == 1)
    #expect(outcome.text.hasSuffix("(incomplete)\n"), "\(outcome.text)")
    #expect(try states()[0]["incomplete"] as? Bool == true)
  }

  @Test func awkwardNamesAreKept() throws {
    let name = "kept 'a\n$x%\u{1b}[1m"
    try folder.makeFile("home/\(name)/x\ny")
    let outcome = try keep("home/\(name)")
    #expect(outcome.status == 0)
    #expect(outcome.text.filter { $0 == "\n" }.count == 1, "\(outcome.text)")
    #expect(!outcome.text.contains("\u{1b}"))
    #expect(try keep("--list").text.filter { $0 == "\n" }.count == 3)
    #expect(try keep("home/\(name)").text.contains("nothing changed"))
  }

  @Test func damagedStatesAreNamed() throws {
    for _ in 0..<3 { _ = try keep("--retain", "all", "home") }
    let names = try folder.names(in: "kept").filter { $0.hasSuffix(".state") }.sorted()
    try folder.makeFile("kept/\(names[1])", "geomapper state 1\nnonsense")
    let list = try keep("--list")
    #expect(list.status == 1)
    #expect(list.errorText.contains(names[1]), "\(list.errorText)")
    #expect(list.text.contains("3 states, 1 damaged"))
    let again = try keep("--retain", "all", "home")
    #expect(again.status == 1 && again.text.contains("nothing changed"))
    #expect(again.errorText.contains(names[1]), "\(again.errorText)")
    // The message has the command that removes it.
    let time = try #require(list.errorText.split(separator: " ").first { $0.contains("T") })
    #expect(try keep("--drop", String(time)).status == 0)
    #expect(try states().count == 3)
    // A tree is damaged, which others need.
    let newest = try #require(folder.names(in: "kept").first { $0.hasSuffix(".geosnap") })
    var tree = try folder.read("kept/\(newest)")
    tree[tree.count / 2] ^= 1
    try folder.makeFile(bytes: Array("kept/\(newest)".utf8), tree)
    let damaged = try keep("--list")
    #expect(damaged.status == 1 && damaged.errorText.contains(newest), "\(damaged.errorText)")
  }

  @Test func theStatesOfAFolderAreListed() throws {
    _ = try keep("home/a")
    _ = try keep("home/b")
    for (folder, text) in [
      ("home/a", "1 state,"), ("./home/b/", "1 state,"), ("home/a/none", "1 state,"),
      ("home", "no kept states"),
    ] {
      let list = try keep("--list", folder)
      #expect(list.status == 0 && list.text.contains(text), "\(folder): \(list)")
    }
    #expect(try keep("--list", "home/a", "home/b").text.contains("2 states,"))
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func refusesWithoutLocks() throws {
    for reason in [ENOLCK, ENOTSUP] {
      let outcome = try Interposition("flock", on: "/version").failing(reason)
        .run(["keep", "--store", "kept", "home"], in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.errorText.contains("can't lock the store 'kept'"), "\(outcome.errorText)")
    }
    #expect(try states().isEmpty)
  }

  @Test func fullDiskKeepsTheStoreIntact() throws {
    for number in 0..<300 { try folder.makeFile("home/many/\(number * 7_654_321)", "x") }
    let script = "\(Geomapper.limit(fileBlocks: 1)) exec \"$T\" keep --store kept home"
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("can't write the store 'kept'"), "\(outcome)")
    #expect(try states().isEmpty)
    #expect(try folder.names(in: "kept") == ["version"])
    #expect(try keep("home").status == 0)
  }
}
