import GeoCore
import GeoProjection

extension World {
  /// The node at a path, by the listings of its ancestors and its own; nil if there is none.
  ///
  /// - Parameter asksFacts: Whether a file is asked for its size and time of change.
  package func node(at path: [UInt8], asksFacts: Bool = true) -> MapNode? {
    guard let found = find(path) else { return nil }
    return node(found, asksFacts: asksFacts)
  }

  /// The node that was found.
  package func node(_ found: Found, asksFacts: Bool) -> MapNode? {
    var ancestors = found.ancestors.map { MapNode.Ancestor(path: $0.path, place: $0.place) }
    let folder = found.folder
    if let index = found.file {
      let name = folder.files.name(at: index)
      let place = engine.placeFile(name.span, in: folder.city)
      var facts = EntryFacts(kind: folder.files.records[index].kind)
      if asksFacts {
        var names = NameTable()
        names.append(from: folder.files, at: index)
        facts = found.reader.facts(of: names, in: folder)[0]
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

  /// The node that a path would have, without anything being read; layout ``Layout/pinned`` only.
  ///
  /// - Parameters:
  ///   - path: The root's label and names; nothing need be there.
  ///   - isFolder: What is to be there.
  /// - Returns: nil if there is no such root, or the layout needs listings. What a listing would
  ///   have to tell is not known: minzooms of files and of folders without land.
  package func pinnedNode(at path: [UInt8], isFolder: Bool) -> MapNode? {
    let names = path.components
      .map { Array($0) }
    guard engine.layout == .pinned, let label = names.first,
      let root = roots.firstIndex(where: { $0.label == label }),
      names.count <= Self.deepest, names.allSatisfy(EntryName.isValid)
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
      var places: [FolderPlace] = []
      engine.placeFolders(
        NameTable([name], kind: .directory), in: place, fileCount: 0, into: &places)
      guard let next = places.first else { return nil }
      place = next
      if !place.isLanded { place.minzoom = Minzoom.unknown }
    }
    return MapNode(
      path: current, ancestors: ancestors,
      body: .folder(place, entries: nil, modified: nil, isUnreadable: false))
  }
}
