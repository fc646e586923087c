import Foundation
import TestSupport
import Testing

/// Redacted outputs contain only allowed names, and nothing derived from the others.
@Suite struct RedactTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("work/open/readme.txt", "text")
    try folder.makeFile("work/open/zanzibar-plan.txt", "plan")
    try folder.makeFile("work/zanzibar/okapi/quagga.md", "text")
    try folder.makeFile("work/zanzibar/quagga-2.md", "more")
    try folder.makeFile("work/clients/quagga-corp/aardvark.txt", "dear")
    try folder.makeFile("work/left/quagga.tmp", "out")
    for number in 0..<30 { try folder.makeFile("work/open/file \(number)", "x") }
  }

  private static let secrets = ["zanzibar", "quagga", "okapi", "aardvark"]
  private static let redaction = [
    "--redact", "**/zanzibar*", "--redact", "clients/*", "--redact", "**/*quagga*",
    "--redact-key", "key",
  ]

  private func run(_ arguments: [String], status: Int32 = 0) throws -> Subprocess.Outcome {
    let outcome = try Geomapper.start(
      arguments, in: folder.path, environment: ["HOME=\(folder("home"))"]
    )
    .finish()
    #expect(outcome.status == status, "\(arguments): \(outcome.errorText)")
    return outcome
  }

  private func map(_ options: [String], _ root: String = "work") throws -> [UInt8] {
    try run(["map", "-q", root] + options).output
  }

  /// Identifiers and places in a plain map that have to be missing from the redacted one.
  private func traces() throws -> [String] {
    let text = String(decoding: try map(["--format", "geojsonl"]), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { line in
      Self.secrets.contains { line.contains($0) }
    }
    #expect(lines.count >= 8)
    return lines.flatMap { line -> [String] in
      let id = line.split(separator: ",")[1]
      let place = line.split(separator: "\"coordinates\":")[1].split(separator: "}")[0]
      return [String(id.dropFirst("\"id\":".count)), String(place)]
    }
  }

  @Test func noFormatRevealsNames() throws {
    let traces = try traces()
    let formats = [
      "geojson", "geojsonseq", "geojsonl", "csv", "gpx", "html", "flatgeobuf", "parquet", "pmtiles",
    ]
    for format in formats {
      let options = ["--format", format] + Self.redaction + ["--exclude", "**/*.tmp"]
      let text = String(decoding: try map(options), as: UTF8.self)
      // Binary formats encode numbers differently, and compressed ones contain no text:
      // check_publish.py decodes them.
      for secret in Self.secrets + traces {
        #expect(!text.contains(secret), "\(format): \(secret)")
      }
      if format == "geojson" { #expect(text.contains("work/open/readme.txt")) }
      if format == "csv" { #expect(text.components(separatedBy: "/~").count == 13) }
    }
    for command in [["draw", "--sheet", "120x90", "-o", "-"], ["snapshot", "-o", "-"]] {
      let outcome = try run(command + ["-q", "work"] + Self.redaction)
      let text = String(decoding: outcome.output, as: UTF8.self)
      for secret in Self.secrets { #expect(!text.contains(secret), "\(command)") }
    }
  }

  @Test func keyDecidesTheNames() throws {
    let plain = try map([])
    let one = try map(Self.redaction)
    #expect(try map(Self.redaction + ["--threads", "1"]) == one)
    #expect(try folder.mode("key") == 0o600)
    var other = Self.redaction
    other[other.count - 1] = "other"
    let two = try map(other)
    let maps = try [plain, one, two].map { try WrittenMap($0) }
    #expect(Set(maps.map(\.summary)).count == 1, "numbers stay")
    let hidden = maps.map { Set($0.paths.filter { $0.contains("~") }) }
    #expect(hidden[1].count == 8 && hidden[2].count == 8)
    #expect(hidden[1].isDisjoint(with: hidden[2]))
    let ids = maps.map { map in Set(map.features.compactMap { $0["path"] as? String }) }
    #expect(ids[1].intersection(ids[2]) == ids[0].intersection(ids[1]))
    // Every new name has the same length, and no extension.
    let names = hidden[1].compactMap { $0.split(separator: "/").last }
    #expect(names.allSatisfy { $0.count == 17 && !$0.contains(".") })
    for bytes in [one, two] {
      try folder.makeFile(bytes: Array("map".utf8), bytes)
      _ = try run(["verify", "map"])
    }
    // A redacted snapshot can replace a folder anywhere.
    _ = try run(["snapshot", "-q", "-o", "kept", "work"] + Self.redaction)
    #expect(try map([], "kept") == one)
    let info = try run(["snapshot", "--info", "kept"]).text
    #expect(!info.contains(folder.path))
  }

  @Test(arguments: ["geojson", "flatgeobuf", "parquet"])
  func loopsAreMarked(format: String) throws {
    try folder.makeLink("work/open/back", to: "..")
    let plain = try map(["-L", "--format", format])
    let redacted = try map(["-L", "--format", format, "--redact", "none", "--redact-key", "key"])
    _ = try run(["snapshot", "-q", "-L", "-o", "kept", "work"])
    let kept = try map(["--format", format], "kept")
    #expect(kept == plain)
    #expect(String(decoding: redacted, as: UTF8.self).contains("loop"))
    // A glob without matches changes nothing.
    #expect(redacted == plain)
  }

  @Test func optionsSelectTheSame() throws {
    let exclude = ["--exclude", "**/*.tmp", "--totals", "--links"]
    let plain = try WrittenMap(try map(exclude))
    let redacted = try WrittenMap(try map(exclude + Self.redaction))
    #expect(redacted.summary == plain.summary && redacted.excluded == plain.excluded)
    #expect(redacted.header["partial"] as? Bool == true)
    let files = try WrittenMap(try map(["--type", "f"] + Self.redaction))
    #expect(files.summary["folders"] == 0 && files.summary["files"] == 36)
    // The globs stored in a snapshot don't reveal excluded names.
    let asked = ["snapshot", "-q", "-o", "kept", "--exclude", "**/*quagga*", "work"]
    _ = try run(asked + Self.redaction)
    let kept = String(decoding: try folder.read("kept"), as: UTF8.self)
    #expect(!kept.contains("quagga"))
    // Lists are redacted like folders.
    try folder.makeFile("list", "work/open/readme.txt\nwork/zanzibar/quagga-2.md\n")
    let listed = try run(["map", "-q", "--files-from", "list", "work"] + Self.redaction).text
    #expect(listed.contains("work/open/readme.txt") && !listed.contains("zanzibar"))
  }

  @Test func aKeyThatOthersCanReadIsRefused() throws {
    let key = String(repeating: "5a", count: 32)
    try folder.makeFile("shared", key)
    try folder.setMode("shared", 0o644)
    let shared = try run(["map", "work", "--redact", "*", "--redact-key", "shared"], status: 2)
    #expect(shared.errorText.contains("others can read the key 'shared'"))
    try folder.makeFile("short", "5a5a")
    try folder.setMode("short", 0o600)
    let short = try run(["map", "work", "--redact", "*", "--redact-key", "short"], status: 2)
    #expect(short.errorText.contains("is not a key"))
    #expect(try folder.text("short") == "5a5a")
    let alone = try run(["map", "work", "--redact-key", "key"], status: 2)
    #expect(alone.errorText.contains("--redact GLOB"))
    let nowhere = try run(
      ["map", "work", "--redact", "*", "--redact-key", "work/open/readme.txt/k"], status: 2)
    #expect(nowhere.errorText.contains("the key"))
    let missing = try run(
      ["map", "work", "--redact", "*", "--redact-key", "none/new/key"], status: 2)
    #expect(
      missing.errorText.contains("the folder of the key 'none/new/key' does not exist; make it"))
    #expect(try !folder.names().contains("none"))
    try folder.makeLink("dangling", to: "nowhere")
    let dangling = try run(
      ["map", "work", "--redact", "*", "--redact-key", "dangling"], status: 2)
    #expect(dangling.errorText.contains("leads nowhere"))
  }

  @Test func keyIsMadeInTheUsersFolder() throws {
    let made = try run(["map", "-o", "map", "work", "--redact", "*"])
    #expect(made.errorText.contains("made the key"))
    #expect(try folder.mode("home/.config/geomapper/redact.key") == 0o600)
    let again = try run(["map", "-o", "again", "work", "--redact", "*"])
    #expect(!again.errorText.contains("key"))
    #expect(try folder.read("map") == folder.read("again"))
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func failedKeysAreRemoved() throws {
    let arguments = ["map", "-o", "map", "work", "--redact", "*", "--redact-key", "new.key"]
    let full = try Interposition("write", on: "new.key").failing(ENOSPC).run(arguments, in: folder)
    #expect(full.status == 2)
    #expect(full.errorText.contains("can't make the key 'new.key': No space left"))
    #expect(try !folder.names().contains("new.key"))
    let made = try run(arguments)
    #expect(made.errorText.contains("made the key"))
  }

  @Test func aSiteNeverHoldsItsKey() throws {
    _ = try run([
      "publish", "-q", "--max-zoom", "2", "-o", "site", "work", "--redact", "*", "--redact-key",
      "key",
    ])
    let key = try folder.text("key")
    try folder.makeFile("site/key", key)
    try folder.setMode("site/key", 0o600)
    let refused = try run(
      ["publish", "-q", "-o", "site", "work", "--redact", "*", "--redact-key", "site/key"],
      status: 2)
    #expect(refused.errorText.contains("is in the site"))
  }

  @Test func partsAreRefused() throws {
    try folder.makeFile("list", "work\0")
    let refused = try run(
      ["snapshot", "--only", "list", "-o", "part", "work"] + Self.redaction, status: 2)
    #expect(refused.errorText.contains("parts are joined by their names"))
  }
}
