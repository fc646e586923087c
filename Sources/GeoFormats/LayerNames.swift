import GeoCore

extension LayerSchema {
  /// Refuses names that another member or column has, in large or small letters: programs such as
  /// DuckDB don't tell them apart.
  ///
  /// - Throws: A usage error that says which layer needs another name.
  package func checkNames() throws(Failure) {
    var taken: [String: String] = [:]
    for member in FeatureMember.allCases {
      for name in ["\(member.name)", "\(member.plainName)"] { taken[name.lowercased()] = "the map" }
    }
    for name in ["geometry", "bbox", "layers", "tippecanoe"] { taken[name] = "the map" }
    for column in columns {
      let layer = layers[column.layer].name
      if let owner = taken.updateValue("the layer \(layer)", forKey: column.name.lowercased()) {
        throw .usage(
          "\(owner) has a member '\(column.name)' already; give the layer \(layer) another name, as "
            + "in \(layer)2=SOURCE")
      }
    }
  }
}
