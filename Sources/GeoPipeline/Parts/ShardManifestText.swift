import GeoCore
import GeoFormats
import GeoProjection

extension ShardManifest {
  private static let opening = "{\"geomapper\":\"shard\",\"version\":"

  /// The manifest as JSON on one line, with a checksum at its end. There is one way to write it.
  ///
  /// `set`, `number` and `of` are the id of the split, the manifest's number, and how many there
  /// are. `places` are the folders to map: `path`, `depth`, `seed`, `territory` on the plan,
  /// `digits`, `minzoom` and `listing`, the hash of the names of its sub-folders; one without land
  /// has `city`, its `ancestor`'s, and what that is. `ways` are the folders between a place and what
  /// was cut out of it, with their `listing`; `cuts` are paths that belong to other manifests.
  /// `sum` is XXH64 of all bytes before it. Paths are percent-encoded, and numbers that a JSON reader
  /// might not keep exactly are strings.
  public var text: [UInt8] {
    var buffer = body
    Checksum.append(buffer.withBytes { XXH64.hash($0, seed: 0) }, to: &buffer)
    return buffer.bytes
  }

  /// The checksum, which identifies the manifest.
  public var checksum: UInt64 { body.withBytes { XXH64.hash($0, seed: 0) } }

  private var body: OutputBuffer {
    var buffer = OutputBuffer(
      capacity: 1024 + 256 * (places.count + intermediates.count + cuts.count))
    buffer.append(opening: Self.opening, layout, labels)
    buffer.append(",\"set\":\"")
    buffer.append(hex: set)
    buffer.append("\",\"number\":")
    buffer.append(Int64(number))
    buffer.append(",\"of\":")
    buffer.append(Int64(count))
    buffer.append(",\"places\":")
    buffer.append(list: places) { $0.append($1) }
    buffer.append(",\"ways\":")
    buffer.append(list: intermediates) { buffer, folder in
      buffer.append("{\"path\":")
      buffer.append(path: folder.path)
      buffer.append(listing: folder.listing)
      buffer.append("}")
    }
    buffer.append(",\"cuts\":")
    buffer.append(list: cuts) { $0.append(path: $1) }
    return buffer
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``ShardManifestError`` unless the text is exactly that of a manifest of this
  ///   version.
  public init(text: [UInt8]) throws(ShardManifestError) {
    if !text.starts(with: Self.opening.utf8) { throw text.isEmpty ? .cutShort : .foreign }
    guard text.last == UInt8(ascii: "\n"), text.count > Self.opening.utf8.count + Checksum.length
    else { throw .cutShort }
    if !Checksum.fits(text.span) { throw .changed }
    var reader = TextReader(text[Self.opening.utf8.count..<(text.count - Checksum.length)])
    let (layout, labels) = try reader.world()
    try reader.skip(",\"set\":\"")
    let set = try reader.hex()
    try reader.skip("\",\"number\":")
    let number = try reader.count()
    try reader.skip(",\"of\":")
    let count = try reader.count()
    try reader.skip(",\"places\":")
    let places = try reader.list { (reader) throws(ShardManifestError) in try reader.place() }
    try reader.skip(",\"ways\":")
    let intermediates = try reader.list { (reader) throws(ShardManifestError) in
      try reader.skip("{\"path\":")
      let path = try reader.path()
      guard let listing = try reader.listing() else { throw .malformed }
      try reader.skip("}")
      return Intermediate(path: path, listing: listing)
    }
    try reader.skip(",\"cuts\":")
    let cuts = try reader.list { (reader) throws(ShardManifestError) in try reader.path() }
    if !reader.isAtEnd { throw .malformed }
    self.init(
      layout: layout, labels: labels, set: set, number: number, count: count, places: places,
      intermediates: intermediates, cuts: cuts)
    try check()
  }
}

extension TextReader {
  /// Reads the beginning that manifests and parts have in common, after their opening.
  mutating func world() throws(ShardManifestError) -> (Layout, labels: [[UInt8]]) {
    if try number() != Int64(ShardManifest.version) { throw .otherVersion }
    try skip(",\"projection\":")
    let projection = try number()
    if projection != Int64(GeoProjectionEngine.version) {
      throw .otherProjection(version: projection)
    }
    try skip(",\"layout\":")
    let layout: Layout = try word()
    try skip(",\"roots\":")
    return (layout, try list { (reader) throws(ShardManifestError) in try reader.path() })
  }
}

extension OutputBuffer {
  /// Adds the beginning that manifests and parts have in common: the versions, the layout and the
  /// labels.
  mutating func append(opening: String, _ layout: Layout, _ labels: [[UInt8]]) {
    append(text: opening)
    append(Int64(ShardManifest.version))
    append(",\"projection\":")
    append(Int64(GeoProjectionEngine.version))
    append(layout == .settled ? ",\"layout\":\"settled\"" : ",\"layout\":\"pinned\"")
    append(",\"roots\":")
    append(list: labels) { $0.append(path: $1) }
  }

  mutating func append(path: [UInt8]) {
    append("\"")
    append(percent: path.span)
    append("\"")
  }

  mutating func append<Element>(
    list: [Element], _ body: (inout OutputBuffer, Element) -> Void
  ) {
    append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { append(",") }
      body(&self, element)
    }
    append("]")
  }

  fileprivate mutating func append(listing: UInt64?) {
    guard let listing else { return append(",\"listing\":null") }
    append(",\"listing\":\"")
    append(hex: listing)
    append("\"")
  }

  fileprivate mutating func append(_ place: ShardManifest.Place) {
    let folder = place.folder
    append("{\"path\":")
    append(path: place.path)
    append(",\"depth\":")
    append(Int64(folder.depth))
    append(",\"seed\":\"")
    append(hex: folder.seed)
    append(folder.isLanded ? "\",\"territory\":" : "\",\"city\":")
    append(folder.land)
    if let ancestor = place.ancestor {
      append(",\"ancestor\":{\"depth\":")
      append(Int64(ancestor.depth))
      append(",\"territory\":")
      append(ancestor.land)
      append("}")
    }
    append(",\"digits\":")
    append(Int64(folder.digits))
    append(",\"minzoom\":")
    append(Int64(folder.minzoom))
    append(listing: place.listing)
    append("}")
  }
}

extension OutputBuffer {
  /// Adds a quad's corners in quotes, as they exceed the exact range of a JSON number.
  private mutating func append(_ quad: Quad) {
    append(list: quad.corners) { buffer, corner in
      buffer.append("\"")
      buffer.append(corner)
      buffer.append("\"")
    }
  }
}

extension Quad {
  /// x and y of each corner.
  var corners: [Int64] { [q0, q1, q2, q3].flatMap { [$0.x, $0.y] } }
}

extension TextReader {
  fileprivate mutating func listing() throws(ShardManifestError) -> UInt64? {
    try skip(",\"listing\":")
    if take("null") { return nil }
    try skip("\"")
    let listing = try hex()
    try skip("\"")
    return listing
  }

  fileprivate mutating func place() throws(ShardManifestError) -> ShardManifest.Place {
    try skip("{\"path\":")
    let path = try path()
    try skip(",\"depth\":")
    let depth = try number()
    try skip(",\"seed\":\"")
    let seed = try hex()
    let isLanded = take("\",\"territory\":")
    if !isLanded { try skip("\",\"city\":") }
    let land = try quad()
    let above: (depth: Int64, land: Quad)?
    if take(",\"ancestor\":{\"depth\":") {
      let depth = try number()
      try skip(",\"territory\":")
      above = (depth, try quad())
      try skip("}")
    } else {
      above = nil
    }
    try skip(",\"digits\":")
    let digits = try number()
    try skip(",\"minzoom\":")
    let minzoom = try number()
    let listing = try listing()
    try skip("}")
    guard let depth = Int32(exactly: depth),
      let digits = UInt8(exactly: digits), let minzoom = UInt8(exactly: minzoom)
    else { throw .malformed }
    let folder = FolderPlace(
      seed: seed, land: land, depth: depth, digits: digits, minzoom: minzoom,
      isLanded: isLanded)
    var place = ShardManifest.Place(path: path, folder: folder, ancestor: nil, listing: listing)
    if let above {
      let names = place.names
      guard (0..<Int64(depth)).contains(above.depth), Int(depth) < names.count else {
        throw .malformed
      }
      place.ancestor = FolderPlace(
        seed: ShardManifest.Place.seed(of: names[...Int(above.depth)]), land: above.land,
        depth: Int32(above.depth), digits: digits, minzoom: 0, isLanded: true)
    }
    return place
  }

  private mutating func quad() throws(ShardManifestError) -> Quad {
    let corners = try list { (reader) throws(ShardManifestError) in
      try reader.skip("\"")
      let corner = try reader.number()
      try reader.skip("\"")
      return corner
    }
    guard corners.count == 8 else { throw .malformed }
    let points = stride(from: 0, to: 8, by: 2).map {
      PlanPoint(x: corners[$0], y: corners[$0 + 1])
    }
    return Quad(points[0], points[1], points[2], points[3])
  }
}

/// Reads the text of manifests and part headers.
///
/// There is one way to write them, so anything else is refused, to the byte.
struct TextReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  /// Reads a text if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Reads a text that must come next.
  mutating func skip(_ text: String) throws(ShardManifestError) {
    if !take(text) { throw .malformed }
  }

  /// Reads a decimal number: no sign but `-`, no leading zeros.
  mutating func number() throws(ShardManifestError) -> Int64 {
    let isNegative = take("-")
    let start = position
    var number: Int64 = 0
    while position < bytes.endIndex, let digit = Self.digit(bytes[position]) {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(digit)
      if overflow || carry { throw .malformed }
      number = sum
      position += 1
    }
    let hasZeros = position > start + 1 && bytes[start] == UInt8(ascii: "0")
    if position == start || hasZeros || (isNegative && number == 0) { throw .malformed }
    if isNegative { return number }
    let (positive, overflow) = Int64(0).subtractingReportingOverflow(number)
    if overflow { throw .malformed }
    return positive
  }

  /// Reads a count, below 2^50 so that sums can't overflow.
  mutating func count() throws(ShardManifestError) -> Int {
    let number = try number()
    guard (0..<(1 << 50)).contains(number) else { throw .malformed }
    return Int(number)
  }

  /// Reads sixteen hexadecimal digits.
  mutating func hex() throws(ShardManifestError) -> UInt64 {
    guard position + 16 <= bytes.endIndex else { throw .malformed }
    var number: UInt64 = 0
    for byte in bytes[position..<(position + 16)] {
      guard let digit = Self.digit(byte) ?? Self.letter(byte, from: UInt8(ascii: "a")) else {
        throw .malformed
      }
      number = number << 4 | UInt64(digit)
    }
    position += 16
    return number
  }

  /// Reads a percent-encoded path in quotes.
  mutating func path() throws(ShardManifestError) -> [UInt8] {
    try skip("\"")
    var path: [UInt8] = []
    while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard position + 2 <= bytes.endIndex else { throw .malformed }
      var value: Int64 = 0
      for byte in bytes[position..<(position + 2)] {
        guard let digit = Self.digit(byte) ?? Self.letter(byte, from: UInt8(ascii: "A")) else {
          throw .malformed
        }
        value = value << 4 | digit
      }
      path.append(UInt8(value))
      position += 2
    }
    try skip("\"")
    return path
  }

  /// Reads a list in brackets.
  mutating func list<Element>(
    _ element: (inout TextReader) throws(ShardManifestError) -> Element
  ) throws(ShardManifestError) -> [Element] {
    try skip("[")
    var list: [Element] = []
    if take("]") { return list }
    repeat { list.append(try element(&self)) } while take(",")
    try skip("]")
    return list
  }

  /// Reads one of the raw values of an enumeration, in quotes.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>() throws(ShardManifestError)
    -> Word
  {
    for word in Word.allCases where take("\"\(word.rawValue)\"") { return word }
    throw .malformed
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  private static func letter(_ byte: UInt8, from first: UInt8) -> Int64? {
    first...(first + 5) ~= byte ? Int64(byte - first) + 10 : nil
  }
}
