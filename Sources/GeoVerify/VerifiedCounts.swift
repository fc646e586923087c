/// What was checked, and how often.
public struct VerifiedCounts: Sendable, Hashable {
  /// Folders whose features were written anew and compared.
  public var folders = 0
  /// Files whose features were written anew and compared.
  public var files = 0
  /// Nodes of these whose place follows from their path and the folders that are in the map.
  public var places = 0
  /// Files of these that are at one of two places, as folders that are not in the map may have their
  /// lot or not.
  public var openPlaces = 0
  /// How often a node was found strictly inside the land that holds it, on the decimals.
  public var containments = 0
  /// Pairs of neighbouring lands that were found apart, on the decimals.
  public var separations = 0
  /// Folders whose sub-folders were placed again from a shuffled listing.
  public var shuffles = 0
  /// Nodes whose zoom depends on entries that are not in the map.
  public var unknownZooms = 0
  /// Folders the number of whose entries is not that of those in the map.
  public var incompleteFolders = 0
  /// Whether the map says that a filter was given, or doesn't say that none was and is not whole.
  public var isPartial = false
  /// Whether a count of what was left out stands in the map, which nothing can confirm.
  public var hasExclusions = false

  /// Nodes that were checked.
  public var nodes: Int { folders + files }
}
