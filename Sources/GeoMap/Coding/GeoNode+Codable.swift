import Foundation
import GeoFormats
import GeoCore
import GeoProjection

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
