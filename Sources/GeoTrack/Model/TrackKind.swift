/// What a line of points, or a point alone, is meant to be.
package enum TrackKind: String, Sendable, Hashable, CaseIterable {
  /// Where somebody was: `trk` of GPX, with segments.
  case track
  /// Where somebody wants to go: `rte` of GPX, one line.
  case route
  /// A place by itself: `wpt` of GPX.
  case waypoint
}
