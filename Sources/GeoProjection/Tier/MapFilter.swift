import GeoCore

/// Selects the nodes of a world to show. It never changes their places.
public struct MapFilter: Sendable, Hashable {
  /// Only nodes that are visible at this zoom; nil for all.
  public var zoom: Int?
  /// Only nodes that meet this box; nil for all.
  public var box: BoundingBox?
  /// Only nodes down to this depth, where roots have 0; nil for all.
  public var maximumDepth: Int?

  package enum Verdict: Sendable, Hashable {
    /// Leave it out with all its contents.
    case hidden
    /// Show it, but leave out its contents.
    case shown
    /// Its contents may be shown. ``MapFilter/shows(_:at:)`` decides about the folder itself.
    case entered
  }

  /// Creates a filter; nil means no limit.
  public init(zoom: Int? = nil, box: BoundingBox? = nil, maximumDepth: Int? = nil) {
    self.zoom = zoom
    self.box = box
    self.maximumDepth = maximumDepth
  }

  package var isActive: Bool { zoom != nil || box != nil || maximumDepth != nil }

  /// Decides about a folder by its place, without reading it.
  ///
  /// - Parameters:
  ///   - engine: Computes the coast line if there is a box to compare it with.
  ///   - ring: Memory for the coast line.
  package func verdict(
    on folder: FolderPlace, by engine: GeoProjectionEngine, ring: inout [Coordinate]
  ) -> Verdict {
    guard admits(folder) else { return .hidden }
    if let box, folder.isLanded {
      // The coast line encloses all of its contents.
      engine.coastline(of: folder, into: &ring)
      if !box.meets(ring, digits: folder.digits) { return .hidden }
    }
    if let maximumDepth, folder.depth >= maximumDepth { return .shown }
    return .entered
  }

  /// Whether a folder that is not hidden is itself in the box.
  ///
  /// - Parameter coordinate: Its coordinate, which is used only if it has no land.
  package func shows(_ folder: FolderPlace, at coordinate: Coordinate) -> Bool {
    guard let box, !folder.isLanded else { return true }
    return box.meets(coordinate, digits: folder.digits)
  }

  /// Whether zoom and depth allow a folder or any of its contents.
  package func admits(_ folder: FolderPlace) -> Bool {
    admits(minzoom: folder.minzoom, depth: Int(folder.depth))
  }

  /// Whether zoom and depth allow the files of a city.
  ///
  /// - Parameter depth: The depth of the files, one more than their folder's.
  package func admits(_ city: City, depth: Int) -> Bool {
    admits(minzoom: city.minzoom, depth: depth)
  }

  package func admits(minzoom: UInt8, depth: Int = 0) -> Bool {
    if let zoom, minzoom > zoom { return false }
    if let maximumDepth, depth > maximumDepth { return false }
    return true
  }
}

/// Computes the lowest zoom at which nodes are visible.
package enum Minzoom {
  /// Marks a zoom that needs a listing to be known; no node has it.
  package static let unknown = UInt8.max

  /// The first zoom at which a folder is at least 8 pixels of a 512-pixel tile across.
  ///
  /// - Parameters:
  ///   - breadth: The breadth of its territory, in units of the plan, above 0.
  ///   - depth: 0 for a root.
  package static func folder(breadth: Int64, depth: Int32, parent: UInt8) -> UInt8 {
    max(UInt8(clamping: min(depth, 3)), parent, firstZoom(breadth: breadth, factor: 0))
  }

  /// The first zoom at which there is room for the files of a folder.
  ///
  /// - Parameters:
  ///   - breadth: The breadth of the city, in units of the plan, above 0.
  ///   - crowd: The assumed number of files in the city; less than 1 counts as 1.
  package static func files(breadth: Int64, crowd: Int, folder: UInt8) -> UInt8 {
    max(3, folder, firstZoom(breadth: breadth, factor: ceilingOfLog4(crowd)))
  }

  /// The assumed number of files in a city when others may be in lots.
  ///
  /// It is the number for the city's part of the core and that of the taken lots, and a quarter
  /// more, because lots are uneven.
  ///
  /// - Returns: At least 1.
  package static func crowd(files count: Int, cityEighths: Int, lotBits: Int, taken: Int) -> Int {
    // Fits 64 bits: at most 53 bits times 5·8·16, which has 10.
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

/// The kind of a node on the map.
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

  /// The kind of a folder.
  ///
  /// - Parameter depth: 0 for a root, 1 for its sub-folders, and so on.
  package init(folderAtDepth depth: Int) {
    self = NodeKind(rawValue: UInt8(clamping: min(max(depth, 0), 3))) ?? .district
  }
}

/// A box of the map between two meridians and two parallels, including its edges.
///
/// If its western edge is east of its eastern one, it crosses the antimeridian, as in RFC 7946.
public struct BoundingBox: Sendable, Hashable {
  /// Degrees east of the western edge, −180 to 180.
  public let west: Double
  /// Degrees north of the southern edge, −90 to 90.
  public let south: Double
  /// Degrees east of the eastern edge, −180 to 180.
  public let east: Double
  /// Degrees north of the northern edge, not below ``south``.
  public let north: Double

  /// Makes a box from its edges in degrees.
  ///
  /// - Throws: `GeoError` if an edge is out of range or not a number, or south is above north.
  public init(west: Double, south: Double, east: Double, north: Double) throws {
    try self.init(edges: west, south, east, north)
  }

  private init(
    edges west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws(Fault) {
    if !(-180...180).contains(west) { throw .outOfRange(.west) }
    if !(-90...90).contains(south) { throw .outOfRange(.south) }
    if !(-180...180).contains(east) { throw .outOfRange(.east) }
    if !(-90...90).contains(north) { throw .outOfRange(.north) }
    if south > north { throw .southAboveNorth }
    self.init(uncheckedWest: west, south: south, east: east, north: north)
  }

  package init(uncheckedWest west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// Whether a point, as printed, is in the box.
  package func meets(_ point: Coordinate, digits: UInt8) -> Bool {
    let place = point.degrees(digits: digits)
    return meets(
      west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
  }

  /// Whether the bounding box of a ring, as printed, meets the box.
  ///
  /// - Parameter ring: At least one vertex.
  package func meets(_ ring: [Coordinate], digits: UInt8) -> Bool {
    guard let corners = Coordinate.corners(of: ring) else { return false }
    let southWest = corners.southWest.degrees(digits: digits)
    let northEast = corners.northEast.degrees(digits: digits)
    return meets(
      west: southWest.longitude, south: southWest.latitude,
      east: northEast.longitude, north: northEast.latitude)
  }

  private func meets(west x0: Double, south y0: Double, east x1: Double, north y1: Double) -> Bool {
    guard y0 <= north, y1 >= south else { return false }
    if west <= east { return x0 <= east && x1 >= west }
    return x1 >= west || x0 <= east
  }
}

extension BoundingBox {
  /// Parses `W,S,E,N`: decimal degrees without spaces; exponents are allowed.
  package init(parsing text: [UInt8]) throws(Fault) {
    let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.count != 4 { throw .wrongCount(text.isEmpty ? 0 : parts.count) }
    func number(_ index: Int, _ edge: Fault.Edge) throws(Fault) -> Double {
      guard let number = Self.number(parts[index]) else { throw .notANumber(edge) }
      return number
    }
    try self.init(
      edges: try number(0, .west), try number(1, .south),
      try number(2, .east), try number(3, .north))
  }

  package static func degrees(_ text: ArraySlice<UInt8>) -> Double? { number(text) }

  /// Parses a decimal number: an optional sign, digits with an optional point, and an optional
  /// exponent.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    func takeSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func takeDigits() -> Int {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    takeSign()
    var digits = takeDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += takeDigits()
    }
    if digits == 0 { return nil }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      takeSign()
      if takeDigits() == 0 { return nil }
    }
    // The grammar is checked here, because `Double` also accepts `nan`, `inf` and `0x`.
    return rest.isEmpty ? Double(String(decoding: text, as: UTF8.self)) : nil
  }
}

extension BoundingBox {
  /// Why edges, or a text, are not a bounding box.
  package enum Fault: Error, Hashable, Sendable {
    package enum Edge: String, Sendable {
      case west
      case south
      case east
      case north
    }

    /// The number of parts between commas, which must be four.
    case wrongCount(Int)
    case notANumber(Edge)
    /// A longitude is beyond ±180, or a latitude beyond ±90.
    case outOfRange(Edge)
    /// The southern edge is north of the northern one.
    case southAboveNorth
  }
}

extension BoundingBox.Fault: GeoError {
  package var group: ErrorGroup { .usage }

  /// The reason as a phrase that can follow a colon.
  package var description: String {
    switch self {
    case .wrongCount(let count):
      return "four numbers are needed (west, south, east, north), not \(count)"
    case .notANumber(let edge): return "\(edge.rawValue) is not a number"
    case .outOfRange(let edge):
      let limit = edge == .west || edge == .east ? 180 : 90
      return "\(edge.rawValue) must be from -\(limit) to \(limit)"
    case .southAboveNorth: return "south must not be above north"
    }
  }
}
