/// All formats that are written or read: the one list of their names, endings, media types and contents.
///
/// A command says which of them it makes or takes. ``OutputFormat``, ``ListFormat``, ``TileFormat`` and
/// `RecordingManager.Format` are the parts of the list that clients of the libraries choose from.
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
  /// A Mapbox Vector Tile.
  case mvt
  case svg
  case png
  /// A video in H.264.
  case mp4
  /// A video in VP9.
  case webm
  /// A picture that moves.
  case gif
  /// A path a line.
  case lines
  /// The output of `find -printf '%s %T@ %y %p\0'`.
  case find
  /// An export of ncdu, in JSON.
  case ncdu
  /// An export of gdu, which writes as ncdu does.
  case gdu
  /// The output of `restic ls --json`, an object a line.
  case restic
  /// The output of `borg list --json-lines`, an object a line.
  case borg
  /// The output of `rclone lsjson -R`, an array of objects.
  case rclone
  /// The specification of a tree, as `bsdtar --format=mtree` writes it.
  case mtree
  /// The output of `tar -tv`.
  case tar
  /// The output of `unzip -l`.
  case unzip

  /// What a format can hold.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A report on something, for people or programs.
    package static let reports = Self(rawValue: 1)
    /// The nodes of a map.
    package static let nodes = Self(rawValue: 2)
    /// Nodes one by one, as they are found.
    package static let answers = Self(rawValue: 4)
    /// A map of two states.
    package static let changes = Self(rawValue: 8)
    /// A history.
    package static let lives = Self(rawValue: 16)
    /// A recording.
    package static let events = Self(rawValue: 32)
    /// A recording as it is played.
    package static let playing = Self(rawValue: 64)
    /// Lines of places and times.
    package static let tracks = Self(rawValue: 128)
    /// The way from one path to another.
    package static let routes = Self(rawValue: 256)
    /// All tiles of a map.
    package static let tiles = Self(rawValue: 512)
    package static let pictures = Self(rawValue: 1024)
    /// One tile.
    package static let tile = Self(rawValue: 2048)
    /// The paths of a tree.
    package static let paths = Self(rawValue: 4096)
    package static let videos = Self(rawValue: 8192)
  }

  private struct Facts {
    var endings: [String] = []
    let mediaType: String
    /// What is written in it.
    var holds: Contents = []
    /// What of that, or else, is read.
    var reads: Contents = []
    /// What it has a place for, of a map.
    var traits: FormatTraits = []
    /// Whether all of it, or each line, is JSON.
    var isJSON = false
  }

  private var facts: Facts {
    switch self {
    case .text: Facts(mediaType: "text/plain", holds: [.reports, .answers, .routes])
    case .json:
      Facts(
        endings: ["json"], mediaType: "application/json", holds: [.reports, .events, .tracks],
        reads: [.events, .tracks], isJSON: true)
    case .jsonl:
      Facts(
        endings: ["ndjson"], mediaType: "application/x-ndjson", holds: .playing, isJSON: true)
    case .sse: Facts(mediaType: "text/event-stream", holds: .playing)
    case .geojson:
      Facts(
        endings: ["geojson"], mediaType: "application/geo+json",
        holds: [.nodes, .answers, .changes, .lives, .events, .tracks, .routes, .tile],
        reads: .nodes, traits: Self.featureTraits, isJSON: true)
    case .geojsonseq:
      Facts(
        endings: ["geojsons"], mediaType: "application/geo+json-seq",
        holds: [.nodes, .answers, .changes, .lives], reads: .nodes, traits: Self.featureTraits,
        isJSON: true)
    case .geojsonl:
      Facts(
        endings: ["geojsonl", "ndjson"], mediaType: "application/x-ndjson",
        holds: [.nodes, .answers, .changes, .lives], reads: .nodes, traits: Self.featureTraits,
        isJSON: true)
    case .csv:
      Facts(
        endings: ["csv"], mediaType: "text/csv",
        holds: [.nodes, .answers, .changes, .lives, .events, .tracks],
        traits: [.totals, .quotes])
    case .gpx:
      Facts(
        endings: ["gpx"], mediaType: "application/gpx+xml",
        holds: [.nodes, .answers, .lives, .events, .playing, .tracks, .routes], reads: .tracks)
    case .html:
      Facts(
        endings: ["html"], mediaType: "text/html", holds: [.nodes, .changes, .lives],
        traits: .totals)
    case .flatgeobuf:
      Facts(
        endings: ["fgb"], mediaType: "application/vnd.flatgeobuf", holds: .nodes,
        traits: [.links, .totals, .lonlat, .index])
    case .parquet:
      Facts(
        endings: ["parquet"], mediaType: "application/vnd.apache.parquet", holds: .nodes,
        traits: [.links, .totals, .lonlat, .compression])
    case .pmtiles:
      Facts(endings: ["pmtiles"], mediaType: "application/vnd.pmtiles", holds: .tiles)
    case .mvt: Facts(mediaType: "application/vnd.mapbox-vector-tile", holds: .tile)
    case .svg: Facts(endings: ["svg"], mediaType: "image/svg+xml", holds: .pictures)
    case .png: Facts(endings: ["png"], mediaType: "image/png", holds: .pictures)
    case .mp4: Facts(endings: ["mp4"], mediaType: "video/mp4", holds: .videos)
    case .webm: Facts(endings: ["webm"], mediaType: "video/webm", holds: .videos)
    case .gif: Facts(endings: ["gif"], mediaType: "image/gif", holds: .videos)
    case .lines, .find: Facts(mediaType: "text/plain", reads: .paths)
    case .ncdu, .gdu, .rclone: Facts(mediaType: "application/json", reads: .paths, isJSON: true)
    case .restic, .borg: Facts(mediaType: "application/x-ndjson", reads: .paths, isJSON: true)
    case .mtree: Facts(endings: ["mtree"], mediaType: "text/plain", reads: .paths)
    case .tar, .unzip: Facts(mediaType: "text/plain", reads: .paths)
    }
  }

  private static let featureTraits: FormatTraits = [
    .tippecanoe, .links, .totals, .lonlat,
  ]

  /// How names of files in it end, without the dot; the usual ending first.
  package var endings: [String] { facts.endings }
  package var mediaType: String { facts.mediaType }
  package var isJSON: Bool { facts.isJSON }
  package var holds: Contents { facts.holds }
  package var reads: Contents { facts.reads }
  package var traits: FormatTraits { facts.traits }

  /// The formats that some of what is given is written in, in the order of the list.
  package static func holding(_ contents: Contents) -> [FileFormat] {
    allCases.filter { !$0.holds.isDisjoint(with: contents) }
  }

  /// The formats that some of what is given is read from, in the order of the list.
  package static func reading(_ contents: Contents) -> [FileFormat] {
    allCases.filter { !$0.reads.isDisjoint(with: contents) }
  }
}

extension FileFormat {
  /// The ending of the last name of a path, in small letters, if a format of the list has it.
  package static func ending(of path: [UInt8]) -> String? {
    anyEnding(of: path).flatMap { ending in
      allCases.contains { $0.endings.contains(ending) } ? ending : nil
    }
  }

  /// The ending of the last name of a path, in small letters; nil if it has none.
  package static func anyEnding(of path: [UInt8]) -> String? {
    let name = path.lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Whether it is not text, so that a terminal can't show it.
  package var isBinary: Bool {
    switch self {
    case .flatgeobuf, .parquet, .pmtiles, .mvt, .png, .mp4, .webm, .gif: true
    default: false
    }
  }

  /// Whether a file in it may have an ending of the list: its own, or one of any JSON.
  package func goes(with ending: String) -> Bool {
    endings.contains(ending) || isJSON && (ending == "json" || ending == "geojson")
  }

  /// The format that a file ending means among the formats that a command writes; nil if none.
  package static func named(by ending: String, among made: [FileFormat]) -> FileFormat? {
    if let format = made.first(where: { $0.endings.contains(ending) }) { return format }
    return ending == "json" && made.contains(.geojson) ? .geojson : nil
  }
}

/// What a format has a place for.
package struct FormatTraits: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Features that say how tippecanoe is to show them.
  package static let tippecanoe = Self(rawValue: 1)
  /// How many names a file has.
  package static let links = Self(rawValue: 2)
  /// What is below a folder.
  package static let totals = Self(rawValue: 4)
  /// Positions of files, as members in addition to the geometry.
  package static let lonlat = Self(rawValue: 32)
  /// An index, which can be left out.
  package static let index = Self(rawValue: 64)
  /// Bytes that are packed.
  package static let compression = Self(rawValue: 128)
  /// Text fields that are quoted only if necessary.
  package static let quotes = Self(rawValue: 256)
}
