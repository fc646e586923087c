import GeoProjection

/// The first 127 bytes of an archive (PMTiles specification, version 3, section 3).
struct ArchiveHeader: Sendable {
  static let length = 127
  /// The number of bytes at the start of the file that must contain the header and the root
  /// directory.
  static let lead = 16_384

  struct Section: Sendable {
    var offset: UInt64 = 0
    var length: UInt64 = 0

    /// The section after it.
    func next(length: Int64) -> Section {
      Section(offset: offset + self.length, length: UInt64(length))
    }
  }

  var root: Section
  var metadata: Section
  var leaves: Section
  var data: Section
  var tiles: UInt64 = 0
  var entries: UInt64 = 0
  var contents: UInt64 = 0
  var maximumZoom = 0
  var bounds: BoundingBox?

  init(root: Int, metadata: Int, leaves: Int64, data: Int64) {
    self.root = Section(length: UInt64(Self.length)).next(length: Int64(root))
    self.metadata = self.root.next(length: Int64(metadata))
    self.leaves = self.metadata.next(length: leaves)
    self.data = self.leaves.next(length: data)
  }

  func encode() -> [UInt8] {
    var bytes = Array("PMTiles".utf8) + [3]
    for section in [root, metadata, leaves, data] {
      bytes.append(little: section.offset)
      bytes.append(little: section.length)
    }
    for count in [tiles, entries, contents] { bytes.append(little: count) }
    // Clustered; directories and tiles compressed with gzip; vector tiles.
    bytes += [1, 2, 2, 1, 0, UInt8(clamping: maximumZoom)]
    let box = bounds ?? BoundingBox(uncheckedWest: -180, south: -90, east: 180, north: 90)
    for degrees in [box.west, box.south, box.east, box.north] { bytes.append(degrees: degrees) }
    bytes.append(1)
    bytes.append(degrees: (box.west + box.east) / 2)
    bytes.append(degrees: (box.south + box.north) / 2)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(degrees: Double) {
    append(little: Int32(clamping: Int64((degrees * 1e7).rounded())))
  }
}
