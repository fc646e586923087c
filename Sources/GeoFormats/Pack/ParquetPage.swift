import GeoCore

/// A column of a row group as uncompressed pages: one of values, and one of its dictionary.
///
/// Columns are encoded one after the other, so that the work for each row stays in a short loop.
struct ParquetPage: ~Copyable {
  private(set) var body = OutputBuffer(capacity: 64 << 10)
  /// The values of the indices in the body; nil without a dictionary.
  private(set) var dictionary: (bytes: [UInt8], count: Int)?
  private(set) var nulls = 0
  /// The least and the greatest value; nil if not needed, or without values.
  private(set) var bounds: (minimum: [UInt8], maximum: [UInt8])?

  init(_ column: ParquetColumn, _ rows: ParquetRows, _ options: WriterOptions) {
    switch column.source {
    case .member(let member): add(member, rows, options)
    case .layer(let number): addLayer(number, column.physical, rows, options.layers.words)
    case .geometry: addGeometries(rows)
    case .west: addEdges(rows, .down, rows.extent.width) { $0.west }
    case .south: addEdges(rows, .down, rows.extent.height) { $0.south }
    case .east: addEdges(rows, .up, rows.extent.width) { $0.east }
    case .north: addEdges(rows, .up, rows.extent.height) { $0.north }
    }
  }

  private mutating func add(
    _ member: FeatureMember, _ rows: ParquetRows, _ options: WriterOptions
  ) {
    let lonlat = options.lonlat
    switch member {
    case .id:
      addIntegers(rows, size: 8, isOptional: false) { (bytes, start) in
        ParquetRow.number(bytes, start + NodeRecord.id)
      }
    case .depth:
      addIntegers(rows, size: 4, isOptional: false) { (bytes, start) in
        Int64(bytes.loadHalfWord(at: start + NodeRecord.depth))
      }
    case .size:
      addIntegers(rows, size: 8) { (bytes, start) in
        ParquetRow.flags(bytes, start).contains(.size)
          ? ParquetRow.number(bytes, start + NodeRecord.size) : nil
      }
    case .modified: addIntegers(rows, size: 8, Self.milliseconds)
    case .minzoom:
      addIntegers(rows, size: 4) { (bytes, start) in
        ParquetRow.flags(bytes, start).contains(.minzoom)
          ? Int64(bytes[start + NodeRecord.minzoom]) : nil
      }
    case .links:
      addIntegers(rows, size: 8) { (bytes, start) in
        let links = bytes.loadHalfWord(at: start + NodeRecord.links)
        return links > 0 ? Int64(links) : nil
      }
    case .files, .bytes, .allocated:
      let index = NodeRecord.index(ofSum: member)
      addIntegers(rows, size: 8) { (bytes, start) in ParquetRow.total(bytes, start, index) }
    case .lon: addPositions(rows, NodeRecord.longitude, lonlat: lonlat)
    case .lat: addPositions(rows, NodeRecord.latitude, lonlat: lonlat)
    case .loop: addFlags(rows, .loop)
    case .unreadable: addFlags(rows, .unreadable)
    case .path: addTexts(rows) { (bytes, start) in ParquetRow.path(bytes, start) }
    case .name:
      // A name without its first letters compresses no better than a whole word.
      addTexts(rows, isSharing: false) { (bytes, start) in ParquetRow.name(bytes, start) }
    case .rawPath:
      addLevels(rows) { (bytes, start) in ParquetRow.flags(bytes, start).contains(.rawPath) }
      addTexts(rows) { (bytes, start) in ParquetRow.rawPath(bytes, start) }
    case .folder:
      let folders = rows.folders
      addLevels(folders.numbers)
      add(folders.numbers.compactMap(\.self), of: folders.paths.map { Array(rows.bytes[$0]) })
    case .kind:
      addListed(
        rows.starts.map { Int(rows.bytes[$0 + NodeRecord.kind]) }, NodeRecord.kinds.count
      ) { NodeRecord.kinds[$0] }
    case .special:
      let kinds = rows.starts.map { rows.bytes[$0 + NodeRecord.special] }
        .map { $0 == NodeRecord.plain ? nil : Int($0) }
      addLevels(kinds)
      addListed(kinds, NodeRecord.specials.count) { NodeRecord.specials[$0] }
    default: preconditionFailure("no column of a node")
    }
  }

  private mutating func addLayer(
    _ column: Int, _ physical: ParquetColumn.Physical, _ rows: ParquetRows, _ words: LayerWords
  ) {
    let bytes = rows.bytes.span
    let values = rows.starts.map { ParquetRow.layer(bytes, $0, column) }
    addLevels(values)
    switch physical {
    case .bytes:
      let numbers = values.map { $0.map { Int($0) } }
      addListed(numbers, (numbers.lazy.compactMap(\.self).max() ?? -1) + 1) {
        words[$0].repairedUTF8
      }
    case .double: addDoubles(values.lazy.compactMap { $0.map(Double.init(bitPattern:)) })
    default: addIntegers(values.compactMap { $0.map(Int64.init(bitPattern:)) }, size: 8)
    }
  }

  /// The time of change; nil if unknown, or beyond the range of milliseconds.
  @inline(__always)
  private static func milliseconds(_ bytes: Span<UInt8>, _ start: Int) -> Int64? {
    guard ParquetRow.flags(bytes, start).contains(.modified) else { return nil }
    let (time, isTooFar) = ParquetRow.number(bytes, start + NodeRecord.modified)
      .multipliedReportingOverflow(by: 1000)
    return isTooFar ? nil : time
  }

  @inline(__always)
  private mutating func addLevels(_ rows: ParquetRows, isPresent: (Span<UInt8>, Int) -> Bool) {
    let bytes = rows.bytes.span
    addLevels(rows.count) { isPresent(bytes, rows.starts[$0]) }
  }

  @inline(__always)
  private mutating func addLevels<Value>(_ values: [Value?]) {
    addLevels(values.count) { values[$0] != nil }
  }

  @inline(__always)
  private mutating func addLevels(_ count: Int, isPresent: (Int) -> Bool) {
    let (levels, nulls) = ParquetBits.levels(count, isPresent: isPresent)
    body.append(levels.span)
    self.nulls = nulls
  }

  @inline(__always)
  private mutating func addIntegers(
    _ rows: ParquetRows, size: Int, isOptional: Bool = true,
    _ value: (Span<UInt8>, Int) -> Int64?
  ) {
    let bytes = rows.bytes.span
    let values = rows.starts.map { value(bytes, $0) }
    if isOptional { addLevels(values) }
    addIntegers(values.compactMap(\.self), size: size)
  }

  /// - Parameter size: Bytes of a bound.
  private mutating func addIntegers(_ numbers: [Int64], size: Int) {
    ParquetEncoding.appendDeltas(numbers.span, to: &body)
    guard let minimum = numbers.min(), let maximum = numbers.max() else { return }
    bounds = (
      Self.bytes(UInt64(bitPattern: minimum), size), Self.bytes(UInt64(bitPattern: maximum), size)
    )
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// Adds a coordinate as a column: for nodes with a ring or, with `lonlat`, for all.
  private mutating func addPositions(_ rows: ParquetRows, _ offset: Int, lonlat: Bool) {
    let bytes = rows.bytes.span
    let values = rows.starts.map { start in
      lonlat || ParquetRow.flags(bytes, start).contains(.ring)
        ? ParquetRow.double(bytes, start + offset) : nil
    }
    addLevels(values)
    addDoubles(values.lazy.compactMap(\.self))
  }

  private mutating func addDoubles(_ numbers: some Sequence<Double>) {
    var (minimum, maximum) = (Double.infinity, -Double.infinity)
    for number in numbers {
      minimum = min(minimum, number)
      maximum = max(maximum, number)
      body.append(little: number.bitPattern)
    }
    guard minimum <= maximum else { return }
    // A bound of zero is −0 as the least and 0 as the greatest value, as Parquet requires.
    bounds = (
      Self.bytes((minimum == 0 ? -0.0 : minimum).bitPattern, 8),
      Self.bytes((maximum == 0 ? 0.0 : maximum).bitPattern, 8)
    )
  }

  /// Adds a flag that is present only where it is true: all bits are set.
  private mutating func addFlags(_ rows: ParquetRows, _ flag: NodeRecord.Flags) {
    addLevels(rows) { (bytes, start) in ParquetRow.flags(bytes, start).contains(flag) }
    var rest = rows.count - nulls
    if rest > 0 { bounds = ([1], [1]) }
    while rest > 0 {
      body.append(byte: rest >= 8 ? 255 : (1 << UInt8(rest)) - 1)
      rest -= 8
    }
  }

  @inline(__always)
  private mutating func addTexts(
    _ rows: ParquetRows, isSharing: Bool = true, value: (Span<UInt8>, Int) -> Range<Int>?
  ) {
    let bytes = rows.bytes.span
    let texts = rows.starts.compactMap { value(bytes, $0) }
    ParquetEncoding.appendPrefixes(texts, of: bytes, isSharing: isSharing, to: &body)
  }

  /// Adds words below `count`, by their indices in a dictionary of those that occur.
  private mutating func addListed(_ words: [Int?], _ count: Int, text: (Int) -> [UInt8]) {
    var known = [UInt32?](repeating: nil, count: count)
    var entries: [[UInt8]] = []
    let numbers = words.compactMap { word -> UInt32? in
      guard let word else { return nil }
      if let number = known[word] { return number }
      let number = UInt32(entries.count)
      known[word] = number
      entries.append(text(word))
      return number
    }
    add(numbers, of: entries)
  }

  private mutating func add(_ numbers: [UInt32], of entries: [[UInt8]]) {
    addNumbers(numbers, width: ParquetBits.width(upTo: entries.count - 1))
    let bytes = entries.flatMap { Self.bytes(UInt64($0.count), 4) + $0 }
    dictionary = (bytes, entries.count)
    let order = entries.sorted { $0.lexicographicallyPrecedes($1) }
    if let minimum = order.first, let maximum = order.last { bounds = (minimum, maximum) }
  }

  /// Adds indices of a dictionary, all with the same number of bits.
  private mutating func addNumbers(_ numbers: [UInt32], width: Int) {
    body.append(byte: UInt8(width))
    body.append(ParquetBits.packed(numbers, width: width).span)
  }

  /// Adds geometries as WKB: a point, or a polygon of one ring.
  private mutating func addGeometries(_ rows: ParquetRows) {
    let bytes = rows.bytes.span
    var shapes = OutputBuffer(capacity: rows.count * 32)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(rows.count)
    for start in rows.starts {
      let begin = shapes.count
      shapes.append(byte: 1)
      if let ring = ParquetRow.ring(bytes, start) {
        shapes.append(little: 3 as UInt32)
        shapes.append(little: 1 as UInt32)
        shapes.append(little: UInt32(truncatingIfNeeded: ring.count))
        shapes.append(bytes.extracting(ring.start..<(ring.start + 16 * ring.count)))
      } else {
        let position = start + NodeRecord.longitude
        shapes.append(little: 1 as UInt32)
        shapes.append(bytes.extracting(position..<(position + 16)))
      }
      ranges.append(begin..<shapes.count)
    }
    shapes.withBytes { ParquetEncoding.appendPrefixes(ranges, of: $0, to: &body) }
  }

  /// The minimum number of steps across a row group's width or height: the side of a square with as
  /// many cells as there are rows.
  private static func steps(_ rows: ParquetRows) -> Double {
    max(64, Double(rows.count).squareRoot())
  }

  /// Adds an edge of all boxes by indices in a dictionary of floats, rounded outward. Steps finer
  /// than about a 64th of the row group's box would let a reader skip hardly more rows, and
  /// compress badly.
  ///
  /// A step is a power of two of at least 2^-16 degrees, so that floats are exact.
  @inline(__always)
  private mutating func addEdges(
    _ rows: ParquetRows, _ direction: FloatingPointRoundingRule, _ extent: Double,
    edge: (Box) -> Double
  ) {
    let step = max(extent / Self.steps(rows), 0x1p-16).binade
    let places = rows.boxes.map { Int32((edge($0) / step).rounded(direction)) }
    guard let minimum = places.min(), let maximum = places.max() else { return }
    var numbers = [UInt32](repeating: 0, count: Int(maximum - minimum) + 1)
    for place in places { numbers[Int(place - minimum)] = 1 }
    var bytes: [UInt8] = []
    var count: UInt32 = 0
    for (index, isThere) in numbers.enumerated() where isThere == 1 {
      bytes += Self.bytes(UInt64(Float(Double(minimum + Int32(index)) * step).bitPattern), 4)
      numbers[index] = count
      count += 1
    }
    dictionary = (bytes, Int(count))
    // Whole bytes compress better than fewer bits.
    let width = (ParquetBits.width(upTo: Int(count) - 1) + 7) / 8 * 8
    addNumbers(places.map { numbers[Int($0 - minimum)] }, width: width)
    let edges = (Float(Double(minimum) * step), Float(Double(maximum) * step))
    bounds = (
      Self.bytes(UInt64((edges.0 == 0 ? -0.0 : edges.0).bitPattern), 4),
      Self.bytes(UInt64((edges.1 == 0 ? 0.0 : edges.1).bitPattern), 4)
    )
  }
}
