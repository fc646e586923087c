import Foundation
import GeoCore
import GeoFormats
import GeoSources
import GeoTree

extension MapLayer {
  /// Makes a layer from values by path.
  ///
  /// ```swift
  /// var world = GeoWorld(folder: URL(filePath: "/usr/share"))
  /// world.layers = [MapLayer(name: "stars", values: [("dict/words", 5), ("man/man1", 4.5)])]
  /// for try await batch in try await world.nodes() {
  ///   for node in batch { print(node.path, node.values["stars"]?.number ?? 0) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: Letters, digits, `_` and `-`.
  ///   - how: How folders sum up; nil for `sum` of numbers and `share` of words.
  ///   - values: Paths, each once, with their values. If any value is a word, all are.
  public init(name: String, how: How? = nil, values: [(path: String, value: LayerValue)]) {
    let values = LayerValues { (body) throws(Failure) in
      for (path, value) in values { try body(Array(path.utf8), value) }
    }
    self.init(name: name, how: how, source: .values(values))
  }

  /// Makes a layer from a sequence of values by path, in bytes as in ``GeoNode/rawPath``.
  ///
  /// The sequence is read each time a world with the layer is read, and may be longer than memory.
  ///
  /// - Parameters:
  ///   - name: Letters, digits, `_` and `-`.
  ///   - how: How folders sum up; nil for `sum` of numbers and `share` of words.
  ///   - rawValues: Paths, each once, with their values. If any value is a word, all are.
  public init(
    name: String, how: How? = nil,
    rawValues: some Sequence<(path: [UInt8], value: LayerValue)> & Sendable
  ) {
    let values = LayerValues { (body) throws(Failure) in
      for (path, value) in rawValues { try body(path, value) }
    }
    self.init(name: name, how: how, source: .values(values))
  }

  /// Makes a layer from a file: CSV, TSV or JSON lines with a column `path`, an lcov or SARIF report,
  /// or `CODEOWNERS`.
  ///
  /// Without a name and a column, each column of a table becomes a layer of its name.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - column: The column or member with the values; for a ratio two, with `/` between them.
  ///   - name: The layer's name; nil for that of the column or the report.
  ///   - how: How folders sum up; nil for the default of the values.
  public init(file: URL, column: String? = nil, name: String? = nil, how: How? = nil) {
    self.init(
      name: name, how: how, source: .file(file.pathBytes, column: column.map { Array($0.utf8) }))
  }

  /// The layer of a fact that the history of the root's git repository says of files.
  ///
  /// - Parameters:
  ///   - fact: What it says.
  ///   - since: The time of the first commit that counts; nil for all commits.
  ///   - how: How folders sum up; nil for `sum` of numbers and `share` of words.
  public static func git(_ fact: GitFact, since: Date? = nil, how: How? = nil) -> MapLayer {
    MapLayer(how: how, source: .git(fact, since: since.map(UnixTime.seconds)))
  }

  /// The layer `owner` of the names of files' owners.
  public static var owner: MapLayer { MapLayer(source: .owner) }

  /// The layer `group` of the names of files' groups.
  public static var group: MapLayer { MapLayer(source: .group) }
}

extension LayerValue {
  /// The number; nil for a word.
  public var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .word: nil
    }
  }

  /// The word as text, where invalid UTF-8 becomes U+FFFD; nil for a number.
  public var word: String? {
    if case .word(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}

extension LayerValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a word.
  public init(stringLiteral value: String) { self = .word(Array(value.utf8)) }
}

/// A value is encoded as a number or a text.
extension LayerValue: Codable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .word(let bytes): try container.encode(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` if there is neither a number nor a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .word(Array(try container.decode(String.self).utf8))
    }
  }
}

extension TreeStats {
  /// The number of paths of ``GeoWorld/layers`` that have no file or folder in the tree, each once for
  /// every source that has it.
  public var unmatchedCount: Int { layers?.unmatched.rows ?? 0 }

  /// The first ten of these paths on the map, in byte order; invalid UTF-8 becomes U+FFFD.
  public var unmatchedPaths: [String] {
    (layers?.unmatched.paths ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of ``GeoWorld/layers`` at each of ``regions``, in their order, by the names of their
  /// members in map files; empty without layers.
  public var values: [[String: LayerValue]] {
    guard let layers else { return [] }
    return layers.cells.map { layers.schema.values(of: $0[...], isFolder: true) }
  }
}
