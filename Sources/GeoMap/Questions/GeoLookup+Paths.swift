import Foundation

// The questions about a path, for paths that are text and for files of this machine.

extension GeoLookup {
  /// The path on the map of a file or folder on this machine; nil if it is in no root.
  ///
  /// Links on the way are followed, as the system does; one at the end is not, for on a map a link is
  /// a file. Of several roots that hold it the nearest counts, and of those the first. Nothing need be
  /// there.
  public func path(of url: URL) -> [UInt8]? {
    guard url.isFileURL else { return nil }
    let names = Self.namedPath(url)
    var nearest: (label: [UInt8], rest: ArraySlice<String>)?
    for (label, folder) in zip(labels, folders) {
      // A root may be a link; what is in it is then found by where that leads, too.
      for above in [Self.realPath(folder), Self.namedPath(folder)] {
        guard names.starts(with: above) else { continue }
        let rest = names[above.count...]
        if nearest.map({ rest.count < $0.rest.count }) ?? true { nearest = (label, rest) }
      }
    }
    return nearest.map { $0.label + $0.rest.flatMap { [.slash] + Array($0.utf8) } }
  }

  /// The node at a path that is text; nil if there is none.
  public func node(at path: String) -> GeoNode? { node(at: Array(path.utf8)) }

  /// The node of a file or folder on this machine; nil if it is in no root or isn't there.
  public func node(at url: URL) -> GeoNode? { path(of: url).flatMap(node) }

  /// The folders that the node at a path is in, the root first; nil if there is no such node.
  public func ancestors(of path: String) -> [GeoNode]? { ancestors(of: Array(path.utf8)) }

  /// The folders that a file or folder on this machine is in, from its root on; nil if it is in no
  /// root or isn't there.
  public func ancestors(of url: URL) -> [GeoNode]? { path(of: url).flatMap(ancestors) }

  /// What is in a folder, its files first; nil if there is no such folder.
  public func children(of path: String) -> [GeoNode]? { children(of: Array(path.utf8)) }

  /// What is in a folder on this machine, files first; nil if it is in no root or is no folder.
  public func children(of url: URL) -> [GeoNode]? { path(of: url).flatMap(children) }

  /// The coast line of a folder, closed and against the clock; nil if there is no such folder.
  public func coastline(of path: String) -> [GeoCoordinate]? {
    coastline(of: Array(path.utf8))
  }

  /// The coast line of a folder on this machine; nil if it is in no root or is no folder.
  public func coastline(of url: URL) -> [GeoCoordinate]? { path(of: url).flatMap(coastline) }

  /// The way from one path to another; nil if one of them isn't there.
  public func route(from start: String, to end: String) -> GeoRoute? {
    route(from: Array(start.utf8), to: Array(end.utf8))
  }

  /// The way between two files or folders on this machine; nil if one of them is in no root or isn't
  /// there.
  public func route(from start: URL, to end: URL) -> GeoRoute? {
    guard let start = path(of: start), let end = path(of: end) else { return nil }
    return route(from: start, to: end)
  }

  /// The node that a path would have in layout `pinned`; nil in layout `settled`, or if there is no
  /// root of such a label.
  public func plannedNode(at path: String, isFolder: Bool) -> PlannedNode? {
    plannedNode(at: Array(path.utf8), isFolder: isFolder)
  }

  private static func realPath(_ url: URL) -> [String] {
    url.resolvingSymlinksInPath().standardizedFileURL.pathComponents
  }

  /// The path that leads there without a link, but for the last name.
  private static func namedPath(_ url: URL) -> [String] {
    let url = url.absoluteURL
    let name = url.lastPathComponent
    if name.isEmpty || name == "/" || name == "." || name == ".." { return realPath(url) }
    return realPath(url.deletingLastPathComponent()) + [name]
  }
}
