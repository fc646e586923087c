import GeoCore
import GeoSystem

/// A file or a pipe with a recording, read once from its beginning.
package final class RecordingInput: JSONInput {
  private let file: InputFile
  /// Why it could not be read on.
  private(set) var failure: Errno?

  private static let block = 64 << 10

  /// What a file holds from where it stands.
  package init(_ file: InputFile) { self.file = file }

  package func read(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(UnreadableJSON) -> Bool {
    do throws(Errno) {
      if let start = file.start {
        return try file.read(upTo: Self.block, at: start + offset, appendingTo: &bytes) > 0
      }
      return try file.read(upTo: Self.block, appendingTo: &bytes) > 0
    } catch {
      failure = error
      throw UnreadableJSON(error)
    }
  }
}
