import GeoAtlas
import GeoEmit
import GeoProjection

extension Site {
  /// With more roots than these the page asks for their coasts itself.
  private static let mostCoasts = 8

  /// The page as it is sent: with what it begins with in it, so that it needn't ask for that first.
  static func page(_ asset: PageAsset, of world: World) -> PageAsset {
    var json = JSONBuilder()
    json.object { json in
      json.key("roots")
      putRoots(of: world, withCoasts: world.roots.count <= mostCoasts, to: &json)
    }
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

  /// Adds the roots: where they are, and the boxes around them.
  ///
  /// - Parameter withCoasts: Whether their coast lines are told, too.
  static func putRoots(of world: World, withCoasts: Bool, to json: inout JSONBuilder) {
    var writer = NodeWriter(world)
    json.array { json in
      for (root, place) in zip(world.roots, world.engine.roots) {
        json.object { json in
          json.member("label", path: root.label)
          json.member("id", Int64(place.id))
          writer.putBox(of: place, to: &json)
          json.put(world.engine.coordinate(of: place), digits: place.digits)
          if withCoasts { writer.putCoast(of: place, to: &json) }
        }
      }
    }
  }
}
