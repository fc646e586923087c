import GeoChange
import GeoCore
import GeoFormats
import GeoProjection
import GeoTree
import GeoSystem

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
  /// Whether a node becomes visible at this zoom.
  private(set) var showsNew = false
  /// Whether all tiles within this one down to ``uniformZoom`` show the same.
  private(set) var isUniform: Bool

  let world: World
  let reader: WorldReader
  let tile: TileAddress
  let isTracking: Bool
  /// The maximum zoom for ``isUniform``.
  private let uniformZoom: Int
  private let totals: TreeTotals?
  private let changes: ChangeTree?
  private let isUnwanted: () -> Bool
  private let reach: TileReach
  private let files: TileFiles

  /// - Parameters:
  ///   - isTracking: Whether it collects ``scope`` for the tiles within this one.
  ///   - uniformZoom: The maximum zoom for ``isUniform``; used only if it is tracking.
  ///   - isUnwanted: Called before each folder; if it returns true, the walk is cancelled.
  init(
    _ tile: TileAddress, of world: World, by reader: WorldReader? = nil,
    isTracking: Bool = false, uniformZoom: Int = 0, totals: TreeTotals? = nil,
    changes: ChangeTree? = nil, isUnwanted: @escaping () -> Bool
  ) {
    self.totals = totals
    self.changes = changes
    self.world = world
    self.reader = reader ?? world.reader()
    self.tile = tile
    self.isTracking = isTracking
    self.uniformZoom = uniformZoom
    isUniform = isTracking && tile.zoom < uniformZoom
    self.isUnwanted = isUnwanted
    content = TileContent(tile, by: world.engine, layers: world.layers?.schema ?? .none)
    reach = TileReach(tile, world.engine)
    files = TileFiles(
      within: reach, of: world, by: self.reader, isTracking: isTracking, changes: changes)
  }

  mutating func run() {
    run(within: TileScope(of: world, totals: totals, changes: changes))
  }

  mutating func run(within outer: TileScope) {
    for root in outer.roots where reach.mayMeet(root.folder.place) {
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
      let coast = isTracking ? known.coast(by: world.engine) : nil
      let isSeen = content.draw(place, coast: coast)
      if isUniform, let coast { isUniform = content.isSameWithin(place, coast: coast) }
      if !isSeen {
        let path = known.path
        var node = node(of: known)
        node.tint = known.tint
        content.add(margin: node, at: place, path: path.span)
        // Its coast line is finer at deeper zooms, and may reach into the tile there.
        if isTracking, content.meetsCell(of: place) { return outline(entry) }
        return nil
      }
    }
    return show(entry, parent: parent)
  }

  private mutating func node(of known: TileFolder) -> TileContent.Node {
    var node = TileContent.Node(FeatureRecord(known.place))
    if let totals {
      totals.complete(&node.record, known.number)
      if world.layers != nil {
        node.cells = content.add(cells: totals.cells(of: known.number)[...])
      }
    }
    node.difference = content.add(difference: changes?.difference(ofFolder: known.changeNumber))
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
    let earliest = known.earliestZoom(by: world.engine)
    let reads = earliest <= tile.zoom && known.depth <= TileScope.maximumDepth
    let folder = reads ? known.read(by: reader) : nil
    if let folder { folders.append(folder) }
    var node = node(of: known)
    node.record.size = folder?.entries.map { Int64($0) }
    node.record.modified = folder?.modified
    node.record.isUnreadable = folder.map { $0.failure != nil } ?? false
    let (path, name) = (known.path, known.name)
    var isSeen = true
    if !world.selection.showsFolders {
      // Only files are shown.
    } else if place.isLanded {
      node.tint = known.tint
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
    guard let folder else {
      if known.depth <= TileScope.maximumDepth { scope.expect(at: earliest) }
      return isTracking ? entry : nil
    }
    let inner = addContents(of: folder, entry)
    // Of many folders without land on one ground, a tile shows few.
    return isSeen || inner?.mayShowContents ?? false ? inner : nil
  }

  private mutating func checkZoom(_ minzoom: UInt8) {
    if Int(minzoom) == tile.zoom { showsNew = true }
  }

  private mutating func addContents(
    of folder: WorldFolder, _ entry: TileScope.Entry
  ) -> TileScope.Entry? {
    let known = entry.folder
    let inner = isTracking ? TileScope.Entry(known) : nil
    var text: TileContent.Text?
    func pathText(_ content: inout TileContent) -> TileContent.Text {
      if let text { return text }
      let path = folder.path
      let added = content.add(text: path.span)
      text = added
      return added
    }
    if folder.files.isEmpty {
      inner?.files = []
    } else if reach.admits(folder.city.minzoom) {
      let shown = files.find(entry, in: folder, shownBy: content)
      if !shown.isEmpty {
        let isAny = files.add(shown, of: folder, known, pathText(&content), to: &content)
        if isAny { checkZoom(folder.city.minzoom) }
        isUniform = false
      }
      inner?.files = shown
    } else {
      if folder.place.isLanded, world.selection.showsFolders {
        files.addTowns(of: folder, known, to: &content)
      }
      if isTracking {
        // A smaller tile shows less of the ground.
        if reach.mayMeetFiles(of: folder, known) { isUniform = false }
        inner?.files = filesToCome(entry, in: folder)
      }
    }
    addFolders(of: folder, entry, into: inner, pathText)
    return inner
  }

  /// The files of a folder that become visible within the tile; nil if they aren't told apart yet.
  private mutating func filesToCome(
    _ entry: TileScope.Entry, in folder: WorldFolder
  ) -> [Int32]? {
    let files = reach.files(entry, of: folder)
    if files?.isEmpty != true { scope.expect(at: Int(folder.city.minzoom)) }
    return files
  }

  private mutating func addFolders(
    of folder: WorldFolder, _ entry: TileScope.Entry, into inner: TileScope.Entry?,
    _ pathText: (inout TileContent) -> TileContent.Text
  ) {
    let known = entry.folder
    inner?.children = []
    let count = entry.children?.count ?? folder.places.count
    for position in 0..<count {
      let child = entry.children?[position]
      let index = child.map { Int($0.index) } ?? position
      let place = folder.places[index]
      if !reach.admits(place.minzoom) {
        if isTracking, reach.mayMeet(place) {
          scope.expect(at: Int(place.minzoom))
          inner?.children?.append(TileScope.Child(index: Int32(index), entry: nil))
        }
        continue
      }
      if !reach.mayMeet(place) { continue }
      let next = child?.entry ?? self.entry(index, of: folder, known)
      let kept = enter(next, parent: place.isLanded ? nil : pathText(&content))
      if let kept { inner?.children?.append(TileScope.Child(index: Int32(index), entry: kept)) }
      if isCancelled { return }
    }
  }

  private func entry(_ index: Int, of folder: WorldFolder, _ known: TileFolder) -> TileScope.Entry {
    let number =
      totals.map {
        known.number < 0 ? TreeTotals.missing : known.numbers(in: $0, of: folder)[index]
      }
    let changeNumber =
      changes.map {
        known.changeNumber < 0
          ? ChangeTree.missing : known.numbers(in: $0, of: folder)[index]
      }
    return TileScope.Entry(
      TileFolder(
        index, of: folder, depth: known.depth + 1, number: number ?? TreeTotals.missing,
        changeNumber: changeNumber ?? ChangeTree.missing))
  }
}

// MARK: - Nodes of deeper zooms

extension TileWalk {
  /// The entry of a folder whose cell is shown, but not its land.
  ///
  /// Its coast line is finer at deeper zooms. Contents visible at this zoom are examined closely,
  /// others only roughly, as the zoom is known at which they are examined.
  private mutating func outline(_ entry: TileScope.Entry) -> TileScope.Entry? {
    let known = entry.folder
    let earliest = known.earliestZoom(by: world.engine)
    // The land itself may be visible at the next zoom.
    if earliest > tile.zoom {
      scope.expect(at: earliest)
      return entry
    }
    guard let folder = known.read(by: reader) else { return entry }
    let inner = TileScope.Entry(known)
    inner.children = []
    if !reach.admits(folder.city.minzoom) {
      inner.files = filesToCome(entry, in: folder)
    } else {
      let shown = files.find(entry, in: folder, shownBy: content)
      inner.files = shown
      if !shown.isEmpty { scope.expect(at: tile.zoom + 1) }
    }
    let count = entry.children?.count ?? folder.places.count
    for position in 0..<count {
      let child = entry.children?[position]
      let index = child.map { Int($0.index) } ?? position
      let place = folder.places[index]
      if !reach.mayMeet(place) { continue }
      if !reach.admits(place.minzoom) {
        scope.expect(at: Int(place.minzoom))
      } else if place.isLanded, content.meetsCell(of: place) {
        scope.expect(at: tile.zoom + 1)
      } else if place.isLanded {
        continue
      }
      inner.children?.append(TileScope.Child(index: Int32(index), entry: child?.entry))
    }
    return inner
  }
}
