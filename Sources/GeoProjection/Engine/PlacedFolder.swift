import GeoCore

/// A folder on the map with the places of its sub-folders and the land of its files.
///
/// It is made in one step, from a listing of the folder; everything that shows, draws or searches
/// what is in a folder takes its places from here.
package struct PlacedFolder: Sendable {
  package let place: FolderPlace
  package let city: City
  /// The places of its sub-folders, in the order of their names.
  package let folders: [FolderPlace]
  package let fileCount: Int
}

extension GeoProjectionEngine {
  /// `folders` are all sub-folders, shown or not; `fileCount` counts all entries of the listing that
  /// are not folders.
  ///
  /// - Complexity: O(n log n) for n sub-folders.
  package func contents(
    of place: FolderPlace, folders: NameTable, fileCount: Int
  ) -> PlacedFolder {
    var places: [FolderPlace] = []
    let city = placeFolders(folders, in: place, fileCount: fileCount, into: &places)
    return PlacedFolder(place: place, city: city, folders: places, fileCount: fileCount)
  }

  /// The places of sub-folders of a folder, for which its files don't count.
  package func places(of folders: NameTable, in place: FolderPlace) -> [FolderPlace] {
    contents(of: place, folders: folders, fileCount: 0).folders
  }

  package func tints(in folder: PlacedFolder) -> [UInt8] {
    tints(of: folder.folders, in: folder.place)
  }

  /// The ground of a folder's files before they are shown.
  package func towns(in folder: PlacedFolder) -> [TownGround] {
    towns(of: folder.city, in: folder.place, fileCount: folder.fileCount)
  }
}
