import Foundation
import TestSupport
import Testing

/// Comparisons and histories with replaced names.
@Suite struct RedactedChangesTests {
  let folder: TemporaryFolder

  private static let secrets = ["zanzibar", "quagga", "okapi", "Aardvark", "aardvark"]
  private static let redaction = [
    "--redact", "**/zanzibar*", "--redact", "**/*quagga*", "--redact-key", "key",
  ]

  /// A repository with two commits of one author, and its last two states as folders.
  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q -b main repo && cd repo
      git config user.name Aardvark && git config user.email aardvark@example.org
      commit() { git add -A && GIT_COMMITTER_DATE="$1 +0000" git commit -q -m "okapi $1"; }
      mkdir -p zanzibar/okapi open && printf one > zanzibar/okapi/plan && printf two > open/quagga.c
      printf 123456789 > open/a && printf gone > zanzibar/old && printf move-me > open/moving
      commit 1700000000 && cd .. && cp -a repo old && cd repo
      printf ONE > zanzibar/okapi/plan && printf 12 > open/a && rm zanzibar/old
      head -c 30000 /dev/zero > zanzibar/new && git mv open/moving open/moved
      head -c 20000 /dev/zero > open/quagga.c
      commit 1700100000 && cd .. && cp -a repo new && rm -rf old/.git new/.git
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  private func run(_ arguments: [String], status: Int32 = 0) throws -> Subprocess.Outcome {
    let outcome = try Geomapper.start(
      arguments, in: folder.path, environment: ["HOME=\(folder("home"))"]
    ).finish()
    #expect(outcome.status == status, "\(arguments): \(outcome.errorText)")
    return outcome
  }

  private func expectNoSecrets(_ text: String, _ what: [String]) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(what): \(secret)") }
    #expect(text.contains("open"), "\(what)")
  }

  private static let states = [["old", "new"], ["--git", "repo", "HEAD~1", "HEAD"]]

  @Test(arguments: states)
  func noFormatOfAComparisonRevealsNames(states: [String]) throws {
    let plain = ["text", "json", "geojson", "geojsonseq", "geojsonl", "csv"]
    for format in plain + ["html"] {
      let all = format == "csv" ? ["--all"] : []
      let arguments = ["diff", "-q", "--format", format] + all + Self.redaction + states
      expectNoSecrets(try run(arguments).text, arguments)
    }
    let card = ["diff", "-q", "--card", "c.svg"] + Self.redaction + states
    _ = try run(card)
    let svg = try folder.text("c.svg")
    for secret in Self.secrets { #expect(!svg.contains(secret), "\(secret)") }
    // A long name is shown by its end.
    let text = try run(["diff", "-q"] + Self.redaction + states).text
    let pseudonym = try #require(
      text.split { $0 == "/" || $0.isWhitespace }.first { $0.hasPrefix("~") })
    #expect(svg.contains(pseudonym.suffix(6)), "\(pseudonym)")
  }

  @Test(arguments: states)
  func comparisonsFindTheSameChanges(states: [String]) throws {
    func summary(_ options: [String]) throws -> [String: Any] {
      let json = try run(["diff", "-q", "--format", "json"] + options + states).output
      return try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
    }
    let (plain, redacted) = try (summary([]), summary(Self.redaction))
    for key in ["added", "removed", "changed", "moved"] {
      let amount = try #require(plain[key] as? [String: Int])
      #expect(redacted[key] as? [String: Int] == amount, "\(key)")
    }
    // Contents that differ although the size doesn't are found by objects, or by times.
    #expect((redacted["changed"] as? [String: Int])?["files"] == 3)
    #expect((redacted["moved"] as? [String: Int])?["files"] == 1)
  }

  @Test func sheetsOfTwoStatesRevealNoNames() throws {
    let sheet = ["draw", "-q", "--since", "old", "--sheet", "120x90"] + Self.redaction + ["new"]
    let svg = try run(sheet).text
    for secret in Self.secrets { #expect(!svg.contains(secret), "\(secret)") }
  }

  @Test func noFormatOfAHistoryRevealsNames() throws {
    let revision = try Geomapper.shell("git -C repo rev-parse HEAD", in: folder.path).text.prefix(
      12)
    let plain = ["geojson", "geojsonseq", "geojsonl", "csv"]
    let events = plain.map { ["--events", "--format", $0] }
    for options in (plain + ["gpx", "html"]).map({ ["--format", $0] }) + events {
      let arguments = ["history", "-q", "--git", "repo"] + options + Self.redaction
      let text = try run(arguments).text
      expectNoSecrets(text, arguments)
      #expect(!text.contains(revision), "\(arguments)")
    }
  }

  @Test func historiesSelectByOriginalNames() throws {
    func lives(_ options: [String]) throws -> [String] {
      let text = try run(["history", "-q", "--git", "repo", "--format", "csv"] + options).text
      // All but the path and what follows from it.
      return text.split(separator: "\r\n").dropFirst().map { line in
        line.split(separator: ",", omittingEmptySubsequences: false)[1...7].joined(separator: ",")
      }.sorted()
    }
    for options in [[], ["--exclude", "okapi"], ["--name", "*quagga*", "--type", "f"]] {
      let (plain, redacted) = try (lives(options), lives(options + Self.redaction))
      #expect(plain == redacted, "\(options)")
    }
    let (one, other) = try (
      run(["history", "-q", "--git", "repo"] + Self.redaction).output,
      run(["history", "-q", "--git", "repo", "--redact", "none", "--redact-key", "key"]).output
    )
    #expect(one != other)
    #expect(
      try run(["history", "-q", "--git", "repo"]).output == other, "only what matches is replaced")
  }

  @Test func historiesOfStatesAndSitesRevealNoNames() throws {
    for state in ["old", "new"] {
      _ = try run(["snapshot", "-q", "-o", "\(state).geosnap", state])
    }
    let states = ["r=old.geosnap", "r=new.geosnap"]
    let text = try run(["history", "-q", "--format", "csv"] + Self.redaction + states).text
    expectNoSecrets(text, states)
    let site = ["publish", "-q", "--history", "--git", "repo", "--max-zoom", "1", "-o", "site"]
    _ = try run(site + Self.redaction)
    let found = try Geomapper.shell(
      "grep -rlE 'zanzibar|quagga|okapi|[Aa]ardvark' site || true", in: folder.path)
    #expect(found.text.isEmpty, "\(found.text)")
  }

  @Test func conflictingOptionsAreRefused() throws {
    let part = try run(["diff", "--exclude", "x"] + Self.redaction + ["old", "new"], status: 2)
    #expect(part.errorText.contains("--redact can't be used with --exclude"))
    let path = try run(
      ["history", "--git", "repo", "--path", "open"] + Self.redaction, status: 2)
    #expect(path.errorText.contains("--redact can't be used with --path"))
  }
}
