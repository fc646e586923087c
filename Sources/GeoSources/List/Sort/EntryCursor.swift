import GeoCore

/// Reads entries that are no folders in the order of the map: by the rank of their folder, then by
/// name, then by where they stand in the list.
protocol EntryCursor {
  /// Goes to the next entry, at the beginning to the first.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() throws(ListError) -> Bool

  /// The rank of its folder.
  var rank: UInt32 { get }
  var facts: ListedFacts { get }
  /// Where in the list it is.
  var position: UInt64 { get }

  /// Whether its name is the one given.
  func isNamed(_ name: [UInt8]) -> Bool
  /// Puts the bytes of its name in the place of others.
  func copyName(to name: inout [UInt8])
}
