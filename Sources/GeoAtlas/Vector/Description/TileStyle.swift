import GeoFormats

/// How tiles are drawn: a style for MapLibre, and for QGIS, which knows a part of its expressions.
///
/// QGIS (as of 3.22) takes a label of `match` only as an array, and knows no `case` by which a colour
/// could depend on whether a property is there: what could not be read has a layer of its own.
public struct TileStyle: Sendable {
  /// The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  public var tiles: String
  /// The deepest zoom of any tile.
  public var deepest: Int
  /// Down to which zoom no tile is missing.
  public var complete: Int
  /// Whether names are drawn. It needs no server of glyphs, but a client that draws names without:
  /// MapLibre GL JS does so in version 5.24, and refuses such a style in 5.3.
  public var hasNames = false

  /// A style of tiles at an address.
  ///
  /// - Parameters:
  ///   - tiles: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  ///   - complete: Down to which zoom no tile is missing; nil if none is.
  ///   - deepest: The deepest zoom of any tile.
  public init(tiles: String, complete: Int? = nil, deepest: Int = TileAddress.deepest) {
    self.tiles = tiles
    self.deepest = deepest
    self.complete = min(complete ?? deepest, deepest)
  }

  /// The style as JSON, which ends in LF.
  ///
  /// Clients draw nothing where a source lacks a tile. So what is complete is a source by itself, which they
  /// draw larger at deeper zooms, and deeper tiles are a second one, drawn above it.
  public func encode() -> [UInt8] {
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

  /// How a layer of a source begins; the layers of the second source have names of their own.
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

  /// A layer of those points that a filter lets through.
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

  /// Names of files, and above them those of lands: where there is no room for all, the upper one stays.
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
