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
    let slow = SlowCalls(milliseconds: 15)
    let (fast, shared) = try (world(DiskSource.shared), world(slow.disk))
    for address in addresses {
      let tile = try #require(shared.tile(address))
      #expect(tile.isComplete)
      #expect(try bytes(tile) == bytes(fast.tile(address)), "\(address)")
    }
    // Several threads have read.
    #expect(slow.mostAtOnce.load(ordering: .relaxed) > 2)
  }

  @Test func knownTilesReadNothing() throws {
    let slow = SlowCalls(milliseconds: 0)
    let world = try world(slow.disk)
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

  @Test func aFolderThatHangsKeepsOneThread() async throws {
    let slow = SlowCalls(milliseconds: 15)
    slow.hangs.store(true, ordering: .relaxed)
    let (world, addresses) = (try world(slow.disk), addresses)
    let all = world.takeReadingThreads(.max)
    world.giveBackReadingThreads(all)
    try WorkerThread.start { for address in addresses { _ = world.tile(address) } }
    let areGivenBack = try await eventually {
      if slow.hanging.load(ordering: .relaxed) == 0 { return false }
      let free = world.takeReadingThreads(.max)
      world.giveBackReadingThreads(free)
      return free == all - 1
    }
    #expect(areGivenBack)
    slow.hangs.store(false, ordering: .relaxed)
  }

  @Test func unwantedTilesStopReading() throws {
    let slow = SlowCalls(milliseconds: 15)
    let world = try world(slow.disk)
    let tile = withExtendedLifetime(slow) {
      world.tile(addresses[27]) { slow.calls.load(ordering: .relaxed) > 2 }
    }
    #expect(tile == nil)
  }
}

/// Counts calls of a disk, each of which takes long.
private final class SlowCalls: Sendable {
  let calls = Atomic(0)
  let mostAtOnce = Atomic(0)
  private let atOnce = Atomic(0)
  /// Whether the first call hangs that several threads make at once, and the number of such calls.
  let hangs = Atomic(false)
  let hanging = Atomic(0)
  private let delay: UInt32

  init(milliseconds: UInt32) { delay = milliseconds }

  var disk: ObservedDisk { ObservedDisk(isLive: true) { [self] _ in wait() } }

  private func wait() {
    calls.add(1, ordering: .relaxed)
    let now = atOnce.add(1, ordering: .relaxed).newValue
    mostAtOnce.max(now, ordering: .relaxed)
    if delay > 0 { WorkerThread.pause(milliseconds: delay) }
    if now > 2, hangs.load(ordering: .relaxed), hanging.add(1, ordering: .relaxed).oldValue == 0 {
      while hangs.load(ordering: .relaxed) { WorkerThread.pause(milliseconds: 1) }
      hanging.store(0, ordering: .relaxed)
    }
    atOnce.subtract(1, ordering: .relaxed)
  }
}
