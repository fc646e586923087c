import GeoChange
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

extension World {
  /// The box around all continents; nil without roots. Reads nothing.
  package var bounds: BoundingBox? {
    var ring: [Coordinate] = []
    let corners = engine.roots.flatMap { root -> [(longitude: Double, latitude: Double)] in
      engine.coastline(of: root, into: &ring)
      guard let (low, high) = Coordinate.corners(of: ring) else { return [] }
      return [low, high].map { $0.degrees(digits: root.digits) }
    }
    let (longitudes, latitudes) = (corners.map(\.longitude), corners.map(\.latitude))
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    return BoundingBox(uncheckedWest: west, south: south, east: east, north: north)
  }
}

extension World {
  package struct Found {
    /// The folders from the root down; the last one is the node or contains it.
    package var ancestors: [WorldFolder]
    /// The index of the file in the last folder; nil if the node is that folder.
    package var file: Int?
    package let reader: WorldReader

    package var folder: WorldFolder { ancestors[ancestors.count - 1] }
  }

  /// Finds the node at a path; nil if it doesn't exist.
  ///
  /// Reads only the listings of the folders on the path, and looks names up in them, so that
  /// neither `..` nor a symbolic link is followed.
  package func find(_ path: [UInt8]) -> Found? {
    let names = path.components
    let reader = reader()
    guard names.count <= Self.maximumDepth,
      var ancestors = folders(along: names.count > 1 ? names.dropLast() : names[...], by: reader)
    else { return nil }
    if names.count > 1 {
      let name = names[names.count - 1]
      let parent = ancestors[ancestors.count - 1]
      if let index = parent.folders.index(of: name.span) {
        ancestors.append(reader.child(index, of: parent))
      } else if let index = parent.files.index(of: name.span) {
        return Found(ancestors: ancestors, file: index, reader: reader)
      } else {
        return nil
      }
    }
    // If only files are shown, folders can't be found themselves.
    return selection.showsFolders ? Found(ancestors: ancestors, file: nil, reader: reader) : nil
  }

  package func folders(
    along names: ArraySlice<ArraySlice<UInt8>>, by reader: WorldReader
  ) -> [WorldFolder]? {
    guard let label = names.first,
      let root = roots.firstIndex(where: { $0.label.elementsEqual(label) })
    else { return nil }
    var folders = [reader.root(root)]
    folders.reserveCapacity(names.count + 1)
    for name in names.dropFirst() {
      let parent = folders[folders.count - 1]
      guard let index = parent.folders.index(of: name.span) else { return nil }
      folders.append(reader.child(index, of: parent))
    }
    return folders
  }

  /// Calls `body` with every folder, each before its contents, siblings in the order of their
  /// names.
  ///
  /// Memory holds the listings of the current path, and those in the world's cache.
  package func forEachFolder<Failure: Error>(
    _ body: (Found) throws(Failure) -> Void
  ) throws(Failure) {
    let reader = reader()
    for root in roots.indices {
      var stack = [(folder: reader.root(root), next: 0)]
      try body(Found(ancestors: [stack[0].folder], file: nil, reader: reader))
      while let (folder, next) = stack.last {
        guard next < folder.places.count, stack.count < Self.maximumDepth else {
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        stack.append((reader.child(next, of: folder), 0))
        try body(Found(ancestors: stack.map(\.folder), file: nil, reader: reader))
      }
    }
  }

  /// The absolute path of a node on this machine; nil if unknown. In a world of several states,
  /// `state` has the roots of one.
  package func file(of found: Found, in state: [ScanRoot]? = nil) -> [UInt8]? {
    let shown = roots[found.folder.root]
    // A single root may have another label in the union.
    let own = state?.count == 1 ? state?.first : state?.first { $0.label == shown.label }
    guard let root = state == nil ? shown : own, root.source.isLive else { return nil }
    var path = root.directory
    if path.first != .slash {
      guard let start = ThisProcess.workingDirectory else { return nil }
      path = start.appending(component: path)
    }
    while path.count > 1, path.last == .slash { path.removeLast() }
    for name in root.names { path.append(component: name) }
    path += found.folder.path.dropFirst(shown.label.count)
    if let file = found.file { path.append(component: found.folder.files.name(at: file)) }
    return path
  }
}

extension World {
  package func node(at path: [UInt8], asksFacts: Bool = true) -> MapNode? {
    find(path).flatMap { node($0, asksFacts: asksFacts) }
  }

  package func node(_ found: Found, asksFacts: Bool) -> MapNode? {
    var ancestors = found.ancestors.map { MapNode.Ancestor(path: $0.path, place: $0.place) }
    let folder = found.folder
    if let index = found.file {
      let name = folder.files.name(at: index)
      let place = engine.placeFile(name.span, in: folder.city)
      var facts = EntryFacts(kind: folder.files.records[index].kind)
      if asksFacts {
        facts = found.reader.facts(ofFile: index, in: folder)
        if facts.status == .vanished { return nil }
      }
      return MapNode(
        path: folder.path(of: name), ancestors: ancestors, body: .file(place, folder.city, facts))
    }
    ancestors.removeLast()
    return MapNode(
      path: folder.path, ancestors: ancestors,
      body: .folder(
        folder.place, entries: folder.entries, modified: folder.modified,
        isUnreadable: folder.failure != nil))
  }

  /// The node that a path would have, if it exists or not, without reading anything; layout
  /// ``Layout/pinned`` only. nil if there is no such root, or the layout needs listings. The minimum
  /// zooms of files and of folders without land are unknown.
  package func pinnedNode(at path: [UInt8], isFolder: Bool) -> MapNode? {
    let names = path.components.map { Array($0) }
    guard engine.layout == .pinned, let label = names.first,
      let root = roots.firstIndex(where: { $0.label == label }),
      names.count <= Self.maximumDepth, names.allSatisfy(EntryName.isValid)
    else { return nil }
    var place = engine.roots[root]
    var ancestors: [MapNode.Ancestor] = []
    var current = label
    for (position, name) in names.enumerated().dropFirst() {
      ancestors.append(MapNode.Ancestor(path: current, place: place))
      current.append(component: name)
      if position == names.count - 1, !isFolder {
        var city = engine.city(of: place, fileCount: 0)
        city.minzoom = Minzoom.unknown
        let facts = EntryFacts(status: .unasked)
        return MapNode(
          path: current, ancestors: ancestors,
          body: .file(engine.placeFile(name.span, in: city), city, facts))
      }
      let table = NameTable([name], kind: .directory)
      guard let next = engine.places(of: table, in: place).first else { return nil }
      place = next
      if !place.isLanded { place.minzoom = Minzoom.unknown }
    }
    return MapNode(
      path: current, ancestors: ancestors,
      body: .folder(place, entries: nil, modified: nil, isUnreadable: false))
  }
}

extension World {
  package struct Tile: Sendable {
    package let content: TileContent
    /// The folders that were read for it: while they are unchanged, the tile is too, except sizes
    /// and times of files.
    package let folders: [FolderStamp]
    /// Whether it lacks nothing that is there.
    package let isComplete: Bool

    init(_ walk: TileWalk) {
      content = walk.content
      isComplete = walk.source.reader.shared?.isComplete ?? true
      folders = walk.folders.map(\.stamp)
    }
  }

  /// Makes a tile by reading only folders whose contents it may show; nil if the work was cancelled.
  ///
  /// - Parameters:
  ///   - isUnwanted: Called before each folder; if it returns true, the work is cancelled.
  ///   - readsNothing: Whether the tile shows only what is known: lands without contents, and files
  ///     without sizes.
  package func tile(
    _ address: TileAddress, _ known: Knowledge = Knowledge(),
    readingNothing readsNothing: Bool = false,
    isUnwanted: @escaping @Sendable () -> Bool = { false }
  ) -> Tile? {
    let shared = SharedReads(self, readingNothing: readsNothing)
    while true {
      let source = TileSource(self, by: WorldReader(self, sharing: shared), known)
      var walk = TileWalk(address, of: source, isUnwanted: isUnwanted)
      walk.run(from: source.roots)
      if walk.isCancelled { return nil }
      if readsNothing || shared.isComplete { return Tile(walk) }
      shared.readMissing(isUnwanted: isUnwanted)
    }
  }
}
