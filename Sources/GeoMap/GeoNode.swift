import Foundation
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree

/// A folder or a file on the map.
///
/// A node is a value; two nodes are equal if all that is known of them is.
public struct GeoNode: Identifiable, Hashable, Sendable {
  /// The hash of the node's path, 64 bits, which no other node of a world is likely to have.
  ///
  /// The `id` in the output of the tool is its upper 53 bits, which are exact in a JSON number.
  public let id: UInt64
  /// The root's label, then names, joined by `/`: the bytes that the file system gives.
  public let rawPath: [UInt8]
  /// Where it is: of a folder with land, a place in the middle of it.
  public let coordinate: GeoCoordinate
  /// Its rank on the map; every file is a point of interest.
  public let nodeType: NodeKind
  /// Bytes of a file, or the number of a folder's entries, whatever a filter leaves out; nil if that
  /// is not known.
  public let size: Int64?
  /// When it was changed, as Unix time in whole seconds; nil if that is not known.
  public let modified: Int64?
  /// 0 for a root, 1 for what is in it, and so on.
  public let depth: Int
  /// The first zoom of a web map at which it is visible.
  public let minzoom: Int
  /// What it is in the file system.
  public let entryKind: EntryKind
  /// Whether it owns land; if not it is a point.
  public let isLanded: Bool
  /// Whether its listing or its metadata could not be read.
  public let isUnreadable: Bool
  /// Whether it is one of its own ancestors, reached by a link, and therefore has no contents.
  public let isLoop: Bool
  /// How many names a file has; nil of a folder, and where nobody asked for it
  /// (`FileSystemScanner.Options.countsLinks`).
  public let links: Int?
  /// What is below a folder, if somebody asked for it (``GeoWorld/totals``) and it could be listed.
  public let totals: FolderTotals?

  /// The coast line of a folder with land, counter-clockwise and not closed; empty of anything else, and
  /// where nobody asked for it (``GeoWorld/outlines``).
  public let outline: [GeoCoordinate]

  let directory: SharedDirectory

  /// The path as text; what is no UTF-8 becomes U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }

  /// The last component of ``path``.
  public var name: String {
    String(decoding: rawPath.lastComponent, as: UTF8.self)
  }

  /// Where it is on disk.
  ///
  /// Foundation's URLs hold text: a name that is no UTF-8 can only be told by ``rawPath``.
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

  init(
    _ record: NodeBatch.Record, path: [UInt8], totals: FolderTotals?,
    outline: [GeoCoordinate] = [], directory: SharedDirectory
  ) {
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
    minzoom = Int(record.minzoom)
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

/// Where a root is; one object for all of its nodes.
final class SharedDirectory: Hashable, Sendable {
  let url: URL

  init(_ url: URL) { self.url = url.absoluteURL }

  static func == (a: SharedDirectory, b: SharedDirectory) -> Bool { a.url == b.url }

  func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

extension SharedDirectory {
  /// Stands in where a batch is asked for a root that it doesn't have.
  static let nowhere = SharedDirectory(URL(filePath: "/"))
}

/// A node encodes all that it knows under the names of its properties, ``GeoNode/path`` as text. A
/// path that is no UTF-8 is there a second time, as `rawPath`, in base 64 where the coder has no bytes.
///
/// The folder of the root is encoded too, as `root`, for ``GeoNode/fileURL``: an encoded node tells
/// where on a machine its tree lay.
extension GeoNode: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, path, rawPath, coordinate, nodeType, depth, minzoom, size, modified, entryKind
    case isLanded, isUnreadable, isLoop, links, totals, outline, root
  }

  /// Encodes the node.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let path = self.path
    try container.encode(id, forKey: .id)
    try container.encode(path, forKey: .path)
    if !path.utf8.elementsEqual(rawPath) { try container.encode(Data(rawPath), forKey: .rawPath) }
    try container.encode(coordinate, forKey: .coordinate)
    try container.encode(nodeType, forKey: .nodeType)
    try container.encode(depth, forKey: .depth)
    try container.encode(minzoom, forKey: .minzoom)
    try container.encodeIfPresent(size, forKey: .size)
    try container.encodeIfPresent(modified, forKey: .modified)
    try container.encode(entryKind, forKey: .entryKind)
    try container.encode(isLanded, forKey: .isLanded)
    try container.encode(isUnreadable, forKey: .isUnreadable)
    try container.encode(isLoop, forKey: .isLoop)
    try container.encodeIfPresent(links, forKey: .links)
    try container.encodeIfPresent(totals, forKey: .totals)
    if !outline.isEmpty { try container.encode(outline, forKey: .outline) }
    try container.encode(directory.url, forKey: .root)
  }

  /// Decodes a node.
  ///
  /// - Throws: `DecodingError`; also for a path that no node can have.
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
    nodeType = try container.decode(NodeKind.self, forKey: .nodeType)
    depth = try container.decode(Int.self, forKey: .depth)
    guard depth == names.count - 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .depth, in: container, debugDescription: "The path is not as deep.")
    }
    minzoom = try container.decode(Int.self, forKey: .minzoom)
    size = try container.decodeIfPresent(Int64.self, forKey: .size)
    modified = try container.decodeIfPresent(Int64.self, forKey: .modified)
    entryKind = try container.decode(EntryKind.self, forKey: .entryKind)
    isLanded = try container.decode(Bool.self, forKey: .isLanded)
    isUnreadable = try container.decode(Bool.self, forKey: .isUnreadable)
    isLoop = try container.decode(Bool.self, forKey: .isLoop)
    links = try container.decodeIfPresent(Int.self, forKey: .links)
    totals = try container.decodeIfPresent(FolderTotals.self, forKey: .totals)
    outline = try container.decodeIfPresent([GeoCoordinate].self, forKey: .outline) ?? []
    directory = SharedDirectory(try container.decode(URL.self, forKey: .root))
  }
}

/// A kind is encoded as the word that the map has for it: `continent`, …, `poi`.
extension NodeKind: Codable {
  /// Encodes the kind.
  public func encode(to encoder: any Encoder) throws { try encode(word: "\(text)", to: encoder) }

  /// Decodes a kind.
  ///
  /// - Throws: `DecodingError`; also for a word that is none of them.
  public init(from decoder: any Decoder) throws {
    self = try Self.allCases.decode(from: decoder) { "\($0.text)" }
  }
}

/// A kind is encoded as its name in Swift: `regular`, `directory`, `symlink`, ….
extension EntryKind: Codable {
  /// Encodes the kind.
  public func encode(to encoder: any Encoder) throws { try encode(word: "\(self)", to: encoder) }

  /// Decodes a kind.
  ///
  /// - Throws: `DecodingError`; also for a word that is none of them.
  public init(from decoder: any Decoder) throws {
    let all = (0...EntryKind.unknown.rawValue).compactMap(EntryKind.init(rawValue:))
    self = try all.decode(from: decoder) { "\($0)" }
  }
}

extension Encodable {
  fileprivate func encode(word: String, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}

extension Collection {
  /// The element of which the decoder has the word.
  fileprivate func decode(
    from decoder: any Decoder, word: (Element) -> String
  ) throws -> Element {
    let container = try decoder.singleValueContainer()
    let found = try container.decode(String.self)
    guard let element = first(where: { word($0) == found }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(found)' is no kind.")
    }
    return element
  }
}

/// Unix times in whole seconds, as file systems have them and the map tells them.
enum UnixTime {
  /// The second that a date is in; a date beyond 2^63 seconds of 1970 counts as the last there is.
  static func seconds(of date: Date) -> Int64 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    if let exact = Int64(exactly: seconds) { return exact }
    return seconds < 0 ? .min : .max
  }

  /// The beginning of a second.
  static func date(of seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension GeoNode {
  /// When it was changed, to the second; nil if that is not known.
  public var modificationDate: Date? { modified.map(UnixTime.date) }
}

extension Selection {
  /// The date after whose second a file must have been changed; ``newer`` as a `Date`.
  public var modifiedAfter: Date? {
    get { newer.map(UnixTime.date) }
    set { newer = newValue.map(UnixTime.seconds) }
  }

  /// The date before whose second a file must have been changed; ``older`` as a `Date`.
  public var modifiedBefore: Date? {
    get { older.map(UnixTime.date) }
    set { older = newValue.map(UnixTime.seconds) }
  }
}
