import Foundation
import GeoCore
import TestSupport
import Testing

@testable import GeoSources

#if canImport(Glibc)
  import Glibc
#endif

/// Alerts of `keep`, with the real program and a store in a temporary folder.
@Suite struct KeepAlertTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("home/a/file", String(repeating: "x", count: 1000))
    try folder.makeFile(
      "tool.sh",
      #"""
      printf '%s|' "$GEOMAPPER_ALERT" "$GEOMAPPER_PATH" "$GEOMAPPER_RULE" "$GEOMAPPER_STATE" \
        "$GEOMAPPER_LIMIT" "$@" >> reported
      exit ${STATUS:-0}
      """#)
  }

  private func keep(
    _ arguments: [String], environment: [String] = []
  ) throws -> Subprocess.Outcome {
    try Geomapper.start(
      ["keep", "--store", "kept"] + arguments, in: folder.path, environment: environment
    ).finish()
  }

  /// The alerts that a message tells of.
  private func alerts(_ outcome: Subprocess.Outcome) -> [String] {
    outcome.errorText.split(separator: "\n").compactMap { line in
      line.split(separator: " alert ", maxSplits: 1).dropFirst().first.map(String.init)
    }
  }

  private var store: KeptStore { KeptStore(at: Array(folder("kept").utf8)) }

  /// Makes all kept states older, as if the time had passed.
  private func age(by seconds: Int64) throws {
    for var state in try store.states() {
      state.seconds -= seconds
      let name = Array("kept/".utf8) + state.id + Array(".state".utf8)
      try folder.makeFile(bytes: name, state.encoded)
    }
  }

  @Test func growthIsSinceTheLastState() throws {
    let rules = [
      "--alert", "home growth > 10k/d", "--alert", "week: home/a growth > 100k/w", "--alert",
      "home/new growth > 1k/d", "home",
    ]
    // The first state raises nothing.
    #expect(alerts(try keep(rules)).isEmpty)
    try age(by: 2 * 86_400)
    try folder.makeFile("home/a/more", String(repeating: "x", count: 30 << 10))
    try folder.makeFile("home/new/file", String(repeating: "x", count: 3 << 10))
    let outcome = try keep(rules)
    #expect(outcome.status == 0)
    let found = alerts(outcome).map { $0.prefix { $0 != "(" } }
    #expect(
      found == [
        "raised: home growth > 10k/d ", "raised: week: home/a growth > 100k/w ",
        "raised: home/new growth > 1k/d ",
      ], "\(outcome.errorText)")
    // At once again there is no span to measure.
    #expect(alerts(try keep(rules)).isEmpty)
    try age(by: 7 * 86_400)
    #expect(
      alerts(try keep(rules)).map { $0.prefix { $0 != "(" } }
        == found.map { $0.replacing("raised", with: "cleared") })
    // Another selection is another series.
    try age(by: 86_400)
    try folder.makeFile("home/a/most", String(repeating: "x", count: 900 << 10))
    #expect(alerts(try keep(["--exclude", "*.o"] + rules)).isEmpty)
  }

  @Test func otherAlertsAreRememberedBetweenRuns() throws {
    try folder.makeFile("rules", "home/a bytes > 1500\nfew: home/a files < 3\nhome free > 0\n")
    func run() throws -> [String] {
      try alerts(keep(["--alerts", "rules", "--cooldown", "1s", "--apparent", "home"]))
        .map { String($0.prefix { $0 != "(" }.dropLast()) }
    }
    // The first state raises nothing.
    #expect(try run().isEmpty)
    #expect(try run() == ["raised: few: home/a files < 3", "raised: home free > 0"])
    #expect(try run().isEmpty)
    try folder.makeFile("home/a/b", String(repeating: "x", count: 600))
    #expect(try run() == ["raised: home/a bytes > 1500"])
    try folder.makeFile("home/a/c")
    try folder.makeFile("home/a/d")
    #expect(try run() == ["cleared: few: home/a files < 3"])
    // With the memory lost, they are raised again, and it is said.
    try folder.makeFile("kept/alerts", "nonsense")
    let outcome = try keep(["--alerts", "rules", "--apparent", "home"])
    #expect(outcome.status == 1 && outcome.errorText.contains("may be raised again"))
    #expect(alerts(outcome).count == 2)
    #expect(try keep(["--alerts", "rules", "home"]).status == 0)
  }

  /// A sparse file takes no room, and a further name of a file none either.
  @Test func sizesAreAllocatedBytes() throws {
    try folder.makeFile("home/a/big", String(repeating: "x", count: 300_000))
    let rules = [
      "--alert", "home bytes > 500k", "--alert", "home growth > 100k/d", "--cooldown", "1ms",
      "home",
    ]
    #expect(try keep(rules).status == 0)
    try age(by: 86_400)
    #expect(link(folder("home/a/big"), folder("home/a/same")) == 0)
    try folder.makeFile("home/a/sparse")
    #expect(truncate(folder("home/a/sparse"), 1 << 30) == 0)
    #expect(alerts(try keep(rules)).isEmpty)
    try age(by: 86_400)
    #expect(truncate(folder("home/a/sparse"), 3 << 30) == 0)
    #expect(
      alerts(try keep(["--apparent"] + rules)).map { $0.prefix { $0 != "(" } } == [
        "raised: home bytes > 500k ", "raised: home growth > 100k/d ",
      ])
  }

  @Test func theCooldownLastsOverRuns() throws {
    func run(_ cooldown: String) throws -> [String] {
      try alerts(keep(["--alert", "home files > 2", "--cooldown", cooldown, "home"]))
        .map { String($0.prefix { $0 != ":" }) }
    }
    #expect(try run("1h").isEmpty)
    for name in ["home/b", "home/c"] { try folder.makeFile(name) }
    #expect(try run("1h") == ["raised"])
    for name in ["home/b", "home/c"] { #expect(unlink(folder(name)) == 0) }
    #expect(try run("1h") == ["cleared"])
    for name in ["home/b", "home/c"] { try folder.makeFile(name) }
    #expect(try run("1h").isEmpty)
    #expect(try run("1ms") == ["raised"])
  }

  @Test func aCommandRunsForEachAlert() throws {
    let arguments = [
      "--apparent", "--alert", "n: home bytes > 1k", "home", "--exec", "/bin/sh", "tool.sh", "-q",
      "$HOME; x",
    ]
    #expect(try keep(arguments).status == 0)
    try folder.makeFile("home/b", "more than a kilobyte in all")
    #expect(try keep(arguments).status == 0)
    #expect(try folder.text("reported") == "n|home|home bytes > 1k|raised|1024.0|-q|$HOME; x|")
  }

  /// What could not be read is not less.
  @Test func unreadableFoldersRaiseNothing() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.makeFile("home/b/big", String(repeating: "x", count: 5000))
    func run() throws -> [String] {
      alerts(
        try Geomapper.run(
          [
            "keep", "--store", "kept", "home", "--alert", "low: home bytes < 1500", "--alert",
            "home/none files > 1", "--apparent",
          ], in: folder.path, launcher: launcher))
    }
    #expect(try run().isEmpty)
    try folder.setMode("home/b", 0)
    #expect(try run().isEmpty)
    try folder.setMode("home/b", 0o755)
    #expect(try run().isEmpty)
    try FileManager.default.removeItem(atPath: folder("home/b"))
    #expect(try run().count == 1)
  }

  @Test func missingFoldersAreReported() throws {
    let outcome = try keep(["home", "--alert", "home/none files > 1"])
    #expect(outcome.status == 0)
    #expect(outcome.errorText.contains("'home/none' is not a folder"), "\(outcome.errorText)")
  }

  /// A command that fails doesn't harm the state.
  @Test func failedCommandsAreReported() throws {
    _ = try keep(["home"])
    for (number, (command, reason)) in [
      (["/bin/sh", "tool.sh"], "ended with status 3"), (["/nowhere/tool"], "can't run"),
      (["/bin/sh", "-c", "kill -9 $$"], "signal 9"),
    ].enumerated() {
      try folder.makeFile("home/file\(number)")
      let outcome = try keep(
        ["--alert", "home files > \(number + 1)", "home", "--exec"] + command,
        environment: ["STATUS=3"])
      #expect(outcome.status == 1 && outcome.errorText.contains(reason), "\(outcome.errorText)")
      #expect(outcome.text.contains("home: "))
      #expect(try store.states().map(\.number).max() == UInt64(number + 2))
    }
  }

  @Test func unusableRulesAreRefused() throws {
    try folder.makeFile("rules", "nonsense\n")
    for (arguments, reason) in [
      (["--alert", "home events > 1", "home"], "states have no events"),
      (["--alert", "usr files > 1", "home"], "none of the roots"),
      (["--alert", "home bytes > 10 GB", "home"], "'10 GB' after > is not a limit"),
      (["--alerts", "rules", "home"], "line 1"), (["--exec", "true"], "--alert RULE"),
      (["--alert", "home files > 1", "--exec", "true", "home"], "belongs to the command"),
      (["--cooldown", "1s", "home"], "--alert RULE"),
    ] {
      let outcome = try keep(arguments)
      #expect(outcome.status == 2 && outcome.errorText.contains(reason), "\(outcome.errorText)")
    }
    #expect(try !folder.names().contains("kept"))
  }
}
