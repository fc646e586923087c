import GeoCore
import GeoSystem
import GeoTree
import Synchronization
import TestSupport
import Testing

@testable import GeoAtlas
@testable import GeoTree

/// Tiles of a disk whose calls take long.
@Suite struct SharedReadsTests {
  private let folder: TemporaryFolder
  /// Zoom 3: folders in folders and files are visible.
  private let addresses: [TileAddress]

  init() throws {
    folder = try TemporaryFolder()
    for land in 0..<12 {
      for number in 0..<20 { _ = try folder.makeFile("w/land \(land)/file \(number)", "content") }
      _ = try folder.makeFile("w/land \(land)/city/file", "content")
      for name in ["city", "."] { try folder.setModified("w/land \(land)/\(name)", 1_000_000_000) }
    }
    try folder.setModified("w", 1_000_000_000)
    addresses = (0..<64).compactMap { TileAddress(zoom: 3, x: $0 % 8, y: $0 / 8) }
  }

  private func world(_ source: any TreeSource) throws -> World {
    let root = ScanRoot(
      label: Array("w".utf8), directory: Array(folder("w").utf8), source: source)
    return try World(roots: [root], layout: .settled, cacheLimit: 1 << 20)
  }

  private func bytes(_ tile: World.Tile?) throws -> [UInt8] {
    TileFormat.vector.encode(try #require(tile).content)
  }

  @Test func tilesOfASlowDiskAreTheSame() throws {
    let slow = SlowSource(milliseconds: 15)
    let (fast, shared) = try (world(DiskSource.shared), world(slow))
    for address in addresses {
      let tile = try #require(shared.tile(address))
      #expect(tile.isComplete)
      #expect(try bytes(tile) == bytes(fast.tile(address)), "\(address)")
    }
    // Several threads have read.
    #expect(slow.mostAtOnce.load(ordering: .relaxed) > 2)
  }

  @Test func knownTilesReadNothing() throws {
    let slow = SlowSource(milliseconds: 0)
    let world = try world(slow)
    for address in addresses {
      let tile = try #require(world.tile(address, readingNothing: true))
      #expect(slow.calls.load(ordering: .relaxed) == 0)
      #expect(!tile.content.hasFiles)
      // All of them need the root, unless they are open sea.
      #expect(tile.isComplete == tile.content.isEmpty)
    }
    let whole = try addresses.map { try #require(world.tile($0)) }
    let calls = slow.calls.load(ordering: .relaxed)
    // Listings are kept, metadata of files isn't.
    for (address, tile) in zip(addresses, whole) {
      let known = try #require(world.tile(address, readingNothing: true))
      #expect(known.isComplete == !tile.content.hasFiles)
      #expect(known.folders.map(\.path) == tile.folders.map(\.path))
    }
    #expect(slow.calls.load(ordering: .relaxed) == calls)
    #expect(whole.contains { $0.content.hasFiles })
  }

  @Test func unwantedTilesStopReading() throws {
    let slow = SlowSource(milliseconds: 15)
    let world = try world(slow)
    let tile = withExtendedLifetime(slow) {
      world.tile(addresses[27]) { slow.calls.load(ordering: .relaxed) > 2 }
    }
    #expect(tile == nil)
  }
}

/// A disk whose calls take long.
private final class SlowSource: TreeSource {
  let calls = Atomic(0)
  let mostAtOnce = Atomic(0)
  private let atOnce = Atomic(0)
  private let delay: UInt32

  init(milliseconds: UInt32) { delay = milliseconds }

  var isLive: Bool { true }

  func check(_ root: ScanRoot) throws(Errno) { try DiskSource.shared.check(root) }

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    Session(self, DiskSource.shared.session(options, readers: readers))
  }

  fileprivate func wait() {
    calls.add(1, ordering: .relaxed)
    let now = atOnce.add(1, ordering: .relaxed).newValue
    mostAtOnce.max(now, ordering: .relaxed)
    if delay > 0 { WorkerThread.pause(milliseconds: delay) }
    atOnce.subtract(1, ordering: .relaxed)
  }

  private final class Session: TreeSession {
    let source: SlowSource
    let inner: any TreeSession

    init(_ source: SlowSource, _ inner: any TreeSession) {
      (self.source, self.inner) = (source, inner)
    }

    func makeReader() -> any FolderReader { Reader(source, inner.makeReader()) }

    func stamp(of folder: FolderReference) -> ListingStamp? { inner.stamp(of: folder) }
  }

  private final class Reader: WrappingReader {
    let source: SlowSource
    let inner: any FolderReader

    init(_ source: SlowSource, _ inner: any FolderReader) {
      (self.source, self.inner) = (source, inner)
    }

    func list(_ folder: FolderReference, into listing: inout FolderListing) {
      source.wait()
      inner.list(folder, into: &listing)
    }

    func look(at folder: FolderReference, into listing: inout FolderListing) {
      inner.look(at: folder, into: &listing)
    }

    func enter(_ folder: FolderReference) throws(Errno) { try inner.enter(folder) }

    func keep() -> any KeptFolder { inner.keep() }

    func readFacts(
      of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
      storage: inout [FileStorage], failures: inout [FactFailure]
    ) {
      source.wait()
      inner.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
    }
  }
}
