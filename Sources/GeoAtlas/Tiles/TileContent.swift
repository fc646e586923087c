import GeoCore
import GeoFormats
import GeoProjection

/// The contents of a tile: nodes with their texts, and the rings of those with land.
///
/// All texts are in one array, and all rings in another, so that a node needs no allocation.
package struct TileContent: Sendable {
  /// The properties that lands, margins and spots share.
  package struct Node: Sendable {
    package var record: FeatureRecord
    /// The tint of its land, 0 to 5; nil without land.
    package var tint: UInt8?
    /// The index in ``TileContent/differences``, as ``TileContent/add(difference:)`` returns it.
    package var difference: Int32?
    /// The start in ``TileContent/cells``, as ``TileContent/add(cells:)`` returns it.
    package var cells: Int32?

    package init(_ record: FeatureRecord) { self.record = record }
  }

  package struct Text: Sendable {
    var range: Range<Int>
    /// The range of the raw bytes, percent-encoded, if they are not UTF-8.
    var raw: Range<Int>?
  }

  struct Land: Sendable {
    var node: Node
    var path: Text
    var name: Text
    var ring: Range<Int>
    /// The outline of its cell; empty for a root, which is surrounded by sea.
    var cell: Range<Int>
    var label: PlanPoint
    var digits: UInt8
    var breadth: Double
  }

  /// A land of which only the strip around it is visible.
  struct Margin: Sendable {
    var node: Node
    var path: Text
    var cell: Range<Int>
    var breadth: Double
  }

  /// The ground of files that are not visible yet.
  struct Town: Sendable {
    var folder: Text
    var files: Int
    var minzoom: UInt8
    var ground: Range<Int>
  }

  struct Spot: Sendable {
    var node: Node
    var folder: Text
    var name: Text
    var place: PlanPoint
    var digits: UInt8
    var isFile: Bool
  }

  package let tile: TileAddress
  var lands: [Land] = []
  var margins: [Margin] = []
  var towns: [Town] = []
  var spots: [Spot] = []
  var points: [TilePoint] = []
  var texts: [UInt8] = []
  private(set) var differences: [NodeDifference] = []
  let layers: LayerSchema
  private(set) var cells: [LayerCell] = []
  private var shaper: LandShaper
  /// The ring and the cell drawn last.
  private(set) var ring: [TilePoint] = []
  private(set) var cell: [TilePoint] = []
  var surroundings: LandShaper

  package init(
    _ tile: TileAddress, by engine: GeoProjectionEngine, layers: LayerSchema = .none
  ) {
    self.tile = tile
    self.layers = layers
    shaper = LandShaper(tile, by: engine)
    surroundings = LandShaper(tile, by: engine, within: TileAddress.surroundings)
  }

  package var isEmpty: Bool { lands.isEmpty && margins.isEmpty && spots.isEmpty }
  package var hasFiles: Bool { spots.contains { $0.isFile } }

  /// Whether there is a point, of a file or a name, which no other tile shows at this position.
  package var hasPoints: Bool {
    !spots.isEmpty || lands.contains { TileAddress.proper.contains(tile.place(of: $0.label)) }
  }

  package var count: Int { lands.count + spots.count }

  package mutating func add(difference: NodeDifference?) -> Int32? {
    guard let difference else { return nil }
    differences.append(difference)
    return Int32(truncatingIfNeeded: differences.count - 1)
  }

  package mutating func add(cells: ArraySlice<LayerCell>) -> Int32? {
    guard cells.contains(where: \.isThere) else { return nil }
    self.cells += cells
    return Int32(truncatingIfNeeded: self.cells.count - cells.count)
  }

  func cells(of node: Node) -> ArraySlice<LayerCell>? {
    node.cells.map { cells[Int($0)..<(Int($0) + layers.layers.count)] }
  }

  func difference(of node: Node) -> NodeDifference? { node.difference.map { differences[Int($0)] } }

  func parts(of node: Node) -> FeatureParts? {
    FeatureParts(of: node.record.entry, difference(of: node))
  }

  package mutating func add(text bytes: Span<UInt8>) -> Text {
    let start = texts.count
    if bytes.isValidUTF8 {
      texts.append(copying: bytes)
      return Text(range: start..<texts.count)
    }
    texts += String(decoding: Array(copying: bytes), as: UTF8.self).utf8
    let end = texts.count
    PercentText.append(bytes, to: &texts)
    return Text(range: start..<end, raw: end..<texts.count)
  }

  /// Draws the land of a folder, which is added next.
  ///
  /// - Parameter coast: All vertices of its charted coast line, if known; else the needed ones are charted.
  /// - Returns: Whether any of it is visible; if not, some of the strip around it may be.
  package mutating func draw(_ place: FolderPlace, coast: [PlanPoint]? = nil) -> Bool {
    shaper.draw(place, coast: coast, into: &ring)
    // A root is surrounded by sea.
    if place.depth > 0 { shaper.drawCell(place, into: &cell) } else { cell.removeAll() }
    return !ring.isEmpty
  }

  /// Whether any of a folder's cell is visible; if not, nothing in the folder is.
  package mutating func meetsCell(of place: FolderPlace) -> Bool {
    shaper.drawCell(place, into: &cell)
    return !cell.isEmpty
  }

  /// Adds the visible part of the cell that was drawn last, whose land is not visible.
  package mutating func add(margin node: Node, at place: FolderPlace, path: Span<UInt8>) {
    if cell.isEmpty { return }
    margins.append(
      Margin(node: node, path: add(text: path), cell: keep(cell), breadth: Self.breadth(of: place)))
  }

  /// Adds the ground of files that are visible from `minzoom` on.
  package mutating func add(
    town ground: Quad, of path: Span<UInt8>, files: Int, from minzoom: UInt8
  ) {
    shaper.draw(outlineOf: ground, into: &cell)
    if cell.isEmpty { return }
    towns.append(
      Town(folder: add(text: path), files: files, minzoom: minzoom, ground: keep(cell)))
  }

  private mutating func keep(_ ring: [TilePoint]) -> Range<Int> {
    points += ring
    return (points.count - ring.count)..<points.count
  }

  private static func breadth(of place: FolderPlace) -> Double {
    Double(place.land.breadth) * 0x1p-62
  }

  package mutating func add(
    land node: Node, at place: FolderPlace, label: PlanPoint, path: Span<UInt8>,
    name: Span<UInt8>
  ) {
    lands.append(
      Land(
        node: node, path: add(text: path), name: add(text: name), ring: keep(ring),
        cell: keep(cell), label: label, digits: place.digits, breadth: Self.breadth(of: place)))
  }

  package func shows(_ place: PlanPoint) -> Bool {
    TileAddress.shown.contains(tile.place(of: place))
  }

  package mutating func add(
    spot node: Node, at place: PlanPoint, digits: UInt8, folder: Text, name: Span<UInt8>,
    isFile: Bool
  ) {
    spots.append(
      Spot(
        node: node, folder: folder, name: add(text: name), place: place, digits: digits,
        isFile: isFile))
  }
}

extension TileContent {
  /// Whether all tiles within this one show the same of the land and cell drawn last as this one:
  /// everything or nothing. O(vertices of `coast`).
  package mutating func isSameWithin(_ place: FolderPlace, coast: [PlanPoint]) -> Bool {
    guard let landShare = LandShaper.Share(of: ring, in: TileAddress.shown),
      let cellShare = LandShaper.Share(of: cell, in: TileAddress.shown)
    else { return false }
    // Coast lines stay within the cell; a root has none.
    if place.depth > 0, landShare == .nothing, cellShare == .nothing { return true }
    return surroundings.share(of: place, coast: coast) == landShare
      && (place.depth == 0 || surroundings.shareOfCell(of: place) == cellShare)
  }
}
