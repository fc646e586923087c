import GeoAtlas
import GeoEmit
import GeoPath
import GeoProjection

/// `geomapper route`: tells the way from one path to another.
enum RouteCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      guard low.operands.count == 2 else {
        throw .usage("route takes two paths, from where and to where")
      }
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
      switch low.atlas.format ?? .text {
      case .text: try StandardOutput.print(text.plain)
      case .geojson: try StandardOutput.print(text.geojson)
      case .gpx: try StandardOutput.print(text.gpx)
      }
      return plan.status()
    } catch {
      throw error.hinting(at: "\(Tool.name) route --help")
    }
  }
}
