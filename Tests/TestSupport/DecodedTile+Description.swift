import Foundation

extension DecodedTile {
  /// The first mistake in a description of the tile's layers; nil if it names all properties with
  /// their types.
  ///
  /// - Parameter json: TileJSON, or the metadata of an archive.
  public func fault(against json: [UInt8]) throws -> String? {
    let reported = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    var fields: [String: [String: String]] = [:]
    for layer in reported?["vector_layers"] as? [[String: Any]] ?? [] {
      fields[layer["id"] as? String ?? ""] = layer["fields"] as? [String: String]
    }
    for layer in layers {
      for feature in layer.features {
        for (name, value) in feature.properties where fields[layer.name]?[name] != value.kind {
          return "\(layer.name).\(name) is \(value), not a \(fields[layer.name]?[name] ?? "field")"
        }
      }
    }
    return nil
  }
}

extension DecodedTile.Value {
  /// The type's name in the MBTiles specification.
  fileprivate var kind: String {
    switch self {
    case .text: "String"
    case .flag: "Boolean"
    case .float, .double, .int, .unsigned, .signed: "Number"
    }
  }
}
