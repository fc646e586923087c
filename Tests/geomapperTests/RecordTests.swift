import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// Records changes in a temporary tree.
  @Suite struct RecordTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFile("src/a/x", "hi")
    }

    private var environment: [String] { ["XDG_DATA_HOME=\(folder("data"))"] }

    /// Starts a recording, and waits until it watches.
    private func start(_ arguments: [String]) throws -> Subprocess {
      try folder.makePipe("messages")
      let reader = open(folder("messages"), O_RDWR | O_CLOEXEC)
      defer { close(reader) }
      let process = try Geomapper.start(
        ["record"] + arguments, in: folder.path, environment: environment,
        error: .descriptor(reader))
      // It reports that it has begun.
      #expect(String(decoding: readSome(reader), as: UTF8.self).contains("recording"))
      unlink(folder("messages"))
      return process
    }

    private func run(_ arguments: [String]) throws -> Subprocess.Outcome {
      try Geomapper.start(arguments, in: folder.path, environment: environment).finish()
    }

    private func events(_ name: String) throws -> [[String: Any]] {
      let whole = try JSONSerialization.jsonObject(with: Data(folder.read(name)))
      return (whole as? [String: Any])?["events"] as? [[String: Any]] ?? []
    }

    private func changes(_ events: [[String: Any]]) -> [String] {
      events.compactMap { event in
        guard let data = event["data"] as? [String: Any], let change = data["change"] as? String,
          let path = data["path"] as? String
        else { return nil }
        let from = (data["from"] as? String).map { "\($0) " } ?? ""
        return "\(change) \(from)\(path)"
      }
    }

    @Test func recordsToAFile() throws {
      let process = try start(["src", "-o", "log.json", "--name", "one", "--tag", "t"])
      #expect(mkdir(folder("src/new"), 0o755) == 0)
      #expect(rename(folder("src/a/x"), folder("src/y")) == 0)
      #expect(unlink(folder("src/y")) == 0)
      #expect(try waitUntil { try changesSoFar(process, "src/a/end") })
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      let reported = changes(try events("log.json"))
      let expected = ["created src/new", "moved src/a/x src/y", "deleted src/y"]
      #expect(reported.starts(with: expected), "\(reported)")
      #expect(try folder.text("log.json").contains(#""name":"one","tags":["t"],"roots":["src"]"#))
    }

    /// Changes in another file system below a root are seen, except with `-x`.
    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func entersOtherFileSystemsUnlessForbidden() throws {
      try folder.makeFolder("src/mount")
      let disk = try SmallDisk(at: folder("src/mount"))
      for options in [["-x"], []] {
        let name = "log\(options.count).json"
        let process = try start(options + ["src", "-o", name])
        try folder.makeFile("src/mount/in-\(options.count)")
        try folder.makeFile("src/out-\(options.count)")
        // All events are in the file at its end.
        #expect(try waitUntil { try process.isAsleep() })
        process.send(SIGTERM)
        #expect(process.finish().status == 0)
        let reported = changes(try events(name))
        #expect(reported.contains("created src/out-\(options.count)"), "\(reported)")
        let isReported = reported.contains("created src/mount/in-\(options.count)")
        #expect(isReported == options.isEmpty, "\(reported)")
      }
      withExtendedLifetime(disk) {}
    }

    /// A server keeps samples of its roots and the folders in them.
    @Test func samplesAreServed() throws {
      let world = try ServedWorld(
        ["--sample", "1s", "src"], in: folder.path, environment: environment)
      func series(_ path: String) throws -> [String: [Int]] {
        let found = try world.get("/samples?path=\(path)").json
        return found.compactMapValues { $0 as? [Int] }
      }
      #expect(try waitUntil { try series("src/a")["bytes"]?.first == 2 })
      try folder.makeFile("src/a/more", "1234")
      #expect(try waitUntil { try series("src/a")["bytes"]?.last == 6 })
      let root = try series("src")
      #expect(root["files"]?.last == 2)
      #expect(
        root["time"]?.count == root["bytes"]?.count && root["free"]?.count == root["time"]?.count)
      #expect(root["time"] == root["time"]?.sorted())
      let all = try world.get("/samples").json
      #expect(all["paths"] as? [String] == ["src", "src/a"] && all["interval"] as? Int == 1)
      #expect(try world.get("/samples?path=src/b").status == 404)
      func asks(_ world: ServedWorld) throws -> Bool {
        String(decoding: try world.get("/assets/page.js").body, as: UTF8.self).contains(
          "source.samples(")
      }
      #expect(try asks(world))
      let other = try ServedWorld(["src"], in: folder.path)
      #expect(try other.get("/samples").status == 404 && !asks(other))
      for arguments in [["--sample", "1ms", "src"], ["--sample", "1s", "--replay", "x.json"]] {
        #expect(try run(["serve"] + arguments).status == 2)
      }
    }

    /// One watcher serves both samples and pages.
    @Test func samplesAndPagesShareAWatcher() throws {
      let world = try ServedWorld(
        ["--sample", "1s", "src"], in: folder.path, environment: environment)
      let events = try world.open("/events")
      defer { close(events) }
      #expect(try world.get("/tiles/3/4/4.mvt").status == 200)
      #expect(try waitUntil { try world.get("/stats").json["watchedFolders"] as? Int ?? 0 > 0 })
      #expect(try waitUntil { try world.get("/samples?path=src").status == 200 })
      #expect(try world.watcherCount() == 1)
      func reported(upTo word: String) -> String {
        var text = ""
        while !text.contains(word) {
          let bytes = readSome(events)
          if bytes.isEmpty { break }
          text += String(decoding: bytes, as: UTF8.self)
        }
        return text
      }
      try folder.makeFile("src/fresh", "1234")
      #expect(
        reported(upTo: "\"name\":\"fresh\"").contains("\"what\":\"added\",\"name\":\"fresh\""))
      #expect(unlink(folder("src/fresh")) == 0)
      // A removal isn't reported as an addition.
      let text = reported(upTo: "\"what\":\"removed\",\"name\":\"fresh\"")
      try folder.makeFile("src/last")
      let rest = reported(upTo: "\"name\":\"last\"")
      #expect(!(text + rest).contains("\"what\":\"added\",\"name\":\"fresh\""))
    }

    /// Samples outlive the server, in a file that only its owner can read; unusable files are
    /// replaced.
    @Test func samplesOutliveTheServer() throws {
      func serve() throws -> ServedWorld {
        try ServedWorld(["--sample", "1h", "src"], in: folder.path, environment: environment)
      }
      func bytes(_ world: ServedWorld) throws -> [Int] {
        try world.get("/samples?path=src").json["bytes"] as? [Int] ?? []
      }
      let first = try serve()
      #expect(try waitUntil { try bytes(first) == [2] })
      try folder.makeFile("src/a/more", "1234")
      // The last sample is taken at the end.
      #expect(first.end(by: SIGTERM).signal == SIGTERM)
      let place = "data/geomapper/recordings"
      let names = try folder.names(in: place)
      #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".geosamples") }, "\(names)")
      let name = "\(place)/\(try #require(names.first))"
      #expect(try folder.mode(name) == 0o600)
      let second = try serve()
      #expect(try waitUntil { try bytes(second) == [2, 6, 6] })
      #expect(second.end(by: SIGTERM).signal == SIGTERM)
      try folder.makeFile(name, "no samples")
      // Old files of other servers are removed, and nothing else.
      let others = ["samples_0123456789abcdef.geosamples", "samples_0123456789abcdef.json"]
      for other in others {
        try folder.makeFile("\(place)/\(other)")
        try folder.setModified("\(place)/\(other)", 1_000_000_000)
      }
      let third = try serve()
      #expect(try waitUntil { try bytes(third) == [6] })
      #expect(third.end(by: SIGTERM).signal == SIGTERM)
      #expect(try folder.read(name).starts(with: Array("geomapper samples 1\n".utf8)))
      #expect(try Set(folder.names(in: place)) == Set(names + others.suffix(1)))
    }

    /// The page of a recording begins at the given speed.
    @Test func pageReceivesTheSpeed() throws {
      try makeRecording("one.json")
      let world = try ServedWorld(
        ["--replay", "one.json", "--speed", "60"], in: folder.path, environment: environment)
      let page = String(decoding: try world.get("/").body, as: UTF8.self)
      #expect(page.contains("<meta name=\"speed\" content=\"60.0\">"))
      for (arguments, reason) in [
        (["--speed", "60", "src"], "--replay"),
        (["--speed", "0", "--replay", "one.json"], "--speed"),
      ] {
        let ran = try run(["serve"] + arguments)
        #expect(ran.status == 2 && ran.errorText.contains(reason), "\(ran.errorText)")
      }
    }

    /// An event becomes visible only by a flush, which ten events cause.
    private func changesSoFar(_ process: Subprocess, _ name: String) throws -> Bool {
      try folder.makeFile(name)
      #expect(unlink(folder(name)) == 0)
      // While it is being written, the file may lack its end.
      return (try? events("log.json"))?.isEmpty == false
    }

    @Test func streamsLines() throws {
      let pipe = try TestPipe()
      let process = try Geomapper.start(
        ["record", "-q", "-o", "-", "--events", "2", "src"], in: folder.path,
        environment: environment, output: .descriptor(pipe.writer))
      pipe.closeWriter()
      var text = readSome(pipe.reader)
      #expect(String(decoding: text, as: UTF8.self).hasPrefix(#"{"metadata":{"version":"1.0""#))
      try folder.makeFile("src/one")
      #expect(mkdir(folder("src/two"), 0o755) == 0)
      try folder.makeFile("src/three")
      text += readAll(pipe.reader)
      pipe.closeReader()
      #expect(process.finish().status == 0)
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3)
      let events = try lines.dropFirst().map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      #expect(changes(events) == ["created src/one", "created src/two"])
      // A streamed recording can be replayed.
      try folder.makeFile("stream", String(decoding: text, as: UTF8.self))
      let played = try run(["replay", "--speed", "1000000", "stream"])
      #expect(played.status == 0 && played.output == text)
    }

    /// A recording that is read while it is made.
    private final class Stream {
      let process: Subprocess
      private let pipe: TestPipe
      private var text: String

      init(_ process: Subprocess, _ pipe: TestPipe) {
        (self.process, self.pipe) = (process, pipe)
        pipe.closeWriter()
        text = String(decoding: readSome(pipe.reader), as: UTF8.self)
      }

      func read(upTo word: String) {
        while !text.contains(word) {
          let more = readSome(pipe.reader)
          if more.isEmpty {
            Issue.record("it ended before \(word)")
            return
          }
          text += String(decoding: more, as: UTF8.self)
        }
      }

      /// Ends the recording, and returns all its lines.
      func end() -> [Substring] {
        process.send(SIGTERM)
        text += String(decoding: readAll(pipe.reader), as: UTF8.self)
        pipe.closeReader()
        #expect(process.finish().status == 0)
        return text.split(separator: "\n")
      }
    }

    private func stream(_ arguments: [String]) throws -> Stream {
      let pipe = try TestPipe()
      return Stream(
        try Geomapper.start(
          ["record", "-q", "-o", "-"] + arguments, in: folder.path, environment: environment,
          output: .descriptor(pipe.writer)), pipe)
    }

    @Test func pausesAndResumes() throws {
      let stream = try stream(["src"])
      stream.process.send(SIGUSR1)
      stream.read(upTo: #""type":"pause""#)
      try folder.makeFolder("src/silent")
      // The event is received before the signal that follows.
      #expect(try waitUntil { try stream.process.isAsleep() })
      stream.process.send(SIGUSR1)
      stream.read(upTo: #""type":"resume""#)
      try folder.makeFolder("src/after")
      stream.read(upTo: "src/after")
      #expect(!stream.end().contains { $0.contains("src/silent") })
    }

    @Test func choosesFreeNames() throws {
      let directory = folder("data/geomapper/recordings")
      for _ in 0..<2 {
        let outcome = try run(["record", "-q", "--for", "1ms", "src"])
        #expect(outcome.status == 0 && outcome.error.isEmpty)
      }
      let names = try folder.names(in: "data/geomapper/recordings")
      #expect(names.count == 2)
      for name in names {
        #expect(name.hasPrefix("geo_log_2") && name.hasSuffix(".json"))
        #expect(try run(["recordings", "info", name]).status == 0)
      }
      // Its own folder is never recorded.
      let outcome = try run(["record", directory])
      #expect(outcome.status == 2 && outcome.errorText.contains("folder of recordings"))
    }

    @Test func refusesWrongUsage() throws {
      try folder.makeFile("there.json", "kept")
      for (arguments, reason) in [
        (["record", "-o", "there.json", "src"], "is there already"),
        (["record", "nowhere"], "nowhere"), (["record", "--for", "soon", "src"], "--for"),
        (["record", "--sample", "10ms", "src"], "a second"),
        (["record", "-L", "src"], "as DIRs"),
        (["record", "-o", "no/where.json", "src"], "does not exist"),
        (["record", "-o", "src", "src"], "is there already"),
        (
          ["record", "--alert", "src files > 1", "--exec", "true", "src"], "belongs to the command"
        ),
        (["recordings", "list", "--all"], "--all"),
        (["recordings", "info", "--tag", "x", "a"], "--tag"),
        (["recordings", "export", "--all"], "--output"),
        (["replay", "nowhere.json"], "No such file"),
        (["replay", "there.json"], "not a recording"),
        (["replay", "--speed", "0", "there.json"], "--speed"), (["replay"], "one FILE"),
        (["replay", "--loop", "--format", "gpx", "there.json"], "--loop"),
        (["replay", "src"], "directory"),
        (["recordings", "burn"], "burn"), (["recordings", "info"], "NAME"),
        (["recordings", "rename", "a"], "new one"),
        (["recordings", "--format", "gpx"], "gpx"),
        (["recordings", "info", "--compare", "0,1", "a"], "--compare"),
      ] {
        let outcome = try run(arguments)
        #expect(outcome.status == 2, "\(arguments)")
        #expect(outcome.errorText.contains(reason), "\(arguments): \(outcome.errorText)")
        #expect(outcome.output.isEmpty)
      }
      #expect(try folder.text("there.json") == "kept")
    }

    /// A recording of four events.
    private func makeRecording(_ name: String) throws {
      try folder.makeFolder("data/geomapper/recordings")
      var text =
        #"{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","#
        + #""duration":3.0,"eventCount":3},"events":["#
      for second in 1...3 {
        text +=
          (second == 1 ? "\n" : ",\n")
          + #"{"type":"location","timestamp":"2026-01-05T14:30:0\#(second).000Z","#
          + #""relativeTime":\#(second).0,"data":{"coordinate":{"latitude":\#(second),"#
          + #""longitude":2},"timestamp":"2026-01-05T14:30:0\#(second).000Z","#
          + #""path":"usr/f\#(second)","kind":"poi","change":"created","size":\#(second)}}"#
      }
      try folder.makeFile("data/geomapper/recordings/\(name)", text + "\n]}\n")
    }

    @Test func managesRecordings() throws {
      try makeRecording("one.json")
      try makeRecording("two.json")
      try folder.makeFile("data/geomapper/recordings/other.json", "{}")
      try folder.makeFile("outside.json", "{}")
      try folder.makeLink("data/geomapper/recordings/link.json", to: folder("outside.json"))

      let list = try run(["recordings"])
      #expect(list.text.split(separator: "\n").count == 2 && list.text.contains("3 events"))
      let json = try run(["recordings", "list", "--format", "json"])
      let all = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]]
      #expect(all?.map { $0["file"] as? String } == ["one.json", "two.json"])

      #expect(try run(["recordings", "rename", "one.json", "two.json"]).status == 2)
      #expect(try run(["recordings", "rename", "one.json", "../up.json"]).status == 2)
      #expect(try run(["recordings", "rename", "one.json", "three.json"]).status == 0)
      for name in [
        "../outside.json", "link.json", "other.json", ".", "..", "", "nowhere.json",
        "/etc/passwd",
      ] {
        #expect(try run(["recordings", "delete", name]).status == 2, "\(name)")
        #expect(try run(["recordings", "info", name]).status == 2, "\(name)")
      }
      #expect(try run(["recordings", "delete", "three.json"]).status == 0)
      #expect(
        try folder.names(in: "data/geomapper/recordings")
          == ["link.json", "other.json", "two.json"])

      let compared = try run(["recordings", "info", "--compare", "1,3", "two.json"])
      #expect(compared.status == 0 && compared.text.contains("distance"))
      #expect(compared.text.contains("222 km"), "\(compared.text)")
    }

    /// Tags find recordings, and alerts have names and numbers. Exports and replays into files
    /// don't wait, even for a recording of an hour.
    @Test func filtersByTagAndListsAlerts() throws {
      try makeRecording("plain.json")
      try folder.makeFile(
        "data/geomapper/recordings/tagged.json",
        #"{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","tags":["a","b"]},"#
          + #""events":[\#n{"type":"alert","timestamp":"2026-01-05T15:30:00.000Z","#
          + #""relativeTime":3600.0,"data":{"name":"full","path":"usr","rule":"usr files > 10","#
          + #""value":12,"limit":10,"state":"raised"}}\#n]}\#n"#)
      let list = try run(["recordings"]).text
      #expect(list.contains("tagged.json  [a, b]") && list.contains("plain.json"))
      let found = try run(["recordings", "list", "--tag", "b", "--tag", "a"]).text
      #expect(found.contains("tagged.json") && !found.contains("plain.json"))
      #expect(try run(["recordings", "--tag", "c"]).text.contains("with these tags"))
      let info = try run(["recordings", "info", "tagged.json"]).text
      #expect(info.contains("1:00:00 raised: full: usr files > 10 (12)"), "\(info)")
      let json = try run(["recordings", "info", "--format", "json", "tagged.json"]).text
      #expect(json.contains(#""alerts":[{"relativeTime":3600.0,"name":"full""#), "\(json)")

      #expect(
        try run(["recordings", "export", "--all", "--format", "csv", "-o", "out"]).status == 0)
      #expect(try folder.names(in: "out").sorted() == ["plain.csv", "tagged.csv"])
      let csv = try folder.text("out/tagged.csv")
      #expect(csv.contains("description,value,limit,altitude,"))
      #expect(csv.contains("usr files > 10,12,10,,,,,,,,\r\n"))
      let file = open(folder("played.jsonl"), O_WRONLY | O_CREAT, 0o644)
      defer { close(file) }
      let played = try Geomapper.start(
        ["replay", "--speed", "60", "tagged.json"], in: folder.path, environment: environment,
        output: .descriptor(file)
      ).finish()
      #expect(played.status == 0)
      #expect(try folder.text("played.jsonl").contains(#""relativeTime":3600.0"#))
    }

    @Test func exportsRecordings() throws {
      try makeRecording("one.json")
      func export(_ format: String) throws -> String {
        let outcome = try run(["recordings", "export", "--format", format, "one.json"])
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        return outcome.text
      }
      let gpx = try export("gpx")
      #expect(gpx.components(separatedBy: "<trkpt").count == 4)
      #expect(try run(["track", "from", "data/geomapper/recordings/one.json"]).text == gpx)
      #expect(try export("csv").split(separator: "\r\n").count == 4)
      let geojson = try JSONSerialization.jsonObject(with: Data(export("geojson").utf8))
      #expect(((geojson as? [String: Any])?["features"] as? [Any])?.count == 3)
      let whole = try export("json")
      try folder.makeFile("data/geomapper/recordings/again.json", whole)
      #expect(try run(["recordings", "export", "again.json"]).text == whole)
    }

    /// A sparse file takes no room on disk.
    @Test func alertsUseAllocatedBytes() throws {
      try folder.makeFile("src/sparse")
      #expect(truncate(folder("src/sparse"), 1 << 30) == 0)
      for (options, number) in [([], 0), (["--apparent"], 1)] {
        let name = "log\(number).json"
        let outcome = try run(
          ["record", "src", "-q", "-o", name, "--for", "200ms", "--alert", "src bytes > 1M"]
            + options)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(try events(name).count { $0["type"] as? String == "alert" } == number)
      }
    }

    /// An alert is shown, recorded, and runs a command without a shell.
    @Test func reportsAlerts() throws {
      try folder.makeFile("rules", "# mine\noff never: src files > 0\nmany: src/a files >= 3\n")
      try folder.makeFile(
        "tool.sh",
        #"printf '%s|' "$GEOMAPPER_ALERT" "$GEOMAPPER_PATH" "$GEOMAPPER_STATE" "$@" > reported; exit 3"#
      )
      let process = try start([
        "src", "-o", "log.json", "--alerts", "rules", "--exec", "/bin/sh", "tool.sh", "-q",
        "$HOME; x",
      ])
      for number in 0..<12 { try folder.makeFile("src/a/f\(number)") }
      #expect(waitUntil { (try? folder.text("reported"))?.hasSuffix("x|") == true })
      #expect(try folder.text("reported") == "many|src/a|raised|-q|$HOME; x|")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      let alerts = try events("log.json").compactMap { event in
        event["type"] as? String == "alert" ? event["data"] as? [String: Any] : nil
      }
      #expect(alerts.count == 1)
      #expect(alerts.first?["rule"] as? String == "src/a files >= 3")
      #expect(alerts.first?["state"] as? String == "raised")
      #expect(alerts.first?["limit"] as? Double == 3)

      for (arguments, reason) in [
        (["record", "--alert", "nonsense", "src"], "nonsense"),
        (["record", "--alert", "usr files > 1", "src"], "none of the roots"),
        (["record", "--exec", "true"], "--alert RULE"), (["record", "src", "--exec"], "--exec"),
        (["record", "--alerts", "tool.sh", "src"], "line 1"),
        (["record", "--alerts", "nowhere", "src"], "nowhere"),
      ] {
        let outcome = try run(arguments)
        #expect(outcome.status == 2 && outcome.errorText.contains(reason), "\(outcome.errorText)")
      }
    }

    /// A damaged recording is used up to the damage, and its position is reported.
    @Test func usesBrokenRecordingsToTheirFault() throws {
      try makeRecording("one.json")
      let bytes = try folder.read("data/geomapper/recordings/one.json")
      try folder.makeFile(
        bytes: Array("data/geomapper/recordings/cut.json".utf8), Array(bytes.dropLast(30)))
      for arguments in [
        ["replay", "--speed", "1000", "cut.json"], ["recordings", "info", "cut.json"],
        ["recordings", "export", "cut.json"],
        ["track", "from", "data/geomapper/recordings/cut.json"],
      ] {
        let outcome = try run(arguments)
        #expect(outcome.status == 1, "\(arguments)")
        #expect(outcome.errorText.contains("line 4, byte"), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("2 events before that can be used"))
        #expect(!outcome.output.isEmpty)
      }
    }

    /// On a full disk, the recording ends with what was written.
    @Test func fullDiskEndsTheRecording() throws {
      let shell = #"\#(Geomapper.limit(fileBlocks: 6)) exec "$T" record -q -o log.json src"#
      let process = try Subprocess(
        "/bin/sh", ["-c", shell].map { Array($0.utf8) },
        environment: ["T=\(Geomapper.path)"] + environment, in: folder.path)
      // The file is written once it watches.
      #expect(waitUntil { (try? folder.read("log.json").isEmpty) == false })
      for number in 0..<60 { try folder.makeFolder("src/n\(number)") }
      let outcome = process.finish()
      #expect(outcome.status == 3)
      #expect(outcome.errorText.contains("what was recorded before is there"))
      #expect(try events("log.json").count > 2)
    }
  }
#endif
