import GeoCore
import Synchronization

/// What a deed says of a folder, and of the folders in it that it speaks of.
final class Claim: Sendable {
  /// What the deed has to do with the folder.
  enum Kind: Sendable {
    /// It is mapped, with what is in it.
    case place
    /// It lies between a place and what was cut out of it.
    case way
    /// It belongs to another deed.
    case cut
  }

  let kind: Kind
  /// The hash of its sub-folders' names; nil if nobody knows.
  let listing: UInt64?
  /// The folders in it that the deed speaks of, by name.
  let claims: [[UInt8]: Claim]

  init(kind: Kind, listing: UInt64?, claims: [[UInt8]: Claim]) {
    self.kind = kind
    self.listing = listing
    self.claims = claims
  }

  /// What a deed says of each of its places.
  static func all(of deed: Deed) -> [Claim] {
    // In the order of the map what lies in a folder follows it, so one walk over all paths will do.
    let below =
      (deed.ways.map { Entry(path: $0.path, kind: .way, listing: $0.listing) }
      + deed.cuts.map { Entry(path: $0, kind: .cut, listing: nil) })
      .sorted { MapOrder.precedes($0.path, $1.path) }
    var rest = below[...]
    return deed.places.map { place in
      take(Entry(path: place.path, kind: .place, listing: place.listing), &rest)
    }
  }

  private struct Entry {
    let path: [UInt8]
    let kind: Kind
    let listing: UInt64?
  }

  /// Takes all that lies in a folder off the front.
  private static func take(_ entry: Entry, _ rest: inout ArraySlice<Entry>) -> Claim {
    // No recursion: a path may have any number of names.
    var open: [(entry: Entry, claims: [[UInt8]: Claim])] = [(entry, [:])]
    func close() -> Claim {
      let last = open.removeLast()
      return Claim(kind: last.entry.kind, listing: last.entry.listing, claims: last.claims)
    }
    while true {
      let top = open[open.count - 1].entry.path
      if let next = rest.first, next.path.isPath(atOrBelow: top) {
        open.append((rest.removeFirst(), [:]))
        continue
      }
      let claim = close()
      if open.isEmpty { return claim }
      open[open.count - 1].claims[Array(top.dropFirst(open[open.count - 1].entry.path.count + 1))] =
        claim
    }
  }
}

/// The first folder found that is not the one that a deed is about.
final class Misfit: Sendable {
  private let first = Mutex<[UInt8]?>(nil)

  /// Its path, if there is one.
  var path: [UInt8]? { first.withLock { $0 } }

  func report(_ path: [UInt8]) { first.withLock { if $0 == nil { $0 = path } } }
}
