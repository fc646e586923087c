/// The formats of all that is written: the one list of their names, endings and contents.
///
/// A command says which of them it makes. What writes a map in one of them is an ``OutputFormat``.
package enum FileFormat: String, Sendable, CaseIterable {
  /// For people.
  case text
  case json
  /// Values of JSON, one to a line.
  case jsonl
  /// Events as a server sends them.
  case sse
  /// One GeoJSON `FeatureCollection` (RFC 7946).
  case geojson
  /// A GeoJSON text sequence (RFC 8142).
  case geojsonseq
  /// GeoJSON features, one to a line.
  case geojsonl
  /// A table (RFC 4180).
  case csv
  case gpx
  /// A page that opens from disk.
  case html
  case flatgeobuf
  /// GeoParquet.
  case parquet
  /// Vector tiles in one file.
  case pmtiles
  case svg
  case png

  /// What a format can hold.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// What people or programs are told of something.
    package static let reports = Self(rawValue: 1)
    /// The nodes of a map.
    package static let nodes = Self(rawValue: 2)
    /// Nodes one by one, as they are found.
    package static let answers = Self(rawValue: 4)
    /// A map of two states.
    package static let changes = Self(rawValue: 8)
    /// A history.
    package static let lives = Self(rawValue: 16)
    /// What was recorded.
    package static let events = Self(rawValue: 32)
    /// What was recorded, as it is played.
    package static let playing = Self(rawValue: 64)
    /// Lines of places and times.
    package static let tracks = Self(rawValue: 128)
    /// The way from one path to another.
    package static let routes = Self(rawValue: 256)
    package static let tiles = Self(rawValue: 512)
    package static let pictures = Self(rawValue: 1024)
  }

  /// What is known of a format.
  private struct Facts {
    var endings: [String] = []
    let mediaType: String
    let holds: Contents
    /// Whether all of it, or each line, is JSON.
    var isJSON = false
    /// Whether `verify` can check a map in it.
    var isVerified = false
  }

  private var facts: Facts {
    switch self {
    case .text: Facts(mediaType: "text/plain", holds: [.reports, .answers, .routes])
    case .json:
      Facts(
        endings: ["json"], mediaType: "application/json", holds: [.reports, .events, .tracks],
        isJSON: true)
    case .jsonl:
      Facts(
        endings: ["ndjson"], mediaType: "application/x-ndjson", holds: .playing, isJSON: true)
    case .sse: Facts(mediaType: "text/event-stream", holds: .playing)
    case .geojson:
      Facts(
        endings: ["geojson"], mediaType: "application/geo+json",
        holds: [.nodes, .answers, .changes, .lives, .events, .tracks, .routes], isJSON: true,
        isVerified: true)
    case .geojsonseq:
      Facts(
        endings: ["geojsons"], mediaType: "application/geo+json-seq",
        holds: [.nodes, .answers, .changes, .lives], isJSON: true, isVerified: true)
    case .geojsonl:
      Facts(
        endings: ["geojsonl", "ndjson"], mediaType: "application/x-ndjson",
        holds: [.nodes, .answers, .changes, .lives], isJSON: true, isVerified: true)
    case .csv:
      Facts(
        endings: ["csv"], mediaType: "text/csv",
        holds: [.nodes, .answers, .changes, .lives, .events, .tracks])
    case .gpx:
      Facts(
        endings: ["gpx"], mediaType: "application/gpx+xml",
        holds: [.nodes, .answers, .lives, .events, .playing, .tracks, .routes])
    case .html:
      Facts(endings: ["html"], mediaType: "text/html", holds: [.nodes, .changes, .lives])
    case .flatgeobuf:
      Facts(endings: ["fgb"], mediaType: "application/vnd.flatgeobuf", holds: .nodes)
    case .parquet:
      Facts(endings: ["parquet"], mediaType: "application/vnd.apache.parquet", holds: .nodes)
    case .pmtiles:
      Facts(endings: ["pmtiles"], mediaType: "application/vnd.pmtiles", holds: .tiles)
    case .svg: Facts(endings: ["svg"], mediaType: "image/svg+xml", holds: .pictures)
    case .png: Facts(endings: ["png"], mediaType: "image/png", holds: .pictures)
    }
  }

  /// How names of files in it end, without the dot; the usual ending first.
  package var endings: [String] { facts.endings }

  package var mediaType: String { facts.mediaType }

  /// Whether all of it, or each line, is JSON.
  package var isJSON: Bool { facts.isJSON }

  /// Whether a map in it can be checked against the definition of the format.
  package var isVerified: Bool { facts.isVerified }

  /// What it can hold.
  package var holds: Contents { facts.holds }

  /// The formats that can hold some of what is given, in the order of the list.
  package static func holding(_ contents: Contents) -> [FileFormat] {
    allCases.filter { !$0.holds.isDisjoint(with: contents) }
  }

  /// What writes a map in it; nil if it holds none.
  package var ofMap: OutputFormat? { OutputFormat(rawValue: rawValue) }
}

extension FileFormat {
  /// The ending of the last name of a path, in small letters, if a format of the list has it.
  package static func ending(of path: [UInt8]) -> String? {
    let name = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    return allCases.contains { $0.endings.contains(ending) } ? ending : nil
  }

  /// Whether a file in it may have an ending of the list: its own, or one of any JSON.
  package func goes(with ending: String) -> Bool {
    endings.contains(ending) || isJSON && (ending == "json" || ending == "geojson")
  }

  /// The format that an ending of the list stands for where some are made; nil if none of them is.
  package static func named(by ending: String, among made: [FileFormat]) -> FileFormat? {
    if let format = made.first(where: { $0.endings.contains(ending) }) { return format }
    return ending == "json" && made.contains(.geojson) ? .geojson : nil
  }
}
