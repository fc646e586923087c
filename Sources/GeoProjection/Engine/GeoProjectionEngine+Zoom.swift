extension GeoProjectionEngine {
  /// The lowest zoom at which anything in a folder may be visible, whatever its listing says.
  ///
  /// - Complexity: O(lots): a microsecond.
  package func earliestZoom(in folder: FolderPlace) -> UInt8 {
    guard folder.isLanded else { return folder.minzoom }
    let ground = Ground(territory: folder.land, seed: folder.seed, depth: folder.depth)
    let files = Minzoom.files(
      breadth: ground.city.breadth, crowd: 1, folder: folder.minzoom)
    // Sub-folders have no more than a lot each, in layout `pinned` too.
    var widest: Int64 = 1
    for lot in ground.lots(seed: folder.seed, bits: ShareOut.lotBits(depth: folder.depth)) {
      widest = max(widest, Ground.territory(in: lot).greatestPartBreadth)
    }
    let folders = Minzoom.folder(
      breadth: widest, depth: folder.depth == .max ? .max : folder.depth + 1,
      parent: folder.minzoom)
    return min(files, folders)
  }
}
