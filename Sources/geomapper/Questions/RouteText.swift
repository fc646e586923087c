import GeoAtlas
import GeoFormats
import GeoProjection

struct RouteText {
  let route: Route

  var plain: String {
    var text = ""
    for (index, stop) in route.stops.enumerated() {
      var line = ""
      if index > 0 {
        let leg = route.legs[index - 1]
        line += padded(NodeText.distance(leg.distance), 10)
        line += padded(leg.bearing.map { "\(NodeText.tenths($0))°" } ?? "", 8)
      } else {
        line += padded("from", 18)
      }
      text += "\(line)\(stop.path.shown)"
      text += index == route.top ? "  (holds both)\n" : "\n"
    }
    text += padded(NodeText.distance(route.distance), 18) + "in all"
    if let first = route.stops.first, let last = route.stops.last {
      text += ", \(NodeText.distance(Sphere.distance(first.point, last.point))) as the crow flies"
    }
    return text + "\n"
  }

  /// A `Feature` with a `LineString`; its properties have a member for each stop and leg.
  var geojson: [UInt8] {
    // A `LineString` needs two positions, even for a route with one stop.
    let line = route.stops.count == 1 ? route.stops + route.stops : route.stops
    return JSONBuilder.line { json in
      json.member("type", word: "Feature")
      json.member("geometry") { json in
        json.member("type", word: "LineString")
        json.member("coordinates", each: line) { stop, json in
          json.array { json in
            json.value(degrees: stop.coordinate.longitude, digits: stop.digits)
            json.value(degrees: stop.coordinate.latitude, digits: stop.digits)
          }
        }
      }
      json.member("properties") { json in
        put("distance", route.distance, to: &json)
        json.member("stops", each: route.stops) { $1.value(text: $0.path) }
        json.member("legs", objects: route.legs) { leg, json in
          put("distance", leg.distance, to: &json)
          if let bearing = leg.bearing { put("bearing", bearing, to: &json) }
        }
      }
    }
  }

  var gpx: [UInt8] {
    var buffer = OutputBuffer(capacity: 4096)
    FeatureWriter(format: .gpx).writeHeader(
      MapHeader(layout: .settled, labels: [], isPartial: true), to: &buffer)
    buffer.append("<rte>")
    for stop in route.stops {
      buffer.append("<rtept lat=\"")
      buffer.append(degrees: stop.coordinate.latitude, digits: stop.digits)
      buffer.append("\" lon=\"")
      buffer.append(degrees: stop.coordinate.longitude, digits: stop.digits)
      buffer.append("\"><name>")
      let name = Array(stop.path.lastComponent)
      buffer.append(xml: name.span)
      buffer.append("</name><desc>")
      buffer.append(xml: stop.path.span)
      buffer.append("</desc></rtept>\n")
    }
    buffer.append("</rte>\n</gpx>\n")
    return buffer.bytes
  }

  /// Adds a number with three decimals: millimetres, or thousandths of a degree.
  private func put(_ name: String, _ number: Double, to json: inout JSONBuilder) {
    json.key(name)
    json.value(degrees: Int64((number * 1000).rounded()), digits: 3)
  }
}
