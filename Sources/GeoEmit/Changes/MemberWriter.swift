import GeoPath
import GeoProjection

/// The formats of what is told about several states.
public enum ChangeFormat: String, Sendable, CaseIterable {
  /// One GeoJSON `FeatureCollection` (RFC 7946), one feature to a line.
  case geojson
  /// GeoJSON features, one to a line.
  case geojsonl
  /// A GeoJSON text sequence (RFC 8142).
  case geojsonseq
  /// A table (RFC 4180), one node to a record.
  case csv
}

/// Writes GeoJSON features with members of several states, a node at a time.
package struct MemberWriter: Sendable {
  private var writer: GeoJSONWriter

  /// A writer of one of the GeoJSON formats.
  package init(_ format: ChangeFormat, _ options: WriterOptions = WriterOptions()) {
    switch format {
    case .geojson, .csv: writer = GeoJSONWriter(.collection, options)
    case .geojsonl: writer = GeoJSONWriter(.lines, options)
    case .geojsonseq: writer = GeoJSONWriter(.sequence, options)
    }
  }

  /// What the features written next say behind `minzoom`, `lon` and `lat`, as text with a comma before
  /// each member.
  package var members: [UInt8] {
    get { writer.members }
    set { writer.members = newValue }
  }

  /// Writes what stands before the first feature; nothing in some formats.
  package func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    writer.writeHeader(header, to: &buffer)
  }

  /// Writes what follows the last feature; nothing in some formats.
  package func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    writer.writeFooter(summary, to: &buffer)
  }

  /// Says which folder the next calls are about.
  package mutating func enterFolder(path: [UInt8]) { writer.enterFolder(path: path) }

  /// Writes the folder entered.
  package mutating func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    writer.writeFolder(folder, ring: ring, to: &buffer)
  }

  /// Writes a file of the folder entered.
  ///
  /// - Parameter index: Which of the names it has.
  package mutating func writeFile(
    _ names: NameTable, _ index: Int, at place: FilePlace, _ facts: EntryFacts, depth: Int,
    digits: UInt8, minzoom: UInt8, to buffer: inout OutputBuffer
  ) -> MapSummary {
    writer.writeFiles(
      names, index..<(index + 1), places: [place], facts: [facts],
      FileBatch(depth: depth, digits: digits, minzoom: minzoom), to: &buffer)
  }
}
