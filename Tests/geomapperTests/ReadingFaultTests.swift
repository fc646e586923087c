import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Calls that fail during a scan: the rest of the map is unaffected.
@Suite(.enabled(if: Interposition.isPossible, Interposition.need))
struct ReadingFaultTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c"] {
      for number in 0..<20 { try folder.makeFile("src/\(name)/file-\(number)", "text") }
      try folder.makeFile("src/\(name)/in/deep", "text")
    }
    try folder.makeFile("src/one", "text")
  }

  private func words(_ reason: Int32) -> String { String(cString: strerror(reason)) }

  /// The output without faults.
  private func usual(_ arguments: [String] = []) throws -> [UInt8] {
    let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    return outcome.output
  }

  /// Expects a complete map except for the contents of a path, and a message that names the path.
  private func expectRest(
    _ outcome: Subprocess.Outcome, without path: String, reason: String
  ) throws -> WrittenMap {
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains(path))
    #expect(outcome.errorText.contains(reason), "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    let concerned = { (name: String) in name == path || name.hasPrefix("\(path)/") }
    let rest = try WrittenMap(usual()).paths.filter { !concerned($0) }
    #expect(map.paths.filter { !concerned($0) } == rest)
    return map
  }

  @Test(arguments: [EIO, ESTALE, ENOMEM, EACCES, ENOENT], [1, 4])
  func brokenListingsKeepTheirFirstEntries(reason: Int32, threads: Int) throws {
    let fault = Interposition("getdents64", on: "/src/b", after: 3).failing(reason)
      .with("CHUNK", "128")
    let outcome = try fault.run(["map", "src", "--threads", "\(threads)"], in: folder)
    let map = try expectRest(outcome, without: "src/b", reason: words(reason))
    let size = try #require(map["src/b"]?["size"] as? Int)
    #expect(0 < size && size < 21)
    #expect(map["src/b"]?["unreadable"] as? Bool == true)
    let within = map.paths.filter { $0.hasPrefix("src/b/") && !$0.hasPrefix("src/b/in/") }
    #expect(within.count == size)
    #expect(map.summary["unreadable"] == 1)
  }

  @Test(arguments: [EIO, ESTALE, ENOMEM, EACCES, ENAMETOOLONG, ENFILE])
  func aFolderThatCannotBeOpenedIsUnreadable(reason: Int32) throws {
    let outcome = try Interposition("openat", on: "/src/b").failing(reason)
      .run(["map", "src"], in: folder)
    let map = try expectRest(outcome, without: "src/b", reason: words(reason))
    #expect(map["src/b"]?["unreadable"] as? Bool == true)
    #expect(!map.paths.contains { $0.hasPrefix("src/b/") })
  }

  @Test(arguments: [ENOENT, ELOOP, ENOTDIR])
  func replacedFoldersHaveVanished(reason: Int32) throws {
    let outcome = try Interposition("openat", on: "/src/b").failing(reason)
      .run(["map", "src"], in: folder)
    let map = try expectRest(outcome, without: "src/b", reason: "vanished")
    #expect(map["src/b"] == nil)
    #expect(map["src"]?["size"] as? Int == 4)
  }

  @Test(arguments: [EIO, ESTALE, ENOMEM, EACCES, ELOOP, ENAMETOOLONG])
  func filesWithoutMetadataAreUnreadable(reason: Int32) throws {
    let outcome = try Interposition("statx", on: "/src/b/file-7").failing(reason)
      .run(["map", "src"], in: folder)
    let map = try expectRest(outcome, without: "src/b/file-7", reason: words(reason))
    let file = try #require(map["src/b/file-7"])
    #expect(file["unreadable"] as? Bool == true)
    #expect(file["size"] == nil && file["modified"] == nil)
  }

  @Test(arguments: [EIO, ESTALE, ENOMEM, EACCES, ENFILE])
  func aRootThatCannotBeReadIsAContinent(reason: Int32) throws {
    // After its existence was checked.
    let outcome = try Interposition("getdents64", on: "/src").failing(reason)
      .run(["map", "src"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("src: \(words(reason))"), "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    #expect(map.paths == ["src"])
    #expect(map["src"]?["unreadable"] as? Bool == true)
  }

  @Test(arguments: ["openat", "getdents64", "statx", "write", "renameat"])
  func interruptedCallsAreMadeAgain(call: String) throws {
    let outcome = try Interposition(call, times: 5).failing(EINTR)
      .run(["map", "src", "-o", "out"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    #expect(try folder.read("out") == usual())
  }

  @Test(arguments: [EMFILE, ENFILE], [1, 4])
  func waitsForFreeDescriptors(reason: Int32, threads: Int) throws {
    let outcome = try Interposition("openat", on: "/in", times: 3).failing(reason)
      .run(["map", "src", "--threads", "\(threads)"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output == (try usual()))
  }

  @Test func unknownKindsAreRequested() throws {
    try folder.makeLink("src/link", to: "one")
    try folder.makePipe("src/pipe")
    for arguments in [[], ["--no-stat"], ["--follow"]] {
      let outcome = try Interposition().with("NO_KIND", "1")
        .run(["map", "src"] + arguments, in: folder)
      #expect(outcome.status == 0)
      #expect(outcome.output == (try usual(arguments)))
    }
  }

  @Test(arguments: [0, 1, 2]) func worksWithFewerThreads(made: Int) throws {
    let outcome = try Interposition("pthread_create", after: made).failing(EAGAIN)
      .run(["map", "src", "--threads", "8"], in: folder)
    if made == 0 {
      // Without any thread nothing can be done, and the message says so.
      #expect(outcome.status == 3)
      #expect(outcome.errorText.contains("thread"))
      #expect(outcome.output.isEmpty)
    } else {
      #expect(outcome.status == 0)
      #expect(outcome.output == (try usual()))
    }
  }

  @Test(arguments: [
    ("9223372036854775807", "-9000000000"), ("9223372036854775807", "9223372036854775807"),
    ("0", "-9223372036854775808"), ("4096", "253402300800"),
  ])
  func extremeFactsAreWritten(size: String, seconds: String) throws {
    let fault = Interposition(on: "/src/one").with("SIZE", size).with("SECONDS", seconds)
    for format in ["geojson", "geojsonseq", "geojsonl", "csv", "gpx"] {
      let outcome = try fault.run(["map", "src", "--format", format], in: folder)
      #expect(outcome.status == 0)
      let line = try #require(
        outcome.text.split(whereSeparator: \.isNewline).first { $0.contains("src/one") })
      switch format {
      case "csv": #expect(line.hasPrefix("src/one,poi,1,\(size),\(seconds),"))
      // Only years 1 to 9999 can be written as a time.
      case "gpx": #expect(line.contains("<time>") == (seconds == "-9000000000"))
      default: #expect(line.contains(#","size":\#(size),"modified":\#(seconds),"#))
      }
    }
    for command in [["stats", "src"], ["stats", "--format", "json", "src"]] {
      let outcome = try fault.run(command, in: folder)
      #expect(outcome.status == 0, "\(command): \(outcome.errorText)")
    }
    #expect(try fault.run(["map", "--totals", "src"], in: folder).status == 0)
    // Questions read the times of folders again, so those are set to the far time, too.
    let around = Interposition(on: "/src").with("SECONDS", seconds)
    let located = try around.run(["locate", "--root", "src", "src/one"], in: folder)
    #expect(located.status == 0 && located.signal == nil, "\(located.errorText)")
  }
}
