import Foundation
import GeoTree
import TestSupport
import Testing

/// A scan whose reader is slow or stops.
@Suite(.serialized) struct BackpressureTests {
  /// Folders with a mebibyte of output each, so that few may be read ahead.
  private static let script = RecordingVisitor.Script(weight: 1 << 20)
  private static let folders = 300

  private func makeTree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for index in 0..<Self.folders { try folder.makeFolder("d\(index)/in") }
    return folder
  }

  private func root(_ folder: TemporaryFolder) -> [ScanRoot] {
    [ScanRoot(label: Array("r".utf8), directory: Array(folder.path.utf8))]
  }

  /// Waits until a value no longer changes. If the wait is too short, tests still don't fail.
  private func settled(_ value: () async throws -> Int) async throws -> Int {
    var last = -1
    var same = 0
    while same < 10 {
      let now = try await value()
      same = now == last ? same + 1 : 0
      last = now
      try await Task.sleep(for: .milliseconds(10))
    }
    return last
  }

  /// The number of descriptors of this process that lead into a folder.
  private func openDescriptors(in folder: TemporaryFolder) throws -> Int {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return all.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      return target?.hasPrefix(folder.path) ?? false
    }
  }

  /// Waits until the threads have closed their descriptors, which can take a while on a busy
  /// machine.
  private func allIsClosed(in folder: TemporaryFolder) async throws -> Bool {
    try await eventually { try openDescriptors(in: folder) == 0 }
  }

  @Test(arguments: [1, 2, 8]) func aSlowReaderSlowsTheScan(threads: Int) async throws {
    let folder = try makeTree()
    let scanner = FileSystemScanner(options: .threads(threads))
    let batches = try await scanner.scan(root(folder), plan: NoPlan()) {
      RecordingVisitor(Self.script)
    }
    var iterator = batches.makeAsyncIterator()
    var seen: [Sighting] = []
    for _ in 0..<3 { seen += try await iterator.next()?.content ?? [] }
    let opened = try await settled { await scanner.openedFolders }
    // At most three times the headroom, which is a mebibyte plus some for each thread, and the
    // current folders.
    #expect(opened < 20 + 4 * threads, "\(opened) folders were read ahead of a reader that waits")
    while let batch = try await iterator.next() { seen += batch.content }
    #expect(seen.count == 1 + 2 * Self.folders)
    #expect(await scanner.openedFolders == 1 + 2 * Self.folders)
  }

  @Test(arguments: [1, 3]) func cancellingClosesEverything(threads: Int) async throws {
    let folder = try makeTree()
    let scanner = FileSystemScanner(options: .threads(threads))
    do {
      // The sequence is released here: if the task is cancelled while it isn't reading, only the
      // release ends the scan.
      let batches = try await scanner.scan(root(folder), plan: NoPlan()) {
        RecordingVisitor(Self.script)
      }
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        var count = 0
        for try await batch in batches {
          count += batch.content.count
          continuation.yield()
          if count > 5 { try await Patience.untilCancelled() }
        }
        return count
      }
      var signals = stream.makeAsyncIterator()
      await signals.next()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await allIsClosed(in: folder))
    #expect(await scanner.openedFolders < 2 * Self.folders)
  }

  @Test func cancellationClosesFoldersFirst() async throws {
    let folder = try makeTree()
    let scanner = FileSystemScanner(options: .threads(2))
    let batches = try await scanner.scan(root(folder), plan: NoPlan()) {
      RecordingVisitor(Self.script)
    }
    let open = try await Task {
      var iterator = batches.makeAsyncIterator()
      _ = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        while try await iterator.next() != nil {}
      }
      return try openDescriptors(in: folder)
    }.value
    #expect(open == 0)
  }

  @Test func releasingTheBatchesEndsTheScan() async throws {
    let folder = try makeTree()
    let scanner = FileSystemScanner(options: .threads(2))
    do {
      let batches = try await scanner.scan(root(folder), plan: NoPlan()) {
        RecordingVisitor(Self.script)
      }
      for try await _ in batches { break }
    }
    #expect(try await allIsClosed(in: folder))
    #expect(await scanner.openedFolders < 2 * Self.folders)
  }

  @Test func scanWithoutRootsIsEmpty() async throws {
    #expect(try await scan([ScanRoot]()).seen.isEmpty)
  }
}
