import GeoCore
import GeoFormats
import GeoProjection

/// What a tile shows: nodes with their texts, and the rings of those that own land.
///
/// Texts and rings lie one after the other in two arrays, so that a node is no allocation.
public struct TileContent: Sendable {
  /// What lands and spots have in common.
  public struct Node: Sendable {
    /// The node's 53-bit identifier.
    public var id: UInt64
    /// Its rank.
    public var kind: NodeKind
    /// 0 for a root.
    public var depth: Int
    /// The first zoom at which it is visible.
    public var minzoom: UInt8
    /// Bytes of a file, entries of a folder's listing; nil if that is not known.
    public var size: Int64?
    /// Unix time of the last change in whole seconds; nil if that is not known.
    public var modified: Int64?
    /// What it is, if it is neither a folder nor a regular file.
    public var special: EntryKind?
    /// Whether its listing or its metadata could not be read.
    public var isUnreadable = false

    /// What is below it, if that is known of a folder.
    public var below: Below?
    /// How it differs between two states, as ``TileContent/add(difference:)`` has kept it; nil if it
    /// doesn't, or the tile is of one state.
    public var difference: Difference?

    /// A node of which nothing more is known.
    public init(id: UInt64, kind: NodeKind, depth: Int, minzoom: UInt8) {
      self.id = id
      self.kind = kind
      self.depth = depth
      self.minzoom = minzoom
    }
  }

  /// What is below a folder.
  public struct Below: Sendable {
    /// Files, each once.
    public var files: Int64
    /// Bytes of them; nil if they are not known.
    public var bytes: Int64?
    /// Unix time of the last change of any; nil if it is not known.
    public var newest: Int64?
    /// What most of the bytes are; nil if there are none.
    public var type: StaticString?

    /// What is below a folder, of the given parts.
    public init(files: Int64, bytes: Int64?, newest: Int64?, type: StaticString?) {
      self.files = files
      self.bytes = bytes
      self.newest = newest
      self.type = type
    }
  }

  /// How a node differs, as it is kept in a content.
  public struct Difference: Sendable {
    /// Which of ``TileContent/differences`` it is.
    let index: Int32
  }

  /// A text that is kept in a content.
  public struct Text: Sendable {
    /// Where it lies in ``TileContent/texts``, as UTF-8.
    var range: Range<Int>
    /// The bytes that it stands for, percent-encoded, if they are no UTF-8.
    var raw: Range<Int>?
  }

  /// A folder that owns land.
  struct Land: Sendable {
    var node: Node
    var path: Text
    var name: Text
    var ring: Range<Int>
    /// The outline of its cell; empty for a root, whose neighbour is the sea.
    var cell: Range<Int>
    /// Where its label belongs.
    var label: PlanPoint
    var digits: UInt8
    var breadth: Double
  }

  /// A land of which no more than the strip around it is to be seen.
  struct Margin: Sendable {
    var id: UInt64
    var depth: Int
    var minzoom: UInt8
    var path: Text
    var cell: Range<Int>
    var breadth: Double
    var below: Below?
    var difference: Difference?
  }

  /// Ground on which files stand that are not to be seen yet.
  struct Town: Sendable {
    var folder: Text
    var files: Int
    /// The zoom from which the files are to be seen.
    var minzoom: UInt8
    var ground: Range<Int>
  }

  /// A node that is a point.
  struct Spot: Sendable {
    var node: Node
    var folder: Text
    var name: Text
    var place: PlanPoint
    var digits: UInt8
    /// Whether it is a file.
    var isFile: Bool
  }

  /// Which tile it is.
  public let tile: TileAddress
  var lands: [Land] = []
  var margins: [Margin] = []
  var towns: [Town] = []
  var spots: [Spot] = []
  var points: [TilePoint] = []
  var texts: [UInt8] = []
  /// How nodes differ: of most there is nothing to say.
  private(set) var differences: [NodeDifference] = []
  private var shaper: LandShaper
  /// What was drawn last.
  private(set) var ring: [TilePoint] = []
  private(set) var cell: [TilePoint] = []
  /// Draws what is around the tile, too.
  var surroundings: LandShaper

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - tile: Which tile.
  ///   - engine: Draws the coast lines.
  public init(_ tile: TileAddress, by engine: GeoProjectionEngine) {
    self.tile = tile
    shaper = LandShaper(tile, by: engine)
    surroundings = LandShaper(tile, by: engine, within: TileAddress.surroundings)
  }

  /// Whether there is nothing to see.
  public var isEmpty: Bool { lands.isEmpty && margins.isEmpty && spots.isEmpty }

  /// Whether any of the nodes is a file.
  public var hasFiles: Bool { spots.contains { $0.isFile } }

  /// Whether there is a point, of a file or of a name: at its place of the tile it is in no other tile.
  public var hasPoints: Bool {
    !spots.isEmpty || lands.contains { TileAddress.proper.contains(tile.place(of: $0.label)) }
  }

  /// How many nodes there are, those that lie in the buffer alone too.
  public var count: Int { lands.count + spots.count }

  /// Keeps how a node differs that is added next; nil if there is nothing to say.
  public mutating func add(difference: NodeDifference?) -> Difference? {
    guard let difference else { return nil }
    differences.append(difference)
    return Difference(index: Int32(truncatingIfNeeded: differences.count - 1))
  }

  /// How a node differs; nil if there is nothing to say.
  func difference(_ kept: Difference?) -> NodeDifference? {
    kept.map { differences[Int($0.index)] }
  }

  /// What a feature says of a node.
  func record(of node: Node) -> FeatureRecord {
    var record = FeatureRecord(
      id: node.id, kind: node.kind, depth: node.depth, minzoom: node.minzoom)
    record.size = node.size
    if let below = node.below {
      record.totals = FolderTotals(files: below.files, bytes: below.bytes, allocated: nil)
      record.newest = below.newest
      record.type = below.type
    }
    record.modified = node.modified
    record.entry = node.kind == .poi ? node.special ?? .regular : .directory
    record.parts = FeatureParts(of: record.entry, difference(node.difference))
    record.isUnreadable = node.isUnreadable
    return record
  }

  /// Keeps a text for the nodes that are added next.
  public mutating func add(text bytes: Span<UInt8>) -> Text {
    let start = texts.count
    if bytes.isValidUTF8 {
      unsafe bytes.withUnsafeBufferPointer { unsafe texts.append(contentsOf: $0) }
      return Text(range: start..<texts.count)
    }
    var index = 0
    while index < bytes.count {
      let step = bytes.utf8Step(at: index)
      if step.isValid {
        for position in index..<(index + step.length) { texts.append(bytes[position]) }
      } else {
        texts.append(contentsOf: [0xEF, 0xBF, 0xBD])
      }
      index += step.length
    }
    let end = texts.count
    PercentText.append(bytes, to: &texts)
    return Text(range: start..<end, raw: end..<texts.count)
  }

  /// Draws the land of a folder, for ``add(land:at:label:path:name:)`` to add it.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - coast: All vertices of its coast line, charted, if somebody has them; else those that are
  ///     needed are charted.
  /// - Returns: Whether any of it is to be seen; if not, there may be some of the strip around it,
  ///   for ``add(marginOf:path:below:difference:)`` to add.
  public mutating func draw(_ place: FolderPlace, coast: [PlanPoint]? = nil) -> Bool {
    shaper.draw(place, coast: coast, into: &ring)
    // A root's neighbour is the sea.
    if place.depth > 0 { shaper.drawCell(place, into: &cell) } else { cell.removeAll() }
    return !ring.isEmpty
  }

  /// Whether any of the cell of a folder is to be seen, as nothing in it is otherwise.
  public mutating func meetsCell(of place: FolderPlace) -> Bool {
    shaper.drawCell(place, into: &cell)
    return !cell.isEmpty
  }

  /// Adds what is to be seen of the cell of a folder that was drawn last, and whose land is not.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - path: Its path.
  ///   - below: What is below it, if that is known.
  ///   - difference: How it differs, if it does.
  public mutating func add(
    marginOf place: FolderPlace, path: Span<UInt8>, below: Below? = nil,
    difference: Difference? = nil
  ) {
    if cell.isEmpty { return }
    let start = points.count
    points.append(contentsOf: cell)
    let path = add(text: path)
    margins.append(
      Margin(
        id: place.id, depth: Int(place.depth), minzoom: place.minzoom, path: path,
        cell: start..<points.count, breadth: Self.breadth(of: place), below: below,
        difference: difference))
  }

  /// Adds the ground of a folder's files that are not to be seen yet.
  ///
  /// - Parameters:
  ///   - ground: Where they will be, on the plan.
  ///   - path: The folder's path.
  ///   - files: How many files there are.
  ///   - minzoom: The zoom from which they are to be seen.
  public mutating func add(
    town ground: Quad, of path: Span<UInt8>, files: Int, from minzoom: UInt8
  ) {
    shaper.draw(outlineOf: ground, into: &cell)
    if cell.isEmpty { return }
    let start = points.count
    points.append(contentsOf: cell)
    let folder = add(text: path)
    towns.append(
      Town(folder: folder, files: files, minzoom: minzoom, ground: start..<points.count))
  }

  private static func breadth(of place: FolderPlace) -> Double {
    Double(place.land.breadth) * 0x1p-62
  }

  /// Adds the folder whose land was drawn last.
  ///
  /// - Parameters:
  ///   - node: What is known of it.
  ///   - place: Where it is.
  ///   - label: Where its label belongs, charted.
  ///   - path: Its path.
  ///   - name: The last component of the path.
  public mutating func add(
    land node: Node, at place: FolderPlace, label: PlanPoint, path: Span<UInt8>,
    name: Span<UInt8>
  ) {
    let start = points.count
    points.append(contentsOf: ring)
    let end = points.count
    points.append(contentsOf: cell)
    let (path, name) = (add(text: path), add(text: name))
    lands.append(
      Land(
        node: node, path: path, name: name, ring: start..<end, cell: end..<points.count,
        label: label,
        digits: place.digits, breadth: Self.breadth(of: place)))
  }

  /// Whether a charted point is to be seen.
  public func shows(_ place: PlanPoint) -> Bool {
    TileAddress.shown.contains(tile.place(of: place))
  }

  /// Adds a node that is a point.
  ///
  /// - Parameters:
  ///   - node: What is known of it.
  ///   - place: Where it is, charted.
  ///   - digits: Decimals of its coordinate.
  ///   - folder: The path of its folder.
  ///   - name: Its name.
  ///   - isFile: Whether it is no folder.
  public mutating func add(
    spot node: Node, at place: PlanPoint, digits: UInt8, folder: Text, name: Span<UInt8>,
    isFile: Bool
  ) {
    let name = add(text: name)
    spots.append(
      Spot(
        node: node, folder: folder, name: name, place: place, digits: digits, isFile: isFile))
  }
}

extension TileContent {
  /// Whether all tiles within this one show as much of a folder's land and cell as this one does, which
  /// has drawn them last: all of the tile, or nothing.
  ///
  /// - Parameters:
  ///   - place: Where the folder is.
  ///   - coast: All vertices of its coast line, charted.
  /// - Complexity: O(vertices of the coast line).
  public mutating func isSameWithin(_ place: FolderPlace, coast: [PlanPoint]) -> Bool {
    guard let landShare = LandShaper.Share(of: ring, in: TileAddress.shown),
      let cellShare = LandShaper.Share(of: cell, in: TileAddress.shown)
    else { return false }
    // A root has no cell, which says where coast lines may get to.
    if place.depth > 0, landShare == .nothing, cellShare == .nothing { return true }
    return surroundings.share(of: place, coast: coast) == landShare
      && (place.depth == 0 || surroundings.shareOfCell(of: place) == cellShare)
  }
}
