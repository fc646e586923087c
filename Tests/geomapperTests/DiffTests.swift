import Foundation
import TestSupport
import Testing

/// `geomapper diff`, as users and scripts run it.
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

  @Test func summaryListsChanges() throws {
    let outcome = try run("diff --apparent a b")
    #expect(outcome.status == 0)
    #expect(outcome.errorText.isEmpty)
    #expect(
      outcome.text == """
        old      a
        new      b
        sizes    apparent size
        added    1 file, 4 folders       5.0 kB
        removed  2 files, 3 folders      2 bytes
        changed  1 file                  +4 bytes
        moved    3 files                 18 bytes
        in all                           +5.0 kB

        grew most
            +5.0 kB  b/new
          +18 bytes  b/mv2, mostly in, of it 18 bytes moved here from b/mv
           +4 bytes  files in b/x

        shrank most
          -18 bytes  b/mv, mostly in, of it 18 bytes moved away to b/mv2
           -2 bytes  b/gone

        largest new files
          5.0 kB  b/new/big

        folders that moved
          b/mv -> b/mv2 (3 files)

        """)
    #expect(try run("diff --limit 0 a b").text.split(separator: "\n").count == 8)
    #expect(try run("diff a a").text == "old      a\nnew      a\nnothing differs\n")
  }

  @Test func exitStatusShowsDifferences() throws {
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
    let reported = try Geomapper.run(
      ["diff", "--exit-code", "-q", "a", "b"], in: folder.path, launcher: launcher)
    #expect(reported.status == 5)
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
    // Without its states, the file isn't a valid map of changes.
    let text = try folder.text("c.geojson").replacingOccurrences(
      of: ",\"states\":[{\"name\":\"a\"},{\"name\":\"b\"}]", with: "")
    try folder.makeFile("d.geojson", text)
    #expect(try run("verify d.geojson").status == 4)
  }

  @Test func filtersSelectChanges() throws {
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

  @Test func statesMayBeOfAnyKind() throws {
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
    // Of three files with the same contents, those with the same name are paired.
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

  /// In a folder of a repository, users may take `git:HEAD` for that folder.
  @Test func hintsAtPartsOfARepository() throws {
    func outcome(_ script: String) throws -> Subprocess.Outcome {
      try Geomapper.shell(
        #"""
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
        [ -d repo ] || { mkdir -p "repo/x y" && cp a/x/f "repo/x y" && cd repo && git init -q &&
          git add -A && git -c user.name=a -c user.email=a@b commit -qm one && cd .. ; } || exit 9
        \#(script)
        """#, in: folder.path)
    }
    let hint = "that folder of the revision is 'git:HEAD:x y'"
    for command in ["diff git:HEAD .", "diff . git:HEAD", "history git:HEAD . -o ../h"] {
      let reported = try outcome("cd 'repo/x y' && \"$T\" \(command)")
      #expect(reported.status == 0 && reported.errorText.contains(hint), "\(reported.errorText)")
    }
    #expect(try outcome("\"$T\" diff --git repo git:HEAD 'repo/x y'").errorText.contains(hint))
    // They may also take `HEAD` for a complete operand.
    for command in ["diff HEAD .", "diff x=HEAD .", "history HEAD", "serve --since HEAD ."] {
      let reported = try outcome("cd repo && \"$T\" \(command)")
      #expect(reported.status == 2)
      #expect(reported.errorText.contains("can't map 'HEAD': No such"), "\(reported.errorText)")
      #expect(reported.errorText.contains("; the revision is 'git:HEAD'"), "\(reported.errorText)")
    }
    #expect(try !outcome("cd repo && \"$T\" diff HEAT .").errorText.contains("the revision"))
    for command in [
      "cd repo && \"$T\" diff git:HEAD .", "cd 'repo/x y' && \"$T\" diff -q git:HEAD .",
      "cd 'repo/x y' && \"$T\" diff --exit-code 'git:HEAD:x y' .",
      "cd repo && \"$T\" diff git:HEAD ../a",
    ] {
      let reported = try outcome(command)
      #expect(
        reported.status == 0 && reported.errorText.isEmpty, "\(command): \(reported.errorText)")
    }
  }

  @Test func mapsAndExportsAreCompared() throws {
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
      ("diff part.geojson a", "lacks a part of its tree"),
      ("diff both.geojson a", "is of several states"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 2 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }

  @Test func hardLinkedCopiesAddNothing() throws {
    let made = try Geomapper.shell(
      """
      mkdir -p p/1 && head -c 70000 /dev/urandom > p/1/f && "$T" snapshot -q -o p.geosnap p
      cp -al p/1 p/2 && truncate -s 1G p/hole
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let json = try JSONSerialization.jsonObject(
      with: Data(run("diff --format json p.geosnap p").output))
    let object = json as? [String: Any] ?? [:]
    #expect(object["measure"] as? String == "allocated")
    #expect(object["bytes"] as? Int == 0)
    #expect((object["added"] as? [String: Int]) == ["files": 2, "folders": 1, "bytes": 0])
    #expect((object["grown"] as? [Any])?.isEmpty == true)
    let text = try run("diff p.geosnap p").text
    #expect(text.contains("\nsizes    on disk\n"), "\(text)")
    let apparent = try run("diff --apparent p.geosnap p").text
    #expect(apparent.contains("in all                           +1."), "\(apparent)")
  }

  @Test func aDamagedStateIsNotCompared() throws {
    let made = try Geomapper.shell(
      """
      mkdir s && head -c 9000 /dev/urandom > s/f && "$T" snapshot -q -o s.geosnap s
      half=$(($(wc -c < s.geosnap) / 2))
      printf 'damaged' | dd of=s.geosnap bs=1 seek=$half conv=notrunc 2> /dev/null
      "$T" diff -q s.geosnap s
      """, in: folder.path)
    #expect(made.status == 1 || made.status == 2, "\(made.text)\(made.errorText)")
    #expect(!made.text.contains("nothing differs\n"), "\(made.text)")
  }

  @Test func shrunkFoldersDontHideGrowth() throws {
    let made = try Geomapper.shell(
      """
      mkdir -p c/gone/in d && head -c 9000 /dev/zero > c/gone/in/f && head -c 5000 /dev/zero > d/big
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let text = try run("diff --apparent c d").text
    #expect(text.contains("grew most\n  +5.0 kB  files in d\n"), "\(text)")
    #expect(text.contains("shrank most\n  -9.0 kB  d/gone, mostly in\n"), "\(text)")
  }

  @Test func listsAreCompared() throws {
    let made = try Geomapper.shell(
      #"""
      for state in a b; do
        find $state -printf '%s %T@ %y %p\0' > $state.find
        (cd $state && find . -mindepth 1 -type f) > $state.txt
        (cd $state && find . -mindepth 1 -type f -print0) > $state.zero
        find "$PWD/$state" | tac > $state.abs
      done
      printf '%s\n' x/f gone/g > r.txt
      find a -printf '%s %T@ %y %p\n' > wrong.txt
      printf '100644 blob 0123456789012345678901234567890123456789\tx\n' > tree.txt
      printf 'path,kind,depth\r\n' > map.csv; printf 'PK\1\2' > packed
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let plain = try run("diff --format csv a b").output
    // A list from find has the same facts as the disk, except for nanoseconds.
    #expect(try run("diff --format csv a.find b").output == plain)
    #expect(try run("diff --format csv a b.find").output == plain)
    #expect(try run("diff --format csv a.find b.find").output == plain)
    #expect(try run("diff --exit-code a.find a").status == 0)
    // Lists of names only: entries in both are not known to differ, and no moves are known.
    for (old, new) in [("a.txt", "b.txt"), ("a.zero", "b.zero"), ("a.txt", "x=b.zero")] {
      let outcome = try run("diff \(old) \(new)")
      #expect(outcome.status == 0, "\(outcome.errorText)")
      #expect(outcome.text.contains("added    4 files"), "\(outcome.text)")
      #expect(outcome.text.contains("removed  5 files"))
      #expect(!outcome.text.contains("\nchanged") && !outcome.text.contains("\nmoved"))
      #expect(!outcome.text.contains("bytes"), "no size is known")
    }
    #expect(try run("diff --exit-code a.txt a.zero").status == 0)
    #expect(try run("diff a.txt b.txt").text.hasPrefix("old      a\nnew      b\n"))
    #expect(try run("diff --exit-code a.abs a.abs").status == 0)
    let several = try run("diff --old p=a.txt --old q=a.find --new p=a --new q=a")
    #expect(several.status == 0, "\(several.errorText)")
    for (list, message) in [
      ("wrong.txt", "line ends where zero bytes should be"),
      ("tree.txt", "git ls-tree -r --name-only"),
      ("map.csv", "can't map 'map.csv'"), ("packed", "can't map 'packed'"),
    ] {
      let outcome = try run("diff \(list) a")
      #expect(outcome.status == 2 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }

  @Test func gitignoreAppliesToBothStates() throws {
    let made = try Geomapper.shell(
      #"""
      mkdir -p old/sub && cd old && git init -q && printf '*.o\n' > .gitignore && printf x > a.o
      printf x > kept.c && printf y > sub/b.log && cp -a . ../new && cd ../new
      printf xx > a.o && printf xx > kept.c && printf '*.o\n*.log\n' > .gitignore
      printf yyy > sub/b.log && printf z > new.o && printf z > sub/new.c && cd ..
      "$T" snapshot -q -o old.geosnap old
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let outcome = try run("diff --gitignore --format geojson old new")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    // Files that either state ignores are left out of both.
    #expect(
      map.paths == ["new", "new/.gitignore", "new/kept.c", "new/sub", "new/sub/new.c"])
    #expect(map.header["partial"] as? Bool == true)
    #expect(
      try run("diff --gitignore --exclude '**/*.c' --format csv old new").text
        .split(separator: "\r\n").count == 3)
    let refused = try run("diff --gitignore old.geosnap new")
    #expect(
      refused.status == 2 && refused.errorText.contains("--gitignore"), "\(refused.errorText)")
  }

  @Test func sinceUsesTheNewTimes() throws {
    let made = try Geomapper.shell(
      #"""
      mkdir -p old/d new/d && cd old && printf 1 > gone && printf 22 > d/here && printf 333 > same
      touch -d @500 same gone && cp -p same ../new/ && printf 4444 > d/chd
      cd ../new && printf 55555 > fresh && printf 666666 > stale && printf 7 > d/chd
      touch -d @1000 stale && touch -d @1000 ../old/d/here && cp -p ../old/d/here there
      touch -d @3000 fresh d/chd
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    func paths(_ options: String) throws -> [String] {
      try run("diff --format csv \(options) old new").text.split(separator: "\r\n").dropFirst()
        .filter { $0.contains(",poi,") }.map { String($0.prefix { $0 != "," }) }
    }
    #expect(
      try paths("") == [
        "new/fresh", "new/gone", "new/stale", "new/there", "new/d/chd", "new/d/here",
      ])
    #expect(try paths("--since @1000").count == 6)
    // A moved file keeps its time; its old place is shown with it.
    #expect(try paths("--since @1001") == ["new/fresh", "new/gone", "new/d/chd"])
    #expect(try paths("--since 1970-01-01T01:00Z") == ["new/gone"])
    #expect(
      try paths("--all --since @1001") == [
        "new/fresh", "new/gone", "new/same", "new/stale", "new/there", "new/d/chd",
      ])
    let text = try run("diff --apparent --since @1001 old new").text
    #expect(text.contains("added    1 file                  5 bytes"), "\(text)")
    #expect(text.contains("in all                           +1 byte\n"), "\(text)")
    #expect(!text.contains("\nmoved"))
    let map = try WrittenMap(try run("diff --format geojson --since @1001 old new").output)
    #expect(map.header["partial"] as? Bool == true)
    #expect(
      map["new"]?["below"] as? [String: Int] == [
        "added": 1, "removed": 1, "changed": 1, "bytes": 1,
      ])
    #expect(try run("diff --exit-code --since @9999 new new").status == 0)
    let refused = try run("diff --since @1 --git . old HEAD")
    #expect(refused.status == 2)
  }

  @Test func wrongUsageIsRefused() throws {
    for (arguments, message) in [
      ("diff a", "two states, OLD and NEW, and 1 is given"),
      ("diff a b c", "3 are given"),
      ("diff --git a v1..v2", "1 is given; of a range such as v1..v2 give both ends"),
      ("diff --old a", "no new state"),
      ("diff --old a --new b c", "neither --old nor --new"),
      ("diff a nowhere", "can't map 'nowhere'"),
      ("diff --all a b", "it is for maps"),
      ("diff --format csv --limit 3 a b", "it is for the summary"),
      ("diff --gitignore a nowhere", "can't map 'nowhere'"),
      ("diff --format gpx a b", "--format: 'gpx' is not text"),
      ("diff -o nowhere/x a b", "does not exist"),
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func ownOutputIsNotCompared() throws {
    let before = try run("diff --format csv a b").output
    #expect(try run("diff --format csv -o b/out.csv a b").status == 0)
    #expect(try folder.read("b/out.csv") == before)
  }
}
