import Foundation
import GeoCore
import GeoLive
import GeoSystem
import TestSupport
import Testing

@testable import geomapper

#if canImport(Glibc)
  import Glibc
#endif

/// `keep --every`, and the files of its timers.
@Suite struct TimerTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("home/file", "text")
  }

  private func keep(_ arguments: [String]) throws -> Subprocess.Outcome {
    try Geomapper.start(
      ["keep"] + arguments, in: folder.path, environment: ["XDG_DATA_HOME=\(folder("data"))"]
    ).finish()
  }

  /// The words of the printed cron line, after the times and `nice`.
  private func command(_ text: String) throws -> [String] {
    let line = try #require(text.split(separator: "\n").last)
    let command = line.split(separator: " ", maxSplits: 5)[5]
    let read = try Subprocess.run(
      "/bin/sh", ["-c", "nice() { printf '%s\\n' \"$@\"; }; \(command)"])
    return read.text.split(separator: "\n").map(String.init)
  }

  // MARK: Printed

  @Test func timersArePrintedWithoutKeeping() throws {
    let outcome = try keep(["--every", "1h", "home"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty)
    let text = outcome.text
    for line in [
      "ExecStart=\"\(Geomapper.path)\" \"keep\" \"--store=\(folder("data"))/geomapper/kept\" "
        + "\"\(folder("home"))\"",
      "OnCalendar=*-*-* *:00:00", "# For cron, in place of these files:",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)\n\(text)")
    }
    #expect(try !folder.names().contains("data"))
    #expect(try keep(["--every", "90m", "home"]).text.contains("# No line for cron: cron has no"))
  }

  @Test func commandHasAbsolutePaths() throws {
    try folder.makeFile("globs", "*.o\n")
    try folder.makeFile("rules", "h files > 1\n")
    try folder.makeFile("tool", "#!/bin/sh\n")
    chmod(folder("tool"), 0o755)
    try folder.makeLink("link", to: "home")
    let outcome = try keep([
      "--every", "6h", "--store", "./kept", "--include", "a b", "-x", "--exclude-from", "globs",
      "--exclude=*$%", "-q", "--newer", "globs", "--older", "2020-01-31", "h=link", "--alerts",
      "rules", "--cooldown", "1d", "--exec", "./tool", "--every", "x y", "link",
    ])
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(
      try command(outcome.text) == [
        "-n", "10", Geomapper.path, "keep", "--store=\(folder("kept"))", "--include=a b",
        "--one-file-system", "--exclude-from=\(folder("globs"))", "--exclude=*$%", "--quiet",
        "--newer=\(folder("globs"))", "--older=2020-01-31", "--alerts=\(folder("rules"))",
        "--cooldown=1d", "h=\(folder("home"))", "--exec", folder("tool"), "--every", "x y", "link",
      ])
    // A program in PATH is found now, not with the PATH of the timer.
    let found = try keep(["--every", "6h", "--alert", "home files > 1", "home", "--exec", "sh"])
    let words = try command(found.text)
    #expect(words.last?.hasSuffix("/sh") == true && words.last != "/sh", "\(words)")
    // Printed to a file.
    #expect(try keep(["--every", "6h", "home", "-o", "printed"]).text.isEmpty)
    let printed = try command(try folder.text("printed"))
    #expect(printed.last == folder("home") && !printed.contains { $0.contains("printed") })
  }

  @Test func unusableCommandsAreRefused() throws {
    try folder.makeFolder("a\nb")
    for (arguments, reason) in [
      (["--every", "1h", "a\nb"], "line break"), (["--every", "1h", "nowhere"], "nowhere"),
      (["--every", "0s", "home"], "not a time"),
      (["--every", "1ms", "home"], "less than a second"),
      (["--every", "1h", "--exclude-from", "-", "home"], "no standard input"),
      (["--every", "1h", "--alert", "x files > 1", "home"], "none of the roots"),
      (["--every", "1h", "--alert", "home files > 1", "--exec", "true", "home"], "--exec"),
      (["--install", "home"], "--every TIME"), (["--system", "home"], "--every TIME"),
      (["--every", "1h", "--list"], "--list"), (["--remove", "--every", "1h", "home"], "--every"),
    ] {
      let outcome = try keep(arguments)
      #expect(outcome.status == 2 && outcome.errorText.contains(reason), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
    // A label can look like an option.
    let marked = try keep(["--every", "1h", "--", "-l=home"])
    #expect(try command(marked.text).suffix(2) == ["--", "-l=\(folder("home"))"])
  }

  @Test func usersAndRootHaveOwnTimers() throws {
    for manager in ServiceManager.allCases {
      #expect(throws: Failure.self) { try TimerPlace(manager, isOfSystem: false, isRoot: true) }
      #expect(throws: Failure.self) { try TimerPlace(manager, isOfSystem: true, isRoot: false) }
      let system = try TimerPlace(manager, isOfSystem: true, isRoot: true)
      #expect(["/etc/systemd/system", "/Library/LaunchDaemons"].contains(system.shown))
      let own = try TimerPlace(manager, isOfSystem: false, isRoot: false)
      #expect(own.shown.hasSuffix(manager == .systemd ? "/systemd/user" : "/Library/LaunchAgents"))
    }
  }

  // MARK: Installed

  private static let name = TimerName(of: [Array("/home".utf8)])

  private func timer(every seconds: Int64 = 3600) throws -> KeptTimer {
    try KeptTimer(
      Self.name, running: ["/usr/bin/geomapper", "keep", "/home"].map { Array($0.utf8) },
      every: seconds, summary: "Keep a state of /home")
  }

  /// A place with a program in place of the service manager, which logs its arguments and fails if
  /// the first of them that is not an option is in the file `refused`.
  private func place(_ manager: ServiceManager, isOfSystem: Bool = false) throws -> TimerPlace {
    try folder.makeFile(
      "control",
      """
      #!/bin/sh
      echo "$*" >> '\(folder("log"))'
      for word; do case $word in --user) ;; *) break ;; esac; done
      if [ -e '\(folder("refused"))' ]; then
        while read -r refused status; do
          [ "$refused" = "$word" ] && { echo "no $word" >&2; exit "$status"; }
        done < '\(folder("refused"))'
      fi
      exit 0

      """)
    chmod(folder("control"), 0o755)
    try folder.makeFile("log", "")
    var place = TimerPlace(
      manager, isOfSystem: isOfSystem, folder: Array(folder("units/deep").utf8))
    place.control = Array(folder("control").utf8)
    return place
  }

  private func log() throws -> [String] {
    let lines = try folder.text("log").split(separator: "\n").map(String.init)
    try folder.makeFile("log", "")
    return lines
  }

  @Test func unitsAreWrittenAndEnabledAndRemoved() throws {
    let installer = TimerInstaller(Self.name, in: try place(.systemd))
    #expect(try installer.install(timer()) == nil)
    let unit = Self.name.unit
    let enabling = ["--user daemon-reload", "--user enable --now \(unit)"]
    #expect(try log() == enabling)
    let files = try timer().files(for: .systemd)
    for file in files { #expect(try folder.read("units/deep/\(file.name)") == file.bytes) }
    // Once more, with another interval.
    #expect(try installer.install(timer(every: 86_400)) == nil)
    #expect(try log() == enabling)
    #expect(try folder.text("units/deep/\(unit)").contains("OnCalendar=*-*-* 00:00:00"))
    #expect(try folder.names(in: "units/deep").sorted() == files.map(\.name).sorted())
    #expect(try installer.remove() == .removed(nil))
    #expect(try log() == ["--user disable --now \(unit)", "--user daemon-reload"])
    #expect(try folder.names(in: "units/deep").isEmpty)
    #expect(try installer.remove() == .absent)
    #expect(try log().isEmpty)
    let system = TimerInstaller(Self.name, in: try place(.systemd, isOfSystem: true))
    #expect(try system.install(timer()) == nil)
    #expect(try log() == ["daemon-reload", "enable --now \(unit)"])
  }

  @Test func agentsAreWrittenAndLoadedAndRemoved() throws {
    for (isOfSystem, domain) in [(false, "gui/\(ThisProcess.user)"), (true, "system")] {
      let installer = TimerInstaller(Self.name, in: try place(.launchd, isOfSystem: isOfSystem))
      let file = "units/deep/\(Self.name.label).plist"
      let loading = [
        "bootout \(domain)/\(Self.name.label)", "bootstrap \(domain) \(folder(file))",
      ]
      // That nothing is loaded yet is no failure.
      try folder.makeFile("refused", "bootout 3\n")
      for _ in 0..<2 {
        #expect(try installer.install(timer()) == nil)
        #expect(try log() == loading)
      }
      #expect(try folder.read(file) == timer().files(for: .launchd)[0].bytes)
      #expect(try installer.remove() == .removed(nil))
      #expect(try log() == [loading[0]])
      #expect(try installer.remove() == .absent)
    }
  }

  /// Without a service manager the files are written, and the commands to run are returned.
  @Test func aManagerThatIsMissingOrRefusesIsReported() throws {
    let place = try place(.systemd)
    let installer = TimerInstaller(Self.name, in: place)
    let (control, unit) = (folder("control"), Self.name.unit)
    for (refused, commands) in [
      (
        "daemon-reload", "\(control) --user daemon-reload && \(control) --user enable --now \(unit)"
      ),
      ("enable", "\(control) --user enable --now \(unit)"),
    ] {
      try folder.makeFile("refused", "\(refused) 5\n")
      let failed = try #require(try installer.install(timer()))
      #expect(failed.reason.hasSuffix("failed: no \(refused)") && failed.commands == commands)
      #expect(try folder.names(in: "units/deep").count == 2)
    }
    try folder.makeFile("refused", "disable 1\n")
    guard case .removed(let failed?) = try installer.remove() else {
      Issue.record("nothing is reported")
      return
    }
    #expect(
      failed.commands
        == "\(control) --user disable --now \(unit) && \(control) --user daemon-reload")
    #expect(try folder.names(in: "units/deep").isEmpty)
    var missing = place
    missing.control = Array(folder("nowhere/it's").utf8)
    let none = try #require(try TimerInstaller(Self.name, in: missing).install(timer()))
    #expect(none.reason.contains("can't run '") && none.commands.contains(#"nowhere/it'\\''s'"#))
    #expect(try folder.names(in: "units/deep").count == 2)
  }

  /// A file without the mark stays as it is, and nothing else is done.
  @Test func filesOfOthersAreLeftAlone() throws {
    for manager in ServiceManager.allCases {
      let installer = TimerInstaller(Self.name, in: try place(manager))
      #expect(try installer.install(timer()) == nil)
      _ = try log()
      let names = Self.name.fileNames(for: manager)
      let path = "units/deep/\(try #require(names.last))"
      let own = try folder.text(path)
      let others = [
        "", "[Unit]\nDescription=mine\n",
        own.split(separator: "\n").filter { !$0.contains("made by") }.joined(separator: "\n"),
        own.replacing(Self.name.hash, with: "0123456789abcdef"),
      ]
      func expectRefusal() throws {
        let before = try names.map { try folder.read("units/deep/\($0)") }
        for action in [{ _ = try installer.install(timer()) }, { _ = try installer.remove() }] {
          #expect { try action() } throws: { error in
            (error as? Failure)?.message.contains("was not made by") == true
          }
        }
        #expect(try names.map { try folder.read("units/deep/\($0)") } == before)
        #expect(try log().isEmpty)
      }
      for text in others {
        try folder.makeFile(path, text)
        try expectRefusal()
      }
      // A link isn't followed, even to an own file.
      try folder.makeFile("own", own)
      #expect(unlink(folder(path)) == 0)
      try folder.makeLink(path, to: folder("own"))
      try expectRefusal()
      #expect(try folder.text("own") == own)
      for name in names { #expect(unlink(folder("units/deep/\(name)")) == 0) }
    }
  }

  @Test func aFolderInPlaceOfAFileIsLeftAlone() throws {
    let installer = TimerInstaller(Self.name, in: try place(.systemd))
    let names = Self.name.fileNames(for: .systemd)
    try folder.makeFolder("units/deep/\(names[1])/x")
    #expect(throws: Failure.self) { try installer.install(timer()) }
    #expect(throws: Failure.self) { try installer.remove() }
    #expect(try folder.names(in: "units/deep") == [names[1]])
    #expect(try log().isEmpty)
  }
}
