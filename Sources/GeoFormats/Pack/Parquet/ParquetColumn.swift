import GeoCore

/// A column of a Parquet file: what it is called, of which type it is, and what of a node is in it.
struct ParquetColumn {
  /// How values are stored, by the format's numbers.
  enum Physical: Int {
    case boolean = 0
    case int = 1
    case long = 2
    case float = 4
    case double = 5
    case bytes = 6
  }

  /// What values mean.
  enum Logical {
    case itself
    case text
    /// Milliseconds of Unix time.
    case timestamp
  }

  /// What of a node is in it.
  enum Source {
    case id, path, folder, name, kind, depth, size, modified, minzoom, longitude, latitude
    case special, links, loop, unreadable, rawPath, geometry
    /// One of the sums below a folder.
    case total(Int)
    /// An edge of its box.
    case west, south, east, north
  }

  let name: String
  let physical: Physical
  var logical = Logical.itself
  var isOptional = false
  var encoding = ParquetEncoding.plain
  let source: Source

  /// How hard it is tried to pack it; nil where that makes nothing smaller: an id is as good as chance.
  var effort: Deflater.Effort? {
    switch source {
    case .id: nil
    case .geometry, .longitude, .latitude, .modified, .size: .hasty
    case .path, .name, .folder, .rawPath: .wordy
    default: .swift
    }
  }

  /// The names on the way to it.
  var path: [[UInt8]] {
    isInBox ? [Self.box, Array(name.utf8)] : [Array(name.utf8)]
  }

  /// Whether it is one of the columns of the box.
  var isInBox: Bool {
    switch source {
    case .west, .south, .east, .north: true
    default: false
    }
  }

  /// The group of the box's columns.
  static let box = Array("bbox".utf8)

  /// All columns: the members of GeoJSON, `folder` beside `path`, the geometry and its box.
  static func all(_ options: WriterOptions) -> [ParquetColumn] {
    func text(
      _ name: String, _ source: Source, _ encoding: ParquetEncoding, optional: Bool = false
    ) -> ParquetColumn {
      ParquetColumn(
        name: name, physical: .bytes, logical: .text, isOptional: optional, encoding: encoding,
        source: source)
    }
    func number(_ name: String, _ physical: Physical, _ source: Source) -> ParquetColumn {
      ParquetColumn(
        name: name, physical: physical, isOptional: true,
        encoding: physical == .int || physical == .long ? .deltas : .plain, source: source)
    }
    func edge(_ name: String, _ source: Source) -> ParquetColumn {
      ParquetColumn(name: name, physical: .float, encoding: .listed, source: source)
    }
    var columns = [
      ParquetColumn(name: "id", physical: .long, encoding: .deltas, source: .id),
      text("path", .path, .prefixes), text("folder", .folder, .listed, optional: true),
      text("name", .name, .prefixes), text("kind", .kind, .listed),
      ParquetColumn(name: "depth", physical: .int, encoding: .deltas, source: .depth),
      number("size", .long, .size),
    ]
    if options.totals {
      for (index, name) in ["files", "bytes", "allocated"].enumerated() {
        columns.append(number(name, .long, .total(index)))
      }
    }
    columns += [
      ParquetColumn(
        name: "modified", physical: .long, logical: .timestamp, isOptional: true,
        encoding: .deltas, source: .modified),
      number("minzoom", .int, .minzoom), number("lon", .double, .longitude),
      number("lat", .double, .latitude), text("special", .special, .listed, optional: true),
    ]
    if options.links { columns.append(number("links", .long, .links)) }
    if options.loops { columns.append(number("loop", .boolean, .loop)) }
    return columns + [
      number("unreadable", .boolean, .unreadable),
      text("rawPath", .rawPath, .prefixes, optional: true),
      ParquetColumn(name: "geometry", physical: .bytes, encoding: .prefixes, source: .geometry),
      edge("xmin", .west), edge("ymin", .south), edge("xmax", .east), edge("ymax", .north),
    ]
  }
}
