import Foundation
import Synchronization
import TestSupport

/// A list in a file, which is removed with the value.
final class ListFile: Sendable {
  private static let folder: TemporaryFolder? = {
    // Static values are never deinitialized.
    atexit { ListFile.folder?.remove() }
    return try? TemporaryFolder()
  }()
  private static let number = Atomic<Int>(0)

  private let name: String
  private let folder: TemporaryFolder

  init(_ bytes: [UInt8]) throws {
    folder = try Self.folder ?? TemporaryFolder()
    name = "\(Self.number.add(1, ordering: .relaxed).newValue)"
    try folder.makeFile(bytes: Array(name.utf8), bytes)
  }

  deinit { unlink(folder(name)) }

  /// Its path.
  var path: [UInt8] { Array(folder(name).utf8) }
}
