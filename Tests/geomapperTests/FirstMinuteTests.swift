import Foundation
import GeoCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The first minute with the tool.
@Suite struct FirstMinuteTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/inner/deep", "x")
    try folder.makeFile("src/one", "x")
    try folder.makeFile("src/two", "x")
  }

  @Test func pipesGetTheMap() throws {
    for (arguments, command) in [
      (["src"], ["map", "src"]), ([], ["map"]), (["./src"], ["map", "./src"]),
      (["a=src", "--format", "csv"], ["map", "a=src", "--format", "csv"]),
      (["src", "--zoom", "2"], ["map", "src", "--zoom", "2"]),
    ] {
      let outcome = try Geomapper.run(arguments, in: folder.path)
      #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
      #expect(outcome.text == (try Geomapper.run(command, in: folder.path).text), "\(arguments)")
    }
    let file = try Geomapper.shell("\"$T\" src > out && cat out", in: folder.path)
    #expect(file.text == (try Geomapper.run(["map", "src"], in: folder.path).text))
  }

  @Test func commandsTakePrecedenceOverFolders() throws {
    try folder.makeFile("stats/x")
    let outcome = try Geomapper.run(["stats", "--format", "json", "src"], in: folder.path)
    #expect(outcome.status == 0 && outcome.text.contains("\"total\""))
  }

  /// Opens folders on a terminal until all messages are printed, and returns the output.
  ///
  /// Their usual port may be in use, which is reported, too. Then they are opened again.
  private func open(
    _ arguments: [String], environment: [String] = [], whileOpen: () throws -> Void = {}
  ) throws -> (shown: String, signal: Int32?) {
    for _ in 0..<9 {
      let opened = try openOnce(arguments, environment, whileOpen)
      if !opened.shown.contains("in use") { return opened }
    }
    return try openOnce(arguments, environment, whileOpen)
  }

  private func openOnce(
    _ arguments: [String], _ environment: [String], _ whileOpen: () throws -> Void
  ) throws -> (shown: String, signal: Int32?) {
    let terminal = try PseudoTerminal()
    let process = try Geomapper.start(
      arguments, in: folder.path, environment: environment,
      output: .descriptor(terminal.terminal), error: .descriptor(terminal.terminal))
    defer { process.send(SIGKILL) }
    // A read may end amid a character.
    var bytes: [UInt8] = []
    var start: String { String(decoding: bytes, as: UTF8.self) }
    // A failure ends with a status and a reason, without those words.
    while !start.contains("-h'"), !start.contains("geomapper:") {
      let more = readSome(terminal.screen)
      if more.isEmpty { break }
      bytes += more
    }
    try whileOpen()
    process.send(SIGINT)
    let outcome = process.finish()
    return (start + terminal.finish(), outcome.signal)
  }

  @Test func aTerminalGetsTheAddressAndThreeLines() throws {
    for (arguments, what) in [
      (["src"], "src: 1 folder and 2 files at the top."), ([], ": 1 folder and 0 files"),
      (["src", "in=src/inner"], "A map of 2 folders: in, src."),
    ] {
      let (shown, signal) = try open(arguments)
      let lines = shown.split(whereSeparator: \.isNewline)
      #expect(lines.count == 4 && lines[0].hasPrefix("http://127.0.0.1:"), "\(shown)")
      #expect(lines[1].contains(what), "\(shown)")
      #expect(signal == SIGINT)
    }
  }

  @Test func anSSHSessionGetsTheCommandOfATunnel() throws {
    for (session, user, command) in [
      ("10.0.0.9 5555 10.0.0.2 22", "alice", "ssh -L PORT:127.0.0.1:PORT alice@10.0.0.2"),
      ("fe80::9 5555 fe80::2 2222", "b", "ssh -p 2222 -L PORT:127.0.0.1:PORT b@fe80::2"),
    ] {
      let (shown, _) = try open(
        ["src"], environment: ["SSH_CONNECTION=\(session)", "USER=\(user)"])
      let lines = shown.split(whereSeparator: \.isNewline)
      let port = lines[0].split(separator: ":")[2].prefix { $0.isNumber }
      #expect(lines.count == 6, "\(shown)")
      #expect(
        lines[2].hasSuffix("  " + command.replacingOccurrences(of: "PORT", with: port)), "\(shown)")
    }
  }

  @Test func anOpenServerShowsItsAddressAsAQRCode() throws {
    let (shown, _) = try open(["src", "--host", "0.0.0.0"], environment: ["NO_COLOR=1"])
    let lines = shown.split(whereSeparator: \.isNewline).map(String.init)
    #expect(!lines[0].contains("0.0.0.0"))
    let code = try #require(QRCode(Array(lines[0].utf8))).halfBlocks()
    #expect(Array(lines.dropFirst().prefix(code.count)) == code, "\(shown)")
    #expect(lines.count == code.count + 4)
    let coloured = try open(["src", "--host", "0.0.0.0"]).shown
    #expect(coloured.contains("\u{1b}[97;40m█"))
  }

  @Test func opensTheBrowserOnADisplay() throws {
    #if os(Linux)
      try folder.makeFile("bin/xdg-open", "#!/bin/sh\necho \"$1\" > \"$0.asked\"\n")
      try folder.setMode("bin/xdg-open", 0o755)
      let path = "PATH=\(folder("bin")):/usr/bin:/bin"
      let asked = folder("bin/xdg-open.asked")
      let (shown, _) = try open(["src"], environment: [path, "DISPLAY=:7"]) {
        #expect(waitUntil { (try? folder.text("bin/xdg-open.asked"))?.hasSuffix("\n") == true })
      }
      let address = try String(contentsOfFile: asked, encoding: .utf8)
      #expect(address.hasPrefix("http://127.0.0.1:"))
      #expect(shown.contains(address.dropLast()))
      try FileManager.default.removeItem(atPath: asked)
      _ = try open(["src"], environment: [path, "DISPLAY="])
      #expect(!FileManager.default.fileExists(atPath: asked))
    #endif
  }

  @Test func mapsAreNotWrittenToATerminal() throws {
    func map(_ arguments: [String]) throws -> (shown: String, outcome: Subprocess.Outcome) {
      let terminal = try PseudoTerminal()
      let outcome = try Geomapper.start(
        arguments, in: folder.path, output: .descriptor(terminal.terminal)
      ).finish()
      return (terminal.finish(), outcome)
    }
    let (shown, outcome) = try map(["map", "src"])
    #expect(shown.isEmpty && outcome.status == 2)
    #expect(outcome.errorText.contains("-o FILE") && outcome.errorText.contains("geomapper src"))
    for wanted in [
      ["-o", "-"], ["--format", "csv"], ["--zoom", "3"], ["--max-depth", "1"], ["--name", "o*"],
    ] {
      let (shown, outcome) = try map(["map"] + wanted + ["src"])
      #expect(!shown.isEmpty && outcome.status == 0, "\(wanted)")
    }
  }

  @Test func namesAreSortedByRelevance() throws {
    try folder.makeFile("src/inner/two.txt", "x")
    try folder.makeFile("src/inner/One Two", "x")
    try folder.makeFile("src/twofold", "x")
    let outcome = try Geomapper.run(["find", "two", "src"], in: folder.path)
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let names = outcome.text.split(separator: "\n").map {
      $0.drop { $0 != "/" }.split(separator: "  (")[0]
    }
    #expect(names == ["/two", "/inner/two.txt", "/twofold", "/inner/One Two"])
    let first = try Geomapper.run(["find", "two", "src", "--limit", "1"], in: folder.path).text
    #expect(outcome.text.hasPrefix(first) && first.contains("  src/two  ("))
    // Its place is the one on the map.
    let place = try #require(first.firstMatch(of: /\((.*)\)/)?.1)
    let here = try Geomapper.run(
      ["whereis", "-q", "--root", "src", String(place)], in: folder.path)
    #expect(here.text.contains("0 m src/two"))
    let features = try Geomapper.run(
      ["find", "--format", "geojson", "inner two", "src"], in: folder.path)
    #expect(try WrittenMap(features.output).paths == ["src/inner/two.txt", "src/inner/One Two"])
  }

  @Test func globsAreFoundAndSorted() throws {
    for (name, size) in [("a.log", 3), ("Ab.LOG", 2000), ("in/c.log", 1_500_000), ("d.logs", 9)] {
      try folder.makeFile("logs/\(name)", size: size)
    }
    try folder.makeFolder("logs/in/old.log")
    let touched = try Geomapper.shell(
      "touch -d @300 logs/a.log; touch -d @100 logs/Ab.LOG; touch -d @200 logs/in/c.log",
      in: folder.path)
    #expect(touched.status == 0)
    func find(_ arguments: String...) throws -> [String] {
      let outcome = try Geomapper.run(["find"] + arguments + ["logs"], in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errorText)")
      return outcome.text.split(separator: "\n").map {
        String($0.split(separator: "  (")[0]).trimmingCharacters(in: .whitespaces)
      }
    }
    let files = ["3 bytes  logs/a.log", "2.0 kB  logs/Ab.LOG", "1.5 MB  logs/in/c.log"]
    #expect(try Set(find("*.log")) == Set(files + ["-  logs/in/old.log/"]))
    #expect(try find("--sort", "size", "--type", "f", "*.log") == files.reversed())
    #expect(try find("--sort", "newest", "--type", "f", "*.log") == [files[0], files[2], files[1]])
    #expect(try find("--sort", "oldest", "--limit", "1", "--type", "f", "*.log") == [files[1]])
    #expect(
      try find("--sort", "name", "*.log") == [files[1], files[0], files[2], "-  logs/in/old.log/"])
    #expect(try find("--sort", "size", "--limit", "2", "*.log") == [files[2], files[1]])
    #expect(try find("i? [a-c].log") == [files[2]])
    #expect(try find("in/?.log") == [files[2]])
    // Folders have no size here and come last.
    #expect(try find("--sort", "size", "*.log").last == "-  logs/in/old.log/")
    let refused = try Geomapper.run(["find", "--sort", "sise", "x"], in: folder.path)
    #expect(refused.status == 2 && refused.errorText.contains("did you mean 'size'"))
  }

  @Test func messagesNamePathsOfTheMap() throws {
    try folder.makeFile("data/photos/2020/a.jpg", "x")
    func message(_ arguments: String...) throws -> String {
      try Geomapper.run(arguments, in: folder.path).errorText
    }
    #expect(
      try message("locate", "--root", "data", "photos/2020").contains(
        "on the map it is 'data/photos/2020'"))
    #expect(
      try message("locate", "--root", "data", "./photos/2020/a.jpg/").contains(
        "on the map it is 'data/photos/2020/a.jpg'"))
    #expect(
      try message("route", "--root", "data", "data/photos", "photos/2020").contains(
        "on the map it is 'data/photos/2020'"))
    #expect(try !message("locate", "--root", "data", "photos/2021").contains("on the map it is"))
    #expect(try !message("locate", "--root", "data", "/photos/2020").contains("on the map it is"))
  }

  @Test func malformedSearchesAreRefused() throws {
    for (arguments, message) in [
      (["find"], "no WORDS"), (["find", ""], "WORDS are"), (["find", "a", "b"], "in quotes"),
      (["find", "a", "src", "src"], "label 'src'"),
    ] {
      let outcome = try Geomapper.run(arguments, in: folder.path)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
    }
    let none = try Geomapper.run(["find", "none", "src"], in: folder.path)
    #expect(none.status == 0 && none.output.isEmpty && none.errorText.contains("nothing"))
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unreadableFoldersSetTheStatus() throws {
    try folder.setMode("src/inner", 0)
    let outcome = try Geomapper.run(
      ["find", "one", "src"], in: folder.path, launcher: Geomapper.unprivileged ?? [])
    try folder.setMode("src/inner", 0o755)
    #expect(outcome.status == 1 && outcome.text.contains("src/one"))
    #expect(outcome.errorText.contains("could not be searched"))
  }
}
