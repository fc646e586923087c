import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The files that `geomapper publish` leaves on a full disk.
@Suite(.enabled(if: Interposition.isPossible, Interposition.need))
struct PublishTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "b/in"] { try folder.makeFile("src/\(name)/file", "text") }
  }

  private static let arguments = [
    "publish", "-q", "--max-zoom", "1", "--threads", "1", "-o", "site", "src",
  ]

  /// All files of the site with their contents, by relative path.
  private func site() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for place in ["", "assets/", "folders/", "names/", "search/"]
    where access(folder("site/\(place)"), F_OK) == 0 {
      for name in try folder.names(in: "site/\(place)") {
        var isFolder: ObjCBool = false
        let path = folder("site/\(place)\(name)")
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        files[place + name] = isFolder.boolValue ? [] : try folder.read("site/\(place)\(name)")
      }
    }
    return files
  }

  /// Publishes with room for 0, 1, 2… writes into the site, until that is enough.
  ///
  /// - Parameter check: Gets the number of writes in each run that failed.
  private func publishAsTheDiskFills(_ check: (Int) throws -> Void) throws {
    // Every third write, or every one in longer runs.
    for number in stride(from: 0, to: Int.max, by: TestScale.factor < 1 ? 3 : 1) {
      // Removing files makes room for the manifest, as on a real disk.
      let fault = Interposition("write", on: ".tmp", after: number, times: 1).failing(ENOSPC)
      let outcome = try fault.run(Self.arguments, in: folder)
      if outcome.status == 0 {
        #expect(number > 5, "so few writes are seen that it can't be all")
        return
      }
      #expect(outcome.status == 3, "write \(number): \(outcome.errorText)")
      #expect(outcome.errorText.contains("No space left"), "write \(number)")
      try check(number)
    }
  }

  @Test func lockedSitesAreNotTouched() throws {
    try folder.makeFile("site/.keep")
    #expect(unlink(folder("site/.keep")) == 0)
    let lock = open(folder("site"), O_RDONLY | O_DIRECTORY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let outcome = try Geomapper.run(Self.arguments, in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("another geomapper is writing the site 'site'"))
    #expect(try folder.names(in: "site").isEmpty)
    #expect(flock(lock, LOCK_UN) == 0)
    #expect(try Geomapper.run(Self.arguments, in: folder.path).status == 0)
  }

  @Test(arguments: ["site", "site/"]) func danglingLinksAreRefused(name: String) throws {
    try folder.makeLink("site", to: "nowhere")
    let outcome = try Geomapper.run(["publish", "-q", "-o", name, "src"], in: folder.path)
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("is a symbolic link to a folder that does not exist; make"))
    #expect(try folder.names().contains("site"))
    try folder.makeFolder("nowhere")
    let made = try Geomapper.run(Self.arguments, in: folder.path)
    #expect(made.status == 0, "\(made.errorText)")
    #expect(try folder.names(in: "nowhere").contains("index.html"))
  }

  @Test func failureLeavesNewFoldersEmpty() throws {
    try publishAsTheDiskFills { number in
      let left = try site()
      #expect(left.isEmpty, "write \(number): \(left.keys)")
    }
    let isThere = try site()["index.html"] != nil
    #expect(isThere)
  }

  @Test func failureKeepsSitesComplete() throws {
    let first = try Geomapper.run(Self.arguments, in: folder.path)
    try #require(first.status == 0, "\(first.errorText)")
    let before = try site()
    try folder.makeFile("src/b/new/file", "text")
    var replaced = 0
    try publishAsTheDiskFills { number in
      let now = try site()
      let lost = before.keys.filter { now[$0] == nil }
      #expect(lost.isEmpty, "write \(number)")
      var others = before.keys.filter { now[$0] != before[$0] }
      #expect(!others.contains("index.html"), "write \(number)")
      others.removeAll { $0 == ".geomapper-site" }
      // The files that clients read by now may name new files, which have to stay then.
      replaced += others.isEmpty ? 0 : 1
      if others.isEmpty {
        let new = now.keys.filter { before[$0] == nil }
        #expect(new.isEmpty, "write \(number)")
        let isSame = now == before
        #expect(isSame, "write \(number)")
      }
    }
    #expect(replaced > 0)
    let isNew = try site()["index.html"] != before["index.html"]
    #expect(isNew)
  }
}
