/// How the sub-folders of a folder come by their land.
public enum Layout: String, Sendable, CaseIterable {
  /// Siblings share the land out among themselves: nothing overlaps, at any depth.
  case settled
  /// A path alone decides its place: siblings whose names hash alike overlap.
  case pinned
}
