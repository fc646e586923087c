import GeoFormats

/// The drawing of tiles: a style for MapLibre, and for QGIS, which supports a part of its
/// expressions.
///
/// QGIS (as of 3.22) accepts a label of `match` only as an array, and has no `case` that could test
/// for a property: unreadable entries have their own layer.
package struct TileStyle: Sendable {
  package var tiles: String
  package var maximumZoom: Int
  /// The maximum zoom to which no tile is missing.
  package var complete: Int
  /// Whether names are drawn. They need no glyph server, but a client that draws text without one:
  /// MapLibre GL JS does so in version 5.24, and refuses such a style in 5.3.
  package var hasNames = false

  package init(tiles: String, complete: Int? = nil, maximumZoom: Int = TileAddress.maximumZoom) {
    self.tiles = tiles
    self.maximumZoom = maximumZoom
    self.complete = min(complete ?? maximumZoom, maximumZoom)
  }

  /// The style as JSON, with a final LF.
  ///
  /// Clients draw nothing where a source has no tile. So the complete zooms are one source, which
  /// clients enlarge at deeper zooms, and deeper tiles are a second one, drawn above it.
  package func encode() -> [UInt8] {
    let names = Self.sources.prefix(complete < maximumZoom ? 2 : 1)
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
      "maxzoom":\(isDeep ? maximumZoom : complete),\
      "tiles":[\(String(decoding: address.bytes, as: UTF8.self))]}
      """
  }

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
