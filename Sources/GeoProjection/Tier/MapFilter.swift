/// Which nodes of a world are shown. It never changes where a node is.
public struct MapFilter: Sendable, Hashable {
  /// Only nodes that are visible at this zoom; nil for all.
  public var zoom: Int?
  /// Only nodes that meet this box; nil for all.
  public var box: BoundingBox?
  /// Only nodes down to this depth, 0 being the roots'; nil for all.
  public var maxDepth: Int?

  /// What becomes of a folder.
  public enum Verdict: Sendable, Hashable {
    /// It is left out, with all that is in it.
    case hidden
    /// It is shown, but what is in it is not.
    case shown
    /// It may have something in it that is shown; whether it is shown itself is said by
    /// ``MapFilter/shows(_:at:)``.
    case entered
  }

  /// A filter of the given parts.
  public init(zoom: Int? = nil, box: BoundingBox? = nil, maxDepth: Int? = nil) {
    self.zoom = zoom
    self.box = box
    self.maxDepth = maxDepth
  }

  /// Whether anything can be left out.
  public var isActive: Bool { zoom != nil || box != nil || maxDepth != nil }

  /// What becomes of a folder, by its place alone: it need not be read for it.
  ///
  /// - Parameter engine: Draws the coast line, if there is a box to compare it with.
  public func verdict(
    on folder: FolderPlace, by engine: GeoProjectionEngine, ring: inout [Coordinate]
  ) -> Verdict {
    guard admits(folder) else { return .hidden }
    if let box, folder.isLanded {
      // All that is in it lies within its coast line.
      engine.coastline(of: folder, into: &ring)
      if !box.meets(ring, digits: folder.digits) { return .hidden }
    }
    if let maxDepth, folder.depth >= maxDepth { return .shown }
    return .entered
  }

  /// Whether a folder that is not hidden is itself in the box.
  ///
  /// - Parameter coordinate: Its coordinate, which matters only if it is landless.
  public func shows(_ folder: FolderPlace, at coordinate: Coordinate) -> Bool {
    guard let box, !folder.isLanded else { return true }
    return box.meets(coordinate, digits: folder.digits)
  }

  /// Whether a folder may be shown, or anything in it, by zoom and depth alone.
  package func admits(_ folder: FolderPlace) -> Bool {
    admits(minzoom: folder.minzoom, depth: Int(folder.depth))
  }

  /// Whether any file in a city may be shown.
  ///
  /// - Parameter depth: The files', one more than their folder's.
  public func admits(_ city: City, depth: Int) -> Bool {
    admits(minzoom: city.minzoom, depth: depth)
  }

  /// Whether anything that comes into sight at a zoom may be shown.
  package func admits(minzoom: UInt8, depth: Int = 0) -> Bool {
    if let zoom, minzoom > zoom { return false }
    if let maxDepth, depth > maxDepth { return false }
    return true
  }
}
