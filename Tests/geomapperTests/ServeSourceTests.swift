import Foundation
import TestSupport
import Testing

/// A server gives the same answers for every kind of source.
@Suite struct ServeSourceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q repo; cd repo; git config user.name a; git config user.email a@b
      for a in a b c d; do for b in 1 2 3; do mkdir -p $a/$b/.in
        printf $a$b > $a/$b/x.c; : > $a/$b/y.h; : > $a/$b/.in/z.c; done; done
      git add -A; git commit -qm one; cd ..
      mkdir copy; git -C repo archive --prefix=repo/ HEAD | tar x -C copy
      "$T" snapshot -q -o s copy/repo; "$T" snapshot -q -o kept --no-hidden --exclude '**/*.h' copy/repo
      cd copy/repo; find . -printf '%s %T@ %y %p\0' > ../../list
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// The tiles of the upper zooms, with their addresses.
  private func tiles(_ world: ServedWorld, upTo zoom: Int = 3) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for z in 0...zoom {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          let name = "/tiles/\(z)/\(x)/\(y).mvt"
          let answer = try world.get(name)
          #expect(answer.status == 200 || answer.status == 204, "\(name)")
          if answer.status == 200 { found[name] = answer.body }
        }
      }
    }
    return found
  }

  @Test func tilesOfASnapshotEqualTheDisk() throws {
    for options in [
      [], ["--exclude", "**/x.c", "--no-hidden"], ["--layout", "pinned", "--name", "y*"],
    ] {
      let disk = try tiles(ServedWorld(options + ["copy/repo"], in: folder.path))
      #expect(disk.count > 20)
      #expect(try tiles(ServedWorld(options + ["s"], in: folder.path)) == disk, "\(options)")
    }
    let disk = try ServedWorld(
      ["--no-hidden", "--exclude", "**/*.h", "copy/repo"], in: folder.path)
    let kept = try tiles(ServedWorld(["kept"], in: folder.path))
    #expect(try tiles(disk) == kept)
    #expect(try tiles(ServedWorld(["s"], in: folder.path)) != kept)
  }

  @Test(arguments: [
    ["s"], ["--files-from", "list", "--list-format", "find", "repo=."], ["--git", "repo"],
  ])
  func answersEqualTheDisk(arguments: [String]) throws {
    let disk = try ServedWorld(["copy/repo"], in: folder.path)
    let other = try ServedWorld(arguments, in: folder.path)
    // Without times and sizes, which some sources lack.
    func lands(_ world: ServedWorld) throws -> [String] {
      try (0...2).flatMap { zoom in
        try world.nodes(zoom, 0, 0).map {
          "\($0["path"] ?? "") \($0["id"] ?? "") \($0["kind"] ?? "")"
        }
      }
    }
    #expect(try lands(other) == lands(disk))
    #expect(try !lands(other).isEmpty)
    func strip(_ json: Any) -> Any {
      guard var object = json as? [String: Any] else { return (json as? [Any])?.map(strip) ?? json }
      for key in ["modified", "newest", "file", "size"] { object[key] = nil }
      return object.mapValues(strip)
    }
    for question in [
      "/node?path=repo", "/node?path=repo/a/1/x.c", "/node?path=repo/none", "/at?lon=10&lat=20",
      "/search?q=x", "/tilejson.json", "/node?path=repo/a/1/.in",
    ] {
      let (one, two) = (try disk.get(question), try other.get(question))
      #expect(one.status == two.status, "\(question)")
      if question.hasPrefix("/search") {
        #expect(one.body == two.body)
      } else if question != "/tilejson.json" {
        let same = NSDictionary(dictionary: strip(try one.json) as? [String: Any] ?? [:])
        #expect(
          same.isEqual(strip(try two.json)),
          "\(question): \(String(decoding: two.body, as: UTF8.self))")
      }
    }
    // Entries that aren't on disk have no path on this machine.
    #expect(try other.get("/node?path=repo/a").json["file"] == nil)
    #expect(try disk.get("/node?path=repo/a").json["file"] != nil)
  }

  @Test func sumsHaveWhatTheSourceKnows() throws {
    let world = try ServedWorld(["--git", "repo"], in: folder.path)
    #expect(try world.get("/totals").status == 200)
    let totals = try world.get("/node?path=repo").json["totals"] as? [String: Any]
    #expect(totals?["files"] as? Int == 36 && totals?["bytes"] as? Int == 24, "\(totals ?? [:])")
    #expect(totals?["allocated"] == nil && totals?["newest"] == nil)
    let children = try world.get("/node?path=repo").json["children"] as? [String: Any]
    let shown = try #require(children?["shown"] as? [[String: Any]])
    #expect(shown.allSatisfy { $0["bytes"] as? Int == 6 && $0["newest"] == nil }, "\(shown)")
  }

  @Test func optionsOfADiskAreRefused() throws {
    for (arguments, message) in [
      ("--gitignore s", "it applies when a snapshot is taken"),
      ("--gitignore --git repo", "needs a disk"), ("--files-from nowhere x", "the list 'nowhere'"),
      ("--files-from list --gitignore x=.", "it reads files"),
    ] {
      let outcome = try Geomapper.shell("\"$T\" serve \(arguments)", in: folder.path)
      #expect(outcome.status == 2 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
  }
}
