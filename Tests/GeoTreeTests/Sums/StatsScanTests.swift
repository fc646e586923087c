import Foundation
import GeoCore
import GeoTree
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The totals of trees equal the sums over their files.
@Suite struct StatsScanTests {
  private static let now: Int64 = 1_700_000_000
  private static let day: Int64 = 86_400

  /// A file to make, or another name of one.
  struct File: Sendable {
    var folder: String
    var name: String
    var size: Int
    var age: Int64
    /// The index of the file that it is another name of.
    var original: Int?
  }

  struct Case: Sendable, CustomStringConvertible {
    var folders: [String]
    var files: [File]
    var threads = 1

    var description: String {
      "folders \(folders)\n"
        + files.map { "\($0.folder)/\($0.name) \($0.size) \($0.age) \($0.original as Any)" }.joined(
          separator: "\n")
    }
  }

  private static func random(_ generator: inout SeededGenerator) -> Case {
    var folders = ["src", "other"]
    for number in 0..<generator.number(in: 0...12) {
      folders.append(folders[generator.number(in: 0...(folders.count - 1))] + "/d\(number)")
    }
    let endings = [
      "", ".txt", ".TXT", ".tar.gz", ".", ".a b", "." + String(repeating: "x", count: 16),
    ]
    let ages: [Int64] = [-5, 0, 1, 3 * day, 20 * day, 100 * day, 1000 * day, 9000 * day]
    var files: [File] = []
    for number in 0..<generator.number(in: 0...40) {
      var file = File(
        folder: folders[generator.number(in: 0...(folders.count - 1))],
        name: (generator.chance(0.2) ? "." : "") + "f\(number)"
          + endings[generator.number(in: 0...(endings.count - 1))],
        size: generator.chance(0.3) ? 0 : generator.number(in: 1...9000),
        age: ages[generator.number(in: 0...(ages.count - 1))])
      if !files.isEmpty, generator.chance(0.3) {
        let other = generator.number(in: 0...(files.count - 1))
        file.original = files[other].original ?? other
      }
      files.append(file)
    }
    return Case(folders: folders, files: files, threads: generator.number(in: 1...4))
  }

  private static func make(_ tree: Case, in folder: TemporaryFolder) throws {
    for name in tree.folders { try folder.makeFolder(name) }
    for file in tree.files {
      let path = "\(file.folder)/\(file.name)"
      if let original = file.original {
        let first = tree.files[original]
        #expect(link(folder("\(first.folder)/\(first.name)"), folder(path)) == 0)
        continue
      }
      try folder.makeFile(path, String(repeating: "x", count: file.size))
      let time = timespec(tv_sec: Int(now - file.age), tv_nsec: 0)
      let times = [time, time]
      #expect(utimensat(AT_FDCWD, folder(path), times, 0) == 0)
    }
  }

  private static func stats(
    _ folder: TemporaryFolder, _ roots: [String], threads: Int, top: Int = 10
  ) async throws -> TreeStats {
    var scan = StatsScan(now: now)
    scan.top = top
    scan.scan.threads = threads
    var faults = 0
    let stats = try await scan.run(
      roots.sorted().map {
        ScanRoot(label: Array($0.utf8), directory: Array(folder($0).utf8))
      }
    ) { faults += $0.count }
    #expect(faults == 0)
    return stats
  }

  /// The total of some names, which counts each file once, with the facts of its first name in the
  /// order of the map.
  private static func bytes(_ files: [File], _ tree: Case) -> Int {
    originals(files, tree).reduce(0) { $0 + tree.files[$1].size }
  }

  /// The number of files that some names are of.
  private static func number(_ files: [File], _ tree: Case) -> Int { originals(files, tree).count }

  private static func originals(_ files: [File], _ tree: Case) -> Set<Int> {
    Set(
      files.map { file in
        file.original ?? tree.files.firstIndex { $0.name == file.name } ?? -1
      })
  }

  private static func fault(in tree: Case, _ stats: TreeStats, _ folder: TemporaryFolder) -> String?
  {
    if stats.total.folders != tree.folders.count { return "\(stats.total.folders) folders" }
    if stats.total.files != number(tree.files, tree) { return "\(stats.total.files) files" }
    if stats.total.bytes != Int64(bytes(tree.files, tree)) {
      return "\(stats.total.bytes ?? -1) bytes"
    }
    // The sums by region, extension, age and depth have the same total.
    func sum(_ parts: some Sequence<TreeStats.Sums>) -> [Int64] {
      parts.reduce([0, 0, 0]) { (all: [Int64], part) -> [Int64] in
        let (bytes, allocated) = (part.bytes ?? .min / 2, part.allocated ?? .min / 2)
        return [all[0] + Int64(part.files), all[1] + bytes, all[2] + allocated]
      }
    }
    let total = sum([stats.total])
    if sum(stats.extensions.values) != total { return "extensions: \(stats.extensions)" }
    if sum(stats.ages) != total { return "ages: \(stats.ages)" }
    if sum(stats.depths) != total { return "depths: \(stats.depths)" }
    for (depth, sums) in stats.depths.enumerated() {
      func isAt(_ path: String, _ depth: Int) -> Bool {
        path.utf8.count { $0 == UInt8(ascii: "/") } == depth
      }
      if sums.folders != tree.folders.count(where: { isAt($0, depth) }) { return "depth \(depth)" }
    }
    for region in stats.regions {
      let path = region.path
      func isInside(_ other: String) -> Bool { other == path || other.hasPrefix("\(path)/") }
      if region.sums.folders != tree.folders.count(where: isInside) { return "folders in \(path)" }
      // A folder's sums are the same as if it were the only folder.
      let inside = tree.files.filter { isInside($0.folder) }
      if region.sums.files != number(inside, tree) { return "files in \(path)" }
      if region.sums.bytes != Int64(bytes(inside, tree)) { return "bytes in \(path)" }
    }
    // Each file counts under its age.
    var ages = [Int](repeating: 0, count: TreeStats.Age.allCases.count)
    for file in tree.files where file.original == nil {
      ages[TreeStats.Age(at: now, modified: now - file.age).rawValue] += 1
    }
    if stats.ages.map(\.files) != ages { return "ages \(stats.ages), not \(ages)" }
    // The largest files, in descending order of size.
    let sizes = tree.files.filter { $0.original == nil }.map { Int64($0.size) }.sorted(by: >)
    if stats.largest.map(\.value) != Array(sizes.prefix(10)) {
      return "largest \(stats.largest.map(\.value)), not \(sizes.prefix(10))"
    }
    let times = tree.files.filter { $0.original == nil }.map { now - $0.age }.sorted(by: >)
    if stats.newest.map(\.value) != Array(times.prefix(10)) { return "newest" }
    let widths = tree.folders.map { name in
      Int64(
        tree.files.count { $0.folder == name }
          + tree.folders.count { other in
            other.hasPrefix("\(name)/") && !other.dropFirst(name.count + 1).contains("/")
          })
    }.sorted(by: >)
    if stats.widest.map(\.value) != Array(widths.prefix(10)) { return "widest" }
    return nil
  }

  @Test func sumsEqualThoseOfTheFiles() async throws {
    for seed in TestScale.seeds(30) {
      var generator = SeededGenerator(seed: seed)
      let tree = Self.random(&generator)
      let folder = try TemporaryFolder()
      try Self.make(tree, in: folder)
      let stats = try await Self.stats(folder, ["src", "other"], threads: tree.threads)
      if let fault = Self.fault(in: tree, stats, folder) {
        Issue.record("seed \(seed): \(fault)\n\(tree)")
      }
    }
  }

  @Test func threadsChangeNothing() async throws {
    var generator = SeededGenerator(seed: 7)
    let tree = Self.random(&generator)
    let folder = try TemporaryFolder()
    try Self.make(tree, in: folder)
    let one = try await Self.stats(folder, ["src", "other"], threads: 1)
    for threads in 2...4 {
      let more = try await Self.stats(folder, ["src", "other"], threads: threads)
      #expect(more.total == one.total && more.regions == one.regions)
      #expect(more.extensions == one.extensions && more.ages == one.ages)
      #expect(more.depths == one.depths && more.largest == one.largest)
      #expect(more.newest == one.newest && more.widest == one.widest)
    }
  }

  @Test func extensionsAreInLowerCaseAndShort() {
    func text(_ name: String) -> String { FileExtension(of: Array(name.utf8).span).text }
    #expect(text("a.TXT") == "txt" && text("a.tar.gz") == "gz" && text("a.c++") == "c++")
    for name in [
      "a", ".a", "a.", "", ".", "a.b c", "a.é", "a." + String(repeating: "x", count: 17),
    ] {
      #expect(FileExtension(of: Array(name.utf8).span) == .none, "\(name)")
    }
    let longest = String(repeating: "y", count: 16)
    #expect(text("a.\(longest)") == longest)
    #expect(text(".a.\(longest)") == longest)
  }

  @Test func agesCountFromAnyTime() {
    typealias Age = TreeStats.Age
    let limits: [(Int64, Age)] = [
      (-1, .future), (0, .day), (Self.day - 1, .day), (Self.day, .week), (7 * Self.day, .month),
      (30 * Self.day, .year), (365 * Self.day, .fiveYears), (5 * 365 * Self.day, .older),
    ]
    for (seconds, age) in limits { #expect(Age(at: Self.now, modified: Self.now - seconds) == age) }
    #expect(Age(at: 1, modified: .min) == .older)
    #expect(Age(at: -2, modified: .max) == .future)
  }

  /// The sum of apparent sizes may exceed the integer range.
  @Test func sumsSaturate() async throws {
    let folder = try TemporaryFolder()
    for name in ["src/a", "src/b", "src/c"] {
      try folder.makeFile(name)
      // The largest apparent size that the file system allows.
      if truncate(folder(name), 1 << 43) != 0 { return }
    }
    let stats = try await Self.stats(folder, ["src"], threads: 1, top: 2)
    #expect(stats.total.bytes == 3 << 43)
    #expect(stats.largest.map(\.value) == [1 << 43, 1 << 43])
    #expect(stats.largest.map(\.path) == ["src/a", "src/b"])
  }

  @Test func unreadableEntriesAreCounted() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("src/a/file", "x")
    try folder.makeLink("src/away", to: "nowhere")
    let stats = try await Self.stats(folder, ["src"], threads: 1)
    #expect(stats.unreadable == 0 && stats.total.files == 2)
    #expect(stats.regions.map(\.path) == ["src", "src/a"])
  }

  @Test func listsHaveALimit() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<20 { try folder.makeFile("src/d\(number)/f", "12345") }
    for top in [0, 1, 5, 100] {
      let stats = try await Self.stats(folder, ["src"], threads: 2, top: top)
      #expect(stats.largest.count == min(top, 20) && stats.newest.count == min(top, 20))
      #expect(stats.widest.count == min(top, 21))
      // Among equal ones, the first by path.
      let paths = stats.largest.map(\.path)
      #expect(paths == (0..<20).map { "src/d\($0)/f" }.sorted().prefix(top).map { $0 })
    }
  }
}
