import GeoFormats
import GeoCore
import GeoProjection

/// What stands around the features of a map, or of a part of it.
enum MapFrame: Sendable {
  case whole(MapHeader)
  case part(PartHeader)
}

/// Keeps account of a part while it is written.
struct PartAccount {
  private var sum = XXH64.Running()
  private var bytes = 0
  private var faults = 0
  private var marks: [PartTrailer.Mark] = []
  private let separatorLength: Int

  /// - Parameter separatorLength: Bytes of the separator that the very first feature is without.
  init(separatorLength: Int) { self.separatorLength = separatorLength }

  mutating func begin(_ header: [UInt8]) { sum.take(header.span) }

  mutating func take(_ chunk: MapChunk, marks new: [PartTrailer.Mark]) {
    // Where the part begins, offsets count the separator that isn't there.
    let lost = bytes == 0 ? separatorLength : 0
    for mark in new {
      marks.append(
        PartTrailer.Mark(path: mark.path, offset: bytes + max(0, mark.offset - lost)))
    }
    chunk.withBytes { sum.take($0) }
    bytes += chunk.count
    faults += chunk.faults.count
  }

  /// The first of some folders that the scan did not come to.
  ///
  /// - Parameter places: Paths in the order in which the scan comes to them.
  func firstMissing(of places: [[UInt8]]) -> [UInt8]? {
    var missing = places[...]
    for mark in marks where mark.path == missing.first { missing.removeFirst() }
    return missing.first
  }

  /// What ends the part.
  ///
  /// - Parameter ending: What follows the last feature, if there is any.
  mutating func end(_ summary: MapSummary, ending: [UInt8]) -> [UInt8] {
    var text = bytes > 0 ? ending : []
    let trailer = PartTrailer(
      bytes: bytes, summary: summary, faults: faults, marks: marks)
    text += trailer.text
    sum.take(text.span)
    return text + PartTrailer.seal(sum.value)
  }
}

extension MapRequest {
  /// A hash of all that decides what is written of a world, but for where its folders are.
  var fingerprint: UInt64 {
    let options: [(StaticString, Bool)] = [
      ("tippecanoe", tippecanoe), ("totals", totals), ("metadata", scan.readsMetadata),
      ("links", scan.countsLinks), ("follows", scan.followsLinks),
      ("stays", scan.staysOnFileSystem), ("lonlat", lonlat), ("index", isIndexed),
      ("gzip", compression == .gzip), ("quotes", quotesAll),
    ]
    var text = format.rawValue
    for (name, isGiven) in options { text += " \(name)=\(isGiven)" }
    text += " \(filter.zoom ?? -1) \(filter.maxDepth ?? -1)"
    if let box = filter.box { text += " \(box.west) \(box.south) \(box.east) \(box.north)" }
    let selected = Array(text.utf8) + [0] + selection.signature
    return XXH64.hash(selected.span, seed: 0)
  }
}
