import GeoProjection
import GeoAtlas
import GeoFormats
import GeoCore

/// A route in the formats it can be had in.
struct RouteText {
  let route: Route

  /// For people: a stop a line, with the leg that leads to it.
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
      text += "\(line)\(TerminalText.escaped(stop.path))"
      text += index == route.top ? "  (holds both)\n" : "\n"
    }
    text += padded(NodeText.distance(route.distance), 18) + "in all"
    if let first = route.stops.first, let last = route.stops.last {
      text += ", \(NodeText.distance(Sphere.distance(first.point, last.point))) as the crow flies"
    }
    return text + "\n"
  }

  /// A `Feature` with a `LineString`; its properties have a member for each stop and leg.
  var geojson: String {
    var buffer = OutputBuffer(capacity: 4096)
    buffer.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    // A line has two positions at least, even if it leads nowhere.
    let line = route.stops.count == 1 ? route.stops + route.stops : route.stops
    list(line, into: &buffer) { stop, buffer in
      buffer.append("[")
      buffer.append(degrees: stop.coordinate.longitude, digits: stop.digits)
      buffer.append(",")
      buffer.append(degrees: stop.coordinate.latitude, digits: stop.digits)
      buffer.append("]")
    }
    buffer.append("]},\"properties\":{\"distance\":")
    append(route.distance, to: &buffer)
    buffer.append(",\"stops\":[")
    list(route.stops, into: &buffer) { stop, buffer in
      buffer.append("\"")
      buffer.append(json: stop.path.span)
      buffer.append("\"")
    }
    buffer.append("],\"legs\":[")
    list(route.legs, into: &buffer) { leg, buffer in
      buffer.append("{\"distance\":")
      append(leg.distance, to: &buffer)
      if let bearing = leg.bearing {
        buffer.append(",\"bearing\":")
        append(bearing, to: &buffer)
      }
      buffer.append("}")
    }
    buffer.append("]}}\n")
    return buffer.text
  }

  /// GPX 1.1: a `rte` with a point for each stop.
  var gpx: String {
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
    return buffer.text
  }

  private func list<Element>(
    _ elements: [Element], into buffer: inout OutputBuffer,
    _ body: (Element, inout OutputBuffer) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(",") }
      body(element, &buffer)
    }
  }

  /// A number with three decimals: millimetres, thousandths of a degree.
  private func append(_ number: Double, to buffer: inout OutputBuffer) {
    buffer.append(degrees: Int64((number * 1000).rounded()), digits: 3)
  }
}
