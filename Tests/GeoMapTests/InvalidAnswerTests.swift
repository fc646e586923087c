import Foundation
import GeoCore
import GeoMap
import GeoScan
import GeoSystem
import TestSupport
import Testing

/// Sources that answer with too few, too many or missing facts: each operation gives numbers or an
/// error, and never traps.
@Suite struct InvalidAnswerTests {
  /// A tree of three levels that answers at random. What it answers depends on the seed and the path
  /// alone.
  private final class RandomSource: TreeSource, TreeSession, @unchecked Sendable {
    // Sendable: nothing changes.
    let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func check(_ root: ScanRoot) throws(Errno) {}
    func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession { self }
    func makeReader() -> any FolderReader { Reader(seed) }
    func stamp(of folder: FolderReference) -> ListingStamp? { nil }
  }

  private final class Folder: KeptFolder {
    let path: [UInt8]

    init(_ path: [UInt8]) { self.path = path }
  }

  private final class Reader: FolderReader {
    private let seed: UInt64
    private var path: [UInt8] = []

    init(_ seed: UInt64) { self.seed = seed }

    /// A generator for what is said of the current folder.
    private func generator(_ number: UInt64 = 0) -> SeededGenerator {
      SeededGenerator(seed: path.reduce(seed &+ number) { $0 &* 31 &+ UInt64($1) })
    }

    private func go(to folder: FolderReference) {
      switch folder {
      case .path(_, let path, _), .child(_, let path, _, _, _): self.path = path
      case .kept(let kept): path = (kept as? Folder)?.path ?? []
      }
    }

    func list(_ folder: FolderReference, into listing: inout FolderListing) {
      go(to: folder)
      listing.removeAll()
      var generator = generator()
      let isDeep = path.count { $0 == UInt8(ascii: "/") } > 2
      func names(_ letter: String, _ kind: EntryKind, _ count: Int) -> NameTable {
        NameTable((0..<count).map { Array("\(letter)\($0)".utf8) }, kind: kind)
      }
      listing.files = names("f", .regular, generator.number(in: 0...9))
      listing.folders = names("d", .directory, isDeep ? 0 : generator.number(in: 0...4))
      if generator.chance(0.3) {
        listing.handles = (0..<generator.number(in: 0...6)).map { UInt64($0) }
      }
      if generator.chance(0.3) {
        listing.leftOut = (0..<generator.number(in: 1...3)).map { _ in
          LeftOutEntry(
            index: generator.number(in: -2...6), reason: generator.chance(0.5) ? .name : nil)
        }
      }
      if generator.chance(0.3) { listing.leavesOutFiles = .byFacts }
      if generator.chance(0.3) {
        listing.contents = Array(repeating: nil, count: generator.number(in: 0...6))
      }
      if generator.chance(0.5) { listing.facts = FolderFacts(modified: .min) }
      if generator.chance(0.9) { listing.outcome = .listed }
      if generator.chance(0.1) { listing.failure = .vanished }
    }

    func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
      go(to: folder)
      listing.removeAll()
    }

    func enter(_ folder: FolderReference) throws(Errno) { go(to: folder) }

    func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts]) {
      var generator = generator(1)
      if generator.chance(0.1) { facts.append(EntryFacts()) }
      if generator.chance(0.1) { facts.removeLast(min(1, facts.count)) }
    }

    func readFacts(
      of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
      storage: inout [FileStorage], failures: inout [FactFailure]
    ) {
      var generator = generator(2)
      func count() -> Int {
        max(0, range.count + (generator.chance(0.5) ? 0 : generator.number(in: -9...9)))
      }
      facts = (0..<count()).map { _ in
        let sizes: [Int64] = [0, 1, -1, .max, .min, 4096]
        var known = EntryFacts(
          size: sizes.randomElement(using: &generator) ?? 0,
          modified: sizes.randomElement(using: &generator) ?? 0,
          status: [.known, .sized, .unasked, .unreadable, .hidden, .vanished]
            .randomElement(using: &generator) ?? .known)
        known.links = UInt32(generator.number(in: 0...3))
        return known
      }
      storage = (0..<(generator.chance(0.3) ? 0 : count())).map { _ in
        FileStorage(
          identity: FileIdentity(device: 1, inode: UInt64(generator.number(in: 0...3))),
          allocated: generator.chance(0.2) ? .max : 4096, nanoseconds: .max, owner: 7, group: 7)
      }
      for _ in 0..<generator.number(in: 0...2) {
        failures.append(FactFailure(index: generator.number(in: -3...20), reason: .noEntry))
      }
    }

    func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
    func keep() -> any KeptFolder { Folder(path) }
    func leave() {}
  }

  private static func world(seed: UInt64) -> GeoWorld {
    GeoWorld(roots: [
      .init(label: "r", folder: URL(filePath: "/r"), source: RandomSource(seed: seed))
    ])
  }

  /// Runs an operation that may fail with an error.
  private static func attempt<Value>(_ body: () async throws -> Value) async -> Value? {
    try? await body()
  }

  private static func bytes(_ chunks: GeoBytes) async throws -> Int {
    try await chunks.reduce(0) { $0 + $1.count }
  }

  @Test(arguments: TestScale.seeds(12)) func eachOperationGivesNumbersOrAnError(seed: UInt64) async
  {
    var world = Self.world(seed: seed)
    var drawing = GeoDrawing()
    (drawing.width, drawing.height) = (120, 90)
    for number in 0..<3 {
      world.includesTotals = number == 1
      if number == 2 { world.selection.requireSize(.above(0)) }
      let nodes = await Self.attempt {
        try await world.nodes().reduce(0) { $0 + $1.count }
      }
      #expect(nodes.map { $0 > 0 } ?? true, "seed \(seed)")
      let stats = await Self.attempt { try await world.stats() }
      #expect(stats.map { $0.total.files >= 0 } ?? true, "seed \(seed)")
      _ = await Self.attempt { try await world.sheet(drawing) }
      _ = await Self.attempt { try await Self.bytes(world.snapshot()) }
      _ = await Self.attempt { try await Self.bytes(world.features()) }
      _ = await Self.attempt { try await world.verify() }
      _ = await Self.attempt { try await world.changes(since: Self.world(seed: seed &+ 1)) }
      _ = await Self.attempt {
        try await Self.bytes(
          world.changedFeatures(since: Self.world(seed: seed &+ 1), format: .csv))
      }
      _ = await Self.attempt {
        try await world.search("f1", order: .size).reduce(0) { n, _ in n + 1 }
      }
      guard let reader = try? world.reader() else { continue }
      for path in ["r", "r/d0", "r/f1", "r/d1/f0", "r/d0/d0/f2"] {
        _ = await Self.attempt { try await reader.node(at: path) }
        _ = await Self.attempt { try await reader.children(of: path) }
      }
      _ = await Self.attempt {
        try await reader.contents(at: GeoCoordinate(longitude: 9, latitude: 9))
      }
    }
  }
}
