import GeoPath
import GeoProjection
import GeoTile

extension Site {
  /// Where this server is, as the client calls it.
  private func base(_ request: HTTPRequest) -> String {
    "http://" + String(decoding: request.field("host") ?? [], as: UTF8.self)
  }

  /// The address of tiles; with the token if the client has shown it in the address, since it has no
  /// other way then.
  private func tileAddress(_ request: HTTPRequest) -> String {
    let token = request.text("token").map { "?token=\($0)" } ?? ""
    return base(request) + "/tiles/{z}/{x}/{y}.mvt" + token
  }

  /// `/tilejson.json`: what tiles there are (TileJSON 3.0).
  func tileJSON(_ request: HTTPRequest) -> HTTPResponse {
    var json = JSONBuilder()
    json.object { json in
      json.member("tilejson", text: Array("3.0.0".utf8))
      json.member("name", text: Array("geomapper".utf8))
      json.member("description", text: Array("Folders as lands, files as points".utf8))
      json.member("version", text: Array("\(GeoProjectionEngine.version).0.0".utf8))
      json.member("scheme", text: Array("xyz".utf8))
      json.key("tiles")
      json.array { $0.value(text: Array(tileAddress(request).utf8)) }
      json.member("minzoom", 0)
      json.member("maxzoom", Int64(TileAddress.deepest))
      json.key("bounds")
      json.value(raw: Array("[-180,-85.0511287798066,180,85.0511287798066]".utf8))
      json.key("center")
      json.value(raw: Array("[0,0,1]".utf8))
      json.key("vector_layers")
      json.array { json in
        for layer in TileSchema.layers {
          json.object { json in
            json.member("id", text: Array(layer.name.utf8))
            json.member("description", text: Array(layer.description.utf8))
            json.key("fields")
            json.object { json in
              for field in layer.fields {
                json.member(field.name, text: Array(field.description.utf8))
              }
            }
          }
        }
      }
    }
    return HTTPResponse(type: MediaType.json, json.bytes + [10])
  }

  /// `/style.json`: a style for MapLibre.
  func style(_ request: HTTPRequest) -> HTTPResponse {
    var address = JSONBuilder()
    address.value(text: Array(tileAddress(request).utf8))
    let text =
      TileSchema.styleHead + String(decoding: address.bytes, as: UTF8.self) + TileSchema.styleTail
    return HTTPResponse(type: MediaType.json, Array(text.utf8))
  }
}

/// What the layers of a tile hold, and how they are drawn.
enum TileSchema {
  struct Layer: Sendable {
    var name: String
    var description: String
    var fields: [(name: String, description: String)]
  }

  private static let common: [(name: String, description: String)] = [
    ("name", "Last component of the path"),
    ("kind", "continent, country, state, district or poi"),
    ("depth", "0 for a root"),
    ("minzoom", "First zoom at which it is visible"),
  ]
  private static let facts: [(name: String, description: String)] = [
    ("size", "Bytes of a file, entries of a folder; absent if not known"),
    ("modified", "Unix time of the last change; absent if not known"),
    ("unreadable", "true if it could not be read; else absent"),
  ]
  private static let below: [(name: String, description: String)] = [
    ("files", "Files below it, each once; this and the next three are absent until they are known"),
    ("bytes", "Bytes of them"), ("newest", "Unix time of the last change of any"),
    ("type", "What most of the bytes are"),
  ]
  private static let path = (name: "path", description: "Root's label and names, joined by /")
  private static let rawPath = (
    name: "rawPath", description: "The path percent-encoded, if it is no UTF-8; else absent"
  )

  private static let breadth = (
    name: "breadth", description: "Of the territory, as a part of the world"
  )

  static let layers = [
    Layer(
      name: "land", description: "Folders that own land",
      fields: [path, rawPath] + common + facts + [breadth] + below),
    Layer(
      name: "cells",
      description: "What lands were cut out of, by id; those of neighbours adjoin",
      fields: [
        ("depth", "0 for a root"), breadth, path,
        ("minzoom", "As the land has it; these three only where the land itself is not to be seen"),
      ]),
    Layer(
      name: "towns", description: "Ground of files that are not to be seen yet",
      fields: [
        ("folder", "Path of the folder that holds them"), ("files", "How many there are"),
        ("minzoom", "First zoom at which they are visible"),
      ]),
    Layer(
      name: "files", description: "Files, and folders without land",
      fields: [
        ("folder", "Path of the folder that holds it"),
        ("special", "symlink, fifo, socket, block or character; else absent"),
        ("rawName", "The name percent-encoded, if it is no UTF-8; else absent"),
        ("rawFolder", "The folder's path percent-encoded, if it is no UTF-8; else absent"),
      ] + common + facts),
    Layer(
      name: "labels", description: "Where names of lands belong",
      fields: [path, rawPath] + common + [breadth]),
  ]

  static let styleHead = """
    {"version":8,"name":"geomapper","metadata":{"geomapper:labels":"This style has no text: \
    MapLibre draws text from glyphs of a server only. The layer 'labels' of the tiles has the \
    points and names for a style with glyphs of your own."},"center":[0,0],"zoom":1,\
    "sources":{"geomapper":{"type":"vector","minzoom":0,"maxzoom":24,"tiles":[
    """

  static let styleTail = """
    ]}},"layers":[
    {"id":"sea","type":"background","paint":{"background-color":"#b9d3e0"}},
    {"id":"land","type":"fill","source":"geomapper","source-layer":"land","layout":\
    {"fill-sort-key":["get","depth"]},"paint":{"fill-color":["match",["get","kind"],\
    "continent","#efe8d3","country","#e6e0bf","state","#dcd9ac","#d2d29a"],\
    "fill-antialias":true}},
    {"id":"coast","type":"line","source":"geomapper","source-layer":"land","paint":\
    {"line-color":["match",["get","kind"],"continent","#4d6d7a","country","#7d6b4a","#a39468"],\
    "line-width":["match",["get","kind"],"continent",1.6,"country",1.1,0.6]}},
    {"id":"files","type":"circle","source":"geomapper","source-layer":"files","paint":\
    {"circle-radius":["interpolate",["linear"],["zoom"],3,2,10,4,18,6],\
    "circle-color":["case",["has","unreadable"],"#b03a2e",["has","special"],"#6c4f8f","#2f4b5c"],\
    "circle-stroke-color":"#ffffff","circle-stroke-width":0.5}}
    ]}

    """
}
