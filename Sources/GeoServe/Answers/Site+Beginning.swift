import GeoAtlas
import GeoEmit

extension Site {
  /// The page as it is sent: with what it begins with in it, so that it needn't ask for that first.
  static func page(_ asset: PageAsset, of world: World) -> PageAsset {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in writer.putRoots(tellingCoasts: true, to: &json) }
    var element = Array("<script type=\"application/json\" id=\"begin\">".utf8)
    for byte in json.bytes {
      // It stands in texts alone, and nothing may end the element there.
      if byte == UInt8(ascii: "<") {
        element += Array("\\u003c".utf8)
      } else {
        element.append(byte)
      }
    }
    return asset.adding(element + Array("</script>\n".utf8), before: "</head>")
  }
}
