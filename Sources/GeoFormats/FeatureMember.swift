/// A member of a feature: the one list of names, types and values that the writers of text, of
/// columns and of tiles read.
///
/// The cases are in the order of GeoJSON and of columns. A member without a value is left out.
/// `@usableFromInline` makes a comparison in another module one instruction.
@usableFromInline package enum FeatureMember: UInt8, CaseIterable, Sendable {
  // Texts that a writer prepares for a whole folder.
  case path, folder, name
  // Of every node.
  case id, kind, depth, size, files, bytes, allocated, newest, type, modified, minzoom, lon, lat
  // Of several states; those of `was` and `below` are objects in GeoJSON.
  case time, change, wasSize, wasModified, wasSpecial, from, rawFrom, to, rawTo
  case belowAdded, belowRemoved, belowChanged, belowMoved, belowBytes
  case life, start, end, changes, revision, author
  // Of few nodes.
  case special, links, loop, unreadable, rawPath, rawFolder, rawName
  // Of tiles only.
  case breadth, tint

  /// The type of a value in columns and tiles.
  package enum Kind: Sendable {
    case text
    /// A number of 32 bits that is not negative.
    case int
    /// A number that is not negative.
    case count
    case number
    /// Unix time.
    case seconds
    case double
    /// True, or no value.
    case flag
  }

  @inline(__always)
  package var valueKind: Kind {
    switch self {
    case .depth, .minzoom, .tint: .int
    case .id, .size, .files, .bytes, .allocated, .links: .count
    case .wasSize, .belowAdded, .belowRemoved, .belowChanged, .belowMoved, .belowBytes, .life,
      .changes:
      .number
    case .newest, .modified, .wasModified: .seconds
    case .lon, .lat, .breadth: .double
    case .loop, .unreadable: .flag
    default: .text
    }
  }

  /// Its name in GeoJSON, in its object.
  @inline(__always)
  var name: StaticString {
    switch self {
    case .path: "path"
    case .folder: "folder"
    case .name: "name"
    case .id: "id"
    case .kind: "kind"
    case .depth: "depth"
    case .size, .wasSize: "size"
    case .files: "files"
    case .bytes, .belowBytes: "bytes"
    case .allocated: "allocated"
    case .newest: "newest"
    case .type: "type"
    case .modified, .wasModified: "modified"
    case .minzoom: "minzoom"
    case .lon: "lon"
    case .lat: "lat"
    case .time: "time"
    case .change: "change"
    case .from: "from"
    case .rawFrom: "rawFrom"
    case .to: "to"
    case .rawTo: "rawTo"
    case .belowAdded: "added"
    case .belowRemoved: "removed"
    case .belowChanged: "changed"
    case .belowMoved: "moved"
    case .life: "life"
    case .start: "start"
    case .end: "end"
    case .changes: "changes"
    case .revision: "revision"
    case .author: "author"
    case .special, .wasSpecial: "special"
    case .links: "links"
    case .loop: "loop"
    case .unreadable: "unreadable"
    case .rawPath: "rawPath"
    case .rawFolder: "rawFolder"
    case .rawName: "rawName"
    case .breadth: "breadth"
    case .tint: "tint"
    }
  }

  /// Its name in formats without objects.
  package var plainName: StaticString {
    switch self {
    case .wasSize: "was_size"
    case .wasModified: "was_modified"
    case .wasSpecial: "was_special"
    case .belowAdded: "below_added"
    case .belowRemoved: "below_removed"
    case .belowChanged: "below_changed"
    case .belowMoved: "below_moved"
    case .belowBytes: "below_bytes"
    default: name
    }
  }
}

// The orders in which the writers put members. With a closure, each becomes a sequence of direct calls.
extension FeatureMember {
  /// The sums of a folder's totals.
  @inline(__always)
  static func eachSum(_ put: (FeatureMember) -> Void) {
    put(.files)
    put(.bytes)
    put(.allocated)
  }

  /// The first members of a node in text and columns.
  @inline(__always)
  static func eachOfNode(_ put: (FeatureMember) -> Void) {
    put(.kind)
    put(.depth)
    put(.size)
    eachSum(put)
    put(.newest)
    put(.type)
    put(.modified)
    put(.minzoom)
  }

  /// The position of a node, in formats where it isn't its geometry.
  @inline(__always)
  static func eachOfPosition(_ put: (FeatureMember) -> Void) {
    put(.lon)
    put(.lat)
  }

  /// The last members of a node in text and columns, which most files lack.
  @inline(__always)
  static func eachRare(_ put: (FeatureMember) -> Void) {
    put(.special)
    put(.links)
    put(.loop)
    put(.unreadable)
  }

  @inline(__always)
  static func eachOfTile(_ put: (FeatureMember) -> Void) {
    put(.kind)
    put(.depth)
    put(.minzoom)
    put(.size)
    put(.modified)
    put(.special)
    put(.unreadable)
  }

  @inline(__always)
  static func eachOfTotals(_ put: (FeatureMember) -> Void) {
    eachSum(put)
    put(.newest)
    put(.type)
  }

  /// The former metadata of a changed file.
  @inline(__always)
  static func eachOfWas(_ put: (FeatureMember) -> Void) {
    put(.wasSize)
    put(.wasModified)
    put(.wasSpecial)
  }

  /// The other path of a file that moved.
  @inline(__always)
  static func eachOtherPath(_ put: (FeatureMember) -> Void) {
    put(.from)
    put(.rawFrom)
    put(.to)
    put(.rawTo)
  }

  /// The differences below a folder.
  @inline(__always)
  static func eachBelow(_ put: (FeatureMember) -> Void) {
    put(.belowAdded)
    put(.belowRemoved)
    put(.belowChanged)
    put(.belowMoved)
    put(.belowBytes)
  }

  @inline(__always)
  static func eachOfLife(_ put: (FeatureMember) -> Void) {
    put(.life)
    put(.start)
    put(.end)
    put(.changes)
  }

  @inline(__always)
  static func eachOfRevision(_ put: (FeatureMember) -> Void) {
    put(.revision)
    put(.author)
  }

  /// The members of a node that are columns of files sorted by position.
  static func columns(_ options: WriterOptions) -> [FeatureMember] {
    var columns: [FeatureMember] = [.id, .path, .name]
    eachOfNode { member in
      switch member {
      case .files, .bytes, .allocated: if options.totals { columns.append(member) }
      case .newest, .type: break
      default: columns.append(member)
      }
    }
    columns += [.lon, .lat]
    eachRare { member in
      switch member {
      case .links: if options.links { columns.append(member) }
      case .loop: if options.loops { columns.append(member) }
      default: columns.append(member)
      }
    }
    return columns + [.rawPath]
  }
}
