import GeoChange
import GeoCore
import GeoProjection
import GeoTree
import GeoSystem

/// Collects what a tile shows, and reads only folders that are shown in it.
///
/// A walk through one tile begins with the roots. One through many tiles goes from each to those within
/// it, and begins with what was met there (``TileScope``).
struct TileWalk {
  /// The tile's nodes.
  var content: TileContent
  /// The folders that were read, and on which the tile depends.
  private(set) var folders: [WorldFolder] = []
  /// Whether it was broken off because nobody waits any more.
  private(set) var isCancelled = false
  /// What may be shown in the tiles within this one, if that is asked.
  private(set) var scope = TileScope()
  /// Whether a node comes into sight at this zoom.
  private(set) var showsNew = false
  /// Whether all tiles within this one down to ``uniformZoom`` show the same as it does.
  private(set) var isUniform: Bool

  let world: World
  let reader: WorldReader
  let tile: TileAddress
  /// Whether it is found out what may be shown in the tiles within this one.
  let isTracking: Bool
  /// Down to which zoom it is found out whether all tiles within this one are the same.
  private let uniformZoom: Int
  private let totals: TreeTotals?
  private let changes: ChangeTree?
  private let isUnwanted: () -> Bool
  private let reach: TileReach
  private let files: TileFiles

  /// - Parameters:
  ///   - reader: What reads the folders; nil for one of its own.
  ///   - isTracking: Whether it is found out what may be shown in the tiles within this one.
  ///   - uniformZoom: Down to which zoom it is found out whether all tiles within this one are the
  ///     same; only if it is tracking.
  ///   - totals: What is known of what is below folders.
  ///   - changes: What differs, in a world of two states.
  ///   - isUnwanted: Asked before each folder; once it is true, no more is read.
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
    content = TileContent(tile, by: world.engine)
    reach = TileReach(tile, world.engine)
    files = TileFiles(
      within: reach, of: world, by: self.reader, isTracking: isTracking, changes: changes)
  }

  /// Collects all of it.
  mutating func run() {
    run(within: TileScope(of: world, totals: totals, changes: changes))
  }

  /// Collects all of it, beginning with what may be shown in a tile around it, or in any.
  mutating func run(within outer: TileScope) {
    for root in outer.roots where reach.mayMeet(root.folder.place) {
      if let inner = enter(root, parent: nil) { scope.roots.append(inner) }
    }
    if let next = scope.next, next <= uniformZoom { isUniform = false }
  }

  /// Adds a folder that is near, if it is visible, and what is in it.
  ///
  /// - Parameter parent: The path of the folder that it is in, if it has no land.
  /// - Returns: What of it may be shown in the tiles within this one; nil if nothing, or nobody asks.
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
    if place.isLanded {
      let coast = isTracking ? known.coast(by: world.engine) : nil
      let isSeen = content.draw(place, coast: coast)
      if isUniform, let coast { isUniform = content.isSameWithin(place, coast: coast) }
      if !isSeen {
        if world.visibility.showsFolders {
          let path = known.path
          let difference = content.add(
            difference: changes?.difference(ofFolder: known.changeNumber))
          content.add(
            marginOf: place, path: path.span, below: totals?.below(known.number),
            difference: difference)
        }
        // Its coast line is finer at deeper zooms, and may reach into the tile there.
        if isTracking, content.meetsCell(of: place) { return outline(entry) }
        return nil
      }
    }
    return show(entry, parent: parent)
  }

  /// Adds a folder that is visible, and what is in it.
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
    let reads = earliest <= tile.zoom && known.depth <= TileScope.deepest
    let folder = reads ? known.read(by: reader) : nil
    if let folder { folders.append(folder) }
    var node = TileContent.Node(
      id: place.id, kind: place.kind, depth: Int(place.depth), minzoom: place.minzoom)
    node.size = folder?.entries.map { Int64($0) }
    node.modified = folder?.modified
    node.isUnreadable = folder.map { $0.failure != nil } ?? false
    node.below = totals?.below(known.number)
    node.difference = content.add(difference: changes?.difference(ofFolder: known.changeNumber))
    let (path, name) = (known.path, known.name)
    var isSeen = true
    if !world.visibility.showsFolders {
      // Only what is in them is shown.
    } else if place.isLanded {
      let label = world.engine.chart(place.land.centre)
      content.add(land: node, at: place, label: label, path: path.span, name: name.span)
      if content.shows(label) { isUniform = false }
      note(place.minzoom)
    } else if let parent {
      let point = world.engine.chart(world.engine.planCentre(of: place))
      isSeen = content.shows(point)
      if isSeen {
        content.add(
          spot: node, at: point, digits: place.digits, folder: parent, name: name.span,
          isFile: false)
        isUniform = false
        note(place.minzoom)
      }
    }
    guard let folder else {
      if known.depth <= TileScope.deepest { scope.expect(at: earliest) }
      return isTracking ? entry : nil
    }
    let inner = addContents(of: folder, entry)
    // Of many folders without land that stand on one ground, a tile shows few.
    return isSeen || inner?.mayShowContents ?? false ? inner : nil
  }

  private mutating func note(_ minzoom: UInt8) {
    if Int(minzoom) == tile.zoom { showsNew = true }
  }

  /// Adds what is in a folder.
  ///
  /// - Returns: What of it may be shown in the tiles within this one; nil if nobody asks.
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
    if folder.files.isEmpty || entry.files?.isEmpty ?? false {
      // Then nothing is built there.
      inner?.files = []
    } else if reach.admits(folder.city.minzoom) {
      let shown = files.find(entry, in: folder, shownBy: content)
      if !shown.isEmpty {
        let isAny = files.add(shown, of: folder, known, pathText(&content), to: &content)
        if isAny { note(folder.city.minzoom) }
        isUniform = false
      }
      inner?.files = shown
    } else {
      if folder.place.isLanded, world.visibility.showsFolders {
        files.addTowns(of: folder, known, to: &content)
      }
      if isTracking, reach.mayMeetFiles(of: folder, known) {
        // The finer the tile, the smaller the ground that it shows.
        isUniform = false
        scope.expect(at: Int(folder.city.minzoom))
      } else {
        inner?.files = []
      }
    }
    addFolders(of: folder, entry, into: inner, pathText)
    return inner
  }

  /// Adds the sub-folders of a folder.
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

  /// A sub-folder that comes into sight.
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

// MARK: - What may come into sight

extension TileWalk {
  /// What of a folder may come into sight although none of its land is shown, only its cell.
  ///
  /// Its coast line is finer at deeper zooms. What would be visible already is looked at closely, the
  /// rest only roughly, for the zoom is known at which it will be looked at.
  private mutating func outline(_ entry: TileScope.Entry) -> TileScope.Entry? {
    let known = entry.folder
    let earliest = known.earliestZoom(by: world.engine)
    // The land itself may be there at the next zoom.
    if earliest > tile.zoom {
      scope.expect(at: earliest)
      return entry
    }
    let folder = known.read(by: reader)
    let inner = TileScope.Entry(known)
    inner.files = entry.files
    inner.children = []
    if !reach.admits(folder.city.minzoom) {
      if reach.mayMeetFiles(of: folder, known) { scope.expect(at: Int(folder.city.minzoom)) }
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
