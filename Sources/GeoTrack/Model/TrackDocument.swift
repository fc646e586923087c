/// What a file of tracks says of itself before its first point.
package struct TrackDocument: Sendable {
  /// Which program wrote it, as UTF-8; empty if it doesn't say.
  package var creator: [UInt8] = []
  /// Prefixes of namespaces that its extensions are of, and the namespaces, as UTF-8.
  package var namespaces: [(prefix: [UInt8], name: [UInt8])] = []
  /// When it was made: Unix time in milliseconds; nil if it doesn't say.
  package var time: Int64?
  /// What stands in `metadata`, the time too, but not the bounds, which follow from the points.
  package var details = TrackDetails()

  /// A document that says nothing.
  package init() {}
}
