import GeoCore
import GeoProjection

/// What a GeoJSON feature says of its node after its name: the one list of members, in their one order, for
/// maps, tiles and histories.
package struct FeatureMembers {
  /// Its rank.
  package var kind: NodeKind
  /// 0 for a root.
  package var depth: Int
  /// The first zoom at which it is visible; ``Minzoom/unknown`` if that is not to be said.
  package var minzoom: UInt8
  /// Bytes of a file, entries of a folder's listing; nil if that is not known.
  package var size: Int64?
  /// What is below a folder, if that is to be told.
  package var totals: FolderTotals?
  /// Unix time of the last change of anything below a folder; nil if that is not known.
  package var newest: Int64?
  /// What most of the bytes below a folder are; nil if that is not known.
  package var type: StaticString?
  /// Unix time of the last change in whole seconds; nil if that is not known.
  package var modified: Int64?
  /// Where its label belongs or it is, if that is to be said beside the geometry, and with how many decimals.
  package var label: (position: Coordinate, digits: UInt8)?
  /// What else is said: a comma before each member.
  package var others: [UInt8] = []
  /// What it is, if it is neither a folder nor a regular file.
  package var special: StaticString?
  /// How many names the file has; fewer than two are not told.
  package var links: UInt32 = 0
  /// Whether it is one of its own ancestors, reached by a link.
  package var isLoop = false
  /// Whether its listing or its metadata could not be read.
  package var isUnreadable = false

  /// Of a node of which nothing more is known.
  package init(kind: NodeKind, depth: Int, minzoom: UInt8) {
    self.kind = kind
    self.depth = depth
    self.minzoom = minzoom
  }

  /// An upper bound of the bytes that they take, ``others`` apart.
  static let longest = 512

  /// Puts all of them, a comma before each.
  func put(to cursor: inout OutputCursor) {
    Self.put(kind, depth: depth, to: &cursor)
    if let size {
      cursor.put(",\"size\":")
      cursor.put(size)
    }
    if let totals { Self.put(totals, to: &cursor) }
    if let newest {
      cursor.put(",\"newest\":")
      cursor.put(newest)
    }
    if let type {
      cursor.put(",\"type\":\"")
      cursor.put(type)
      cursor.put(byte: UInt8(ascii: "\""))
    }
    if let modified {
      cursor.put(",\"modified\":")
      cursor.put(modified)
    }
    Self.put(minzoom: minzoom, to: &cursor)
    putRest(to: &cursor)
  }

  /// Puts what follows `minzoom`, which most files have nothing of.
  func putRest(to cursor: inout OutputCursor) {
    if let (position, digits) = label {
      let scale = DegreesScale(digits: digits)
      cursor.put(",\"lon\":")
      cursor.put(degrees: position.longitude, scale)
      cursor.put(",\"lat\":")
      cursor.put(degrees: position.latitude, scale)
    }
    cursor.put(others.span)
    if let special {
      cursor.put(",\"special\":\"")
      cursor.put(special)
      cursor.put(byte: UInt8(ascii: "\""))
    }
    if links > 1 {
      cursor.put(",\"links\":")
      cursor.put(UInt64(links))
    }
    if isLoop { cursor.put(",\"loop\":true") }
    if isUnreadable { cursor.put(",\"unreadable\":true") }
  }

  /// Puts the kind and the depth.
  static func put(_ kind: NodeKind, depth: Int, to cursor: inout OutputCursor) {
    cursor.put(",\"kind\":\"")
    cursor.put(kind.text)
    cursor.put("\",\"depth\":")
    cursor.put(Int64(depth))
  }

  /// Puts what is known of a file.
  @inline(__always)
  static func put(_ facts: EntryFacts, to cursor: inout OutputCursor) {
    if facts.status == .known {
      cursor.put(",\"size\":")
      cursor.put(size: facts.size, ",\"modified\":", time: facts.modified)
    } else if facts.status == .sized {
      cursor.put(",\"size\":")
      cursor.put(facts.size)
    }
  }

  /// Puts what is below a folder, as far as it is known.
  private static func put(_ totals: FolderTotals, to cursor: inout OutputCursor) {
    cursor.put(",\"files\":")
    cursor.put(totals.files)
    if let bytes = totals.bytes {
      cursor.put(",\"bytes\":")
      cursor.put(bytes)
    }
    if let allocated = totals.allocated {
      cursor.put(",\"allocated\":")
      cursor.put(allocated)
    }
  }

  /// Puts the member `minzoom`, if it is known.
  static func put(minzoom: UInt8, to cursor: inout OutputCursor) {
    if minzoom == Minzoom.unknown { return }
    cursor.put(",\"minzoom\":")
    cursor.put(UInt64(minzoom))
  }
}

extension OutputBuffer {
  /// Adds the members of a feature, a comma before each.
  package mutating func append(_ members: FeatureMembers) {
    var cursor = self.cursor(reserving: FeatureMembers.longest + members.others.count)
    members.put(to: &cursor)
    commit(cursor)
  }
}
