import Foundation
import TestSupport
import Testing

/// `kept:WHEN` in place of a folder, histories and trends of kept states.
@Suite struct KeptOperandTests {
  let kept: KeptCase
  private let day = KeptCase.day

  /// Three states of two folders: 3, 2 and 1 days old.
  init() throws {
    kept = try KeptCase()
    for (number, size) in [1000, 3000, 2000].enumerated() {
      try kept.folder.makeFile("home/log/a", String(repeating: "a", count: size))
      try kept.folder.makeFile("home/doc/\(number)/text", "12")
      try kept.keep(["home"], ago: Int64(3 - number) * day)
    }
  }

  @Test func aKeptStateReplacesAFolder() throws {
    try kept.folder.makeFile("home/later")
    let first = try kept.run(["map", "--format", "csv", "kept:first"], in: "home")
    #expect(first.status == 0, "\(first.errorText)")
    let paths = first.text.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != "," } }
    #expect(
      paths == ["home", "home/doc", "home/doc/0", "home/doc/0/text", "home/log", "home/log/a"])
    let below = try kept.run(["map", "--format", "csv", "x=kept:2d"], in: "home/doc")
    #expect(below.text.contains("\r\nx/1/text,"), "\(below.errorText)")
    #expect(!below.text.contains("\r\nx/2"))
    let stats = try kept.run(["stats", "kept:last"], in: "home")
    #expect(stats.text.contains("  log\n"), "\(stats.errorText)")
    let found = try kept.run(["find", "text", "kept:last"], in: "home")
    #expect(found.text.split(separator: "\n").count == 3, "\(found.errorText)")
    let verified = try kept.run(["verify", "kept:last"], in: "home")
    #expect(verified.status == 0, "\(verified.errorText)")
    #expect(
      try kept.run(["draw", "--sheet", "120x90", "-o", "../x.svg", "kept:first"], in: "home").status
        == 0)
    #expect(
      try kept.run(["whereis", "--root", "kept:last", "--limit", "0", "0,0"], in: "home").status
        == 0)
  }

  @Test func statesBelongToTheOtherFolder() throws {
    try kept.folder.makeFile("home/later", "123")
    let outcome = try kept.run(["diff", "kept:first", "home"])
    #expect(
      outcome.text.hasPrefix("old      kept:first, \(kept.text(ago: 3 * day))\nnew      home\n"))
    #expect(outcome.text.contains("added    3 files, 2 folders"), "\(outcome.text)")
    #expect(try kept.run(["diff", "kept:first", "kept:last"]).status == 2)
    let both = try kept.run(["diff", "kept:first", "kept:last"], in: "home")
    #expect(both.text.contains("added    2 files, 2 folders"), "\(both.errorText)")
    let pair = try kept.run(["diff", "--old", "kept:2d", "--new", "home"])
    #expect(pair.text.contains("added    2 files, 1 folder"), "\(pair.errorText)")
    let snapshot = try kept.run(["snapshot", "-q", "-o", "s", "home=kept:2d", "doc=home/doc"])
    #expect(snapshot.status == 0, "\(snapshot.errorText)")
  }

  @Test func pathsAreNotStates() throws {
    try kept.folder.makeFile("kept:x/a")
    #expect(try kept.run(["map", "./kept:x"]).status == 0)
    let wrong = try kept.run(["map", "kept:x"])
    #expect(wrong.status == 2)
    #expect(wrong.errorText.contains("'x' is not a time of a kept state (try first, last,"))
    #expect(wrong.errorText.contains("for the folder 'kept:x', give './kept:x'"))
    #expect(try kept.run(["keep", "kept:last"]).status == 2)
  }

  @Test func historiesHaveAllStates() throws {
    let lives = try kept.run(["history", "--kept", "home", "--format", "csv"])
    #expect(lives.status == 0, "\(lives.errorText)")
    let line = lives.text.split(separator: "\r\n").first { $0.hasPrefix("home/doc/1/text,") }
    #expect(line?.contains(kept.text(ago: 2 * day)) == true, "\(lives.text)")
    let events = try kept.run(["history", "--kept", "--events", "--format", "csv"], in: "home/log")
    #expect(events.text.contains("log/a"), "\(events.errorText)")
    #expect(try kept.run(["history", "--kept", "a", "b"]).status == 2)
    #expect(try kept.run(["history", "--kept", "--git", "."]).status == 2)
    #expect(try kept.run(["serve", "--kept", "home"]).status == 2)
  }

  @Test func trendsAreSortedByGrowth() throws {
    let outcome = try kept.run(
      ["stats", "--trend", "--apparent", "home"], environment: ["LC_ALL=C.UTF-8"])
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(
      outcome.text == """
        3 states from \(kept.text(ago: 3 * day)) to \(kept.text(ago: day)), apparent size
          growth     size  trend
         +1.0 kB   2.0 kB  ▁█▅    home
         +1.0 kB   2.0 kB  ▁█▅    home/log
        +4 bytes  6 bytes  ▁▅█    home/doc

        """)
    let plain = try kept.run(
      ["stats", "--trend", "--apparent", "--limit", "1", "--depth", "2", "home/doc"],
      environment: ["LC_ALL=C"])
    #expect(plain.text.hasSuffix("_=#    doc\n(3 more)\n"), "\(plain.text)")
    let json = try kept.run(
      ["stats", "--trend", "--apparent", "--format", "json", "--depth", "2", "home/doc"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any] ?? [:]
    #expect((object["times"] as? [Int])?.count == 3)
    let trends = object["trends"] as? [[String: Any]] ?? []
    #expect(trends.map { $0["path"] as? String } == ["doc", "doc/1", "doc/2", "doc/0"])
    #expect((trends[2]["bytes"] as? [Any])?.prefix(2).allSatisfy { $0 is NSNull } == true)
    #expect(try kept.run(["stats", "--trend", "--by", "age", "home"]).status == 2)
  }

  @Test func trendsReadALimitedNumberOfStates() throws {
    for hours in 0..<30 { try kept.keep(["home"], ago: Int64(24 - hours) * 60) }
    let outcome = try kept.run(["stats", "--trend", "--format", "json", "home"])
    let object =
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any] ?? [:]
    let times = object["times"] as? [Int] ?? []
    #expect(times.count == 24 && object["states"] as? Int == 33)
    #expect(times.first == Int(kept.now - 3 * day))
  }

  @Test func serversListKeptStates() throws {
    try kept.folder.makeFile("home/later", "123")
    let world = try kept.serve(["home"])
    let all = try world.get("/kept").json
    let states = all["states"] as? [[String: Any]] ?? []
    let times: [Int?] = [3, 2, 1].map { Int(kept.now - $0 * day) }
    #expect(states.map { $0["time"] as? Int } == times)
    #expect(states[0]["bytes"] as? Int == 1002 && states[0]["files"] as? Int == 2)
    let log = try world.get("/kept?path=home/log").json
    let trends = log["trends"] as? [[String: Any]] ?? []
    #expect(trends.map { $0["path"] as? String } == ["home/log"])
    // Room on disk: the file is written anew for each state, always within one block.
    let room = Int(try kept.folder.room("home/log/a"))
    #expect(trends.first?["bytes"] as? [Int] == [room, room, room])
    #expect((log["times"] as? [Int])?.count == 3)
    let home = try world.get("/kept?path=home").json
    let paths = (home["trends"] as? [[String: Any]] ?? []).map { $0["path"] as? String }
    #expect(paths == ["home", "home/doc", "home/log"], "a file more in each state")
    #expect(try world.get("/kept?path=other").status == 404)
    #expect(try world.get("/kept?path=home/../home").status == 404)
    #expect(try (world.get("/kept?path=home/none").json["trends"] as? [Any])?.isEmpty == true)
  }

  @Test func serversListTheStatesOfAllFolders() throws {
    try kept.folder.makeFile("away/file")
    try kept.keep(["away"])
    let world = try kept.serve(["home", "away"])
    func states(_ address: String = "/kept") throws -> Int? {
      (try world.get(address).json["states"] as? [Any])?.count
    }
    #expect(try states() == 4 && states("/kept?path=away") == 1)
    let first = kept.text(ago: 3 * day)
    #expect(try states("/kept?path=home") == 3)
    #expect(try kept.run(["keep", "--drop", first]).status == 0)
    #expect(try states("/kept?path=home") == 2 && states() == 3)
  }

  @Test func serversCompareAndPlayKeptStates() throws {
    try kept.folder.makeFile("home/later", "123")
    let world = try kept.serve(["--since", "kept:first", "home"])
    let changes = try world.get("/changes").json
    let below = changes["below"] as? [String: Any]
    #expect(below?["added"] as? Int == 3, "\(changes)")
    let drawn = try kept.run(["draw", "--since", "kept:first", "--sheet", "120x90", "home"])
    #expect(try world.get("/sheet.svg?size=120x90").body == drawn.output)
    #expect(try (world.get("/kept").json["states"] as? [Any])?.count == 3)
    let history = try kept.serve(["--history", "--kept", "home"])
    #expect(try history.get("/history").status == 200)
    #expect(try (history.get("/kept").json["states"] as? [Any])?.count == 3)
    #expect(try (history.get("/kept?path=home/doc").json["trends"] as? [Any])?.count == 4)
    #expect(try kept.run(["serve", "--port", "0", "--since", "kept:first", "data"]).status == 2)
  }

  /// A time alone is enough where an old state is asked for.
  @Test func anOldStateMayBeATime() throws {
    for (time, status) in [("yesterday", Int32(0)), ("2d", 0), ("2999-01-01", 2), ("7", 2)] {
      let drawn = try kept.run(
        ["draw", "-q", "--sheet", "120x90", "--since", time, "-o", "\(status).svg", "home"])
      #expect(drawn.status == status, "\(time): \(drawn.errorText)")
    }
    let same = try kept.run(
      ["draw", "-q", "--sheet", "120x90", "--since", "kept:2d", "-o", "same.svg", "home"])
    #expect(same.status == 0)
    #expect(try kept.folder.read("same.svg") == kept.folder.read("0.svg"))
  }
}
