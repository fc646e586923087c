/// A vector tile, decoded by the specification (Mapbox Vector Tile 2.1) without code of the writer.
/// What the specification forbids or advises against is an error.
public struct DecodedTile: Equatable, Sendable {
  /// Why bytes are not a tile.
  public struct Fault: Error, Equatable {
    /// The reason.
    public var reason: String
  }

  /// A property's value, by the type in which it is stored.
  public enum Value: Hashable, Sendable {
    case text(String)
    case float(Float)
    case double(Double)
    case int(Int64)
    case unsigned(UInt64)
    case signed(Int64)
    case flag(Bool)
  }

  /// A point on the tile's grid.
  public struct Point: Hashable, Sendable {
    /// Units from the western edge.
    public var x: Int64
    /// Units from the northern edge.
    public var y: Int64

    /// A point of the given coordinates.
    public init(x: Int64, y: Int64) {
      self.x = x
      self.y = y
    }
  }

  /// The shape of a feature.
  public enum Geometry: Equatable, Sendable {
    /// Points.
    case points([Point])
    /// Rings, not closed by a repeated vertex.
    case polygon([[Point]])
  }

  /// A feature.
  public struct Feature: Equatable, Sendable {
    /// Its number; optional.
    public var id: UInt64?
    /// Its shape.
    public var geometry: Geometry
    /// Its properties.
    public var properties: [String: Value]

    /// A feature of the given parts.
    public init(id: UInt64?, geometry: Geometry, properties: [String: Value]) {
      self.id = id
      self.geometry = geometry
      self.properties = properties
    }
  }

  /// A layer.
  public struct Layer: Equatable, Sendable {
    /// Its name.
    public var name = ""
    /// Units of the tile's grid along each side.
    public var extent: UInt64 = 4096
    /// Its features, in the order of the tile.
    public var features: [Feature] = []
  }

  /// The layers, in the order of the tile.
  public private(set) var layers: [Layer] = []

  /// The first layer with the given name.
  public subscript(name: String) -> Layer? { layers.first { $0.name == name } }

  /// Decodes a tile.
  public init(_ bytes: [UInt8]) throws {
    var reader = ProtobufReader(bytes[...])
    while let (number, content) = try reader.field() {
      guard number == 3, case .bytes(let layer) = content else {
        throw Fault(reason: "field \(number) in a tile")
      }
      let read = try LayerReader(layer).layer()
      if self[read.name] != nil { throw Fault(reason: "two layers '\(read.name)'") }
      layers.append(read)
    }
  }
}

/// Decodes a layer.
private struct LayerReader {
  private typealias Fault = DecodedTile.Fault
  private typealias Point = DecodedTile.Point

  private var name: String?
  private var version: UInt64?
  private var extent: UInt64 = 4096
  private var features: [ArraySlice<UInt8>] = []
  private var keys: [String] = []
  private var values: [DecodedTile.Value] = []

  init(_ bytes: ArraySlice<UInt8>) throws {
    var reader = ProtobufReader(bytes)
    while let (number, content) = try reader.field() {
      switch (number, content) {
      case (15, .number(let value)) where version == nil: version = value
      case (1, .bytes(let text)) where name == nil: name = try Self.text(text)
      case (2, .bytes(let feature)): features.append(feature)
      case (3, .bytes(let key)): keys.append(try Self.text(key))
      case (4, .bytes(let value)): values.append(try Self.value(value))
      case (5, .number(let value)): extent = value
      default: throw Fault(reason: "field \(number) in a layer: \(content)")
      }
    }
    if version != 2 { throw Fault(reason: "version \(String(describing: version))") }
    if Set(keys).count != keys.count { throw Fault(reason: "a key is kept twice: \(keys)") }
    if Set(values).count != values.count { throw Fault(reason: "a value is kept twice") }
  }

  func layer() throws -> DecodedTile.Layer {
    guard let name, !features.isEmpty else { throw Fault(reason: "a layer of nothing") }
    var used = (keys: Set<Int>(), values: Set<Int>())
    let features = try features.map { try feature($0, &used) }
    if used.keys.count != keys.count || used.values.count != values.count {
      throw Fault(reason: "keys or values that no feature has")
    }
    return DecodedTile.Layer(name: name, extent: extent, features: features)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(reason: "a text that is no UTF-8: \(Array(bytes))")
    }
    return text
  }

  private static func value(_ bytes: ArraySlice<UInt8>) throws -> DecodedTile.Value {
    var reader = ProtobufReader(bytes)
    guard let (number, content) = try reader.field(), reader.rest.isEmpty else {
      throw Fault(reason: "a value that isn't one")
    }
    switch (number, content) {
    case (1, .bytes(let text)): return .text(try Self.text(text))
    case (2, .fourBytes(let bits)): return .float(Float(bitPattern: bits))
    case (3, .eightBytes(let bits)): return .double(Double(bitPattern: bits))
    case (4, .number(let value)): return .int(Int64(bitPattern: value))
    case (5, .number(let value)): return .unsigned(value)
    case (6, .number(let value)): return .signed(unzigzag(value))
    case (7, .number(let value)) where value <= 1: return .flag(value == 1)
    default: throw Fault(reason: "field \(number) in a value: \(content)")
    }
  }

  private func feature(
    _ bytes: ArraySlice<UInt8>, _ used: inout (keys: Set<Int>, values: Set<Int>)
  ) throws -> DecodedTile.Feature {
    var reader = ProtobufReader(bytes)
    var (id, kind): (UInt64?, UInt64?)
    var (tags, commands): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    while let (number, content) = try reader.field() {
      switch (number, content) {
      case (1, .number(let value)) where id == nil: id = value
      case (2, .bytes(let packed)) where tags.isEmpty: tags = packed
      case (3, .number(let value)) where kind == nil: kind = value
      case (4, .bytes(let packed)) where commands.isEmpty: commands = packed
      default: throw Fault(reason: "field \(number) in a feature: \(content)")
      }
    }
    let geometry: DecodedTile.Geometry
    switch kind {
    case 1: geometry = .points(try points(commands))
    case 3: geometry = .polygon(try rings(commands))
    default: throw Fault(reason: "geometry \(String(describing: kind))")
    }
    return DecodedTile.Feature(
      id: id, geometry: geometry, properties: try properties(tags, &used))
  }

  private func properties(
    _ tags: ArraySlice<UInt8>, _ used: inout (keys: Set<Int>, values: Set<Int>)
  ) throws -> [String: DecodedTile.Value] {
    var properties: [String: DecodedTile.Value] = [:]
    var reader = ProtobufReader(tags)
    while let key = try reader.number() {
      guard let value = try reader.number(), key < keys.count, value < values.count else {
        throw Fault(reason: "tags beyond what the layer has")
      }
      used.keys.insert(Int(key))
      used.values.insert(Int(value))
      if properties.updateValue(values[Int(value)], forKey: keys[Int(key)]) != nil {
        throw Fault(reason: "a feature has '\(keys[Int(key)])' twice")
      }
    }
    return properties
  }

  private func points(_ commands: ArraySlice<UInt8>) throws -> [Point] {
    var (reader, cursor) = (ProtobufReader(commands), Point(x: 0, y: 0))
    guard let move = try reader.number(), move & 7 == 1, move >> 3 > 0 else {
      throw Fault(reason: "a point that isn't moved to")
    }
    let points = try steps(move >> 3, &reader, &cursor)
    if !reader.rest.isEmpty { throw Fault(reason: "more than points") }
    return points
  }

  private func rings(_ commands: ArraySlice<UInt8>) throws -> [[Point]] {
    var (reader, cursor) = (ProtobufReader(commands), Point(x: 0, y: 0))
    var rings: [[Point]] = []
    while let move = try reader.number() {
      if move != 1 << 3 | 1 { throw Fault(reason: "a ring begins with \(move)") }
      var ring = try steps(1, &reader, &cursor)
      guard let line = try reader.number(), line & 7 == 2, line >> 3 >= 2 else {
        throw Fault(reason: "a ring of fewer than three vertices")
      }
      ring += try steps(line >> 3, &reader, &cursor)
      if try reader.number() != 1 << 3 | 7 { throw Fault(reason: "a ring that is not closed") }
      if ring.first == ring.last { throw Fault(reason: "a ring's first vertex stands twice") }
      rings.append(ring)
    }
    if rings.isEmpty { throw Fault(reason: "a polygon without a ring") }
    return rings
  }

  private func steps(
    _ count: UInt64, _ reader: inout ProtobufReader, _ cursor: inout Point
  ) throws -> [Point] {
    var points: [Point] = []
    for _ in 0..<count {
      guard let x = try reader.number(), let y = try reader.number() else {
        throw Fault(reason: "a geometry that breaks off")
      }
      cursor = Point(x: cursor.x + unzigzag(x), y: cursor.y + unzigzag(y))
      points.append(cursor)
    }
    return points
  }
}
