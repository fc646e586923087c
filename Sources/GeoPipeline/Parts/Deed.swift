import GeoCore
import GeoProjection

/// All that is needed to map a part of a world with no knowledge of the rest of it.
///
/// A part is what is in one or more folders (``places``), but for sub-trees that were cut out of
/// them (``cuts``), which belong to other deeds of the same set. The deeds of a set make up a world.
public struct Deed: Sendable, Hashable {
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
  public struct Way: Sendable, Hashable {
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
  /// What the deeds of one split have in common, and no others.
  public var set: UInt64
  /// Which of its set it is, from 0 on; 0 is the rest, from which the others were cut.
  public var number: Int
  /// How many deeds there are in the set.
  public var count: Int
  /// The folders to map, in the order of the map.
  public var places: [Place]
  /// The folders between a place and what was cut out of it, in the order of the map.
  public var ways: [Way]
  /// Paths of what was cut out, in the order of the map.
  public var cuts: [[UInt8]]

  /// A deed of the given parts.
  public init(
    layout: Layout, labels: [[UInt8]], set: UInt64 = 0, number: Int = 0, count: Int = 1,
    places: [Place], ways: [Way] = [], cuts: [[UInt8]] = []
  ) {
    self.layout = layout
    self.labels = labels
    self.set = set
    self.number = number
    self.count = count
    self.places = places
    self.ways = ways
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
