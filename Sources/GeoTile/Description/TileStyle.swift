import GeoEmit

/// How tiles are drawn: a style for MapLibre, and for QGIS, which knows a part of its expressions.
///
/// QGIS (as of 3.22) takes a label of `match` only as an array, and knows no `case` by which a colour
/// could depend on whether a property is there: what could not be read has a layer of its own.
public enum TileStyle {
  /// The style as JSON, which ends in LF. It has no text, because MapLibre draws text from the glyphs
  /// of a server only.
  ///
  /// - Parameters:
  ///   - tiles: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  ///   - deepest: The deepest zoom of any tile.
  public static func encode(tiles: String, deepest: Int = 24) -> [UInt8] {
    var address = JSONBuilder()
    address.value(text: Array(tiles.utf8))
    let zoom = Array("\(deepest),\"tiles\":[".utf8)
    return Array(head.utf8) + zoom + address.bytes + Array(tail.utf8)
  }

  private static let head = """
    {"version":8,"name":"geomapper","metadata":{"geomapper:labels":"This style has no text: \
    MapLibre draws text from glyphs of a server only. The layer 'labels' of the tiles has the \
    points and names for a style with glyphs of your own."},"center":[0,0],"zoom":1,\
    "sources":{"geomapper":{"type":"vector","minzoom":0,"maxzoom":
    """

  private static let tail = """
    ]}},"layers":[
    {"id":"sea","type":"background","paint":{"background-color":"#b9d3e0"}},
    {"id":"land","type":"fill","source":"geomapper","source-layer":"land","layout":\
    {"fill-sort-key":["get","depth"]},"paint":{"fill-color":["match",["get","kind"],\
    ["continent"],"#efe8d3",["country"],"#e6e0bf",["state"],"#dcd9ac","#d2d29a"],\
    "fill-antialias":true}},
    {"id":"coast","type":"line","source":"geomapper","source-layer":"land","paint":\
    {"line-color":["match",["get","kind"],["continent"],"#4d6d7a",["country"],"#7d6b4a",\
    "#a39468"],"line-width":["match",["get","kind"],["continent"],1.6,["country"],1.1,0.6]}},
    \(spots("files", [no("special"), no("unreadable")], color: "#2f4b5c")),
    \(spots("special", [has("special"), no("unreadable")], color: "#6c4f8f")),
    \(spots("unreadable", [has("unreadable")], color: "#b03a2e"))
    ]}

    """

  /// A layer of those points that a filter lets through.
  private static func spots(_ id: String, _ filter: [String], color: String) -> String {
    let filter = ([#""all""#] + filter).joined(separator: ",")
    return """
      {"id":"\(id)","type":"circle","source":"geomapper","source-layer":"files",\
      "filter":[\(filter)],"paint":{\
      "circle-radius":["interpolate",["linear"],["zoom"],3,2,10,4,18,6],\
      "circle-color":"\(color)","circle-stroke-color":"#ffffff","circle-stroke-width":0.5}}
      """
  }

  private static func has(_ property: String) -> String { #"["has","\#(property)"]"# }

  private static func no(_ property: String) -> String { #"["!",\#(has(property))]"# }
}
