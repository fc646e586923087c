import GeoCore

extension FeatureMember {
  /// Names that the formats or their readers have for something else.
  private static let reserved: Set<String> = [
    "was", "below", "geometry", "bbox", "layers", "tippecanoe", "fid", "ogc_fid",
  ]

  /// Whether a map has a member or column of a name, in any format.
  ///
  /// To programs such as DuckDB large and small letters are the same.
  package static func isTaken(_ name: String) -> Bool {
    let name = name.lowercased()
    return reserved.contains(name)
      || allCases.contains {
        "\($0.name)".lowercased() == name || "\($0.plainName)".lowercased() == name
      }
  }
}

extension LayerSchema {
  /// Refuses names that another member or column has.
  package func checkNames() throws(Failure) {
    var owners: [String: String] = [:]
    for column in columns {
      let layer = layers[column.layer].name
      let owner = owners.updateValue("the layer \(layer)", forKey: column.name.lowercased())
      guard let owner = FeatureMember.isTaken(column.name) ? "the map" : owner else { continue }
      throw .usage(
        "\(owner) has a member '\(column.name)' already; give the layer \(layer) another name, such as "
          + "\(layer)2")
    }
  }
}
