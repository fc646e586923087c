import GeoCore
import GeoFormats
import GeoProjection

/// A description of a world's tiles for clients (TileJSON 3.0).
package struct TileJSON: Sendable {
  package var name: [UInt8]
  /// The URL of a vector tile, with `{z}`, `{x}` and `{y}`.
  package var tiles: String
  /// The box around all continents; nil without roots.
  package var bounds: BoundingBox?

  package var maximumZoom = TileAddress.maximumZoom
  package var hasDifferences = false

  package var layers: [Layer] = []

  package init(name: [UInt8], tiles: String, bounds: BoundingBox?) {
    self.name = name
    self.tiles = tiles
    self.bounds = bounds
  }

  package init(of world: World, tiles: String) {
    self.init(name: world.title, tiles: tiles, bounds: world.bounds)
    layers = world.layers?.schema.layers ?? []
  }

  /// The description as JSON, with a final LF.
  package func encode() -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("tilejson", text: Array("3.0.0".utf8))
      putTitle(to: &json)
      json.member("scheme", text: Array("xyz".utf8))
      json.key("tiles")
      json.array { $0.value(text: Array(tiles.utf8)) }
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(maximumZoom))
      if let bounds { put(bounds, to: &json) }
      putLayers(to: &json)
    }
    return json.bytes + [10]
  }

  /// The metadata of a tile archive (PMTiles specification, version 3, 5), as JSON. All members but
  /// the layers are strings, as tippecanoe's tools require.
  package func archiveMetadata(completeTo zoom: Int) -> [UInt8] {
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

  /// Adds the bounds, and an initial position for a map.
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
      let own = TileSchema.fields(of: layers)
      for layer in hasDifferences ? TileSchema.layersOfTwoStates : TileSchema.layers {
        var layer = layer
        if ["land", "cells", "files"].contains(layer.name) { layer.fields += own }
        put(layer, to: &json)
      }
    }
    if !layers.isEmpty { json.member("geomapper:layers", text: MapHeader.json(of: layers)) }
  }

  private func put(_ layer: TileSchema.Layer, to json: inout JSONBuilder) {
    json.object { json in
      json.member("id", text: Array(layer.name.utf8))
      json.member("description", text: Array(layer.description.utf8))
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(maximumZoom))
      json.key("fields")
      json.object { json in
        for field in layer.fields {
          json.member(field.name, text: Array(field.type.utf8))
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
