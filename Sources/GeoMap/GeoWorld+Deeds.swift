import GeoPipeline

extension GeoWorld {
  /// The deed of one folder: all that is needed to place what is in it with no knowledge of the rest.
  ///
  /// Reads the listings of the folders above it, and its own.
  ///
  /// - Parameter path: The label of one of the roots, then names, joined by `/`: bytes, as in
  ///   ``GeoNode/rawPath``.
  /// - Throws: `MapError`, if there is no such folder or the roots can't be those of a world.
  public func deed(of path: [UInt8]) throws(MapError) -> Deed {
    if list != nil { throw .noLookup(because: .list) }
    return try Deed(of: path, in: try request().request.roots, layout: layout)
  }

  /// Splits the world into about so many deeds of similar work, and one for the rest.
  ///
  /// - Parameter number: How many deeds there are to be besides the rest, at least 1.
  /// - Throws: `MapError`, if the roots can't be those of a world.
  public func deeds(splitInto number: Int) throws(MapError) -> DeedSet {
    if list != nil { throw .noLookup(because: .list) }
    return try DeedSet(splitting: try request().request.roots, layout: layout, into: number)
  }
}
