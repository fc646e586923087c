import GeoCore
import GeoFormats
import GeoProjection

/// A description of a world's tiles for clients (TileJSON 3.0).
package struct TileJSON: Sendable {
  package var name: [UInt8]
  package var tiles: String
  /// The box around all continents; nil without roots.
  package var bounds: BoundingBox?

  package var maximumZoom = TileAddress.maximumZoom
  package var hasDifferences = false

  package var layers: [Layer] = []

  package init(name: [UInt8], tiles: String, bounds: BoundingBox?) {
    (self.name, self.tiles, self.bounds) = (name, tiles, bounds)
  }

  package init(of world: World, tiles: String) {
    self.init(name: world.title, tiles: tiles, bounds: world.bounds)
    layers = world.layers?.schema.layers ?? []
  }

  package func encode() -> [UInt8] {
    JSONBuilder.object { json in
      json.member("tilejson", text: Array("3.0.0".utf8))
      putTitle(to: &json)
      json.member("scheme", text: Array("xyz".utf8))
      json.member("tiles", each: [tiles]) { tiles, json in json.value(text: Array(tiles.utf8)) }
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(maximumZoom))
      if let bounds { put(bounds, to: &json) }
      putLayers(to: &json)
    } + [10]
  }

  /// The metadata of a tile archive (PMTiles specification, version 3, 5), as JSON. All members but
  /// the layers are strings, as tippecanoe's tools require.
  package func archiveMetadata(completeTo zoom: Int) -> [UInt8] {
    JSONBuilder.object { json in
      putTitle(to: &json)
      json.member("type", text: Array("baselayer".utf8))
      putLayers(to: &json)
      json.member(
        "geomapper:projection", text: Array("\(GeoProjectionEngine.version)".utf8))
      json.member("geomapper:complete", text: Array("\(zoom)".utf8))
    }
  }

  private func putTitle(to json: inout JSONBuilder) {
    json.member("name", text: name)
    json.member("description", text: Array("Folders as lands, files as points".utf8))
    json.member("version", text: Array("\(GeoProjectionEngine.version).0.0".utf8))
  }

  private func put(_ bounds: BoundingBox, to json: inout JSONBuilder) {
    json.member("bounds", each: [bounds.west, bounds.south, bounds.east, bounds.north]) {
      $1.value($0)
    }
    json.key("center")
    json.array { json in
      json.value((bounds.west + bounds.east) / 2)
      json.value((bounds.south + bounds.north) / 2)
      json.value(Int64(1))
    }
  }

  private func putLayers(to json: inout JSONBuilder) {
    let own = TileSchema.fields(of: layers)
    let all = hasDifferences ? TileSchema.layersOfTwoStates : TileSchema.layers
    json.member("vector_layers", objects: all) { layer, json in
      let fields = layer.fields + (["land", "cells", "files"].contains(layer.name) ? own : [])
      json.member("id", text: Array(layer.name.utf8))
      json.member("description", text: Array(layer.description.utf8))
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(maximumZoom))
      for (key, text) in [("fields", \TileSchema.Field.type), ("descriptions", \.description)] {
        json.member(key) { json in
          for field in fields { json.member(field.name, text: Array(field[keyPath: text].utf8)) }
        }
      }
    }
    if !layers.isEmpty { json.member("geomapper:layers", text: MapHeader.json(of: layers)) }
  }
}
