/// The rank of a node on the map.
public enum NodeKind: UInt8, Sendable, CaseIterable {
  /// A root folder.
  case continent
  /// A sub-folder of a root.
  case country
  /// A sub-folder of a country.
  case state
  /// Every folder below a state.
  case district
  /// A file: a point of interest.
  case poi

  /// The rank of a folder.
  ///
  /// - Parameter depth: 0 for a root, 1 for its sub-folders, and so on.
  public init(folderAtDepth depth: Int) {
    self = NodeKind(rawValue: UInt8(clamping: min(max(depth, 0), 3))) ?? .district
  }
}
