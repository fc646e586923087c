import GeoCore
import GeoProjection

/// All data of a node as bytes, for formats that put nodes in another order.
///
/// Numbers are little-endian, with their lengths in bytes:
///
///     0  id (8)               24 size (8)        44 links (4)    51 kind (1)
///     8  longitude (double)   32 modified (8)    48 flags (2)    52 special, an EntryKind or 255 (1)
///     16 latitude (double)    40 depth (4)       50 minzoom (1)  56 start of the name in the path (4)
///     60 the path: its length (4), its bytes
///
/// Depending on the flags, the raw path follows, percent-encoded in the same form, then three sums
/// of eight bytes, a ring: the number of positions (4), each of two doubles, and the values of
/// layers: a bit for each column that has one (4), and each of these in eight bytes, a word by its
/// number.
package enum NodeRecord {
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let size = Self(rawValue: 1)
    package static let modified = Self(rawValue: 2)
    package static let minzoom = Self(rawValue: 4)
    package static let ring = Self(rawValue: 8)
    package static let unreadable = Self(rawValue: 16)
    package static let loop = Self(rawValue: 32)
    package static let totals = Self(rawValue: 64)
    package static let rawPath = Self(rawValue: 128)
    package static let file = Self(rawValue: 256)
    package static let layers = Self(rawValue: 512)
  }

  package static let id = 0
  package static let longitude = 8
  package static let latitude = 16
  package static let size = 24
  package static let modified = 32
  package static let depth = 40
  package static let links = 44
  package static let flags = 48
  package static let minzoom = 50
  package static let kind = 51
  package static let special = 52
  package static let name = 56
  package static let path = 60

  @inline(__always)
  static func index(ofSum member: FeatureMember) -> Int {
    Int(member.rawValue - FeatureMember.files.rawValue)
  }

  package static let unknownSum = Int64.min

  /// The value for nodes without a special kind.
  package static let plain = UInt8.max

  /// Lands wider than this, in degrees, are kept apart.
  static let wideSpan = 360.0 / 64

  /// The words for kinds, by their numbers in a record.
  package static let kinds: [[UInt8]] = NodeKind.allCases.map { Array("\($0.text)".utf8) }

  /// The words for special kinds, by their numbers in a record; empty for others.
  package static let specials: [[UInt8]] = (0..<EntryKind.unknown.rawValue).map { number in
    EntryKind(rawValue: number)?.special.map { Array("\($0)".utf8) } ?? []
  }
}
