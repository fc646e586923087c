import Foundation
import GeoCore
import GeoPipeline
import GeoProjection

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
