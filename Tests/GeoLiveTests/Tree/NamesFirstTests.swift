import GeoAtlas
import GeoCore
import GeoSystem
import GeoTree
import Synchronization
import TestSupport
import Testing

@testable import GeoLive
@testable import GeoTree

/// Totals of a disk whose calls take long.
@Suite struct NamesFirstTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for land in 0..<30 {
      for number in 0..<4 { _ = try folder.makeFile("w/land \(land)/file \(number)", "content") }
    }
  }

  private func totals(_ calls: SlowCalls, namesFirst: Bool? = nil) throws -> WorldTotals {
    let root = ScanRoot(
      label: Array("w".utf8), directory: Array(folder("w").utf8), source: calls.disk)
    return WorldTotals(
      of: try World(roots: [root], layout: .settled, cacheLimit: 1 << 20),
      countsNamesFirst: namesFirst)
  }

  /// The published totals and the progress of a count.
  private func count(
    _ totals: WorldTotals
  ) async throws -> (known: [WorldTotals.Known], steps: [WorldTotals.Progress]) {
    let (known, steps) = (Log<WorldTotals.Known>(), Log<WorldTotals.Progress>())
    totals.observe { change in if let now = change.known { known.add(now) } }
    totals.begin { steps.add($0) }
    #expect(try await eventually { steps.all.last?.isDone == true })
    return (known.all, steps.all)
  }

  @Test func numbersOfFilesComeBeforeSizes() async throws {
    let totals = try totals(SlowCalls(milliseconds: 60), namesFirst: true)
    let (known, steps) = try await count(totals)
    let names = try #require(known.first)
    #expect(known.count == 1 && names.tree.hasNamesOnly)
    #expect(names.tree[0] == FolderTotals(files: 120, bytes: nil, allocated: nil))
    #expect(steps.contains { $0.expected == 120 })
    let all = try #require(totals.complete)
    #expect(all.version > names.version)
    #expect(all.tree[0]?.files == 120)
    #expect(all.tree[0]?.bytes == 840)
  }

  @Test func fastDisksAreReadOnce() async throws {
    let calls = SlowCalls(milliseconds: 0)
    let totals = try totals(calls)
    let (known, steps) = try await count(totals)
    #expect(known.isEmpty)
    #expect(steps.allSatisfy { $0.expected == nil })
    #expect(calls.lists.load(ordering: .relaxed) == 31)
    #expect(totals.complete?.tree[0]?.bytes == 840)
  }

  @Test(arguments: [
    // Calls of 5 ms by 30 threads, and of 0.1 ms.
    (6_000, 6_000, true), (80_000, 80_000, false),
    // Other programs take the processors.
    (6_000, -500, false), (6_000, 100, false),
  ])
  func slowStorageIsFound(_ entries: Int, _ waits: Int64, _ isSlow: Bool) {
    #expect(StorageProbe.isSlow(entries, elapsed: 1_000_000_000, waits: waits) == isSlow)
  }

  @Test func namesAreForgottenWhenTheCountStops() async throws {
    let totals = try totals(SlowCalls(milliseconds: 60), namesFirst: true)
    let (known, steps) = (Log<WorldTotals.Known>(), Log<WorldTotals.Progress>())
    totals.observe { change in
      if let now = change.known { known.add(now) }
    }
    totals.begin { steps.add($0) }
    #expect(try await eventually { !known.all.isEmpty })
    #expect(totals.known != nil && totals.complete == nil)
    totals.stop()
    #expect(try await eventually { steps.all.last?.isDone == true })
    #expect(totals.known == nil)
  }
}

private final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Counts listings of a disk whose calls for metadata take long.
private final class SlowCalls: Sendable {
  let lists = Atomic(0)
  private let delay: UInt32

  init(milliseconds: UInt32) { delay = milliseconds }

  var disk: ObservedDisk {
    ObservedDisk { [self] call in
      switch call {
      case .listing: lists.add(1, ordering: .relaxed)
      case .files(_, readsMetadata: true): if delay > 0 { WorkerThread.pause(milliseconds: delay) }
      case .files: break
      }
    }
  }
}
