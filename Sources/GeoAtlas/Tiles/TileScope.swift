/// What of a world may be shown in a tile, or in any tile within it: where a walk through one of those
/// begins, so that what lies elsewhere is looked at once and not for every tile.
struct TileScope {
  /// A folder of which something may be shown.
  final class Entry {
    let folder: TileFolder
    /// Its sub-folders of which something may be shown; nil if nobody has looked.
    var children: [Child]?
    /// Its files that are in the tile; nil if nobody has looked.
    var files: [Int32]?

    init(_ folder: TileFolder) { self.folder = folder }

    /// Whether anything in the folder may be shown.
    var mayShowContents: Bool { files?.isEmpty != true || children?.isEmpty != true }
  }

  /// A sub-folder of which something may be shown.
  struct Child {
    /// Which one it is.
    let index: Int32
    /// What is known of it, if it came into sight.
    let entry: Entry?
  }

  var roots: [Entry] = []
  /// The first zoom at which something may come into sight that isn't shown yet; nil if nothing does.
  private(set) var next: Int?

  /// Takes account of something that may come into sight.
  mutating func expect(at zoom: Int) { next = min(next ?? zoom, zoom) }
}
