import GeoEmit
import GeoPath
import GeoProjection

extension MapVerifier {
  /// Takes the next bytes of the map, for the second time.
  ///
  /// - Throws: What is wrong with the first line that is not as it must be.
  public mutating func check(_ chunk: Span<UInt8>) throws(MapFault) {
    var position = 0
    while let part = try frame.next(in: chunk, from: &position) {
      switch part {
      case .header:
        if frame.line != headerLine { try require(.changed, []) }
      case .feature:
        if frame.features == 1, let format = frame.format {
          writer = FeatureWriter(format: format, tippecanoe: isTippecanoe)
        }
        guard let feature = FeatureLine(frame.line) else {
          throw fault("this is no feature of a map")
        }
        if feature.isFolder { try checkFolder(feature) } else { try checkFile(feature) }
      case .footer:
        var text = OutputBuffer(capacity: 256)
        summary.excluded = ExclusionCounts(reading: frame.line)
        FeatureWriter(format: .geojson).writeFooter(summary, to: &text)
        let expected = Array(text.array.dropFirst().dropLast())
        if expected != frame.line { throw fault("the counts are not those", expected: expected) }
      }
    }
  }

  /// Says that all bytes were taken for the second time.
  ///
  /// - Returns: What was checked.
  public mutating func endCheck() throws(MapFault) -> MapVerdict {
    try frame.close()
    if verdict.folders + verdict.files != frame.features { try require(.changed, []) }
    return verdict
  }

  private mutating func checkFolder(_ feature: FeatureLine) throws(MapFault) {
    try require(walk.enterFolder(feature.path, in: &tree), feature.path)
    guard let engine, let index = walk.current else { return }
    let record = tree[index]
    let here = record.files + record.children
    if (feature.size ?? 0) < Int64(here) {
      throw fault("it has more entries on the map, \(here), than its listing", feature.path)
    }
    var place = record.place
    take(feature.minzoom, into: &place.minzoom, upTo: record.latestMinzoom, record.isPlaced)
    var node = FolderFeature(
      place: place, coordinate: Coordinate(longitude: 0, latitude: 0),
      entries: feature.size.map { Int(clamping: $0) }, modified: feature.modified,
      isUnreadable: feature.isUnreadable)
    node.isLoop = feature.isLoop
    node.totals = feature.totals
    if record.isPlaced {
      node.coordinate = engine.coordinate(of: record.place)
      engine.coastline(of: record.place, into: &ring)
    } else {
      node.place.isLanded = feature.isLanded
      ring = [node.coordinate]
    }
    verdict.folders += 1
    summary.folders += 1
    if feature.isUnreadable { summary.unreadable += 1 }
    var text = OutputBuffer(capacity: 512)
    writer.enterFolder(path: feature.path)
    entered = index
    city = nil
    writer.writeFolder(node, ring: ring, to: &text)
    try compare(text.array, feature, isPlaced: record.isPlaced)
  }

  private mutating func checkFile(_ feature: FeatureLine) throws(MapFault) {
    try require(walk.enterFile(feature.path, in: &tree), feature.path)
    guard let engine, let index = walk.current, let slash = feature.slash else { return }
    let record = tree[index]
    if entered != index {
      writer.enterFolder(path: Array(feature.path[..<slash]))
      entered = index
      city = nil
    }
    if city == nil {
      city = engine.city(of: record.place, fileCount: record.files)
      latestMinzoom =
        record.place.isLanded
        ? engine.city(of: record.place, fileCount: record.mostFiles).minzoom
        : record.latestMinzoom
    }
    guard let city else { return }
    names.removeAll()
    names.append(feature.path.span.extracting((slash + 1)..<feature.path.count), kind: .regular)
    let place = engine.placeFile(
      names.bytes.span.extracting(names.records[0].range), in: city)
    var minzoom = city.minzoom
    take(feature.minzoom, into: &minzoom, upTo: latestMinzoom, record.isPlaced)
    var text = OutputBuffer(capacity: 512)
    verdict.files += 1
    summary += writer.writeFiles(
      names, 0..<1, places: [place], facts: [feature.facts],
      depth: Int(record.place.depth) + 1, digits: city.digits, minzoom: minzoom, to: &text)
    try compare(text.array, feature, isPlaced: record.isPlaced)
  }

  /// Takes over a zoom that can't be told exactly, if it is possible.
  private mutating func take(
    _ found: UInt8?, into minzoom: inout UInt8, upTo latest: UInt8, _ isPlaced: Bool
  ) {
    guard isPlaced, latest > minzoom, let found else { return }
    verdict.loose += 1
    if found > minzoom, found <= latest { minzoom = found }
  }

  private mutating func compare(
    _ written: [UInt8], _ feature: FeatureLine, isPlaced: Bool
  ) throws(MapFault) {
    let start = frame.format == .geojson ? 2 : 0
    let end = written.count - (frame.format == .geojson ? 0 : 1)
    let line = frame.line
    if isPlaced {
      if written[start..<end].elementsEqual(line) { return }
      throw fault(reason(written[start..<end]), feature.path, expected: Array(written[start..<end]))
    }
    verdict.unplaced += 1
    let expected = Array(written[start..<end])
    // All but the geometry and the members that follow from the place.
    guard let other = FeatureLine(expected), !other.placed.isEmpty, !feature.placed.isEmpty else {
      throw fault("its members are not those of a feature", feature.path)
    }
    let isSame =
      expected[..<other.geometry.lowerBound] == line[..<feature.geometry.lowerBound]
      && expected[other.geometry.upperBound..<other.placed.lowerBound]
        == line[feature.geometry.upperBound..<feature.placed.lowerBound]
      && endOfPlaced(expected, other) == endOfPlaced(line, feature)
    if !isSame { throw fault("it differs, and not in its place only", feature.path) }
  }

  private func endOfPlaced(_ line: [UInt8], _ feature: FeatureLine) -> ArraySlice<UInt8> {
    let rest = line[feature.placed.upperBound...]
    return isTippecanoe ? rest.prefix { $0 != UInt8(ascii: "}") } : rest
  }

  private func reason(_ expected: ArraySlice<UInt8>) -> String {
    let same = zip(expected, frame.line).prefix { $0 == $1 }.count
    return "it differs from what its path must have at character \(same + 1) of the line"
  }
}
