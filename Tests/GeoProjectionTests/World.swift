import GeoCore
import GeoProjection
import TestSupport

/// A tree on the map: all its nodes, parents before children.
struct World {
  struct Node {
    /// The components of the path, the root's label first.
    var path: [[UInt8]]
    /// The index of the parent folder; −1 for a root.
    var parent: Int
    /// 0 for a root.
    var depth: Int
    /// Its place if it is a folder; nil for files.
    var folder: FolderPlace?
    var seed: UInt64
    /// Its place on the plan, before the chart.
    var plan: PlanPoint
    var coordinate: Coordinate
    var digits: UInt8
    var minzoom: UInt8
    /// The number of entries of a folder.
    var size: Int

    /// Whether it has land.
    var isLanded: Bool { folder?.isLanded ?? false }
  }

  let engine: GeoProjectionEngine
  private(set) var nodes: [Node] = []

  /// Projects a tree whose folders are the roots.
  init(_ layout: Layout, _ roots: Tree) throws {
    engine = try GeoProjectionEngine(
      layout: layout, labels: NameTable(roots.folders.map(\.name), kind: .directory))
    for (root, place) in zip(roots.folders, engine.roots) { add(root, place, path: [], parent: -1) }
  }

  private mutating func add(
    _ folder: Tree.Folder, _ place: FolderPlace, path: [[UInt8]], parent: Int
  ) {
    let index = nodes.count
    let path = path + [folder.name]
    let tree = folder.contents
    nodes.append(
      Node(
        path: path, parent: parent, depth: path.count - 1, folder: place, seed: place.seed,
        plan: engine.planCentre(of: place), coordinate: engine.coordinate(of: place),
        digits: place.digits, minzoom: place.minzoom,
        size: tree.files.count + tree.folders.count))

    var places: [FolderPlace] = []
    let city = engine.placeFolders(
      NameTable(tree.folders.map(\.name), kind: .directory), in: place,
      fileCount: tree.files.count, into: &places)
    var files: [FilePlace] = []
    var frames = FileFrames(of: city)
    engine.placeFiles(NameTable(tree.files), 0..<tree.files.count, in: city, into: &files)
    for (name, file) in zip(tree.files, files) {
      nodes.append(
        Node(
          path: path + [name], parent: index, depth: path.count, folder: nil, seed: file.seed,
          plan: frames.point(of: file.seed), coordinate: file.coordinate,
          digits: city.digits, minzoom: city.minzoom, size: 0))
    }

    for (child, place) in zip(tree.folders, places) {
      add(child, place, path: path, parent: index)
    }
  }

  /// The ring of a folder in degrees, after the chart.
  func ring(_ node: Node) -> [Coordinate] {
    var ring: [Coordinate] = []
    if let folder = node.folder { engine.coastline(of: folder, into: &ring) }
    return ring
  }

  /// The ring of a folder on the plan.
  func planRing(_ node: Node) -> [PlanPoint] {
    var ring: [PlanPoint] = []
    if let folder = node.folder { engine.planCoastline(of: folder, into: &ring) }
    return ring
  }
}
