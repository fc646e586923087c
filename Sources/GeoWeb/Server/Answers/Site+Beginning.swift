import GeoAtlas
import GeoFormats

extension Site {
  /// The page as it is sent: with what it begins with in it, so that it needn't ask for that first.
  static func page(_ asset: PageAsset, of world: World) -> PageAsset {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in writer.putRoots(tellingCoasts: true, to: &json) }
    let element =
      Array("<script type=\"application/json\" id=\"begin\">".utf8) + json.scriptBytes
      + Array("</script>\n".utf8)
    return asset.adding(element, before: "</head>")
  }
}
