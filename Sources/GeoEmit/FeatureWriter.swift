import GeoPath
import GeoProjection

/// Writes the features of a map in one of the formats, a folder or a batch of files at a time.
///
/// A writer is used by one thread; others have their own. What they write can be joined in the
/// order of the map. In `geojson` each feature begins with `,` and a line end; whoever joins the
/// parts drops the first byte of the very first one. In the other formats each feature ends its own
/// line, and nothing has to be done.
public struct FeatureWriter: Sendable {
  /// The format that is written.
  public let format: OutputFormat

  // Only the one of the format is ever used; the others are empty.
  private var geojson: GeoJSONWriter
  private var csv = CSVWriter()
  private var gpx = GPXWriter()
  private var html = HTMLWriter()

  /// A writer of the given format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - tippecanoe: Whether GeoJSON features say their zoom the way tippecanoe reads it.
  public init(format: OutputFormat, tippecanoe: Bool = false) {
    self.format = format
    geojson = GeoJSONWriter(format: format, tippecanoe: tippecanoe)
  }

  /// What GeoJSON features that are written next say behind `minzoom`, `lon` and `lat`, as text with a
  /// comma before each member; the other formats leave it out.
  package var members: [UInt8] {
    get { geojson.members }
    set { geojson.members = newValue }
  }

  /// What each feature begins with to be told from the one before; nothing in most formats.
  public var separator: [UInt8] { format == .geojson ? Array(",\n".utf8) : [] }

  /// Writes what stands before the first feature; nothing in some formats.
  public func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    switch format {
    case .geojson: GeoJSONWriter.write(header, to: &buffer)
    case .geojsonseq, .geojsonl: break
    case .csv: CSVWriter.writeHeader(to: &buffer)
    case .gpx: GPXWriter.writeHeader(to: &buffer)
    case .html: HTMLWriter.writeHeader(to: &buffer)
    }
  }

  /// Writes what follows the last feature; nothing in some formats.
  public func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    switch format {
    case .geojson: GeoJSONWriter.write(summary, to: &buffer)
    case .geojsonseq, .geojsonl, .csv: break
    case .gpx: GPXWriter.writeFooter(to: &buffer)
    case .html: HTMLWriter.writeFooter(to: &buffer)
    }
  }

  /// Says which folder the next calls are about.
  ///
  /// - Parameter path: The root's label and names, raw, joined by `/`.
  /// - Complexity: O(length of the path).
  public mutating func enterFolder(path: [UInt8]) {
    switch format {
    case .geojson, .geojsonseq, .geojsonl: geojson.enterFolder(path: path)
    case .csv: csv.enterFolder(path: path)
    case .gpx: gpx.enterFolder(path: path)
    case .html: html.enterFolder(path: path)
    }
  }

  /// Writes the folder entered.
  ///
  /// It changes nothing, but is mutating so that an object's writer is used in place: to read it would
  /// be to copy all of its texts.
  ///
  /// - Parameters:
  ///   - folder: What there is to say of it.
  ///   - ring: Its coast line, counter-clockwise, not closed, with `folder.place.digits` decimals;
  ///     GeoJSON needs it for a folder that owns land, nobody else looks at it.
  ///   - buffer: Where to write.
  public mutating func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    switch format {
    case .geojson, .geojsonseq, .geojsonl: geojson.writeFolder(folder, ring: ring, to: &buffer)
    case .csv: csv.writeFolder(folder, ring: ring, to: &buffer)
    case .gpx: gpx.writeFolder(folder, ring: ring, to: &buffer)
    case .html: html.writeFolder(folder, ring: ring, to: &buffer)
    }
  }

  /// Writes files of the folder entered, but for those that are hidden or have vanished.
  ///
  /// - Parameters:
  ///   - names: A table with the names of the files, from the first of the folder on.
  ///   - range: Which of its names are meant.
  ///   - places: The place of each name of the range.
  ///   - facts: The facts of each name of the range; they say what is special about it, too.
  ///   - depth: The files' depth, one more than their folder's.
  ///   - digits: Decimals of their coordinates, at most 13.
  ///   - minzoom: The first zoom at which they are visible.
  ///   - buffer: Where to write.
  /// - Returns: How many were written, and how many of them are marked as unreadable.
  /// - Complexity: O(bytes written).
  public mutating func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    depth: Int, digits: UInt8, minzoom: UInt8, to buffer: inout OutputBuffer
  ) -> MapSummary {
    let batch = FileBatch(depth: depth, digits: digits, minzoom: minzoom)
    switch format {
    case .geojson, .geojsonseq, .geojsonl:
      return geojson.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
    case .csv:
      return csv.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
    case .gpx:
      return gpx.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
    case .html:
      html.writeLead(batch, before: range, to: &buffer)
      return html.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
    }
  }
}
