import Foundation
import TestSupport
import Testing

/// `geomapper since`, as users run it.
@Suite struct SinceTests {
  let kept: KeptCase
  private let day = KeptCase.day

  init() throws {
    kept = try KeptCase()
    try kept.folder.makeFile("home/log/a", String(repeating: "a", count: 1000))
    try kept.folder.makeFile("home/doc/old/note", "four")
    for number in 1...3 {
      try kept.folder.makeFile("home/pics/\(number)", String(repeating: "p", count: number))
    }
    let made = try Geomapper.shell(
      "for i in 1 2 3; do touch -d 2020-01-0$i home/pics/$i; done", in: kept.folder.path)
    try #require(made.status == 0)
  }

  private func grow() throws {
    let made = try Geomapper.shell(
      "head -c 9000 /dev/zero > home/log/b; mv home/pics home/photos; rm -r home/doc/old",
      in: kept.folder.path)
    try #require(made.status == 0)
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let outcome = try kept.run(["since", "--format", "json"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output))
    return object as? [String: Any] ?? [:]
  }

  /// The time of the old state.
  private func old(_ arguments: [String]) throws -> String? {
    (try json(arguments)["states"] as? [[String: Any]])?.first?["time"] as? String
  }

  @Test func reportsGrowth() throws {
    try kept.keep(["home"], ago: 4 * day)
    try grow()
    let outcome = try kept.run(["since", "--apparent", "home"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
    let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "old      home, \(kept.text(ago: 4 * day))")
    #expect(lines[1].hasPrefix("new      home, 20"))
    #expect(
      Array(lines[2...7]) == [
        "sizes    apparent size",
        "added    1 file, 1 folder        9.0 kB", "removed  1 file, 2 folders       4 bytes",
        "moved    3 files                 6 bytes", "in all                           +8.9 kB",
        "rate     +2.2 kB a day, +15.7 kB a week",
      ])
    #expect(lines[8].hasPrefix("full     can't be said: it takes room on disk"), "\(lines[8])")
    let onDisk = try kept.run(["since", "home"]).text
    #expect(
      onDisk.contains("\nsizes    on disk\n") && onDisk.contains("\nfull     in "), "\(onDisk)")
    #expect(outcome.text.contains("\ngrew most\n   +9.0 kB  home/log\n"), "\(outcome.text)")
    #expect(
      outcome.text.contains(
        "\n  +6 bytes  home/photos, of it 6 bytes moved here from home/pics\n"),
      "\(outcome.text)")
    #expect(outcome.text.contains("\nlargest new files\n  9.0 kB  home/log/b\n"))
    #expect(outcome.text.contains("\nfolders that moved\n  home/pics -> home/photos (3 files)\n"))
    #expect(outcome.text.hasSuffix("\nlargest deleted\n  4 bytes  home/doc/old\n"))
    #expect(try kept.run(["since", "--exit-code", "home"]).status == 5)
    #expect(try kept.run(["since", "--exit-code", "-q", "home/photos"]).status == 5)
    let here = try kept.run(["since", "--apparent"], in: "home").text.split(separator: "\n")
    #expect(here.dropFirst(8) == outcome.text.split(separator: "\n").dropFirst(8))
    let map = try WrittenMap(try kept.run(["since", "--format", "geojson", "home"]).output)
    #expect(map["home/log/b"]?["change"] as? String == "added")
  }

  @Test func oldStateIsTheLastBeforeTheTime() throws {
    for (number, days) in [10, 5, 1].enumerated() {
      try kept.folder.makeFile("home/new\(number)")
      try kept.keep(["home"], ago: Int64(days) * day)
    }
    #expect(try old(["home"]) == kept.text(ago: day))
    #expect(try old(["last", "home"]) == kept.text(ago: day))
    #expect(try old(["first", "home"]) == kept.text(ago: 10 * day))
    #expect(try old(["7d", "home"]) == kept.text(ago: 10 * day))
    #expect(try old([kept.text(ago: 5 * day), "home"]) == kept.text(ago: 5 * day))
    #expect(try old(["--kept", "home"]) == kept.text(ago: 5 * day))
    #expect(try old(["--kept", "2w", "home"]) == kept.text(ago: 10 * day))
    let early = try kept.run(["since", "20d", "home"])
    #expect(early.errorText.contains("no state of 'home' is kept from "))
    #expect(early.errorText.contains("taking the first, of \(kept.text(ago: 10 * day))"))
    #expect(early.text.hasPrefix("since    20d, \(kept.text(ago: 20 * day).prefix(13))"))
    #expect(try kept.run(["since", "-q", "20d", "home"]).errorText.isEmpty)
    // Without the disk: the newest state is the new one.
    let both = try kept.run(["since", "--kept", "home"])
    #expect(both.text.contains("new      home, \(kept.text(ago: day))\n"))
    #expect(both.text.contains("added    1 file "))
    // What was kept last is the newest state, whatever the clock says.
    try kept.keep(["home"], ago: 30 * day)
    #expect(try old(["home"]) == kept.text(ago: 30 * day))
  }

  @Test func timesWithoutAZoneAreLocal() throws {
    try kept.keep(["home"], ago: day)
    for (zone, text, meaning) in [
      ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
      ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
      ("Europe/Berlin", "2026-07-01", "2026-06-30T22:00:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
      ("UTC", "2026-07-01", "2026-07-01T00:00:00Z"),
      ("America/New_York", "2026-07-01T12:00+01:00", "2026-07-01T11:00:00Z"),
    ] {
      let outcome = try kept.run(["since", "-q", text, "home"], environment: ["TZ=\(zone)"])
      #expect(outcome.text.hasPrefix("since    \(text), \(meaning)\n"), "\(zone): \(outcome.text)")
    }
  }

  @Test func operandsMayBeTimes() throws {
    try kept.folder.makeFile("tuesday/a", "1")
    try kept.keep(["tuesday"], ago: day)
    #expect(try kept.run(["since", "./tuesday"]).text.hasPrefix("old      tuesday, "))
    #expect(try kept.run(["since", "tuesday"]).status == 2)
    #expect(
      try kept.run(["since", "-q", "tuesday", "tuesday"]).text.hasPrefix("since    tuesday, "))
    let wrong = try kept.run(["since", "soon", "tuesday"])
    #expect(wrong.status == 2 && wrong.errorText.contains("'soon' is not a time (try first, last,"))
    for operands in [["1d", "a", "b"], ["kept:last"], ["git:HEAD"], ["nothere"]] {
      #expect(try kept.run(["since"] + operands).status == 2, "\(operands)")
    }
  }

  @Test func foldersReplacedByFilesAreGone() throws {
    try kept.keep(["home"], ago: 2 * day)
    try FileManager.default.removeItem(atPath: kept.folder("home/doc"))
    try kept.folder.makeFile("home/doc", "a file")
    try kept.keep(["home"], ago: day)
    let outcome = try kept.run(["since", "--kept", "home/doc/old"])
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.text.contains("removed  1 file, 1 folder"), "\(outcome.text)")
  }

  @Test func foldersInKeptOnesAreComparedAlone() throws {
    try kept.keep(["home"], ago: day)
    try grow()
    let log = try kept.run(["since", "home/log"])
    #expect(log.text.contains("old      log, "))
    #expect(log.text.contains("\nsizes    on disk\nadded    1 file "))
    #expect(log.text.hasSuffix(" kB  log/b\n"), "\(log.text)")
    #expect(!log.text.contains("moved"))
    #expect(
      try kept.run(["since", "--apparent"], in: "home/log").text.hasSuffix("  9.0 kB  log/b\n"))
    // A folder that came later is new as a whole.
    let photos = try kept.run(["since", "home/photos"])
    #expect(photos.status == 0)
    #expect(photos.errorText.contains("the folder isn't in the state of \(kept.text(ago: day))"))
    #expect(photos.text.contains("added    3 files, 1 folder "))
    // A folder that is gone is compared by its kept states.
    try kept.keep(["home"])
    #expect(try kept.run(["since", "home/pics"]).status == 2)
    let pics = try kept.run(["since", "--kept", "home/pics"])
    #expect(pics.text.contains("removed  3 files, 1 folder "), "\(pics.errorText)")
    #expect(try kept.run(["since", "--kept", "home/never"]).status == 2)
  }

  @Test func missingStatesNameTheCommand() throws {
    let none = try kept.run(["since", "home"])
    #expect(none.status == 2 && none.text.isEmpty)
    #expect(
      none.errorText
        == "geomapper: no state of 'home' is kept; begin with: geomapper keep home\n"
        + "for help: geomapper since --help\n")
    try kept.keep(["home"])
    let one = try kept.run(["since", "--kept", "home"])
    #expect(one.status == 2)
    #expect(one.errorText.contains("only one state of 'home' is kept"))
    // States of other machines don't count.
    try kept.change(kept.states()[0]) { $0.machine = Array("0123456789abcdef".utf8) }
    #expect(
      try kept.run(["since", "home"]).errorText.contains(
        "no state of 'home' is kept on this machine"))
  }

  @Test func anotherDiskIsNotCompared() throws {
    try kept.keep(["home"], ago: day)
    try kept.keep(["home"])
    for state in try kept.states() {
      try kept.change(state) { $0.roots[0].fileSystem = Array("uuid:other".utf8) }
    }
    let outcome = try kept.run(["since", "home"])
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.errorText.contains("another file system is at '\(kept.folder("home"))'"))
    #expect(try kept.run(["since", "--kept", "home"]).status == 0)
    #expect(try kept.run(["diff", "kept:first", "home"]).status == 2)
  }

  @Test func theSelectionOfTheStatesIsRepeated() throws {
    try kept.keep(["home"], ago: 2 * day)
    try kept.keep(["--exclude", "*.tmp", "--max-depth", "2", "home"], ago: day)
    try kept.folder.makeFile("home/x.tmp", "1")
    try kept.folder.makeFile("home/a/b/c/deep", "1")
    let outcome = try kept.run(["since", "first", "home"])
    #expect(outcome.text.contains("added    0 files, 2 folders"), "\(outcome.text)")
    #expect(
      outcome.errorText.contains(
        "not compared with the state of \(kept.text(ago: 2 * day)), which has no selection"))
    try kept.keep(["--gitignore", "home"], ago: day)
    try kept.folder.makeFile("home/.gitignore", "log\n")
    let ignoring = try kept.run(["since", "home"])
    #expect(ignoring.status == 0, "\(ignoring.errorText)")
  }

  @Test func forecastContinuesTheRateOfBothStates() throws {
    for (days, size) in [(4, 0), (3, 900_000), (2, 300_000), (0, 1_200_000)] {
      try kept.folder.makeFile("home/data", size: size)
      try kept.keep(["home"], ago: Int64(days) * day)
    }
    for state in try kept.states() { try kept.change(state) { $0.roots[0].free = 40_000_000 } }
    let long = try json(["--kept", "first", "home"])
    let full = long["full"] as? [String: Double] ?? [:]
    let rate = (long["bytesPerDay"] as? Double) ?? 0
    #expect(long["free"] as? Int == 40_000_000 && long["measure"] as? String == "allocated")
    let growth = (long["bytes"] as? Double) ?? 0
    #expect(rate > 0 && abs(rate - growth / 4) < 100, "\(long)")
    #expect(full["days"].map { abs($0 - 40_000_000 / rate) < 0.1 } == true, "\(long)")
    // The states between say how exact that is.
    #expect(full["earliestDays"].map { $0 < full["days"] ?? 0 } == true, "\(long)")
    // Two states have no bounds.
    let two = try kept.run(["since", "--kept", "home"]).text
    #expect(two.contains("; how exact that is takes a third state, 40.0 MB free"), "\(two)")
    let below = try json(["--kept", "first", "home/log"])["full"] as? [String: Any]
    #expect(below?["unknown"] as? String == "nothing grew")
    let apparent = try json(["--apparent", "--kept", "first", "home"])["full"] as? [String: Any]
    #expect(apparent?["unknown"] as? String == "it takes room on disk, not apparent sizes")
  }
}
