import GeoFormats
import GeoCore
import GeoProjection

/// A file of a test's map.
struct SampleFile {
  var name: [UInt8]
  var facts: EntryFacts
  var place: FilePlace
}

/// A folder of a test's map, with its files.
struct SampleFolder {
  var path: [UInt8]
  var feature: FeatureRecord
  var shape = FolderShape()
  var files: [SampleFile] = []
  var fileDepth: Int { feature.depth + 1 }
  var fileDigits: UInt8
  var fileMinzoom: UInt8
}

/// A folder's place, with only the parts that are written.
func folderPlace(
  seed: UInt64, depth: Int32, digits: UInt8 = 6, minzoom: UInt8 = 0, isLanded: Bool = true
) -> FolderPlace {
  let nowhere = PlanPoint(x: 0, y: 0)
  return FolderPlace(
    seed: seed, land: Quad(nowhere, nowhere, nowhere, nowhere), depth: depth, digits: digits,
    minzoom: minzoom, isLanded: isLanded)
}

/// Writes folders and their files, in batches of at most `batch` files.
func write(
  _ folders: [SampleFolder], as format: OutputFormat, tippecanoe: Bool = false,
  totals: Bool = false, batch: Int = .max, to buffer: inout OutputBuffer
) -> MapSummary {
  let writer = FeatureWriter(format: format, options: options(tippecanoe, totals: totals))
  var summary = MapSummary()
  for folder in folders {
    writer.enterFolder(path: folder.path)
    writer.writeFolder(folder.feature, folder.shape, to: &buffer)
    summary += MapSummary(folders: 1, unreadable: folder.feature.isUnreadable ? 1 : 0)
    var names = NameTable()
    for file in folder.files { names.append(file.name.span, kind: file.facts.kind) }
    names.append(Array("not this one".utf8).span, kind: .regular)
    var start = 0
    while start < folder.files.count {
      let end = start + min(batch, folder.files.count - start)
      summary += writer.writeFiles(
        names, start..<end, places: folder.files[start..<end].map(\.place),
        facts: folder.files[start..<end].map(\.facts),
        FileBatch(depth: folder.fileDepth, digits: folder.fileDigits, minzoom: folder.fileMinzoom),
        to: &buffer)
      start = end
    }
  }
  return summary
}

/// Options for a writer.
func options(_ tippecanoe: Bool, totals: Bool) -> WriterOptions {
  var options = WriterOptions()
  options.tippecanoe = tippecanoe
  options.totals = totals
  // Otherwise the features would be records to be sorted.
  options.isIndexed = false
  return options
}

/// A whole map, assembled as the pipeline does it.
func map(
  _ folders: [SampleFolder], header: MapHeader, as format: OutputFormat,
  tippecanoe: Bool = false, totals: Bool = false, batch: Int = .max
) -> [UInt8] {
  let writer = FeatureWriter(format: format, options: options(tippecanoe, totals: totals))
  var text = OutputBuffer(capacity: 0)
  writer.writeHeader(header, to: &text)
  var features = OutputBuffer(capacity: 10)
  let summary = write(
    folders, as: format, tippecanoe: tippecanoe, totals: totals, batch: batch, to: &features)
  features.withBytes { bytes in
    text.append(bytes.extracting(droppingFirst: format == .geojson && bytes.count > 0 ? 1 : 0))
  }
  writer.writeFooter(summary, to: &text)
  return text.bytes
}

/// The text of one file in a folder.
func text(
  ofFile name: [UInt8], in path: String = "root", facts: EntryFacts = EntryFacts(),
  as format: OutputFormat, tippecanoe: Bool = false, totals: Bool = false
) -> [UInt8] {
  let writer = FeatureWriter(format: format, options: options(tippecanoe, totals: totals))
  var buffer = OutputBuffer(capacity: 0)
  writer.enterFolder(path: Array(path.utf8))
  _ = writer.writeFiles(
    NameTable([name]), 0..<1,
    places: [FilePlace(seed: 1 << 11, coordinate: Coordinate(longitude: 15, latitude: -5))],
    facts: [facts], FileBatch(depth: 1, digits: 1, minzoom: 3), to: &buffer)
  return buffer.bytes
}

/// The bytes decoded as UTF-8 by the standard library, with replacement characters.
func repaired(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
