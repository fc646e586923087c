import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Deep trees, and machines with few resources.
@Suite struct ScarcityTests {
  /// A comb: each level has a file, the folder that continues, and two others.
  private func makeComb(levels: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFolder("comb")
    var directory = open(folder("comb"), O_RDONLY | O_DIRECTORY)
    for _ in 0..<levels {
      for name in ["a", "on", "z"] { #expect(mkdirat(directory, name, 0o755) == 0) }
      close(openat(directory, "file", O_CREAT | O_WRONLY, 0o644))
      let next = openat(directory, "on", O_RDONLY | O_DIRECTORY)
      close(directory)
      directory = next
    }
    close(directory)
    return folder
  }

  /// Nested folders, all with the same name.
  private func makeChain(_ name: String, levels: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFolder("chain")
    var directory = open(folder("chain"), O_RDONLY | O_DIRECTORY)
    for _ in 0..<levels {
      #expect(mkdirat(directory, name, 0o755) == 0)
      let next = openat(directory, name, O_RDONLY | O_DIRECTORY)
      close(directory)
      directory = next
    }
    close(directory)
    return folder
  }

  @Test(arguments: [1, 2, 8]) func withFewDescriptorsTheWholeTreeIsMapped(threads: Int) throws {
    let folder = try makeComb(levels: 150)
    let usual = try Geomapper.shell("\"$T\" map --threads \(threads) comb", in: folder.path)
    #expect(usual.status == 0)
    for limit in [20, 32] {
      let scarce = try Geomapper.shell(
        "ulimit -n \(limit); \"$T\" map --threads \(threads) comb", in: folder.path)
      #expect(scarce.status == 0)
      #expect(scarce.output == usual.output, "ulimit -n \(limit), \(threads) threads")
    }
    #expect(try WrittenMap(usual.output).summary["folders"] == 1 + 3 * 150)
  }

  @Test func aChainOfThousandsNeedsNoDeepStack() throws {
    let folder = try makeComb(levels: 1000)
    let outcome = try Geomapper.shell(
      "ulimit -s 256; \"$T\" map --format csv comb | wc -l", in: folder.path)
    #expect(outcome.status == 0)
    let lines = String(decoding: outcome.output, as: UTF8.self).filter(\.isNumber)
    #expect(Int(lines) == 1 + 1 + 4 * 1000)
  }

  @Test func tenThousandLevelsNeedNoDeepStack() throws {
    let folder = try makeChain("d", levels: 10_000)
    let outcome = try Geomapper.shell(
      "ulimit -s 256; \"$T\" stats --format json chain", in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let stats = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    #expect((stats?["depths"] as? [Any])?.count == 10_001)
    // The work grows with the square of the depth: the full depth is tested only in longer runs.
    for layout in ["settled", "pinned"] {
      var first: String?
      for threads in [1, 8] {
        let levels = TestScale.factor > 1 && threads == 1 ? 10_000 : 1000
        let map = try Geomapper.shell(
          """
          ulimit -s 256; "$T" map --no-stat --format csv --layout \(layout) --threads \(threads) \
            --max-depth \(levels) chain | tee map | wc -l; head -n 1000 map | tail -n 1
          """, in: folder.path)
        #expect(map.text.hasPrefix("\(levels + 2)\n"), "\(layout), \(threads) threads")
        #expect(map.error.isEmpty)
        let line = map.text.split(separator: "\n").last.map(String.init)
        #expect(line?.hasPrefix("chain" + String(repeating: "/d", count: 998) + ",") == true)
        #expect(line == first ?? line, "\(layout): \(threads) threads write other bytes")
        first = line
      }
    }
  }

  @Test func pathsOfAHundredThousandBytesAreMapped() throws {
    let name = String(repeating: "n", count: 250)
    let folder = try makeChain(name, levels: 400)
    let outcome = try Geomapper.run(
      ["map", "--threads", "4", "chain"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    #expect(map.paths.count == 401)
    #expect(map.paths.last == "chain" + String(repeating: "/\(name)", count: 400))
    #expect(map.features.last?["size"] as? Int == 0)
  }

  /// Pending folders are kept without their paths, whose total length grows with the square of the
  /// depth: here 0.9 GB.
  @Test func deepExportsTakeMemoryForNamesOnly() throws {
    let depth = 30_000
    let folder = try TemporaryFolder()
    let folders = String(repeating: #",[{"name":"d"}"#, count: depth)
    try folder.makeFile(
      "deep.json",
      #"[1,2,{"progname":"ncdu"},[{"name":"/deep"}"# + folders
        + String(repeating: "]", count: depth + 1) + "]")
    let outcome = try Geomapper.shell(
      "ulimit -v 400000; "
        + "\"$T\" snapshot -q --files-from deep.json --list-format ncdu -o deep.geosnap /deep",
      in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let stats = try Geomapper.run(["stats", "--format", "json", "deep.geosnap"], in: folder.path)
    #expect(stats.text.contains(#""folders":\#(depth + 1)"#))
  }

  @Test(arguments: [2, 4]) func fewerThreadsDoTheSame(most: Int) throws {
    guard geteuid() == 0 else {
      print("skipped: only the superuser can become a user who runs nothing else")
      return
    }
    let folder = try makeComb(levels: 20)
    try folder.setMode(".", 0o755)
    let usual = try Geomapper.shell("\"$T\" map comb", in: folder.path)
    let scarce = try Geomapper.shell(
      """
      cp "$T" tool # where the build is, others may not be let in
      exec setpriv --reuid=54321 --regid=54321 --clear-groups \
        /bin/sh -c 'ulimit -u \(most); exec ./tool map --threads 1000 comb'
      """, in: folder.path)
    #expect(scarce.status == 0)
    #expect(scarce.output == usual.output)
  }
}
