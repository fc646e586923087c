import GeoFormats
import Synchronization

/// Bytes that are filled by one thread, then only read.
final class ChunkStorage: @unchecked Sendable {
  // Sendable: whoever fills it lets go of it before it is read.
  var buffer: OutputBuffer

  init(capacity: Int) { buffer = OutputBuffer(capacity: max(1, capacity)) }

  init(_ buffer: consuming OutputBuffer) { self.buffer = buffer }
}

/// Buffers that were written and can be filled again.
final class ChunkPool: Sendable {
  /// What a scan delivers at once, and the run of files that it ends with, unless that is a long one.
  private static let capacity = 192 * 1024
  /// A buffer that grew beyond this for one huge run of files is let go.
  private static let largest = 1024 * 1024

  private let idle = Mutex<[ChunkStorage]>([])

  func take() -> ChunkStorage {
    idle.withLock { $0.popLast() } ?? ChunkStorage(capacity: Self.capacity)
  }

  func give(_ storage: ChunkStorage) {
    guard (Self.capacity...Self.largest).contains(storage.buffer.capacity) else { return }
    storage.buffer.removeAll()
    idle.withLock { if $0.count < 16 { $0.append(storage) } }
  }
}
