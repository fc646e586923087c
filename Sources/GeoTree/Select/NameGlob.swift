import GeoCore

/// A case-insensitive (ASCII) glob for names.
package struct NameGlob: Sendable {
  private let glob: Glob

  /// Whether a word is a glob: it contains `*`, `?` or `[`.
  package static func isMeant(by word: some Sequence<UInt8>) -> Bool {
    word.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
  }

  /// Parses a glob.
  package init(_ pattern: some Sequence<UInt8>) throws(GlobError) {
    glob = try Glob(parsing: pattern, .plain, ignoresCase: true)
  }

  /// Whether a whole name matches.
  package func matches(_ name: Span<UInt8>) -> Bool { glob.matches(name) }
}
