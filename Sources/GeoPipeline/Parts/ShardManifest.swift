import GeoCore
import GeoFormats
import GeoProjection

/// Everything needed to map a part of a world without the rest of it.
///
/// A part is one or more folders (``places``) with everything in them, except sub-trees that were
/// cut out (``cuts``), which belong to other manifests of the set. The manifests of a set make up a
/// world.
public struct ShardManifest: Sendable, Hashable {
  /// The version of the text format, not of the projection.
  public static let version = 1

  /// A folder that is mapped with everything in it.
  public struct Place: Sendable, Hashable {
    /// The root's label, then names, joined by `/`.
    public var path: [UInt8]
    /// Its depth, seed, land, decimals and zoom; the land of a folder without land is the city in which
    /// it is drawn.
    public var folder: FolderPlace
    /// For a folder without land, the nearest ancestor with land: if that is hidden, so is the folder.
    /// Its zoom is not kept.
    public var ancestor: FolderPlace?
    /// The hash of its sub-folders' names; nil if it could not be listed.
    public var listing: UInt64?

    /// Creates a place.
    public init(
      path: [UInt8], folder: FolderPlace, ancestor: FolderPlace?, listing: UInt64?
    ) {
      self.path = path
      self.folder = folder
      self.ancestor = ancestor
      self.ancestor?.minzoom = 0
      self.listing = listing
    }
  }

  /// A folder between a place and a folder that was cut out.
  public struct Intermediate: Sendable, Hashable {
    /// The root's label, then names, joined by `/`.
    public var path: [UInt8]
    /// The hash of its sub-folders' names, which decide the places of those that were cut out.
    public var listing: UInt64

    /// Creates a folder with the hash of its listing.
    public init(path: [UInt8], listing: UInt64) {
      self.path = path
      self.listing = listing
    }
  }

  /// How sub-folders get their land.
  public var layout: Layout
  /// The labels of all roots of the world, in byte order.
  public var labels: [[UInt8]]
  /// The hash that the manifests of one split share.
  public var set: UInt64
  /// Its number in the set; 0 is the rest, from which the others were cut.
  public var number: Int
  /// The number of manifests in the set.
  public var count: Int
  /// The folders to map, in the order of the map.
  public var places: [Place]
  /// The folders between places and the folders that were cut out, in the order of the map.
  public var intermediates: [Intermediate]
  /// The paths of the folders that were cut out, in the order of the map.
  public var cuts: [[UInt8]]

  /// Creates a manifest.
  public init(
    layout: Layout, labels: [[UInt8]], set: UInt64 = 0, number: Int = 0, count: Int = 1,
    places: [Place], intermediates: [Intermediate] = [], cuts: [[UInt8]] = []
  ) {
    self.layout = layout
    self.labels = labels
    self.set = set
    self.number = number
    self.count = count
    self.places = places
    self.intermediates = intermediates
    self.cuts = cuts
  }
}

extension NameTable {
  /// A hash of the names of a sorted table.
  ///
  /// - Complexity: O(bytes).
  package var fingerprint: UInt64 {
    var hash = UInt64(count)
    for record in records {
      hash = XXH64.hash(bytes.span.extracting(record.range), seed: hash)
    }
    return hash
  }
}

extension ShardManifest {
  /// The maximum number of manifests in a set.
  package static let mostInSet = 10_001
  /// The maximum number of names in the path of a place.
  package static let deepest = 4096

  /// Refuses contents that no manifest has, so that its readers need no checks.
  func check() throws(ShardManifestError) {
    do throws(RootError) {
      try RootLabel.validate(labels.lazy.map { ($0, [UInt8(ascii: ".")]) })
    } catch {
      throw .malformed
    }
    let known = Set(labels)
    let paths = places.map(\.path)
    guard number < count, count <= Self.mostInSet, !places.isEmpty,
      zip(labels, labels.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
      places.allSatisfy({ $0.makesSense(among: known) }),
      Self.isOrdered(intermediates.map(\.path)), Self.areApart(paths), Self.areApart(cuts)
    else { throw .malformed }
    for path in intermediates.map(\.path) + cuts {
      if !Self.canBePath(path) { throw .malformed }
      if !paths.contains(where: { path.isPath(atOrBelow: $0) && path != $0 }) {
        throw .malformed
      }
    }
  }

  /// Whether a path has valid names, and is neither too long nor too deep.
  fileprivate static func canBePath(_ path: [UInt8]) -> Bool {
    let names = path.components
    return path.count <= NameRecord.longestName && names.count <= deepest
      && names.allSatisfy(EntryName.isValid)
  }

  /// Whether paths are in the order of the map, and none contains another.
  private static func areApart(_ paths: [[UInt8]]) -> Bool {
    isOrdered(paths)
      && !zip(paths, paths.dropFirst()).contains { $1.isPath(atOrBelow: $0) }
  }

  private static func isOrdered(_ paths: [[UInt8]]) -> Bool {
    zip(paths, paths.dropFirst()).allSatisfy { MapOrder.precedes($0, $1) }
  }
}

extension ShardManifest.Place {
  /// The path's names, the root's label first.
  package var names: [[UInt8]] {
    path.components.map { Array($0) }
  }

  fileprivate func makesSense(among labels: Set<[UInt8]>) -> Bool {
    let names = names
    guard let label = names.first, labels.contains(label),
      ShardManifest.canBePath(path),
      folder.depth == Int32(clamping: names.count - 1),
      Self.seed(of: names[...]) == folder.seed,
      (ancestor == nil) == folder.isLanded
    else { return false }
    let world: Range<Int64> = 0..<(1 << 62)
    return [folder, ancestor ?? folder].allSatisfy {
      $0.land.corners.allSatisfy(world.contains) && (!$0.isLanded || $0.land.isSpacious)
    }
      && (6...13).contains(folder.digits) && folder.minzoom <= 128
  }

  /// The seed of the folder at a path of names, the root's label first.
  static func seed(of names: ArraySlice<[UInt8]>) -> UInt64 {
    names.reduce(0) { XXH64.hash($1.span, seed: $0) }
  }
}

extension Quad {
  /// Whether it is large enough for a territory.
  fileprivate var isSpacious: Bool { breadth >= Ground.horizon }
}

/// Why a text is not a manifest, or not a part of a map.
public enum ShardManifestError: Error, Hashable, Sendable {
  /// It is another kind of text.
  case foreign
  /// It is incomplete.
  case cutShort
  /// Its checksum is wrong.
  case changed
  /// It is in another version of the format.
  case otherVersion
  /// It was made for another version of the projection.
  case otherProjection(version: Int64)
  /// Its checksum is right, but its contents are invalid.
  case malformed
}

extension ShardManifestError: CustomStringConvertible {
  /// The fault and its remedy, to follow the name of a file and "is".
  public var description: String {
    switch self {
    case .foreign: "not a file of geomapper"
    case .cutShort: "incomplete; make it again"
    case .changed: "changed: its checksum is wrong; make it again"
    case .otherVersion:
      "in another format version than \(ShardManifest.version); make it again"
    case .otherProjection(let version):
      "of projection \(version), not \(GeoProjectionEngine.version); make it again"
    case .malformed: "malformed, though its checksum is right; make it again"
    }
  }
}

/// The checksum at the end of a text.
///
/// It detects accidental changes and edits by hand. It is not a signature: anyone can compute it.
enum Checksum {
  /// Precedes the sum, as the last member of an object.
  static let head: StaticString = ",\"sum\":\""
  /// Follows the sum.
  static let tail: StaticString = "\"}\n"
  /// The number of bytes of the head, the sum and the tail.
  static var length: Int { head.utf8CodeUnitCount + 16 + tail.utf8CodeUnitCount }

  /// Whether a text ends with the checksum of the bytes before it.
  static func fits(_ text: Span<UInt8>) -> Bool {
    let body = text.extracting(droppingLast: length)
    var end = OutputBuffer(capacity: length)
    append(XXH64.hash(body, seed: 0), to: &end)
    return end.withBytes { $0.equals(text.extracting(last: length)) }
  }

  /// Adds the checksum, which ends the text.
  static func append(_ sum: UInt64, to buffer: inout OutputBuffer) {
    buffer.append(head)
    buffer.append(hex: sum)
    buffer.append(tail)
  }
}

extension OutputBuffer {
  /// Adds sixteen hexadecimal digits.
  mutating func append(hex number: UInt64) {
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 15)
      append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
