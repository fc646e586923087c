import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Lets one call after the other fail, until none is left, and checks the output each time.
@Suite(.enabled(if: Interposition.isPossible, Interposition.need))
struct EveryCallTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "b/in"] { try folder.makeFile("src/\(name)/file", "text") }
    try folder.makeFile("src/one", "text")
    try folder.makeLink("src/link", to: "one")
  }

  /// Hits call n, for n = 0, 1, 2… as long as there is one. With a test scale below 1, it hits a
  /// sample, which `first` selects.
  ///
  /// - Parameter check: Gets the number of calls that succeeded before, and the outcome.
  func forEachCall(
    _ arguments: [String], from first: Int32 = 0, _ fault: (Interposition) -> Interposition,
    check: (Int, Subprocess.Outcome) throws -> Void
  ) throws {
    let mark = folder("../\(URL(fileURLWithPath: folder.path).lastPathComponent).mark")
    defer { unlink(mark) }
    let step = TestScale.each(1)
    for number in stride(from: Int(first) % step, to: .max, by: step) {
      unlink(mark)
      let interposition = Interposition("any", after: number, times: 1).with("MARK", mark)
      let outcome = try fault(interposition).run(arguments, in: folder)
      try check(number, outcome)
      if access(mark, F_OK) != 0 {
        #expect(number > 20, "so few calls are seen that it can't be all")
        return
      }
    }
  }

  /// The features of a map by path.
  private func features(_ bytes: [UInt8]) throws -> [String: NSDictionary] {
    let whole = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    var features: [String: NSDictionary] = [:]
    for feature in whole?["features"] as? [NSDictionary] ?? [] {
      let properties = feature["properties"] as? [String: Any]
      features[properties?["path"] as? String ?? ""] = feature
    }
    return features
  }

  @Test(arguments: [EIO, EACCES, ENOMEM]) func mapSurvivesEveryFailingCall(reason: Int32) throws {
    let arguments = ["map", "src", "-o", "out", "--threads", "1", "--progress", "never"]
    let usual = try Geomapper.run(["map", "src"], in: folder.path).output
    let nodes = try features(usual)
    try folder.makeFile("out", "old")
    try forEachCall(arguments, from: reason, { $0.failing(reason) }) { number, outcome in
      let text = outcome.errorText
      #expect(outcome.signal == nil, "call \(number): \(text)")
      switch outcome.status {
      case 0: #expect(try folder.read("out") == usual, "call \(number)")
      case 1:
        // Everything except the named nodes and their contents is unchanged.
        let left = try features(folder.read("out"))
        let named = nodes.keys.filter { text.contains("\($0): ") }
        for path in Set(nodes.keys).union(left.keys) where nodes[path] != left[path] {
          let isReported = named.contains { path == $0 || path.hasPrefix("\($0)/") }
          #expect(isReported, "call \(number): \(path) is another one: \(text)")
        }
        #expect(nodes != left, "call \(number): nothing is wrong: \(text)")
      case 2, 3:
        #expect(try folder.text("out") == "old", "call \(number)")
        #expect(!text.isEmpty, "call \(number)")
      default: Issue.record("call \(number): status \(outcome.status.map { "\($0)" } ?? "none")")
      }
      #expect(try folder.names() == ["out", "src"], "call \(number)")
      try folder.makeFile("out", "old")
    }
  }

  @Test func mapSurvivesASignalAtEveryCall() throws {
    let arguments = ["map", "src", "-o", "out", "--threads", "1", "--progress", "never"]
    let usual = try Geomapper.run(["map", "src"], in: folder.path).output
    try folder.makeFile("out", "old")
    try forEachCall(arguments, { $0.sending(SIGTERM) }) { number, outcome in
      #expect(outcome.signal == SIGTERM || outcome.status == 0, "call \(number)")
      let written = try folder.read("out")
      #expect(written == (outcome.signal == nil ? usual : Array("old".utf8)), "call \(number)")
      #expect(try folder.names() == ["out", "src"], "call \(number)")
    }
  }

  private let split = ["split", "-q", "--parts", "2", "-o", "lists", "src"]

  /// Expects that all lists of a split exist, each to its end.
  private func expectAllLists(_ number: Int) throws {
    let files = try folder.names(in: "lists")
    #expect(!files.isEmpty, "call \(number)")
    for file in files { #expect(try folder.read("lists/\(file)").last == 0, "call \(number)") }
  }

  /// Expects that all lists exist, or none.
  private func expectAllOrNothing(_ number: Int, _ outcome: Subprocess.Outcome) throws {
    let names = try folder.names()
    if outcome.status == 0 {
      #expect(names == ["lists", "src"], "call \(number)")
      try expectAllLists(number)
      try FileManager.default.removeItem(atPath: folder("lists"))
    } else {
      #expect(names == ["src"], "call \(number): \(names)")
    }
  }

  @Test(arguments: [EIO, ENOSPC]) func splitSurvivesEveryFailingCall(reason: Int32) throws {
    try forEachCall(split, from: reason, { $0.failing(reason) }) { number, outcome in
      #expect(outcome.signal == nil, "call \(number)")
      #expect([0, 2, 3].contains(outcome.status), "call \(number): \(outcome.errorText)")
      #expect((outcome.status == 0) == outcome.errorText.isEmpty, "call \(number)")
      try expectAllOrNothing(number, outcome)
    }
  }

  @Test(arguments: [SIGTERM, SIGUSR1]) func splitSurvivesASignalAtEveryCall(signal: Int32) throws {
    try forEachCall(split, from: signal, { $0.sending(signal) }) { number, outcome in
      #expect(outcome.signal == signal || outcome.status == 0, "call \(number)")
      if outcome.signal == nil { return try expectAllOrNothing(number, outcome) }
      // If the signal comes after the last call, all lists may exist.
      let names = try folder.names()
      #expect(names == ["src"], "call \(number): \(names)")
    }
  }

  /// A run ended by an uncatchable signal doesn't block the next one.
  @Test func killedSplitCanBeRepeated() throws {
    try forEachCall(split, { $0.sending(SIGKILL) }) { number, outcome in
      if outcome.signal != nil {
        let again = try Geomapper.run(split, in: folder.path)
        #expect(again.status == 0, "call \(number): \(again.errorText)")
      }
      for name in try folder.names() where name != "src" && name != "lists" {
        #expect(name.hasPrefix(".lists.geomapper-"))
        try? FileManager.default.removeItem(atPath: folder(name))
      }
      try expectAllLists(number)
      try? FileManager.default.removeItem(atPath: folder("lists"))
    }
  }

  /// In an existing folder, lists are written one by one; after a failure, the folder remains
  /// and is empty again.
  @Test func splitIntoAnExistingFolderLeavesItEmpty() throws {
    for fault in [{ $0.failing(EIO) }, { $0.sending(SIGTERM) }]
      as [(Interposition) -> Interposition]
    {
      try folder.makeFolder("lists")
      try forEachCall(split, fault) { number, outcome in
        #expect(try folder.names() == ["lists", "src"], "call \(number)")
        if outcome.status != 0 {
          #expect(try folder.names(in: "lists").isEmpty, "call \(number)")
        } else {
          try expectAllLists(number)
          try FileManager.default.removeItem(atPath: folder("lists"))
          try folder.makeFolder("lists")
        }
      }
      try FileManager.default.removeItem(atPath: folder("lists"))
    }
  }

  /// While a call fails, a requested tile is correct or refused; the next one is correct.
  @Test func tilesSurviveEveryFailingCall() throws {
    let tile = "/tiles/0/0/0.json"
    func nodes(_ answer: ServedWorld.Answer) throws -> [String: NSDictionary] {
      try features(answer.body)
    }
    let gate = folder("gate")
    let mark = folder("mark")
    let usual = try nodes(ServedWorld(["src"], in: folder.path).get(tile))
    #expect(!usual.isEmpty)
    var number = 0
    // Totals are counted at the same time, so a call may come before the gate opens.
    var misses = 0
    while misses < 3 {
      unlink(mark)
      unlink(gate)
      let fault = Interposition("any", after: number, times: 1).failing(EIO)
        .with("MARK", mark).with("GATE", gate)
      let served = try ServedWorld(["src"], in: folder.path, environment: fault.environment)
      try folder.makeFile("gate")
      let answer = try served.get(tile)
      let isHit = access(mark, F_OK) == 0
      if answer.status == 200 {
        for (path, node) in try nodes(answer) {
          let properties = node["properties"] as? [String: Any]
          #expect(
            usual[path] == node || properties?["unreadable"] as? Bool == true,
            "call \(number): \(node)")
        }
      } else {
        #expect(answer.status == 0 || answer.status >= 500, "call \(number): \(answer.status)")
      }
      unlink(gate)
      #expect(try nodes(served.get(tile)) == usual, "call \(number)")
      misses = isHit ? 0 : misses + 1
      number += isHit ? 1 : 0
    }
    #expect(number > 2, "so few calls are seen that it can't be all")
  }
}
