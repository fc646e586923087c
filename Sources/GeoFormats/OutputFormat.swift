import GeoCore
import GeoProjection

/// A format in which a map is written: a file format that holds nodes.
public struct OutputFormat: Hashable, Sendable {
  package let file: FileFormat
  private let page: PageMaker

  /// Makes the frame and the other data of a page. All are equal: a format is a file format.
  private struct PageMaker: Hashable, Sendable {
    let make: @Sendable () -> (frame: PageFrame, data: [UInt8])

    static func == (a: Self, b: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  fileprivate init(
    _ file: FileFormat,
    page: @escaping @Sendable () -> (frame: PageFrame, data: [UInt8]) = { (.bare, []) }
  ) {
    self.file = file
    self.page = PageMaker(make: page)
  }

  func makePage() -> (frame: PageFrame, data: [UInt8]) { page.make() }

  package init?(rawValue: String) {
    guard let format = FileFormat(rawValue: rawValue)?.ofMap else { return nil }
    self = format
  }

  /// One GeoJSON `FeatureCollection` (RFC 7946), one feature per line.
  public static let geojson = OutputFormat(.geojson)
  /// A GeoJSON text sequence (RFC 8142): each feature between RS and LF.
  public static let geojsonseq = OutputFormat(.geojsonseq)
  /// GeoJSON features, one per line.
  public static let geojsonl = OutputFormat(.geojsonl)
  /// A table (RFC 4180), one node per record.
  public static let csv = OutputFormat(.csv)
  /// GPX 1.1, one waypoint per line.
  public static let gpx = OutputFormat(.gpx)
  /// A page that shows the map, opens from disk and needs no other files.
  ///
  /// Here it has the map's rows only; `GeoWorld` adds the viewer.
  public static let html = OutputFormat(.html)
  /// FlatGeobuf, all nodes in one layer; indexed unless the options say otherwise.
  public static let flatgeobuf = OutputFormat(.flatgeobuf)
  /// GeoParquet 1.1, the nodes in row groups of near ones.
  public static let parquet = OutputFormat(.parquet)

  /// A page that shows the map and optional data.
  ///
  /// - Parameters:
  ///   - frame: The parts around the map; evaluated when the page is written.
  ///   - data: Additional data as JSON in which `<` is escaped.
  package static func page(
    _ frame: @autoclosure @escaping @Sendable () -> PageFrame, data: [UInt8] = []
  ) -> OutputFormat {
    OutputFormat(.html) { (frame(), data) }
  }

  package static let allCases = FileFormat.allCases.compactMap(\.ofMap)

  /// The name on the command line.
  package var rawValue: String { file.rawValue }

  package var traits: FormatTraits { file.traits }

  package var maximumNodes: Int { file == .html ? PageFrame.maximumNodes : .max }

  /// The formats that support a trait, in words.
  package static func names(with trait: FormatTraits) -> String {
    let all = allCases.filter { $0.traits.contains(trait) }
    let words =
      (all.contains(.geojson) ? ["the GeoJSON formats"] : [])
      + all.filter { !$0.isGeoJSON }.map(\.rawValue)
    return words.listed(by: "and")
  }

  package var isGeoJSON: Bool { traits.contains(.tippecanoe) }
}

extension FileFormat {
  /// The format of a map in this file format; nil if it holds no nodes.
  package var ofMap: OutputFormat? { holds.contains(.nodes) ? OutputFormat(self) : nil }
}

/// The columns of a table of nodes.
package enum FeatureTable: Hashable, Sendable {
  case nodes
  case changes
  /// A record for each life of a node.
  case lives
  /// A record for each event of a history.
  case events
}

package enum Compression: String, Sendable, CaseIterable {
  case none
  /// DEFLATE with the header of gzip (RFC 1952).
  case gzip
}

/// Optional members of a feature.
package struct WriterOptions: Sendable {
  /// Whether GeoJSON features have a minimum zoom for tippecanoe.
  package var tippecanoe = false
  /// Whether folders have totals, and tables columns for them.
  package var totals = false
  /// Whether files have their number of names, and tables a column for it.
  package var links = false
  /// Whether folders are marked as loops, and tables have a column for it.
  package var loops = false
  /// Whether files have `lon` and `lat` as members, too.
  package var lonlat = false
  package var isIndexed = true
  package var compression = Compression.none
  package var quotesAll = false
  package var table = FeatureTable.nodes
  package var layers = LayerSchema.none

  package init() {}
}

package struct MapHeader: Sendable {
  package var layout: Layout
  /// The labels of all roots, raw, in byte order.
  package var labels: [[UInt8]]
  /// Whether a filter was used.
  package var isPartial: Bool
  /// The states of a map of several states; else empty.
  package var states: [MapState] = []
  package var layers: [Layer] = []

  package init(layout: Layout, labels: [[UInt8]], isPartial: Bool) {
    self.layout = layout
    self.labels = labels
    self.isPartial = isPartial
  }
}

extension MapHeader {
  func write(to buffer: inout OutputBuffer) {
    buffer.append("{\"projection\":")
    buffer.append(Int64(GeoProjectionEngine.version))
    buffer.append(member: "layout", word: layout == .settled ? "settled" : "pinned")
    buffer.append(member: "roots", texts: labels)
    for (index, state) in states.enumerated() {
      buffer.append(index == 0 ? ",\"states\":[{\"name\":\"" : ",{\"name\":\"")
      buffer.append(json: state.name.span)
      buffer.append("\"")
      if let time = state.time, CivilTime(unixSeconds: time) != nil {
        buffer.append(",\"time\":\"")
        _ = buffer.append(time: time)
        buffer.append("\"")
      }
      buffer.append("}")
    }
    if !states.isEmpty { buffer.append("]") }
    if !layers.isEmpty {
      buffer.append(",\"layers\":")
      let names = Self.json(of: layers)
      buffer.append(names.span)
    }
    if isPartial { buffer.append(",\"partial\":true") }
    buffer.append("}")
  }

  /// The names of layers and how they are summed up, as a JSON array.
  package static func json(of layers: [Layer]) -> [UInt8] {
    let objects = layers.map { "{\"name\":\"\($0.name)\",\"how\":\"\($0.summary.rawValue)\"}" }
    return Array("[\(objects.joined(separator: ","))]".utf8)
  }

  package var json: [UInt8] {
    var buffer = OutputBuffer(capacity: 256)
    write(to: &buffer)
    return buffer.bytes
  }
}

/// The number of features written.
package struct MapSummary: Sendable, Equatable {
  /// The number of folders, with those that have no land.
  package var folders: Int
  package var files: Int
  package var unreadable: Int
  package var excluded = ExclusionCounts()
  /// The number of files that differ between two states; nil in a map of one.
  package var changes: ChangeCounts?
  /// The number of values of each layer that had no node, in the order of the layers; empty where
  /// all had one.
  package var unmatched: [UnmatchedValues] = []

  package init(folders: Int = 0, files: Int = 0, unreadable: Int = 0) {
    self.folders = folders
    self.files = files
    self.unreadable = unreadable
  }

  package static func += (total: inout MapSummary, part: MapSummary) {
    total.folders += part.folders
    total.files += part.files
    total.unreadable += part.unreadable
    total.excluded += part.excluded
    if !part.unmatched.isEmpty { total.unmatched = part.unmatched }
    if let changes = part.changes { total.changes = (total.changes ?? ChangeCounts()) + changes }
  }
}

/// Values of a layer that had no node.
package struct UnmatchedValues: Sendable, Equatable {
  package let layer: String
  package let count: Int

  package init(layer: String, count: Int) { (self.layer, self.count) = (layer, count) }
}
