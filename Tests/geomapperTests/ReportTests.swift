import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Messages for users: faults, progress, the summary.
@Suite struct ReportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func locked(_ numbers: Range<Int>) throws {
    for number in numbers {
      let name = "src/locked-\(1000 + number)"
      try folder.makeFolder(name)
      try folder.setMode(name, 0)
    }
  }

  private func map(_ arguments: String...) throws -> Subprocess.Outcome {
    try Geomapper.run(
      ["map", "src"] + arguments, in: folder.path, launcher: Geomapper.unprivileged ?? [])
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unreadableFoldersAreNamed() throws {
    try locked(0..<3)
    try folder.makeFile("src/file")
    let outcome = try map()
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == """
        geomapper: src/locked-1000: Permission denied
        geomapper: src/locked-1001: Permission denied
        geomapper: src/locked-1002: Permission denied

        """)
    let written = try WrittenMap(outcome.output)
    #expect(written.summary == ["folders": 4, "files": 1, "unreadable": 3])
    #expect(written["src/locked-1001"]?["unreadable"] as? Bool == true)
    #expect(written["src/locked-1001"]?["size"] == nil)

    let file = try map("-o", "out")
    #expect(file.status == 1)
    #expect(try folder.read("out") == outcome.output)
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func firstHundredAreNamedThenCounted() throws {
    try locked(0..<100)
    #expect(try map().errorText.split(separator: "\n").count == 100)
    try locked(100..<250)
    let outcome = try map()
    #expect(outcome.status == 1)
    let lines = outcome.errorText.split(separator: "\n")
    #expect(lines.count == 101)
    for (number, line) in lines.prefix(100).enumerated() {
      #expect(line == "geomapper: src/locked-\(1000 + number): Permission denied")
    }
    #expect(lines.last == "geomapper: 150 more could not be read or vanished, 250 in all")
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func quietDropsTheLinesNotTheStatus() throws {
    try locked(0..<120)
    for option in ["-q", "--quiet"] {
      let outcome = try map(option)
      #expect(outcome.status == 1)
      #expect(outcome.error.isEmpty)
    }
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unreadableRootIsAContinent() throws {
    try folder.makeFolder("src")
    try folder.setMode("src", 0)
    let outcome = try map()
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "geomapper: src: Permission denied\n")
    let written = try WrittenMap(outcome.output)
    #expect(written["src"]?["kind"] as? String == "continent")
    #expect(written["src"]?["unreadable"] as? Bool == true)
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func namesCannotSteerTheTerminal() throws {
    try folder.makeFolder("src/\u{1B}[2J\n")
    try folder.setMode("src/\u{1B}[2J\n", 0)
    let outcome = try map()
    #expect(outcome.errorText == "geomapper: src/\\u{1B}[2J\\n: Permission denied\n")
  }

  @Test func silentWithoutTerminal() throws {
    try folder.makeFolder("src")
    for arguments in [[], ["--progress=auto"], ["--progress", "never"]] as [[String]] {
      let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
      #expect(outcome.error.isEmpty)
      #expect(outcome.status == 0)
    }
  }

  @Test func progressAlwaysWritesPlainLines() throws {
    let outcome = try whileHeld(for: 1.2, ["--progress", "always"], error: .captured)
    let lines = outcome.errorText.split(separator: "\n")
    #expect(lines.count >= 2)
    #expect(lines.allSatisfy { $0.hasPrefix("geomapper: ") })
    #expect(lines.first?.contains("/s, large") == true)
    #expect(lines.last?.contains("9 folders, 1,600 files, 0 unreadable, ") == true)
    #expect(!outcome.errorText.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(arguments: [80, 30, 1])
  func terminalShowsALineAndASummary(columns: UInt16) throws {
    let terminal = try PseudoTerminal(columns: columns)
    // The line appears after a tenth of a second.
    let outcome = try whileHeld(for: 0.2, [], error: .descriptor(terminal.terminal))
    #expect(outcome.status == 0)
    let shown = terminal.finish()
    let parts = shown.components(separatedBy: "\r")
    let lines = parts.filter { $0.hasSuffix("\u{1B}[K") }.map { $0.dropLast(3) }
    #expect(lines.contains { !$0.isEmpty } || columns == 1)
    for line in lines { #expect(line.unicodeScalars.count < Int(columns)) }
    // The line is erased before the summary.
    let summary = try #require(shown.components(separatedBy: "\r\u{1B}[K").last)
    #expect(summary.hasPrefix("geomapper: 9 folders, 1,600 files, 0 unreadable, "))
    #expect(summary.hasSuffix("B\r\n"))
  }

  @Test(arguments: [["--progress", "never"], ["-q"]])
  func terminalShowsNothingIfDisabled(arguments: [String]) throws {
    let terminal = try PseudoTerminal()
    _ = try whileHeld(for: 0.2, arguments, error: .descriptor(terminal.terminal))
    #expect(terminal.finish().isEmpty)
  }

  @Test(arguments: ["TERM=dumb", "TERM="])
  func plainTerminalShowsTheSummaryAlone(environment: String) throws {
    let terminal = try PseudoTerminal()
    let outcome = try whileHeld(
      for: 0.2, [], environment: [environment], error: .descriptor(terminal.terminal))
    #expect(outcome.status == 0)
    let shown = terminal.finish()
    #expect(shown.hasPrefix("geomapper: 9 folders, 1,600 files, 0 unreadable, "))
    #expect(shown.split(separator: "\r\n").count == 1)
  }

  @Test func progressAlwaysOverridesQuiet() throws {
    try folder.makeFolder("src")
    let outcome = try Geomapper.run(["map", "src", "-q", "--progress=always"], in: folder.path)
    #expect(outcome.errorText.hasPrefix("geomapper: 1 folder, 0 files, 0 unreadable, "))
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func progressNeverStillReportsFaults() throws {
    try locked(0..<1)
    let outcome = try map("--progress", "never")
    #expect(outcome.errorText == "geomapper: src/locked-1000: Permission denied\n")
  }

  /// A list that grows until a command shows its progress.
  @Test func everyCommandShowsProgress() throws {
    let commands = [
      "stats src", "find a src", "draw -o sheet.svg src",
      "verify src", "snapshot -o kept src", "map -o map src",
      "map --format pmtiles -o tiles src", "locate --root src src/a1", "whereis --root src 0,0",
      "route --root src src/a1 src/a2", "track places --root src way.gpx",
      "track from --root src -o found.gpx way.txt",
    ]
    try folder.makeFile("way.gpx", Self.gpx + "</trkseg></trk></gpx>")
    try folder.makeFile("way.txt", "2026-01-01T00:00:00Z src/a1\n")
    let script = commands.enumerated().map { number, command in
      """
      (i=0; while [ ! -s err\(number) ] && [ $i -lt \(10 * Patience.seconds) ]; do
        echo src/a$i; i=$((i + 1)); sleep 0.1; done) |
        "$T" \(command) --progress always --files-from - > out\(number) 2> err\(number) &

      """
    }.joined()
    let outcome = try Geomapper.shell("\(script)wait", in: folder.path)
    #expect(outcome.status == 0)
    for (number, command) in commands.enumerated() {
      let text = try folder.text("err\(number)")
      #expect(text.contains("geomapper: list: "), "\(command): \(text)")
    }
  }

  /// A file that another program extends until a command shows its progress.
  @Test func readersOfPipesShowAnAmount() throws {
    let commands = [
      ("track info -", "way"), ("track convert -o way.csv -", "way"),
      ("track from --root src -o from.gpx -", "paths"), ("replay -", "events"),
    ]
    try folder.makeFile("src/a")
    let texts = [
      "way": (Self.gpx, "<trkpt lat='1' lon='2'/>"), "paths": ("", "2026-01-01T00:00:00Z src/a"),
      "events": (
        #"{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","device":"d","#
          + #""systemVersion":"s"}}"#,
        #"{"type":"pause","timestamp":"2026-01-05T14:30:01.000Z","relativeTime":1.0}"#
      ),
    ]
    for (name, text) in texts {
      try folder.makeFile("\(name)-head", text.0)
      try folder.makeFile("\(name)-line", text.1 + "\n")
    }
    let script = commands.enumerated().map { number, command in
      """
      (cat \(command.1)-head; i=0
        while [ ! -s err\(number) ] && [ $i -lt \(10 * Patience.seconds) ]; do
        cat \(command.1)-line; i=$((i + 1)); sleep 0.1; done) |
        "$T" \(command.0) --progress always > out\(number) 2> err\(number) &

      """
    }.joined()
    #expect(try Geomapper.shell(script + "wait", in: folder.path).status == 0)
    for (number, command) in commands.enumerated() {
      let line = try folder.text("err\(number)").split(separator: "\n").first ?? ""
      #expect(line.contains(/^geomapper: [0-9.]+ (bytes|kB)$/), "\(command): \(line)")
    }
  }

  private static let gpx = "<gpx version='1.1' creator='t'><trk><trkseg>"

  /// For a file, the total is known.
  @Test(arguments: [
    "track convert --format csv way.gpx",
    "recordings export --directory . --format csv events.json",
    "recordings export --directory . events.json",
  ])
  func readersOfFilesShowAPercentage(command: String) throws {
    let points = String(repeating: "<trkpt lat='1' lon='2'></trkpt>\n", count: 20_000)
    try folder.makeFile("way.gpx", Self.gpx + points + "</trkseg></trk></gpx>")
    let event = #"{"type":"pause","timestamp":"2026-01-05T14:30:01.000Z","relativeTime":1.0}"#
    try folder.makeFile(
      "events.json",
      #"{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","device":"d","#
        + #""systemVersion":"s"},"events":["#
        + [String](repeating: event, count: 10_000).joined(separator: ",\n") + "]}")
    let pipe = try TestPipe()
    let process = try Geomapper.start(
      command.split(separator: " ").map(String.init) + ["--progress", "always"], in: folder.path,
      output: .descriptor(pipe.writer), error: .captured)
    pipe.closeWriter()
    hold(pipe, for: 1.1)
    _ = readAll(pipe.reader)
    pipe.closeReader()
    let outcome = process.finish()
    #expect(outcome.status == 0)
    let line = try #require(outcome.errorText.split(separator: "\n").first)
    #expect(line.contains(/^geomapper: [0-9]+ %, .+ left$/), "\(line)")
  }

  /// While another program makes a picture, only that it is running is shown.
  @Test func makingAPictureShowsProgress() throws {
    try folder.makeFile("src/a")
    try folder.makeFile(
      "tools/rsvg-convert",
      """
      #!/bin/sh
      [ "$1" = --version ] && exit 0
      while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
      i=0; while ! grep -q picture \(folder("err")) && [ $i -lt \(10 * Patience.seconds) ]; do
        i=$((i + 1)); sleep 0.1; done
      printf '\\211PNG\\r\\n' > "$out"

      """)
    try folder.setMode("tools/rsvg-convert", 0o755)
    let outcome = try Geomapper.shell(
      "PATH=\(folder("tools")):$PATH \"$T\" draw --sheet 120x90 -o sheet.png --progress always src 2> err",
      in: folder.path)
    #expect(outcome.status == 0)
    let text = try folder.text("err")
    #expect(text.contains(/geomapper: picture: [0-9]+ s\n/), "\(text)")
  }

  @Test func outputOnTheTerminalStaysIntact() throws {
    try folder.makeFolder("src")
    let expected = try Geomapper.run(["map", "src"], in: folder.path).text
    let terminal = try PseudoTerminal()
    _ = try Geomapper.start(
      ["map", "-o", "-", "src"], in: folder.path, output: .descriptor(terminal.terminal),
      error: .descriptor(terminal.terminal)
    ).finish()
    let shown = terminal.finish()
    #expect(shown.hasPrefix(expected.replacingOccurrences(of: "\n", with: "\r\n")))
    #expect(!shown.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: [
    (["TERM=xterm", "NO_COLOR="], true), (["TERM=xterm", "NO_COLOR=1"], false),
    (["TERM=dumb", "NO_COLOR="], false),
  ])
  func coloursAreOnTerminalsOnly(environment: [String], isColoured: Bool) throws {
    let terminal = try PseudoTerminal()
    let outcome = try Geomapper.start(
      ["map", "nowhere"], in: folder.path, environment: environment,
      error: .descriptor(terminal.terminal)
    ).finish()
    #expect(outcome.status == 2)
    let shown = terminal.finish()
    #expect(shown.contains("'nowhere'"))
    #expect(shown.unicodeScalars.contains("\u{1B}") == isColoured)
  }

  @Test func signalWipesTheLine() throws {
    let large = try #require(LargeTree.shared)
    let terminal = try PseudoTerminal()
    let pipe = try TestPipe()
    let process = try Geomapper.start(
      ["map", large.path], output: .descriptor(pipe.writer),
      error: .descriptor(terminal.terminal))
    pipe.closeWriter()
    hold(pipe, for: 0.2)
    // It reads in small steps until it has shown a line, and isn't done by then.
    let isShown = waitUntil {
      var request = pollfd(fd: terminal.screen, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 0) == 1 { return true }
      if pipe.isFull { _ = readSome(pipe.reader) }
      return false
    }
    #expect(isShown)
    process.send(SIGTERM)
    #expect(process.finish().signal == SIGTERM)
    pipe.closeReader()
    #expect(terminal.finish().hasSuffix("\r\u{1B}[K"))
  }

  /// Waits a minimum time after a program has begun to write to a pipe.
  private func hold(_ pipe: TestPipe, for seconds: Double) {
    var request = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, Patience.milliseconds) == 1)
    usleep(UInt32(seconds * 1_000_000))
  }

  /// Runs the program while its output isn't read, only to let time pass.
  private func whileHeld(
    for seconds: Double, _ arguments: [String], environment: [String] = [],
    error: Subprocess.Stream
  ) throws -> Subprocess.Outcome {
    let large = try #require(LargeTree.shared)
    let pipe = try TestPipe()
    let process = try Geomapper.start(
      ["map", large.path] + arguments, environment: environment,
      output: .descriptor(pipe.writer), error: error)
    pipe.closeWriter()
    hold(pipe, for: seconds)
    _ = readAll(pipe.reader)
    pipe.closeReader()
    return process.finish()
  }
}
