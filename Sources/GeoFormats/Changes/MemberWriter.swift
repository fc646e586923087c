import GeoCore
import GeoProjection

/// Writes GeoJSON features with members of several states, a node at a time.
package struct MemberWriter: Sendable {
  private var writer: GeoJSONWriter
  /// Writes rows of a page instead, if it is one.
  private var page: HTMLWriter?
  /// Whether the page says already whose files these are.
  private var hasLead = false

  /// A writer of one of the GeoJSON formats; of a collection, if it is none of them.
  package init(_ format: FileFormat, _ options: WriterOptions = WriterOptions()) {
    switch format {
    case .geojsonl: writer = GeoJSONWriter(.lines, options)
    case .geojsonseq: writer = GeoJSONWriter(.sequence, options)
    default: writer = GeoJSONWriter(.collection, options)
    }
  }

  /// A writer of the rows of a page.
  ///
  /// - Parameters:
  ///   - frame: What surrounds them.
  ///   - data: What the page has beside them, as JSON in which `<` is escaped.
  package init(_ frame: PageFrame, data: [UInt8]) {
    self.init(.geojson)
    self.page = HTMLWriter(frame, data: data)
  }

  /// What the features written next say after `minzoom`, `lon` and `lat`, as text with a comma before
  /// each member.
  package var members: [UInt8] {
    get { writer.members }
    set {
      writer.members = newValue
      page?.members = newValue
    }
  }

  /// Writes what stands before the first feature; nothing in some formats.
  package func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    if let page { return page.writeHeader(header, to: &buffer) }
    writer.writeHeader(header, to: &buffer)
  }

  /// Writes what follows the last feature; nothing in some formats.
  package func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    if let page { return page.writeFooter(summary, to: &buffer) }
    writer.writeFooter(summary, to: &buffer)
  }

  /// Says which folder the next calls are about.
  package mutating func enterFolder(path: [UInt8]) {
    writer.enterFolder(path: path)
    page?.enterFolder(path: path)
    hasLead = false
  }

  /// Writes the folder entered.
  package mutating func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    if page?.writeFolder(folder, ring: ring, to: &buffer) == nil {
      writer.writeFolder(folder, ring: ring, to: &buffer)
    }
  }

  /// Writes a file of the folder entered.
  ///
  /// - Parameters:
  ///   - index: Which of the names it has.
  ///   - batch: What it has in common with the files beside it.
  package mutating func writeFile(
    _ names: NameTable, _ index: Int, at place: FilePlace, _ facts: EntryFacts,
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary {
    let range = index..<(index + 1)
    // A page says whose files follow, whichever of them is the first.
    if !hasLead, index > 0 { page?.writeLead(batch, before: 0..<1, to: &buffer) }
    hasLead = true
    return page?.writeFiles(names, range, places: [place], facts: [facts], batch, to: &buffer)
      ?? writer.writeFiles(names, range, places: [place], facts: [facts], batch, to: &buffer)
  }
}
