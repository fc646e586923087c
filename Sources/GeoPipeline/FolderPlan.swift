import GeoProjection

/// What the survey of a folder knows before its sub-folders are read: where they all are.
public final class FolderPlan: Sendable {
  /// Where the folder's files are.
  let city: City
  /// The depth of what is in the folder.
  let depth: Int
  /// The places of the sub-folders that are not hidden.
  let folders: [FolderPlace]

  init(city: City, depth: Int, folders: [FolderPlace]) {
    self.city = city
    self.depth = depth
    self.folders = folders
  }

  /// The plan of the folder that isn't anywhere, whose sub-folders are the roots.
  convenience init(roots: [FolderPlace]) {
    let origin = PlanPoint(x: 0, y: 0)
    let nowhere = City(
      folderSeed: 0, frame: Quad(origin, origin, origin, origin), digits: 6, minzoom: 0)
    self.init(city: nowhere, depth: 0, folders: roots)
  }
}
