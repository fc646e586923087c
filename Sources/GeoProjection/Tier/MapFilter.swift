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

/// From which zoom on a node is visible.
package enum Minzoom {
  /// Stands for a zoom that only a listing could tell; no node has it.
  package static let unknown = UInt8.max

  /// The first zoom at which a folder is 8 pixels of a 512-pixel tile across.
  ///
  /// - Parameters:
  ///   - breadth: That of its territory, in units of the plan, above 0.
  ///   - depth: 0 for a root.
  ///   - parent: The parent's minzoom, 0 for a root.
  package static func folder(breadth: Int64, depth: Int32, parent: UInt8) -> UInt8 {
    max(UInt8(clamping: min(depth, 3)), parent, firstZoom(breadth: breadth, factor: 0))
  }

  /// The first zoom at which there is room for the files of a folder.
  ///
  /// - Parameters:
  ///   - breadth: That of the city, in units of the plan, above 0.
  ///   - crowd: How many files the city is reckoned with; less than 1 counts as 1.
  ///   - folder: The folder's own minzoom.
  package static func files(breadth: Int64, crowd: Int, folder: UInt8) -> UInt8 {
    max(3, folder, firstZoom(breadth: breadth, factor: ceilingOfLog4(crowd)))
  }

  /// How many files a city is reckoned with where others may live in lots: as many as it would have
  /// by its part of the core and that of the lots that are taken, and a quarter more, as lots are
  /// uneven.
  ///
  /// - Parameters:
  ///   - count: How many entries of the listing are no folders; beyond 2^53 it is 2^53.
  ///   - cityEighths: The city's part of the core, in eighths: 1 or 2.
  ///   - lotBits: How many cuts make the lots, 0 to 4.
  ///   - taken: How many lots sub-folders have.
  /// - Returns: At least 1.
  package static func crowd(files count: Int, cityEighths: Int, lotBits: Int, taken: Int) -> Int {
    // At most 53 bits times 5·8·16, which has 10.
    let shares = cityEighths << lotBits + (8 - cityEighths) * taken
    return max(1, (5 * min(max(count, 0), 1 << 53) * shares) >> (lotBits + 5))
  }

  /// The smallest zoom z with breadth·2^z ≥ 2^(56 + factor): 0 to 89.
  private static func firstZoom(breadth: Int64, factor: Int) -> UInt8 {
    UInt8(clamping: max(0, 57 + factor - (64 - breadth.leadingZeroBitCount)))
  }

  /// ⌈log4 count⌉, at most 32.
  private static func ceilingOfLog4(_ count: Int) -> Int {
    let bits = 64 - (max(count, 1) - 1).leadingZeroBitCount
    return (bits + 1) / 2
  }
}

/// The rank of a node on the map.
public enum NodeKind: UInt8, Sendable, CaseIterable {
  /// A root folder.
  case continent
  /// A sub-folder of a root.
  case country
  /// A sub-folder of a country.
  case state
  /// Every folder below a state.
  case district
  /// A file: a point of interest.
  case poi

  /// The rank of a folder.
  ///
  /// - Parameter depth: 0 for a root, 1 for its sub-folders, and so on.
  public init(folderAtDepth depth: Int) {
    self = NodeKind(rawValue: UInt8(clamping: min(max(depth, 0), 3))) ?? .district
  }
}
