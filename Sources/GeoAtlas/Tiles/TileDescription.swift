import GeoFormats
import GeoProjection

/// A description of a world's tiles for clients (TileJSON 3.0).
package struct TileJSON: Sendable {
  /// The title of the world.
  package var name: [UInt8]
  /// The URL of a vector tile, with `{z}`, `{x}` and `{y}`.
  package var tiles: String
  /// The box around all continents; nil without roots.
  package var bounds: BoundingBox?

  /// The maximum zoom of any tile.
  package var deepest = TileAddress.deepest
  /// Whether nodes have their differences between two states.
  package var hasDifferences = false

  /// Creates a description.
  package init(name: [UInt8], tiles: String, bounds: BoundingBox?) {
    self.name = name
    self.tiles = tiles
    self.bounds = bounds
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
      json.member("maxzoom", Int64(deepest))
      if let bounds { put(bounds, to: &json) }
      putLayers(to: &json)
    }
    return json.bytes + [10]
  }

  /// The metadata of a tile archive (PMTiles specification, version 3, 5), as JSON.
  ///
  /// All members but the layers are strings, as tippecanoe's tools require.
  ///
  /// - Parameter zoom: The maximum zoom to which the archive is complete.
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
      let layers = hasDifferences ? TileSchema.layersOfTwoStates : TileSchema.layers
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

/// The layers of a tile and their fields.
enum TileSchema {
  /// A layer.
  struct Layer: Sendable {
    var name: String
    var description: String
    /// The properties of its features.
    var fields: [Field]
  }

  /// A property of a layer's features.
  struct Field: Sendable {
    var member: FeatureMember
    var description: String

    init(_ member: FeatureMember, _ description: String) {
      (self.member, self.description) = (member, description)
    }

    /// Its name in a tile.
    var name: String { member.plainName.description }

    /// Its type, in the words of the MBTiles specification, which GDAL and others read.
    var type: String {
      switch member.valueKind {
      case .text: "String"
      case .flag: "Boolean"
      default: "Number"
      }
    }
  }

  private static let depth = Field(.depth, "0 for a root")
  private static let common = [
    Field(.name, "Last component of the path"),
    Field(.kind, "continent, country, state, district or poi"),
    depth,
    Field(.minzoom, "First zoom at which it is visible"),
  ]
  private static let facts = [
    Field(.size, "Bytes of a file, entries of a folder; absent if not known"),
    Field(.modified, "Unix time of the last change; absent if not known"),
    Field(.unreadable, "true if it could not be read; else absent"),
  ]
  private static let below = [
    Field(
      .files,
      "Files below it, each once; this and the next four are absent until they are known"),
    Field(.bytes, "Bytes of them"),
    Field(.allocated, "Their room on disk in bytes; absent if not known"),
    Field(.newest, "Unix time of the last change of any"),
    Field(.type, "What most of the bytes are"),
  ]
  /// The fields for two states.
  private static let differences = [
    Field(
      .change,
      "added, removed, changed, moved or left; absent if it is the same in both states"),
    Field(
      .belowAdded,
      "Files below that only the new state has; this and what follows absent if 0"),
    Field(.belowRemoved, "Files below that only the old state has"),
    Field(.belowChanged, "Files below that are others"),
    Field(.belowMoved, "Files below that were elsewhere"),
    Field(.belowBytes, "By how many bytes all below grew"),
  ]
  private static let differencesOfFiles = [
    Field(.wasSize, "Of a changed file, bytes before"),
    Field(.wasModified, "Of a changed file, Unix time of the change before"),
    Field(
      .wasSpecial,
      "Of a changed file, its former type if it was not a regular file, or no longer is one"),
    Field(.from, "Where a file that moved was"),
    Field(.rawFrom, "The same percent-encoded, if it is not UTF-8; else absent"),
    Field(.to, "Where a file that has left is"),
    Field(.rawTo, "The same percent-encoded, if it is not UTF-8; else absent"),
  ]
  private static let path = Field(.path, "Root's label and names, joined by /")
  private static let rawPath = Field(
    .rawPath, "The path percent-encoded, if it is not UTF-8; else absent")
  private static let rawFolder = Field(
    .rawFolder, "The folder's path percent-encoded, if it is not UTF-8; else absent")
  private static let breadth = Field(
    .breadth, "Of the territory, as a part of the world")
  private static let tint = Field(
    .tint, "A number from 0 to 5; neighbours in the same folder have different ones")

  /// The layers of a world of two states.
  static let layersOfTwoStates = layers.map { layer in
    var layer = layer
    switch layer.name {
    case "land", "cells": layer.fields += differences
    case "files": layer.fields += differences + differencesOfFiles
    case "labels": layer.fields += differences.prefix(1)
    default: break
    }
    return layer
  }

  static let layers = [
    Layer(
      name: "land", description: "Folders that own land",
      fields: [path, rawPath] + common + facts + [breadth, tint] + below),
    Layer(
      name: "cells",
      description: "What lands were cut out of, by id; those of neighbours adjoin. "
        + "All but the depth and the tint only where the land itself is not to be seen",
      fields: [
        depth, breadth, tint, path, rawPath,
        Field(.minzoom, "As the land has it"),
      ] + below),
    Layer(
      name: "towns", description: "Ground of files that are not to be seen yet",
      fields: [
        Field(.folder, "Path of the folder that holds them"), rawFolder,
        Field(.files, "How many there are"),
        Field(.minzoom, "First zoom at which they are visible"),
      ]),
    Layer(
      name: "files", description: "Files, and folders without land",
      fields: [
        Field(.folder, "Path of the folder that holds it"),
        Field(.special, "symlink, fifo, socket, block or character; else absent"),
        Field(.rawName, "The name percent-encoded, if it is not UTF-8; else absent"),
        rawFolder,
      ] + common + facts + below),
    Layer(
      name: "labels", description: "Where names of lands belong",
      fields: [path, rawPath] + common + [breadth]),
  ]
}

/// The drawing of tiles: a style for MapLibre, and for QGIS, which supports a part of its
/// expressions.
///
/// QGIS (as of 3.22) accepts a label of `match` only as an array, and has no `case` that could test
/// for a property: unreadable entries have their own layer.
package struct TileStyle: Sendable {
  /// The URL of a vector tile, with `{z}`, `{x}` and `{y}`.
  package var tiles: String
  /// The maximum zoom of any tile.
  package var deepest: Int
  /// The maximum zoom to which no tile is missing.
  package var complete: Int
  /// Whether names are drawn. They need no glyph server, but a client that draws text without one:
  /// MapLibre GL JS does so in version 5.24, and refuses such a style in 5.3.
  package var hasNames = false

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - tiles: The URL of a vector tile, with `{z}`, `{x}` and `{y}`.
  ///   - complete: The maximum zoom to which no tile is missing; nil if no tile is missing.
  ///   - deepest: The maximum zoom of any tile.
  package init(tiles: String, complete: Int? = nil, deepest: Int = TileAddress.deepest) {
    self.tiles = tiles
    self.deepest = deepest
    self.complete = min(complete ?? deepest, deepest)
  }

  /// The style as JSON, with a final LF.
  ///
  /// Clients draw nothing where a source has no tile. So the complete zooms are one source, which
  /// clients enlarge at deeper zooms, and deeper tiles are a second one, drawn above it.
  package func encode() -> [UInt8] {
    let names = Self.sources.prefix(complete < deepest ? 2 : 1)
    let drawn = names.flatMap(spots)
    let layers = [Self.sea] + names.flatMap(lands) + drawn + (hasNames ? labels(of: names) : [])
    let text = """
      {"version":8,"name":"geomapper"\(hasNames ? "" : Self.hint),"center":[0,0],"zoom":1,\
      "sources":{\(names.map(source).joined(separator: ","))},"layers":[
      \(layers.joined(separator: ",\n"))
      ]}

      """
    return Array(text.utf8)
  }

  private static let sources = ["geomapper", "geomapper-deep"]

  private static let hint = #"""
    ,"metadata":{"geomapper:labels":"This style has no text, for clients that need \#
    glyphs of a server for it; style-labels.json has the same and names."}
    """#

  private static let sea =
    ##"{"id":"sea","type":"background","paint":{"background-color":"#b9d3e0"}}"##

  private func source(_ name: String) -> String {
    var address = JSONBuilder()
    address.value(text: Array(tiles.utf8))
    let isDeep = name != Self.sources[0]
    return """
      "\(name)":{"type":"vector","minzoom":\(isDeep ? complete + 1 : 0),\
      "maxzoom":\(isDeep ? deepest : complete),\
      "tiles":[\(String(decoding: address.bytes, as: UTF8.self))]}
      """
  }

  /// The beginning of a layer; layers of the second source have other names.
  private func layer(_ id: String, _ type: String, _ source: String, _ tiles: String) -> String {
    let isDeep = source != Self.sources[0]
    return """
      {"id":"\(id)\(isDeep ? "-deep" : "")","type":"\(type)","source":"\(source)",\
      "source-layer":"\(tiles)"
      """
  }

  private func lands(_ source: String) -> [String] {
    [
      layer("land", "fill", source, "land") + """
        ,"layout":\
        {"fill-sort-key":["get","depth"]},"paint":{"fill-color":["match",["get","kind"],\
        ["continent"],"#efe8d3",["country"],"#e6e0bf",["state"],"#dcd9ac","#d2d29a"],\
        "fill-antialias":true}}
        """,
      layer("coast", "line", source, "land") + """
        ,"paint":\
        {"line-color":["match",["get","kind"],["continent"],"#4d6d7a",["country"],"#7d6b4a",\
        "#a39468"],"line-width":["match",["get","kind"],["continent"],1.6,["country"],1.1,0.6]}}
        """,
    ]
  }

  private func spots(_ source: String) -> [String] {
    [
      spots("files", [no("special"), no("unreadable")], color: "#2f4b5c", source),
      spots("special", [has("special"), no("unreadable")], color: "#6c4f8f", source),
      spots("unreadable", [has("unreadable")], color: "#b03a2e", source),
    ]
  }

  /// A layer of the points that pass a filter.
  private func spots(
    _ id: String, _ filter: [String], color: String, _ source: String
  ) -> String {
    let filter = ([#""all""#] + filter).joined(separator: ",")
    return layer(id, "circle", source, "files") + """
      ,"filter":[\(filter)],"paint":{\
      "circle-radius":["interpolate",["linear"],["zoom"],3,2,10,4,18,6],\
      "circle-color":"\(color)","circle-stroke-color":"#ffffff","circle-stroke-width":0.5}}
      """
  }

  private func has(_ property: String) -> String { #"["has","\#(property)"]"# }

  private func no(_ property: String) -> String { #"["!",\#(has(property))]"# }

  /// Names of files, and above them those of lands: if there is no room for all, the upper ones
  /// stay.
  private func labels(of sources: ArraySlice<String>) -> [String] {
    sources.map { source in
      layer("file-names", "symbol", source, "files") + """
        ,"layout":{"text-field":["get","name"],"text-size":11,"text-anchor":"top",\
        "text-offset":[0,0.6],"text-optional":true},\
        "paint":{"text-color":"#2f4b5c",\(Self.halo)}}
        """
    }
      + sources.map { source in
        layer("land-names", "symbol", source, "labels") + """
          ,"layout":{"text-field":["get","name"],"symbol-sort-key":["get","depth"],\
          "text-size":["match",["get","kind"],["continent"],18,["country"],15,["state"],13,12]},\
          "paint":{"text-color":["match",["get","kind"],["continent"],"#33464f","#4d4029"],\
          \(Self.halo)}}
          """
      }
  }

  private static let halo = ##""text-halo-color":"#ffffff","text-halo-width":1.5"##
}
