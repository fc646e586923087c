import Foundation
import GeoMap

/// Writes the map of a folder into a file, in the format that its name says.
func save(_ folder: URL, to file: URL) async throws {
  try await GeoWorld(folder: folder).write(to: file)
}
