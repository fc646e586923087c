import Foundation
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree

/// A folder or a file on the map.
///
/// Two nodes are equal if all their properties are.
public struct GeoNode: Identifiable, Hashable, Sendable {
  /// The 64-bit hash of the node's path, in practice unique in a world.
  ///
  /// Map files and tiles have ``featureID``.
  public let id: UInt64
  /// The path on the map: the root's label, then names, joined by `/`, as bytes of the file system.
  public let rawPath: [UInt8]
  /// The place on the map; of a folder with land, a place in its middle.
  public let coordinate: GeoCoordinate
  /// Its rank on the map; every file is a point of interest.
  public let nodeType: NodeKind
  /// The bytes of a file, or the number of a folder's entries before any filter; nil if unknown.
  public let size: Int64?
  /// In Unix seconds; nil if unknown.
  package let modified: Int64?
  /// The depth: 0 for a root, 1 for its contents, and so on.
  public let depth: Int
  /// The first zoom of a web map at which it is visible.
  public let minimumZoom: Int
  /// The kind of the entry in the file system.
  public let entryKind: EntryKind
  /// Whether it is a folder that owns land; otherwise it is a point.
  public let isLanded: Bool
  /// Whether its listing or its metadata could not be read.
  public let isUnreadable: Bool
  /// Whether it is a link to one of its own ancestors, and therefore has no contents.
  public let isLoop: Bool
  /// The number of hard links of a file; nil for folders, and unless
  /// ``GeoWorld/countsLinks`` is set.
  public let links: Int?
  /// The totals of a folder; nil unless ``GeoWorld/includesTotals`` is set and the folder could be listed.
  public let totals: FolderTotals?

  /// The coast line of a folder with land, counter-clockwise and not closed. It is empty for all
  /// other nodes, and unless ``GeoWorld/includesOutlines`` is set.
  public let outline: [GeoCoordinate]

  /// The values of ``GeoWorld/layers``, by the names of their members in map files: a layer's own, and
  /// of a folder `NAME_share` or `NAME_count`.
  public let values: [String: LayerValue]

  let directory: SharedDirectory

  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }

  /// The number of the node in map files and tiles: the upper 53 bits of ``id``, which are exact in
  /// a JSON number.
  public var featureID: UInt64 { id >> 11 }

  /// The last component of ``path``.
  public var name: String {
    String(decoding: rawPath.lastComponent, as: UTF8.self)
  }

  /// The location on disk.
  ///
  /// Foundation's URLs hold text: if a name is not UTF-8, use ``rawPath``.
  public var fileURL: URL {
    let below = rawPath.split(separator: .slash).dropFirst()
    var url = directory.url
    for (position, name) in below.enumerated() {
      url.append(
        component: String(decoding: name, as: UTF8.self),
        directoryHint: position + 1 == below.count && entryKind != .directory
          ? .notDirectory : .isDirectory)
    }
    return url
  }
}

extension GeoNode {
  init(
    _ record: NodeBatch.Record, path: [UInt8], totals: FolderTotals?,
    outline: [GeoCoordinate] = [], values: [String: LayerValue] = [:], directory: SharedDirectory
  ) {
    self.values = values
    id = record.seed
    rawPath = path
    coordinate = GeoCoordinate(record.coordinate, digits: record.digits)
    nodeType = record.kind
    let facts = record.facts
    let isFolder = facts.kind == .directory
    size =
      isFolder
      ? (facts.size < 0 ? nil : facts.size)
      : facts.status == .known || facts.status == .sized ? facts.size : nil
    modified = facts.status == .known ? facts.modified : nil
    depth = Int(record.depth)
    minimumZoom = Int(record.minzoom)
    entryKind = facts.kind
    isLanded = record.isLanded
    isUnreadable = facts.status == .unreadable
    isLoop = record.isLoop
    self.totals = totals
    self.outline = outline
    links = facts.links > 0 ? Int(facts.links) : nil
    self.directory = directory
  }
}

/// Shared by all nodes of a root.
final class SharedDirectory: Hashable, Sendable {
  let url: URL

  init(_ url: URL) { self.url = url.absoluteURL }

  static func == (a: SharedDirectory, b: SharedDirectory) -> Bool { a.url == b.url }

  func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

extension SharedDirectory {
  /// For a root that a batch doesn't know.
  static let nowhere = SharedDirectory(URL(filePath: "/"))
}

/// A node encodes all its properties under their names, ``GeoNode/path`` as text, and kinds as their
/// words: `continent`, …, `poi`; `regular`, `directory`, `symlink`, …. If a path is not
/// UTF-8, `rawPath` has its bytes (base 64 in JSON).
///
/// The URL of the root's folder is encoded as `root`, for ``GeoNode/fileURL``. So an encoded node
/// reveals where its tree was on the machine.
extension GeoNode: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, path, rawPath, coordinate, nodeType, depth, size, modified, entryKind
    case minimumZoom = "minzoom"
    case isLanded, isUnreadable, isLoop, links, totals, outline, values, root
  }

  /// Encodes the node.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let path = self.path
    try container.encode(id, forKey: .id)
    try container.encode(path, forKey: .path)
    if !path.utf8.elementsEqual(rawPath) { try container.encode(Data(rawPath), forKey: .rawPath) }
    try container.encode(coordinate, forKey: .coordinate)
    try container.encode("\(nodeType.text)", forKey: .nodeType)
    try container.encode(depth, forKey: .depth)
    try container.encode(minimumZoom, forKey: .minimumZoom)
    try container.encodeIfPresent(size, forKey: .size)
    try container.encodeIfPresent(modified, forKey: .modified)
    try container.encode("\(entryKind)", forKey: .entryKind)
    try container.encode(isLanded, forKey: .isLanded)
    try container.encode(isUnreadable, forKey: .isUnreadable)
    try container.encode(isLoop, forKey: .isLoop)
    try container.encodeIfPresent(links, forKey: .links)
    try container.encodeIfPresent(totals, forKey: .totals)
    if !outline.isEmpty { try container.encode(outline, forKey: .outline) }
    if !values.isEmpty { try container.encode(values, forKey: .values) }
    try container.encode(directory.url, forKey: .root)
  }

  /// Decodes a node.
  ///
  /// - Throws: `DecodingError`, for instance if the path is invalid or doesn't fit the depth.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UInt64.self, forKey: .id)
    let bytes = try container.decodeIfPresent(Data.self, forKey: .rawPath)
    rawPath =
      if let bytes { Array(bytes) } else {
        Array(try container.decode(String.self, forKey: .path).utf8)
      }
    let names = rawPath.components
    guard names.allSatisfy({ EntryName.isValid($0) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: bytes == nil ? .path : .rawPath, in: container,
        debugDescription: "A name is empty, too long, '.' or '..', or holds a zero.")
    }
    coordinate = try container.decode(GeoCoordinate.self, forKey: .coordinate)
    nodeType = try container.decode(NodeKind.allCases, forKey: .nodeType) { "\($0.text)" }
    depth = try container.decode(Int.self, forKey: .depth)
    guard depth == names.count - 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .depth, in: container, debugDescription: "The path is not as deep.")
    }
    minimumZoom = try container.decode(Int.self, forKey: .minimumZoom)
    size = try container.decodeIfPresent(Int64.self, forKey: .size)
    modified = try container.decodeIfPresent(Int64.self, forKey: .modified)
    let kinds = (0...EntryKind.unknown.rawValue).compactMap(EntryKind.init(rawValue:))
    entryKind = try container.decode(kinds, forKey: .entryKind) { "\($0)" }
    isLanded = try container.decode(Bool.self, forKey: .isLanded)
    isUnreadable = try container.decode(Bool.self, forKey: .isUnreadable)
    isLoop = try container.decode(Bool.self, forKey: .isLoop)
    links = try container.decodeIfPresent(Int.self, forKey: .links)
    totals = try container.decodeIfPresent(FolderTotals.self, forKey: .totals)
    outline = try container.decodeIfPresent([GeoCoordinate].self, forKey: .outline) ?? []
    values = try container.decodeIfPresent([String: LayerValue].self, forKey: .values) ?? [:]
    directory = SharedDirectory(try container.decode(URL.self, forKey: .root))
  }
}

extension KeyedDecodingContainer {
  fileprivate func decode<Kind>(
    _ kinds: some Sequence<Kind>, forKey key: Key, word: (Kind) -> String
  ) throws -> Kind {
    let found = try decode(String.self, forKey: key)
    guard let kind = kinds.first(where: { word($0) == found }) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "'\(found)' is no kind.")
    }
    return kind
  }
}

/// Unix times in whole seconds, the precision of the map.
enum UnixTime {
  /// Rounds down; dates beyond the range of 64-bit seconds are clamped.
  static func seconds(of date: Date) -> Int64 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    if let exact = Int64(exactly: seconds) { return exact }
    return seconds < 0 ? .min : .max
  }

  static func date(of seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension GeoNode {
  /// The modification time, to the second; nil if unknown.
  public var modificationDate: Date? { modified.map(UnixTime.date) }
}

extension Selection {
  /// Files must be modified after the second of this date; nil for any time.
  public var modifiedAfter: Date? {
    get { newer.map(UnixTime.date) }
    set { newer = newValue.map(UnixTime.seconds) }
  }

  /// Files must be modified before the second of this date; nil for any time.
  public var modifiedBefore: Date? {
    get { older.map(UnixTime.date) }
    set { older = newValue.map(UnixTime.seconds) }
  }
}

/// A batch of consecutive nodes of the map.
///
/// A batch holds compact records, and makes a ``GeoNode`` from one on access.
public struct GeoNodeBatch: RandomAccessCollection, Sendable {
  /// The entries that could not be read.
  public var faults: [ScanFault] { batch.faults }

  package var excluded: [ExclusionReason: Int] {
    Dictionary(uniqueKeysWithValues: batch.excluded.reasons.map { ($0, batch.excluded[$0]) })
  }

  private let batch: NodeBatch
  private let directories: [[UInt8]: SharedDirectory]

  init(_ batch: NodeBatch, directories: [[UInt8]: SharedDirectory]) {
    self.batch = batch
    self.directories = directories
  }

  /// The position of the first node.
  public var startIndex: Int { 0 }

  /// The position after the last node.
  public var endIndex: Int { batch.records.count }

  /// The node at a position.
  ///
  /// - Complexity: O(length of its path).
  public subscript(position: Int) -> GeoNode {
    let record = batch.records[position]
    let path = batch.path(of: record)
    let label = Array(path.firstComponent)
    return GeoNode(
      record, path: path, totals: batch.totals(of: record),
      outline: batch.outline(of: record).map { GeoCoordinate($0, digits: record.digits) },
      values: batch.values(of: record), directory: directories[label] ?? .nowhere)
  }
}
