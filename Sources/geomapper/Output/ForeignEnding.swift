import GeoCore

/// The ending of a file of a kind that the tool doesn't write, such as `.pdf`.
struct ForeignEnding {
  private struct Converter {
    let endings: [String]
    /// The format to convert; nil for any.
    let source: FileFormat?
    /// The command, in which OLD and NEW stand for the files.
    let command: String
  }

  private let ending: String
  private let converter: Converter

  private static let converters = [
    Converter(
      endings: ["shp", "kml", "kmz", "gpkg", "gml", "dxf", "tab", "sqlite", "arrow", "feather"],
      source: .geojson, command: "ogr2ogr NEW OLD"),
    Converter(endings: ["topojson"], source: .geojson, command: "geo2topo OLD > NEW"),
    Converter(endings: ["mbtiles"], source: .geojsonl, command: "tippecanoe -o NEW OLD"),
    Converter(
      endings: ["pdf", "ps", "eps"], source: .svg, command: "rsvg-convert -f ENDING -o NEW OLD"),
    Converter(
      endings: ["jpg", "jpeg", "webp", "tif", "tiff", "avif", "bmp"], source: .png,
      command: "magick OLD NEW"),
    Converter(endings: ["xlsx", "ods"], source: .csv, command: "ogr2ogr NEW OLD"),
    Converter(endings: ["mov", "avi", "mkv", "m4v"], source: .mp4, command: "ffmpeg -i OLD NEW"),
    Converter(
      endings: ["zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "br", "lz4"], source: nil,
      command: "pack the finished file"),
  ]

  init?(_ ending: String) {
    guard let converter = Self.converters.first(where: { $0.endings.contains(ending) }) else {
      return nil
    }
    (self.ending, self.converter) = (ending, converter)
  }

  /// What to do instead, as the end of a message; empty if no format of `made` can be converted.
  func advice(for file: [UInt8], among made: [FileFormat]) -> String {
    guard let source = converter.source else { return "; \(converter.command)" }
    guard made.contains(source) else { return "" }
    let old = Array(file.dropLast(ending.utf8.count)) + Array((source.endings.first ?? "").utf8)
    let command = converter.command.split(separator: " ").map { word -> String in
      switch word {
      case "NEW": file.shown
      case "OLD": old.shown
      case "ENDING": ending
      default: String(word)
      }
    }
    return "; or convert it: \(command.joined(separator: " "))"
  }
}
