import Foundation
import TestSupport
import Testing

/// `geomapper diff`, as people and scripts use it.
@Suite struct DiffTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      mkdir -p a/x/y a/gone a/mv/in && printf 1234567890 > a/x/f && printf 12 > a/gone/g
      for i in 1 2 3; do printf abcdef > a/mv/in/m$i; touch -d "2020-01-0$i" a/mv/in/m$i; done
      : > a/x/both && cp -a a b && mv b/mv b/mv2 && rm -r b/gone b/x/both
      mkdir b/x/both b/new && head -c 5000 /dev/zero > b/new/big && printf more >> b/x/f
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  private func run(_ script: String) throws -> Subprocess.Outcome {
    try Geomapper.shell("\"$T\" \(script)", in: folder.path)
  }

  @Test func theSummaryTellsWhatHappened() throws {
    let outcome = try run("diff a b")
    #expect(outcome.status == 0)
    #expect(outcome.errorText.isEmpty)
    #expect(
      outcome.text == """
        old      a
        new      b
        added    1 file, 4 folders       5.0 kB
        removed  2 files, 3 folders      2 bytes
        changed  1 file                  +4 bytes
        moved    3 files                 18 bytes
        in all                           +5.0 kB

        grew most
          +5.0 kB  b/new

        shrank most
          -18 bytes  b/mv/in
           -2 bytes  b/gone

        largest new files
          5.0 kB  b/new/big

        folders that moved
          b/mv -> b/mv2 (3 files)

        """)
    #expect(try run("diff --top 0 a b").text.split(separator: "\n").count == 7)
    #expect(try run("diff a a").text == "old      a\nnew      a\nnothing differs\n")
  }

  @Test func statusesTellWhetherAnythingDiffers() throws {
    #expect(try run("diff --exit-code a b").status == 5)
    #expect(try run("diff --exit-code --format csv -o out.csv a b").status == 5)
    #expect(try run("diff --exit-code --format csv a a").status == 0)
    #expect(try run("diff --exit-code a a").status == 0)
    #expect(try folder.text("out.csv").hasPrefix("path,kind,depth,change,size,modified,was_size,"))
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.setMode("b/new", 0)
    let outcome = try Geomapper.run(["diff", "a", "b"], in: folder.path, launcher: launcher)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("b/new"))
    #expect(!outcome.text.contains("in all"))
    let told = try Geomapper.run(
      ["diff", "--exit-code", "-q", "a", "b"], in: folder.path, launcher: launcher)
    #expect(told.status == 5)
    try folder.setMode("b/new", 0o755)
  }

  @Test func aPathMayBeAFileAndAFolder() throws {
    let outcome = try run("diff --format geojson a b -o c.geojson && \"$T\" verify c.geojson")
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errorText)")
    let map = try WrittenMap(try folder.read("c.geojson"))
    let both = map.features.filter { $0["path"] as? String == "b/x/both" }
    #expect(both.map { $0["change"] as? String } == ["removed", "added"])
    #expect(
      both.map { $0["id"] as? Int }.count == 2 && both[0]["id"] as? Int == both[1]["id"] as? Int)
    #expect(map.summary["added"] == 1 && map.summary["moved"] == 3)
    #expect((map.header["states"] as? [[String: String]])?.map { $0["name"] } == ["a", "b"])
    #expect(map.header["partial"] == nil)
    // Without the states it would be no map.
    let text = try folder.text("c.geojson").replacingOccurrences(
      of: ",\"states\":[{\"name\":\"a\"},{\"name\":\"b\"}]", with: "")
    try folder.makeFile("d.geojson", text)
    #expect(try run("verify d.geojson").status == 4)
  }

  @Test func filtersChooseAmongWhatDiffers() throws {
    func paths(_ options: String) throws -> [String] {
      try run("diff --format csv \(options) a b").text.split(separator: "\r\n").dropFirst().map {
        String($0.prefix { $0 != "," })
      }
    }
    let all = try paths("")
    #expect(try paths("--max-depth 1") == ["b", "b/gone", "b/mv", "b/mv2", "b/new", "b/x"])
    #expect(try paths("--exclude mv2 --exclude mv") == all.filter { !$0.hasPrefix("b/mv") })
    #expect(try paths("--type f").allSatisfy { $0.split(separator: "/").count > 2 })
    #expect(
      try paths("--size +1k") == [
        "b", "b/gone", "b/mv", "b/mv/in", "b/mv2", "b/mv2/in", "b/new", "b/new/big", "b/x",
        "b/x/both",
      ])
    #expect(try paths("--all").count == all.count + 1)
    let map = try WrittenMap(try run("diff --format geojson --no-hidden a b").output)
    #expect(map.header["partial"] as? Bool == true)
    #expect(map.excluded == ["hidden": 0])
  }

  @Test func statesAreOfAnyKind() throws {
    let made = try Geomapper.shell(
      #"""
      "$T" snapshot -q -o a.geosnap a
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_COMMITTER_DATE="1700000000 +0000"
      cp -a a repo && cd repo && git init -q && git config user.name a && git config user.email a@b
      git add -A && git commit -qm one && git tag v1 && git mv mv mv2 && chmod +x x/f
      GIT_COMMITTER_DATE="1700000060 +0000" git commit -qam two
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    #expect(try run("diff --exit-code a.geosnap a").status == 0)
    #expect(
      try run("diff --format csv a.geosnap b").output == run("diff --format csv a b").output)
    let map = try WrittenMap(try run("diff --format geojson --git repo v1 HEAD").output)
    #expect(
      map.header["states"] as? [[String: String]] == [
        ["name": "v1", "time": "2023-11-14T22:13:20Z"],
        ["name": "HEAD", "time": "2023-11-14T22:14:20Z"],
      ])
    #expect(map["repo/x/f"]?["change"] as? String == "changed")
    #expect(map["repo/x/f"]?["was"] as? [String: Int] == ["size": 10])
    // Of three files of one object those of one name belong together.
    #expect(map.summary["moved"] == 3)
    #expect(map.roots == ["repo"])
    // A revision and a folder are compared by size and kind.
    let mixed = try run("diff --exit-code --git repo git:v1 r=a")
    #expect(mixed.status == 5)
    #expect(mixed.text.contains("added    0 files, 1 folder"), "git has no empty folders")
    let several = try run("diff --exit-code --old p=a --old q=a --new q=a --new p=b")
    #expect(several.status == 5)
    #expect(several.text.hasPrefix("old      p, q\nnew      q, p\n"))
    // They are still in q.
    #expect(!several.text.contains("\nmoved"))
  }

  @Test func mapsAndExportsAreStates() throws {
    let made = try Geomapper.shell(
      #"""
      "$T" map -q -o a.geojson a && "$T" map -q --zoom 2 -o part.geojson a
      "$T" diff -q --format geojson -o both.geojson a b
      printf '[1,2,{"progname":"ncdu","timestamp":1700000000},[{"name":"/x/e"},' > e.json
      printf '{"name":"f","asize":3,"mtime":5},[{"name":"d"},{"name":"g","asize":1}]]]' >> e.json
      mkdir e && printf 123 > e/f && touch -d @5 e/f
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    #expect(try run("diff --exit-code a.geojson a").status == 0)
    #expect(try run("diff --exit-code a a.geojson").status == 0)
    #expect(
      try run("diff --format csv a.geojson b").output == run("diff --format csv a b").output)
    let outcome = try run("diff --format geojson e.json e")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    #expect(map.paths == ["e", "e/d", "e/d/g"])
    #expect(map["e/d/g"]?["change"] as? String == "removed")
    #expect(
      map.header["states"] as? [[String: String]] == [
        ["name": "e", "time": "2023-11-14T22:13:20Z"], ["name": "e"],
      ])
    for (arguments, message) in [
      ("diff part.geojson a", "has not all of its tree"),
      ("diff both.geojson a", "is of several states"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 2 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }

  @Test func whatCantBeIsRefused() throws {
    for (arguments, message) in [
      ("diff a", "two states, OLD and NEW, and 1 is given"),
      ("diff a b c", "3 are given"),
      ("diff --old a", "no new state"),
      ("diff --old a --new b c", "neither --old nor --new"),
      ("diff a nowhere", "can't map 'nowhere'"),
      ("diff --all a b", "--all is about a map"),
      ("diff --format csv --top 3 a b", "--top is about the summary"),
      ("diff --gitignore a b", "unknown option '--gitignore'"),
      ("diff --format gpx a b", "--format takes"),
      ("diff -o nowhere/x a b", "does not exist"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func anOutputInTheTreeIsNotSeen() throws {
    let before = try run("diff --format csv a b").output
    #expect(try run("diff --format csv -o b/out.csv a b").status == 0)
    #expect(try folder.read("b/out.csv") == before)
  }
}
