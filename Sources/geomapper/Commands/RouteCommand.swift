import GeoAtlas
import GeoFormats
import GeoCore
import GeoProjection

/// `geomapper route`: tells the way from one path to another.
enum RouteCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      guard low.operands.count == 2 else {
        throw .usage("route takes two paths, from where and to where")
      }
      let format = try low.format(among: FileFormat.holding(.routes), usual: .text)
      let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
      let plan = try AtlasPlan(low)
      var ends: [MapNode] = []
      for path in low.operands {
        let place = try plan.path(of: path)
        guard let node = plan.world.node(at: place) else {
          throw plan.pointing(.notOnMap(path, tried: place), at: path)
        }
        ends.append(node)
      }
      let route = Route(from: ends[0], to: ends[1], engine: plan.world.engine)
      let text = RouteText(route: route)
      let shown =
        switch format {
        case .geojson: text.geojson
        case .gpx: text.gpx
        default: text.plain
        }
      try OutputFile.write(Array(shown.utf8), to: place)
      return plan.status()
    } catch {
      throw error.hinting(at: "\(Tool.name) route --help")
    }
  }
}
