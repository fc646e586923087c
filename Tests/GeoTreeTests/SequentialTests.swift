import GeoCore
import GeoSystem
import GeoTree
import Synchronization
import Testing

/// A source that can be read only once, in the order of the map.
@Suite struct SequentialTests {
  private struct Broken: Error, Equatable {}

  /// Nested folders with a file each.
  private final class Chain: TreeSource {
    let depth: Int
    /// The number of folders that can be listed; reading the next one fails.
    let sound: Int
    let readers = Atomic<Int>(0)

    init(depth: Int, sound: Int = .max) { (self.depth, self.sound) = (depth, sound) }

    var isSequential: Bool { true }

    func check(_ root: ScanRoot) {}

    func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
      ChainSession(self)
    }
  }

  private final class ChainSession: TreeSession {
    let chain: Chain

    init(_ chain: Chain) { self.chain = chain }

    func makeReader() -> any FolderReader {
      chain.readers.add(1, ordering: .relaxed)
      return ChainReader(chain)
    }

    func stamp(of folder: FolderReference) -> ListingStamp? { nil }
  }

  private final class Kept: KeptFolder {}

  private final class ChainReader: FolderReader {
    let chain: Chain
    private var listener: (any ReaderListener)?
    private var listed = 0
    private(set) var failure: (any Error)?

    init(_ chain: Chain) { self.chain = chain }

    private func report(_ reason: String) {
      listener?.report(ScanFault(rawPath: [], reason: .listed(reason)))
    }

    func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener) {
      self.listener = listener
      if chain.sound < 0 { failure = Broken() }
      report("begun")
    }

    func end() { report("ended") }

    func list(_ folder: FolderReference, into listing: inout FolderListing) {
      listing.removeAll()
      if listed >= chain.sound {
        failure = Broken()
        return
      }
      listed += 1
      listing.outcome = .listed
      listing.isDisputed = listed == 2
      listing.files.append([0x66].span, kind: .regular)
      if listed < chain.depth { listing.folders.append([0x73].span, kind: .directory) }
    }

    func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
      listing.removeAll()
    }

    func enter(_ folder: FolderReference) throws(Errno) {}

    func readFacts(
      of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
      storage: inout [FileStorage], failures: inout [FileSystem.Failure]
    ) {}

    func readFile(_ path: [UInt8], following: Bool, limit: Int) -> [UInt8]? { nil }

    func keep() -> any KeptFolder { Kept() }

    func leave() {}
  }

  private func root(_ chain: Chain) -> ScanRoot {
    ScanRoot(label: [0x72], directory: [0x72], source: chain)
  }

  @Test func oneReaderReadsInOrder() async throws {
    let chain = Chain(depth: 4)
    var options = FileSystemScanner.Options()
    options.threads = 8
    let found = try await scan([root(chain)], options: options)
    #expect(
      found.paths == [
        "r", "r/f", "r/s", "r/s/f", "r/s/s", "r/s/s/f", "r/s/s/s", "r/s/s/s/f",
      ])
    #expect(found.faults.map(\.reason) == [.listed("begun"), .listed("ended")])
    #expect(found.seen.filter(\.isUnreadable).map(\.path) == ["r/s"])
    #expect(chain.readers.load(ordering: .relaxed) == 1)
  }

  @Test(arguments: [-1, 0, 2]) func brokenSourcesEndTheScan(sound: Int) async throws {
    let chain = Chain(depth: 4, sound: sound)
    await #expect(throws: Broken.self) { try await scan([root(chain)]) }
  }
}
