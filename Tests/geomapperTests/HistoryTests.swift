import Foundation
import TestSupport
import Testing

/// `geomapper history`, as users and scripts run it.
@Suite struct HistoryTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q -b main repo && cd repo && git config user.name Ann && git config user.email a@b
      git config log.showRoot false && git config diff.renames copies && git config log.date raw
      commit() { GIT_COMMITTER_DATE="$1 +0000" git commit -q -m x --author "$2 <x@y>"; }
      mkdir d && printf 12 > d/f && printf 1 > "$(printf '\377')" && git add -A
      commit 1700000000 Ann
      git mv d/f f && printf 345 >> f && git add -A && commit 1699999000 "Bob, B"
      git rm -q f && mkdir -p f d && printf 1 > f/x && printf 7 > d/f && git add -A
      commit 1700000120 Ann
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  private func run(_ script: String) throws -> Subprocess.Outcome {
    try Geomapper.shell("\"$T\" \(script)", in: folder.path)
  }

  @Test func livesAreWritten() throws {
    let outcome = try run("history --git repo")
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    let lives = map.features.map { life in
      "\(life["rawPath"] ?? life["path"] ?? "") \(life["life"] ?? "") "
        + "\(String("\(life["start"] ?? "")".suffix(6))) \(String("\(life["end"] ?? "")".suffix(6))) "
        + "\(life["changes"] ?? "") \(life["size"] ?? "")"
    }
    // The second commit has an earlier time than the first; the first commit's time counts instead.
    #expect(
      lives == [
        "repo 1 13:20Z  1 3", "repo/f 1 13:20Z 15:20Z 1 5", "repo/%FF 1 13:20Z  1 1",
        "repo/d 1 13:20Z 13:20Z 1 1", "repo/d 2 15:20Z  1 1",
        "repo/d/f 1 13:20Z 13:20Z 1 2", "repo/d/f 2 15:20Z  1 1", "repo/f 1 15:20Z  1 1",
        "repo/f/x 1 15:20Z  1 1",
      ])
    #expect(map.summary == ["folders": 4, "files": 5, "unreadable": 0])
    #expect(map.roots == ["repo"])
    let csv = try run("history --git repo --format csv").text.split(separator: "\r\n")
    #expect(csv.count == 10)
    #expect(
      csv[0]
        == "path,kind,depth,life,start,end,changes,size,minzoom,lon,lat,id,name,special,rawPath")
    #expect(csv[2].hasPrefix("repo/f,poi,1,1,2023-11-14T22:13:20Z,2023-11-14T22:15:20Z,1,5,3,"))
  }

  /// The lives that options select, from git and from states: the matching ones of the whole
  /// history, unchanged.
  @Test(arguments: [
    ("--exclude d", 5), ("--name f --type f", 3), ("--size +2 --type f", 1), ("--type d", 4),
    ("--include x --type f", 1),
  ])
  func optionsSelectLives(options: String, count: Int) throws {
    let states = """
      for n in 2 1 0; do "$T" snapshot -q --git repo -o $n.geosnap repo=HEAD~$n || exit 9; done
      """
    try #require(Geomapper.shell(states, in: folder.path).status == 0)
    func isSelected(_ life: Substring) -> Bool {
      let cells = life.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let names = cells[0].split(separator: "/").map(String.init)
      let isFile = cells[1] == "poi"
      return switch options {
      case "--exclude d": !names.dropFirst().contains("d")
      case "--name f --type f": isFile && names.last == "f"
      case "--size +2 --type f": isFile && (Int(cells[7]) ?? 0) > 2
      case "--type d": !isFile
      default: isFile && names.last == "x"
      }
    }
    for source in ["--git repo", "2.geosnap 1.geosnap 0.geosnap"] {
      func rows(_ options: String) throws -> [Substring] {
        let outcome = try run("history \(source) --format csv \(options)")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return outcome.text.split(separator: "\r\n").dropFirst().map { $0 }
      }
      let lives = try rows(options)
      #expect(try lives == rows("").filter(isSelected), "\(source)")
      if source.hasPrefix("--git") { #expect(lives.count == count) }
      // The events are those of the selected lives.
      let files = lives.filter { $0.contains(",poi,") }.compactMap {
        $0.split(separator: ",").first
      }
      let events = try rows("--events \(options)").map { $0.split(separator: ",")[2] }
      #expect(Set(events) == Set(files), "\(source)")
      let header = try run("history \(source) \(options)").text.prefix(200)
      #expect(header.contains("\"partial\":true"))
    }
  }

  @Test(arguments: [
    ("--newer 2020-01-01", "--newer can't be used with --git"),
    ("--gitignore", "--gitignore can't be used with --git"),
    ("--size 12q", "--size: '12q' is not a size (try +10M"),
  ])
  func unsupportedSelectionsAreRefused(options: String, message: String) throws {
    let outcome = try run("history --git repo \(options)")
    #expect(outcome.status == 2 && outcome.errorText.contains(message), "\(outcome.errorText)")
  }

  @Test func eventsAreSortedByTime() throws {
    let text = try run("history --git repo --events --format csv").text
    let lines = text.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(3).joined(separator: " ")
    }
    let (early, late) = ("2023-11-14T22:13:20.000Z", "2023-11-14T22:15:20.000Z")
    #expect(
      lines == [
        "\(early) added repo/f", "\(early) added repo/\u{FFFD}", "\(early) added repo/d/f",
        "\(early) removed repo/d/f", "\(late) removed repo/f", "\(late) added repo/d/f",
        "\(late) added repo/f/x",
      ])
    #expect(text.contains(",\"Bob, B\","))
    let map = try WrittenMap(try run("history --git repo --events").output)
    #expect(map.features.count == 7 && map.summary["files"] == 7)
    #expect(map.features[0]["author"] as? String == "Bob, B")
    #expect((map.features[0]["revision"] as? String)?.count == 40)
    let gpx = try run("history --git repo --format gpx").text
    #expect(gpx.components(separatedBy: "<trk>").count == 3)
    #expect(gpx.contains("<name>Bob, B</name>") && !gpx.contains("@"))
    #expect(
      gpx.contains("<ele>200</ele><time>2023-11-14T22:13:20.000Z</time><name>repo/d/f</name>"))
  }

  @Test func requestsSizesOnlyIfWritten() throws {
    let tools = try folder.makeFolder("tools")
    let script = "#!/bin/sh\necho \"$*\" >> '\(folder("asked"))'\nexec \"$G\" \"$@\"\n"
    try folder.makeFile("tools/git", script)
    try folder.setMode("tools/git", 0o755)
    for (options, isAsked) in [
      ("--format csv", true), ("--format html", true), ("--events --format csv", false),
      ("--format gpx", false),
    ] {
      let outcome = try Geomapper.shell(
        "export G=\"$(command -v git)\"; rm -f asked; "
          + "PATH='\(tools)':\"$PATH\" \"$T\" history --git repo \(options) > out", in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errorText)")
      let asked = try folder.text("asked")
      #expect(asked.contains("--raw") && asked.contains("--batch-check") == isAsked, "\(options)")
    }
  }

  @Test func filtersSelectLives() throws {
    func paths(_ options: String) throws -> [String] {
      try run("history --git repo --format csv \(options)").text.split(separator: "\r\n")
        .dropFirst().map { $0.split(separator: ",")[..<4].joined(separator: ",") }
    }
    #expect(
      try paths("--path d/") == [
        "repo/d,country,1,1", "repo/d,country,1,2", "repo/d/f,poi,2,1", "repo/d/f,poi,2,2",
      ])
    #expect(try paths("--path d --since 2023-11-14T22:14Z").allSatisfy { $0.hasSuffix("2") })
    #expect(
      try paths("--until 2023-11-14T22:14Z") == [
        "repo,continent,0,1", "repo/f,poi,1,1", "repo/\u{FFFD},poi,1,1", "repo/d,country,1,1",
        "repo/d/f,poi,2,1",
      ])
    #expect(try paths("--events --since @1700000100").count == 3)
    #expect(try paths("--path ./d") == paths("--path d"))
    #expect(try paths("--path .") == paths(""))
    // The history up to another revision is another one.
    #expect(try paths("HEAD~2").count == 4)
    #expect(try paths("name=HEAD~2").allSatisfy { $0.hasPrefix("name") })
  }

  @Test func snapshotsHaveHistories() throws {
    let made = try Geomapper.shell(
      #"""
      take() { "$T" snapshot -q -o $1.geosnap t && next=$(($(date +%s) + 1)); }
      later() { while [ $(date +%s) -lt $next ]; do sleep 0.05; done; }
      mkdir -p t/a && printf 1 > t/a/x && printf 1 > t/a/y && touch -d @5 t/a/*
      take 1 && later
      rm t/a/x && printf 22 > t/a/y && take 2 && later
      printf 333 > t/a/x && mkdir t/b && take 3
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let outcome = try run("history 3.geosnap 1.geosnap 2.geosnap --format csv")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let rows = outcome.text.split(separator: "\r\n").dropFirst().map { row in
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      return "\(fields[0]) \(fields[3]) \(fields[5].isEmpty) \(fields[6]) \(fields[7])"
    }
    #expect(
      rows == [
        "t 1 true 1 2", "t/a 1 true 1 2", "t/a/x 1 false 1 1", "t/a/x 2 true 1 3",
        "t/a/y 1 true 2 2", "t/b 1 true 1 0",
      ])
    let events = try run("history ?.geosnap --events --format csv").text.split(separator: "\r\n")
    #expect(events.count == 6)
    // For a single state, the result is its map.
    let alone = try WrittenMap(try run("history 3.geosnap").output)
    #expect(alone.paths == (try WrittenMap(try run("map 3.geosnap").output)).paths)
    #expect(alone["t/a/y"]?["modified"] != nil)
  }

  @Test func unknownPathsAreReported() throws {
    let outcome = try run("history --git repo --path repo/d --format csv")
    #expect(outcome.status == 0 && outcome.text.split(separator: "\r\n").count == 1)
    #expect(outcome.errorText.contains("nothing was ever at 'repo/d'"))
    #expect(outcome.errorText.contains("without the root's label it is 'd'"))
    #expect(try run("history --git repo --path d/g").errorText.contains("without its label"))
    #expect(try run("history -q --git repo --path d/g").errorText.isEmpty)
    let early = try run("history --git repo --path d/f --until 2000-01-01")
    #expect(early.errorText.hasPrefix("geomapper: 2000-01-01 is 2000-01-0"))
    #expect(early.errorText.split(separator: "\n").count == 1)
    let rows = try run("history --git repo --path d/f --format csv").output
    for path in ["/d/f", "./d/./f/", "d//f"] {
      #expect(try run("history --git repo --path \(path) --format csv").output == rows, "\(path)")
    }
  }

  @Test func statesHaveNoTracks() throws {
    #expect(try run("snapshot -q -o state.geosnap repo").status == 0)
    let outcome = try run("history state.geosnap --format gpx")
    #expect(outcome.status == 0 && !outcome.text.contains("<trk>"))
    #expect(outcome.errorText.contains("there are no tracks"))
    #expect(try run("history -q state.geosnap --format gpx").errorText.isEmpty)
    #expect(try run("history --git repo --format gpx").errorText.isEmpty)
  }

  @Test func historiesAreNotMaps() throws {
    for option in ["", "--events"] {
      #expect(try run("history --git repo \(option) -o h.geojson").status == 0)
      let outcome = try run("verify h.geojson")
      #expect(outcome.status == 4)
      #expect(outcome.text.contains("line 2: this is of a history"), "\(outcome.text)")
      let compared = try run("diff h.geojson repo")
      #expect(compared.status == 2 && compared.errorText.contains("this is of a history"))
    }
  }

  /// The history of a shallow clone begins where git's does.
  @Test func rangesAreRefusedAndShallowClonesAccepted() throws {
    for range in ["HEAD~1..HEAD", "HEAD^!", "HEAD~2...HEAD", "HEAD~1.."] {
      let outcome = try run("history --git repo '\(range)'")
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains("--since"), "\(range): \(outcome.errorText)")
    }
    let outcome = try Geomapper.shell(
      "git clone -q --depth 2 \"file://$PWD/repo\" short && \"$T\" history --git short --format csv",
      in: folder.path)
    let rows = outcome.text.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",")[..<4].joined(separator: ",")
    }
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(rows.first == "short,continent,0,1" && rows.contains("short/d/f,poi,2,1"))
  }

  @Test func wrongUsageIsRefused() throws {
    for (arguments, message) in [
      ("history", "give it with --git REPO"), ("history repo/nowhere", "can't map"),
      ("history --git repo a b", "one revision"),
      ("history --git repo --since 2026-01-02 --until 2026-01-01", "later than --until"),
      ("history --git repo HEAD:d", "it has no commit: give"),
      ("history --git repo HEAD^{tree}", "it has no commit: give"),
      ("history x=repo/d/f", "the time of 'x=repo/d/f' is unknown"),
      ("history --git repo nowhere", "can't read the revision 'nowhere'"),
      ("history --git repo -- --all", "can't read the revision '--all'"),
      ("history --git nowhere", "cannot change to 'nowhere'"),
      ("history --git repo --since soon", "--since: 'soon' is not a time"),
      ("history --git repo --events --format gpx", "the format always has events"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 2, "\(arguments): \(outcome.text)")
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(arguments: ["combined", "dense-combined", "off", "first-parent"])
  func mergesAreReadWithAnySettings(merges: String) throws {
    let made = try Geomapper.shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      cd repo && git checkout -q -b side HEAD~ && printf 1 > side && git add side
      git commit -q -m side && git checkout -q main && git merge -q --no-edit -s ours side
      git checkout -q side -- side && git commit -q --amend --no-edit
      git config log.diffMerges \#(merges)
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let outcome = try run("history --git repo --events --format csv")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.text.contains(",added,repo/side,"))
  }

  @Test func extremeTimesAreWritten() throws {
    let made = try Geomapper.shell(
      #"""
      cd repo && git cat-file commit main | sed 's/^committer .*/committer A <a> 9223372036854775807 +0000/' |
        git hash-object -t commit -w --stdin --literally > ../late
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let lives = try run(#"history --git repo "$(cat late)""#)
    #expect(lives.status == 0 && lives.text.contains(#""start":"9999-12-31T23:59:59Z""#))
    let events = try run(#"history --git repo --events --format csv "$(cat late)""#)
    #expect(events.text.contains("\r\n9999-12-31T23:59:59.000Z,added,"))
    #expect(!events.text.contains("\r\n,"))
  }

  /// A history of one state would show nothing.
  @Test func repositoriesNeedNoOption() throws {
    let outcome = try run("history --format csv repo")
    #expect(outcome.status == 0 && outcome.errorText.contains("'repo' is a git repository"))
    #expect(try outcome.text == run("history -q --format csv --git repo").text)
    let labelled = try run("history -q --format csv x=repo").text
    #expect(try labelled == run("history -q --format csv --git repo x=HEAD").text)
    let part = try run("history --format csv repo/d")
    #expect(part.status == 0 && part.errorText.contains("one state only"), "\(part.errorText)")
  }
}
