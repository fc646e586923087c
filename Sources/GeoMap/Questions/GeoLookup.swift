import Foundation
import GeoAtlas
import GeoCore
import GeoProjection
import GeoTree

/// A world that is asked about single paths and places.
///
/// An answer reads only the folders on the way to it, however large the world is. Listings are kept,
/// and believed for half a second before their folder is looked at again.
///
/// ```swift
/// let lookup = try GeoWorld(folder: URL(filePath: "/usr")).lookup()
/// if let node = lookup.node(at: "usr/bin") {
///   print(node.coordinate, lookup.contents(at: node.coordinate).files.map(\.node.path))
/// }
/// ```
///
/// Paths are those of the map: a root's label, then names, joined by `/`. They are looked up in
/// listings, a name at a time, so neither `..` nor a symbolic link leads anywhere. All calls may be
/// made from any thread; they wait for the disk, so they don't belong on the main actor.
public final class GeoLookup: Sendable {
  let world: World
  private let directories: [SharedDirectory]

  /// The labels of the roots, in the order of their bytes.
  public var labels: [[UInt8]] { world.roots.map(\.label) }
  /// The folders of the roots, in the same order.
  var folders: [URL] { directories.map(\.url) }
  /// How many folders have been read so far.
  public var folderReads: Int { world.folderReads }
  /// Bytes of listings that are kept now.
  public var keptBytes: Int { world.cacheCost }

  init(_ world: World, directories: [[UInt8]: SharedDirectory]) {
    self.world = world
    self.directories = world.roots.map { directories[$0.label] ?? .nowhere }
  }

  /// The node at a path; nil if there is none.
  ///
  /// Reads the listings of the folders above it, and of a folder its own too. The node is the one
  /// that ``GeoWorld/nodes()`` yields, without its totals and links.
  ///
  /// - Complexity: O(entries of the folders on the way), if none of them is kept.
  public func node(at path: [UInt8]) -> GeoNode? {
    guard let found = world.find(path) else { return nil }
    return node(found)
  }

  /// The folders that the node at a path is in, the root first; nil if there is no such node.
  public func ancestors(of path: [UInt8]) -> [GeoNode]? {
    guard let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  /// What is in a folder, in the order of the map: its files, then its sub-folders, both by the bytes
  /// of their names. It is nil if there is no such folder, and empty if it can't be listed.
  ///
  /// Reads the folder, and the listing of each sub-folder, for its size. What has vanished meanwhile
  /// is left out.
  public func children(of path: [UInt8]) -> [GeoNode]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let folder = found.folder
    let facts = found.reader.facts(of: folder.files, in: folder)
    var nodes: [GeoNode] = []
    for (index, facts) in facts.enumerated() where facts.status != .vanished {
      nodes.append(file(index, of: folder, facts))
    }
    for index in folder.places.indices {
      nodes.append(node(found.reader.child(index, of: folder)))
    }
    return nodes
  }

  /// The coast line of a folder as it is printed: a ring against the clock whose first place is
  /// repeated at its end. It is empty for a folder without land, and nil if there is no such folder.
  public func coastline(of path: [UInt8]) -> [GeoCoordinate]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let place = found.folder.place
    guard place.isLanded else { return [] }
    var ring: [Coordinate] = []
    world.engine.coastline(of: place, into: &ring)
    if let first = ring.first { ring.append(first) }
    return ring.map { GeoCoordinate($0, digits: place.digits) }
  }

  func node(_ found: World.Found) -> GeoNode? {
    guard let index = found.file else { return node(found.folder) }
    guard case .file(_, _, let facts) = world.node(found, asksFacts: true)?.body else { return nil }
    return file(index, of: found.folder, facts)
  }

  func node(_ folder: WorldFolder) -> GeoNode {
    GeoNode(folder, engine: world.engine, directory: directories[folder.root])
  }

  private func file(_ index: Int, of folder: WorldFolder, _ facts: EntryFacts) -> GeoNode {
    GeoNode(
      file: index, of: folder, facts: facts, engine: world.engine,
      directory: directories[folder.root])
  }
}
