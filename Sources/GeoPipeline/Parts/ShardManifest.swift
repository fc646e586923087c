import GeoCore
import GeoFormats
import GeoProjection

/// All that is needed to map a part of a world with no knowledge of the rest of it.
///
/// A part is what is in one or more folders (``places``), but for sub-trees that were cut out of
/// them (``cuts``), which belong to other manifests of the same set. The manifests of a set make up a world.
public struct ShardManifest: Sendable, Hashable {
  /// The version of the text, not of the projection.
  public static let version = 1

  /// A folder that is mapped with all that is in it.
  public struct Place: Sendable, Hashable {
    /// The root's label, then names, joined by `/`.
    public var path: [UInt8]
    /// Where it is: its depth, seed, land, decimals and zoom; of a folder without land the city that
    /// takes it in.
    public var folder: FolderPlace
    /// Of a folder without land, the nearest one above it that has some: where that is hidden, this
    /// is, too. Its zoom is not kept.
    public var ancestor: FolderPlace?
    /// The hash of its sub-folders' names; nil if it could not be listed.
    public var listing: UInt64?

    /// A place of the given parts.
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

  /// A folder below a place, on the way to what was cut out.
  public struct Intermediate: Sendable, Hashable {
    /// The root's label, then names, joined by `/`.
    public var path: [UInt8]
    /// The hash of its sub-folders' names, which say where those are that were cut out.
    public var listing: UInt64

    /// A way of the given parts.
    public init(path: [UInt8], listing: UInt64) {
      self.path = path
      self.listing = listing
    }
  }

  /// How sub-folders come by their land.
  public var layout: Layout
  /// The labels of all roots of the world, in byte order.
  public var labels: [[UInt8]]
  /// What the manifests of one split have in common, and no others.
  public var set: UInt64
  /// Which of its set it is, from 0 on; 0 is the rest, from which the others were cut.
  public var number: Int
  /// How many manifests there are in the set.
  public var count: Int
  /// The folders to map, in the order of the map.
  public var places: [Place]
  /// The folders between a place and what was cut out of it, in the order of the map.
  public var intermediates: [Intermediate]
  /// Paths of what was cut out, in the order of the map.
  public var cuts: [[UInt8]]

  /// A manifest of the given parts.
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
  /// A hash of the names of a sorted table, which tells one listing from another.
  ///
  /// - Complexity: O(bytes).
  public var fingerprint: UInt64 {
    var hash = UInt64(count)
    for record in records {
      hash = XXH64.hash(bytes.span.extracting(record.range), seed: hash)
    }
    return hash
  }
}

extension ShardManifest {
  /// How many manifests a set may have.
  public static let mostInSet = 10_001
  /// How many names the path of a place may have.
  public static let deepest = 4096

  /// Refuses what no manifest says, so that nothing that reads one has to provide for it.
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

  /// Whether a path is one of names, and neither too long nor too deep.
  fileprivate static func canBePath(_ path: [UInt8]) -> Bool {
    let names = path.components
    return path.count <= NameRecord.longestName && names.count <= deepest
      && names.allSatisfy(EntryName.isValid)
  }

  /// Whether paths are in the order of the map, and none leads into another.
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
  public var names: [[UInt8]] {
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

  /// The seed of the folder that names lead to, the root's label first.
  static func seed(of names: ArraySlice<[UInt8]>) -> UInt64 {
    names.reduce(0) { XXH64.hash($1.span, seed: $0) }
  }
}

extension Quad {
  /// Whether it is large enough for a territory.
  fileprivate var isSpacious: Bool { breadth >= Ground.horizon }
}

/// Why a text is no manifest, or no part of a map.
public enum ShardManifestError: Error, Hashable, Sendable {
  /// It is something else.
  case foreign
  /// It ends too early.
  case cutShort
  /// Its check sum is not that of its bytes.
  case changed
  /// It is in another version of its text.
  case otherVersion
  /// It was made for another version of the projection.
  case otherProjection(version: Int64)
  /// Its bytes are in order, and make no sense.
  case malformed
}

extension ShardManifestError: CustomStringConvertible {
  /// What is wrong and what to do, in words that follow the name of a file and "is".
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

/// The check sum at the end of a text.
///
/// It tells a text that was changed by accident or by hand from one that wasn't. It is no signature:
/// whoever wants to can compute it, too.
enum Checksum {
  /// What stands before the sum, as the last member of an object.
  static let head: StaticString = ",\"sum\":\""
  /// What stands after it.
  static let tail: StaticString = "\"}\n"
  /// Bytes from the head's first to the tail's last.
  static var length: Int { head.utf8CodeUnitCount + 16 + tail.utf8CodeUnitCount }

  /// Whether a text ends with the sum of all before it.
  static func fits(_ text: Span<UInt8>) -> Bool {
    let body = text.extracting(droppingLast: length)
    var end = OutputBuffer(capacity: length)
    append(XXH64.hash(body, seed: 0), to: &end)
    return end.withBytes { $0.equals(text.extracting(last: length)) }
  }

  /// Puts a sum, and with it the end of the text.
  static func append(_ sum: UInt64, to buffer: inout OutputBuffer) {
    buffer.append(head)
    buffer.append(hex: sum)
    buffer.append(tail)
  }
}

extension OutputBuffer {
  /// Adds sixteen digits of base 16, in quotes or not as the caller has it.
  mutating func append(hex number: UInt64) {
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 15)
      append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
