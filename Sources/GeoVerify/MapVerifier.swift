import GeoEmit
import GeoPath
import GeoProjection

/// Checks whether each feature of a map in a GeoJSON format is the one that its path must have.
///
/// A map is read twice: ``survey(_:)`` gathers its folders, ``check(_:)`` compares every line, byte
/// for byte, with what must be there. Both take the map in chunks of any size. What only the disk
/// could tell can't be checked: a file's size and type, times, what could not be read, and sums.
///
/// Memory grows with the number of folders.
public struct MapVerifier: Sendable {
  /// How a map without a header was laid out, and whether a filter may have been given.
  let assumed: MapHeader
  var header: MapHeader
  var engine: GeoProjectionEngine?
  var tree = FolderTree()
  var walk = FolderWalk(isFirst: true, allowsGaps: true)
  var frame = MapFrame()
  var headerLine: [UInt8] = []
  var verdict = MapVerdict()

  // Of the second pass.
  var writer = FeatureWriter(format: .geojson)
  var isTippecanoe = false
  var buffer: [UInt8] = []
  var ring: [Coordinate] = []
  var names = NameTable()
  var summary = MapSummary()
  var city: City?
  var latestMinzoom: UInt8 = 0
  var entered: Int?

  /// A check that has not begun.
  ///
  /// - Parameters:
  ///   - layout: The layout of a map that doesn't say it: one without a header.
  ///   - isPartial: Whether a map that doesn't say it may lack nodes that a filter left out.
  public init(layout: Layout = .settled, isPartial: Bool = false) {
    assumed = MapHeader(layout: layout, labels: [], isPartial: isPartial)
    header = assumed
  }

  /// Takes the next bytes of the map, for the first time.
  ///
  /// - Throws: What is wrong with the first line that can stand in no map.
  public mutating func survey(_ chunk: Span<UInt8>) throws(MapFault) {
    var position = 0
    while let part = try frame.next(in: chunk, from: &position) {
      switch part {
      case .header:
        headerLine = frame.line
        guard let header = MapHeader(reading: frame.line) else {
          throw fault("this is no header of a map")
        }
        self.header = header
        walk = FolderWalk(isFirst: true, allowsGaps: header.isPartial)
      case .feature: try surveyFeature()
      case .footer: break
      }
    }
  }

  private mutating func surveyFeature() throws(MapFault) {
    guard let feature = FeatureLine(frame.line) else { throw fault("this is no feature of a map") }
    if frame.features == 1 { isTippecanoe = feature.hasTippecanoe }
    if feature.isFolder {
      try require(walk.enterFolder(feature.path, in: &tree), feature.path)
      if let current = walk.current { tree[current].size = feature.size }
    } else {
      try require(walk.enterFile(feature.path, in: &tree), feature.path)
    }
  }

  /// Says that all bytes were taken for the first time.
  ///
  /// - Throws: What is wrong with the map as a whole, or its header.
  public mutating func endSurvey() throws(MapFault) {
    try frame.close()
    if frame.format == nil { throw MapFault(line: 1, reason: "there is nothing in it") }
    let isCollection = frame.format == .geojson
    if isCollection { try settleLabels() } else { header.labels = tree.roots.map(label) }
    verdict.isPartial = header.isPartial
    var table = NameTable()
    for label in header.labels { table.append(label.span, kind: .directory) }
    let engine: GeoProjectionEngine
    do throws(ProjectionError) {
      engine = try GeoProjectionEngine(layout: header.layout, labels: table)
    } catch {
      throw MapFault(line: 1, reason: "these roots make no world", found: headerLine)
    }
    var places: [FolderPlace] = []
    for root in tree.roots {
      guard let index = header.labels.firstIndex(of: label(root)) else {
        throw MapFault(
          line: 1, path: label(root), reason: "a root is not in the header", found: headerLine)
      }
      places.append(engine.roots[index])
    }
    tree.place(by: engine, roots: places)
    self.engine = engine
    for record in tree.records where record.isWritten && !record.isComplete {
      verdict.incomplete += 1
    }
    frame = MapFrame()
    walk = FolderWalk(isFirst: false, allowsGaps: true)
  }

  private func label(_ root: Int) -> [UInt8] { Array(tree.name(of: root)) }

  /// Finds the raw labels of the header's, and looks whether it is what it must be.
  private mutating func settleLabels() throws(MapFault) {
    let found = tree.roots.map(label)
    if header.isPartial {
      let texts = found.map { Array(String(decoding: $0, as: UTF8.self).utf8) }
      header.labels = header.labels.map { text in
        texts.firstIndex(of: text).map { found[$0] } ?? text
      }
    } else {
      header.labels = found
    }
    var text = OutputBuffer(capacity: 256)
    writer.writeHeader(header, to: &text)
    let expected = text.array
    let isOrdered = zip(header.labels, header.labels.dropFirst()).allSatisfy {
      $0.lexicographicallyPrecedes($1)
    }
    if expected != headerLine || header.labels.isEmpty || !isOrdered {
      throw MapFault(
        line: 1, reason: "the header is not that of these roots", expected: expected,
        found: headerLine)
    }
  }

  func fault(_ reason: String, _ path: [UInt8] = [], expected: [UInt8] = []) -> MapFault {
    MapFault(
      line: frame.number, path: path, reason: reason, expected: expected, found: frame.line)
  }

  func require(
    _ misplacement: FolderWalk.Misplacement?, _ path: [UInt8]
  ) throws(MapFault) {
    switch misplacement {
    case nil: return
    case .disorder(let before):
      throw fault(
        "it must stand before '\(TerminalText.escaped(before))', or not be there twice", path)
    case .missingFolder(let folder):
      throw fault("its folder '\(TerminalText.escaped(folder))' does not stand before it", path)
    case .changed: throw fault("the map changed while it was read", path)
    }
  }
}

extension OutputBuffer {
  /// The bytes written so far.
  var array: [UInt8] {
    withBytes { span in
      // Copied at once; the pointer does not outlive the call.
      unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }
}
