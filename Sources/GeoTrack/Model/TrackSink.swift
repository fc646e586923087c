/// Takes a file of tracks in the order in which it is read: a filter, a writer, or one who measures.
///
/// A document begins, then come waypoints, routes and tracks in any order, then it ends. A route has
/// one segment. What a sink is handed is only lent: it is changed after the call.
package protocol TrackSink: ~Copyable {
  /// The document begins.
  mutating func begin(_ document: TrackDocument) throws(TrackError)

  /// A route or a track begins.
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError)

  /// A line of points begins.
  mutating func beginSegment() throws(TrackError)

  /// A point of the line.
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// A line of points ends.
  mutating func endSegment() throws(TrackError)

  /// A route or a track ends.
  mutating func endLine() throws(TrackError)

  /// A point that is in no line.
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// The document ends.
  ///
  /// - Parameter extensions: The element of that name that stands at its end, whole; else nothing.
  mutating func end(extensions: [UInt8]) throws(TrackError)
}
