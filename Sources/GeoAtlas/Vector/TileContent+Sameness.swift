import GeoProjection

extension TileContent {
  /// Whether all tiles within this one show as much of a folder's land and cell as this one does, which
  /// has drawn them last: all of the tile, or nothing.
  ///
  /// - Parameters:
  ///   - place: Where the folder is.
  ///   - coast: All vertices of its coast line, charted.
  /// - Complexity: O(vertices of the coast line).
  public mutating func isSameWithin(_ place: FolderPlace, coast: [PlanPoint]) -> Bool {
    guard let landShare = LandShaper.Share(of: ring, in: TileAddress.shown),
      let cellShare = LandShaper.Share(of: cell, in: TileAddress.shown)
    else { return false }
    // A root has no cell, which says where coast lines may get to.
    if place.depth > 0, landShare == .nothing, cellShare == .nothing { return true }
    return surroundings.share(of: place, coast: coast) == landShare
      && (place.depth == 0 || surroundings.shareOfCell(of: place) == cellShare)
  }
}
