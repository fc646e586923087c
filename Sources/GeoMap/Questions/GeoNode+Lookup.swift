import GeoAtlas
import GeoCore
import GeoProjection

extension GeoNode {
  /// A folder that was looked up.
  init(_ folder: WorldFolder, engine: GeoProjectionEngine, directory: SharedDirectory) {
    let place = folder.place
    self.init(
      id: place.seed, rawPath: folder.path,
      coordinate: GeoCoordinate(engine.coordinate(of: place), digits: place.digits),
      nodeType: place.kind, size: folder.entries.map(Int64.init), modified: folder.modified,
      depth: Int(place.depth), minzoom: Int(place.minzoom), entryKind: .directory,
      isLanded: place.isLanded, isUnreadable: folder.failure != nil, directory: directory)
  }

  /// A file of a folder that was looked up.
  init(
    file index: Int, of folder: WorldFolder, facts: EntryFacts, engine: GeoProjectionEngine,
    directory: SharedDirectory
  ) {
    let name = folder.files.name(at: index)
    let place = engine.placeFile(name.span, in: folder.city)
    let isKnown = facts.status == .known
    let isSized = isKnown || facts.status == .sized
    self.init(
      id: place.seed, rawPath: folder.path(of: name),
      coordinate: GeoCoordinate(place.coordinate, digits: folder.city.digits), nodeType: .poi,
      size: isSized ? facts.size : nil, modified: isKnown ? facts.modified : nil,
      depth: Int(folder.place.depth) + 1, minzoom: Int(folder.city.minzoom), entryKind: facts.kind,
      isLanded: false, isUnreadable: facts.status == .unreadable, directory: directory)
  }

  private init(
    id: UInt64, rawPath: [UInt8], coordinate: GeoCoordinate, nodeType: NodeKind, size: Int64?,
    modified: Int64?, depth: Int, minzoom: Int, entryKind: EntryKind, isLanded: Bool,
    isUnreadable: Bool, directory: SharedDirectory
  ) {
    self.id = id
    self.rawPath = rawPath
    self.coordinate = coordinate
    self.nodeType = nodeType
    self.size = size
    self.modified = modified
    self.depth = depth
    self.minzoom = minzoom
    self.entryKind = entryKind
    self.isLanded = isLanded
    self.isUnreadable = isUnreadable
    isLoop = false
    links = nil
    totals = nil
    outline = []
    self.directory = directory
  }
}
