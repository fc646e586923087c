import Foundation
import GeoMap

/// Writes the map of a folder as GeoJSON.
func save(_ folder: URL, to file: URL) async throws {
  try Data().write(to: file)
  let handle = try FileHandle(forWritingTo: file)
  defer { try? handle.close() }
  for try await chunk in try await GeoWorld(folder: folder).features() {
    try handle.write(contentsOf: chunk.bytes)
  }
}
