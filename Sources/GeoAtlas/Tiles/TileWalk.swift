import GeoFormats

/// Collects the contents of a tile, and reads only folders that are shown in it.
///
/// A walk through one tile begins with the roots. A walk through many tiles goes from each to those
/// within it, and begins with the folders that were met there (``TileScope``).
struct TileWalk {
  var content: TileContent
  /// The folders that were read, on which the tile depends.
  private(set) var folders: [WorldFolder] = []
  private(set) var isCancelled = false
  /// The folders that may be shown in the tiles within this one, if it is tracking.
  private(set) var scope = TileScope()
  private(set) var showsNew = false
  /// Whether all tiles within this one down to ``uniformZoom`` show the same.
  private(set) var isUniform: Bool

  let source: TileSource
  let reach: TileReach
  /// Whether it collects ``scope``, and the same folders follow in many tiles, so that computed data
  /// is kept.
  let isTracking: Bool
  private let uniformZoom: Int
  private let isUnwanted: () -> Bool

  var tile: TileAddress { reach.tile }
  var world: World { source.world }

  /// - Parameters:
  ///   - uniformZoom: The maximum zoom for ``isUniform``, to track; nil for a single tile.
  ///   - isUnwanted: Called before each folder; if it returns true, the walk is cancelled.
  init(
    _ tile: TileAddress, of source: TileSource, uniformZoom: Int? = nil,
    isUnwanted: @escaping () -> Bool = { false }
  ) {
    (self.source, self.isUnwanted) = (source, isUnwanted)
    isTracking = uniformZoom != nil
    self.uniformZoom = uniformZoom ?? 0
    isUniform = tile.zoom < self.uniformZoom
    let world = source.world
    content = TileContent(tile, by: world.engine, layers: world.layers?.schema ?? .none)
    reach = TileReach(tile, world.engine)
  }

  /// - Parameter roots: Those of the scope of a tile around it.
  mutating func run(from roots: [TileScope.Entry]) {
    for root in roots where reach.mayMeet(root.folder.place) {
      if let inner = enter(root, parent: nil) { scope.roots.append(inner) }
    }
    if let next = scope.next, next <= uniformZoom { isUniform = false }
  }

  /// Adds a nearby folder and its contents, if it is visible.
  ///
  /// Returns the entry for the tiles within this one; nil if they show nothing of it, or without
  /// tracking. `parent` is the path of the folder around it, if it has no land.
  private mutating func enter(
    _ entry: TileScope.Entry, parent: TileContent.Text?
  ) -> TileScope.Entry? {
    let known = entry.folder
    let place = known.place
    if isCancelled { return nil }
    if !reach.admits(place.minzoom) {
      scope.expect(at: Int(place.minzoom))
      return isTracking ? entry : nil
    }
    // If no folder is shown, its contents don't depend on its coast line either.
    if place.isLanded, world.selection.showsFolders {
      let coast = isTracking ? known.coast : nil
      let isSeen = content.draw(place, coast: coast)
      if isUniform, let coast { isUniform = content.isSameWithin(place, coast: coast) }
      if !isSeen {
        let path = known.address.path
        content.add(margin: node(of: known), at: place, path: path.span)
        // Its coast line is finer at deeper zooms, and may reach into the tile there.
        if isTracking, content.meetsCell(of: place) { return outline(entry) }
        return nil
      }
    }
    return show(entry, parent: parent)
  }

  private mutating func node(of known: TileFolder) -> TileContent.Node {
    var node = TileContent.Node(FeatureRecord(known.place))
    if let totals = source.known.totals {
      totals.complete(&node.record, known.numbers.total)
      if world.layers != nil {
        node.cells = content.add(cells: totals.cells(of: known.numbers.total)[...])
      }
    }
    node.difference = content.add(difference: source.known.difference(of: known.numbers))
    if known.place.isLanded, world.selection.showsFolders { node.tint = known.tint }
    return node
  }

  private mutating func show(
    _ entry: TileScope.Entry, parent: TileContent.Text?
  ) -> TileScope.Entry? {
    if isUnwanted() {
      isCancelled = true
      return nil
    }
    let known = entry.folder
    let place = known.place
    let isFollowed = known.depth <= TileScope.maximumDepth
    let contents = isFollowed && known.earliestZoom <= tile.zoom ? known.read() : nil
    let folder = contents?.listing
    if let folder { folders.append(folder) }
    var node = node(of: known)
    node.record.size = folder?.entries.map { Int64($0) }
    node.record.modified = folder?.modified
    node.record.isUnreadable = folder?.failure != nil
    let (path, name) = (known.address.path, known.name)
    var isSeen = true
    if !world.selection.showsFolders {
      // Only files are shown.
    } else if place.isLanded {
      let label = world.engine.chart(place.land.centre)
      content.add(land: node, at: place, label: label, path: path.span, name: name.span)
      if content.shows(label) { isUniform = false }
      checkZoom(place.minzoom)
    } else if let parent {
      let point = world.engine.chart(world.engine.planCentre(of: place))
      isSeen = content.shows(point)
      if isSeen {
        content.add(
          spot: node, at: point, digits: place.digits, folder: parent, name: name.span,
          isFile: false)
        isUniform = false
        checkZoom(place.minzoom)
      }
    }
    guard let contents else {
      if isFollowed { scope.expect(at: known.earliestZoom) }
      return isTracking ? entry : nil
    }
    let inner = add(contents, entry)
    // Of many folders without land on one ground, a tile shows few.
    return isSeen || inner?.mayShowContents ?? false ? inner : nil
  }

  private mutating func checkZoom(_ minzoom: UInt8) {
    if Int(minzoom) == tile.zoom { showsNew = true }
  }

  private mutating func add(
    _ contents: TileContents, _ entry: TileScope.Entry
  ) -> TileScope.Entry? {
    let folder = contents.listing
    let inner = isTracking ? TileScope.Entry(entry.folder) : nil
    var path: TileContent.Text?
    if folder.files.isEmpty {
      inner?.files = []
    } else if reach.admits(folder.city.minzoom) {
      let shown = findFiles(entry, in: contents)
      if !shown.isEmpty {
        if addFiles(shown, of: contents, text(of: folder, &path)) { checkZoom(folder.city.minzoom) }
        isUniform = false
      }
      inner?.files = shown
    } else {
      if folder.place.isLanded, world.selection.showsFolders { addTowns(of: contents) }
      if isTracking {
        // A smaller tile shows less of the ground.
        if reach.mayMeetFiles(of: contents) { isUniform = false }
        inner?.files = filesToCome(entry, in: contents)
      }
    }
    inner?.children = []
    for child in entry.children(in: folder) {
      let place = folder.places[Int(child.index)]
      if !reach.admits(place.minzoom) {
        if isTracking, reach.mayMeet(place) {
          scope.expect(at: Int(place.minzoom))
          inner?.children?.append(TileScope.Child(index: child.index, entry: nil))
        }
        continue
      }
      if !reach.mayMeet(place) { continue }
      let next = child.entry ?? contents.child(Int(child.index))
      let kept = enter(next, parent: place.isLanded ? nil : text(of: folder, &path))
      if let kept { inner?.children?.append(TileScope.Child(index: child.index, entry: kept)) }
      if isCancelled { break }
    }
    return inner
  }

  private mutating func text(
    of folder: WorldFolder, _ known: inout TileContent.Text?
  ) -> TileContent.Text {
    let path = folder.path
    let text = known ?? content.add(text: path.span)
    known = text
    return text
  }

  /// The files of a folder that become visible within the tile; nil if they aren't told apart yet.
  private mutating func filesToCome(
    _ entry: TileScope.Entry, in folder: TileContents
  ) -> [Int32]? {
    let files = reach.files(entry, of: folder)
    if files?.isEmpty != true { scope.expect(at: Int(folder.listing.city.minzoom)) }
    return files
  }

  /// The entry of a folder whose cell is shown, but not its land, for the tiles within this one.
  ///
  /// Its coast line is finer at deeper zooms. Contents visible at this zoom are examined closely,
  /// others only roughly, as the zoom is known at which they are examined.
  private mutating func outline(_ entry: TileScope.Entry) -> TileScope.Entry? {
    let known = entry.folder
    // The land itself may be visible at the next zoom.
    if known.earliestZoom > tile.zoom {
      scope.expect(at: known.earliestZoom)
      return entry
    }
    guard let contents = known.read() else { return entry }
    let folder = contents.listing
    let inner = TileScope.Entry(known)
    if !reach.admits(folder.city.minzoom) {
      inner.files = filesToCome(entry, in: contents)
    } else {
      let shown = findFiles(entry, in: contents)
      inner.files = shown
      if !shown.isEmpty { scope.expect(at: tile.zoom + 1) }
    }
    inner.children = entry.children(in: folder).filter { child in
      let place = folder.places[Int(child.index)]
      if !reach.mayMeet(place) { return false }
      if !reach.admits(place.minzoom) {
        scope.expect(at: Int(place.minzoom))
      } else if place.isLanded {
        if !content.meetsCell(of: place) { return false }
        scope.expect(at: tile.zoom + 1)
      }
      return true
    }
    return inner
  }
}
