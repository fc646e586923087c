import GeoFormats
import GeoProjection

/// What tiles of a world there are, as a client is told it (TileJSON 3.0).
public struct TileJSON: Sendable {
  /// What the world is called.
  public var name: [UInt8]
  /// The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  public var tiles: String
  /// The box around all that is on the map; nil if nothing is.
  public var bounds: BoundingBox?

  /// The deepest zoom of any tile.
  public var deepest = TileAddress.deepest
  /// Whether nodes say how they differ between two states.
  public var tellsDifferences = false

  /// A description of tiles at an address.
  public init(name: [UInt8], tiles: String, bounds: BoundingBox?) {
    self.name = name
    self.tiles = tiles
    self.bounds = bounds
  }

  /// The description as JSON, which ends in LF.
  public func encode() -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("tilejson", text: Array("3.0.0".utf8))
      putTitle(to: &json)
      json.member("scheme", text: Array("xyz".utf8))
      json.key("tiles")
      json.array { $0.value(text: Array(tiles.utf8)) }
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(deepest))
      if let bounds { put(bounds, to: &json) }
      putLayers(to: &json)
    }
    return json.bytes + [10]
  }

  /// What an archive of tiles says of itself (PMTiles specification, version 3, 5), as JSON.
  ///
  /// All members but the layers are texts: tippecanoe's tools take nothing else.
  ///
  /// - Parameter zoom: Down to which zoom it has all tiles.
  public func archiveMetadata(completeTo zoom: Int) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      putTitle(to: &json)
      json.member("type", text: Array("baselayer".utf8))
      putLayers(to: &json)
      json.member(
        "geomapper:projection", text: Array("\(GeoProjectionEngine.version)".utf8))
      json.member("geomapper:complete", text: Array("\(zoom)".utf8))
    }
    return json.bytes
  }

  private func putTitle(to json: inout JSONBuilder) {
    json.member("name", text: name)
    json.member("description", text: Array("Folders as lands, files as points".utf8))
    json.member("version", text: Array("\(GeoProjectionEngine.version).0.0".utf8))
  }

  /// Adds the bounds, and where a map that shows them may begin.
  private func put(_ bounds: BoundingBox, to json: inout JSONBuilder) {
    json.key("bounds")
    json.array { json in
      for edge in [bounds.west, bounds.south, bounds.east, bounds.north] { json.value(edge) }
    }
    json.key("center")
    json.array { json in
      json.value((bounds.west + bounds.east) / 2)
      json.value((bounds.south + bounds.north) / 2)
      json.value(Int64(1))
    }
  }

  private func putLayers(to json: inout JSONBuilder) {
    json.key("vector_layers")
    json.array { json in
      let layers = tellsDifferences ? TileSchema.layersOfTwoStates : TileSchema.layers
      for layer in layers { put(layer, to: &json) }
    }
  }

  private func put(_ layer: TileSchema.Layer, to json: inout JSONBuilder) {
    json.object { json in
      json.member("id", text: Array(layer.name.utf8))
      json.member("description", text: Array(layer.description.utf8))
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(deepest))
      json.key("fields")
      json.object { json in
        for field in layer.fields {
          json.member(field.name, text: Array(field.type.rawValue.utf8))
        }
      }
      json.key("descriptions")
      json.object { json in
        for field in layer.fields {
          json.member(field.name, text: Array(field.description.utf8))
        }
      }
    }
  }
}
