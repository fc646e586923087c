import GeoEmit

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
  /// Whether values are numbers in a dictionary of the row group.
  var isListed = false
  let source: Source

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
    func text(_ name: String, _ source: Source, optional: Bool = false, listed: Bool = false)
      -> ParquetColumn
    {
      ParquetColumn(
        name: name, physical: .bytes, logical: .text, isOptional: optional, isListed: listed,
        source: source)
    }
    func number(_ name: String, _ physical: Physical, _ source: Source) -> ParquetColumn {
      ParquetColumn(name: name, physical: physical, isOptional: true, source: source)
    }
    var columns = [
      ParquetColumn(name: "id", physical: .long, source: .id),
      text("path", .path), text("folder", .folder, optional: true, listed: true),
      text("name", .name), text("kind", .kind, listed: true),
      ParquetColumn(name: "depth", physical: .int, source: .depth),
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
        source: .modified),
      number("minzoom", .int, .minzoom), number("lon", .double, .longitude),
      number("lat", .double, .latitude), text("special", .special, optional: true, listed: true),
    ]
    if options.links { columns.append(number("links", .long, .links)) }
    if options.loops { columns.append(number("loop", .boolean, .loop)) }
    return columns + [
      number("unreadable", .boolean, .unreadable), text("rawPath", .rawPath, optional: true),
      ParquetColumn(name: "geometry", physical: .bytes, source: .geometry),
      ParquetColumn(name: "xmin", physical: .float, source: .west),
      ParquetColumn(name: "ymin", physical: .float, source: .south),
      ParquetColumn(name: "xmax", physical: .float, source: .east),
      ParquetColumn(name: "ymax", physical: .float, source: .north),
    ]
  }
}
