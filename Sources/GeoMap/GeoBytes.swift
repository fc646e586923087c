import Foundation
import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

/// The bytes of a file as chunks, which are made while they are read.
///
/// A slow reader slows the making; a reader that stops ends it. The sequence can be read any number
/// of times, and makes the bytes anew each time.
public struct GeoBytes: AsyncSequence, Sendable {
  /// The scan leaves out the entry.
  private let start: @Sendable (TemporaryEntry?) -> Chunks.Iterator

  private typealias Chunks = MadeSequence<[UInt8], any Error>

  /// `make` makes all bytes, in pieces, on a thread of their own.
  init(_ make: @escaping @Sendable ((Span<UInt8>) throws -> Void) throws -> Void) {
    start = { _ in
      let queue = ByteQueue()
      do throws(Errno) {
        try WorkerThread.start(stackSize: 8 << 20) {
          queue.finish(Result { try make { try queue.put(Array(copying: $0)) } })
        }
      } catch {
        queue.finish(.failure(MapError.noThread(error)))
      }
      let reader = Reader(queue)
      return Chunks.Iterator { _ in try await reader.queue.next() }
    }
  }

  /// `report` makes what each chunk of a reading is reported to; `open` starts the scan, when the
  /// first chunk is read.
  init<Scan: AsyncSequence>(
    reporting report: @escaping @Sendable () -> (MapChunk) -> Void,
    _ open: @escaping @Sendable (TemporaryEntry?) async throws -> Scan
  ) where Scan.Element == MapChunk, Scan.AsyncIterator: SendableMetatype {
    start = { temporary in
      let note = report()
      var chunks: Scan.AsyncIterator?
      return Chunks.Iterator { actor in
        if chunks == nil { chunks = try await open(temporary).makeAsyncIterator() }
        while let chunk = try await chunks?.next(isolation: actor) {
          note(chunk)
          if chunk.count > 0 { return chunk.withBytes { Array(copying: $0) } }
        }
        return nil
      }
    }
  }

  /// Reads the bytes from the first on. Reading throws `GeoError` if the scan can't start or a
  /// scratch file can't be read, and `CancellationError` if the task was cancelled.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<[UInt8], any Error> { start(nil) }

  /// Ends the thread when the iterator is gone.
  fileprivate final class Reader: Sendable {
    let queue: ByteQueue

    init(_ queue: ByteQueue) { self.queue = queue }

    deinit { queue.leave() }
  }
}

/// Some chunks between a thread that makes them and a task that reads them.
private final class ByteQueue: @unchecked Sendable {
  // Sendable: the state is accessed only with the monitor's lock.
  private let monitor = Monitor()
  private var chunks: [[UInt8]] = []
  private var end: Result<Void, any Error>?
  private var hasLeft = false
  private var reader: CheckedContinuation<[UInt8]?, any Error>?

  private static let maximum = 4

  /// Waits while many others wait. Throws `CancellationError` if the reader has gone.
  func put(_ bytes: [UInt8]) throws {
    if bytes.isEmpty { return }
    let waiting = try monitor.withLock { () throws -> CheckedContinuation<[UInt8]?, any Error>? in
      while chunks.count >= Self.maximum, !hasLeft { monitor.wait() }
      if hasLeft { throw CancellationError() }
      if let reader {
        self.reader = nil
        return reader
      }
      chunks.append(bytes)
      return nil
    }
    waiting?.resume(returning: bytes)
  }

  func finish(_ result: Result<Void, any Error>) {
    let waiting = monitor.withLock {
      end = result
      defer { reader = nil }
      return reader
    }
    waiting?.resume(with: result.map { _ in nil as [UInt8]? })
  }

  /// Nil at the end. One reader at a time may wait.
  func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known = monitor.withLock { () -> Result<[UInt8]?, any Error>? in
          if hasLeft { return .failure(CancellationError()) }
          if !chunks.isEmpty {
            monitor.wakeAll()
            return .success(chunks.removeFirst())
          }
          if let end { return end.map { _ in nil as [UInt8]? } }
          reader = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      leave()
    }
  }

  func leave() {
    let waiting = monitor.withLock {
      hasLeft = true
      monitor.wakeAll()
      defer { reader = nil }
      return reader
    }
    waiting?.resume(throwing: CancellationError())
  }
}

/// A file that is written whole, or not at all.
struct GeoFile {
  private let path: [UInt8]
  private let draft: FileDraft

  init(_ url: URL) throws(Failure) {
    let path = try url.pathToWrite
    self.path = path
    draft = try rethrowing(FileDraft(path)) { Failure.unwritable(path, $0) }
  }

  /// A scan leaves it out.
  var temporary: TemporaryEntry {
    TemporaryEntry(
      name: draft.temporary, folder: draft.folder.identity,
      folderModified: draft.folder.modified, folderNanoseconds: draft.folder.modifiedNanoseconds)
  }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    try rethrowing(draft.write(bytes)) { Failure.unwritable(path, $0) }
  }

  func complete() throws(Failure) {
    try rethrowing(draft.complete()) { Failure.unwritable(path, $0) }
  }
}

extension GeoBytes {
  /// Writes all bytes into a file, which is replaced only on success. While it is written, it is left
  /// out of a tree that is read.
  ///
  /// - Throws: `GeoError`, and as reading the sequence.
  public func write(to url: URL) async throws {
    try await write(to: GeoFile(url))
  }

  func write(to file: GeoFile) async throws {
    var chunks = start(file.temporary)
    while let chunk = try await chunks.next() { try file.write(chunk.span) }
    try file.complete()
  }
}
