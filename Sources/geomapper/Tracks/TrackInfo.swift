import GeoCore
import GeoFormats
import GeoTrack

/// `geomapper track info`: shows measures of tracks.
enum TrackInfo {
  static func run(_ files: [[UInt8]], _ run: Run, as format: FileFormat) throws(Failure) {
    var text: [UInt8] = []
    for path in files {
      let file = try TrackFile(path, run.low.track)
      var measures = TrackMeasures()
      try file.read(into: &measures, run, as: files.count > 1 ? file.shown : "")
      if format == .json {
        text += json(of: measures, path)
      } else {
        text += Array(((text.isEmpty ? "" : "\n") + plain(of: measures, file.shown)).utf8)
      }
    }
    try run.write(text)
  }

  private static func plain(of measures: TrackMeasures, _ name: String) -> String {
    var lines: [(String, String)] = []
    lines.append(
      (
        "points",
        "\(measures.points.grouped) in \(Quantity.count(measures.segments, "segment")) of "
          + "\(Quantity.count(measures.lines, "line")), "
          + Quantity.count(measures.waypoints, "waypoint")
      ))
    lines.append(("length", NodeText.distance(measures.length)))
    if let times = measures.times {
      lines.append(("from", moment(times.lowerBound)))
      lines.append(("to", moment(times.upperBound)))
      lines.append(("duration", "\(span(measures.duration)), moving \(span(measures.movingTime))"))
    }
    if let average = measures.averageSpeed, let greatest = measures.greatestSpeed {
      lines.append(("speed", "\(speed(average)) on average, \(speed(greatest)) at most"))
    }
    if let elevations = measures.elevations {
      lines.append(
        (
          "elevation",
          "\(Int(elevations.lowerBound.rounded())) m to \(Int(elevations.upperBound.rounded())) m, "
            + "up \(NodeText.distance(measures.climb)), down \(NodeText.distance(measures.descent))"
        ))
      lines.append(("profile", profile(of: measures)))
    }
    if let bounds = measures.bounds {
      lines.append(("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"))
    }
    return "\(name)\n" + lines.map { "  \(padded($0, 11))\($1)\n" }.joined()
  }

  private static func json(of measures: TrackMeasures, _ path: [UInt8]) -> [UInt8] {
    json(of: path) { json in
      json.member("lines", Int64(measures.lines))
      json.member("segments", Int64(measures.segments))
      json.member("points", Int64(measures.points))
      json.member("waypoints", Int64(measures.waypoints))
      json.member("length", decimal: measures.length)
      if let times = measures.times {
        json.member("start", word: moment(times.lowerBound))
        json.member("end", word: moment(times.upperBound))
        json.member("duration", decimal: Double(measures.duration) / 1000)
        json.member("moving", decimal: Double(measures.movingTime) / 1000)
      }
      json.member("averageSpeed", decimal: measures.averageSpeed)
      json.member("greatestSpeed", decimal: measures.greatestSpeed)
      if let elevations = measures.elevations {
        json.member("lowest", decimal: elevations.lowerBound)
        json.member("highest", decimal: elevations.upperBound)
        json.member("climb", decimal: measures.climb)
        json.member("descent", decimal: measures.descent)
      }
      if let bounds = measures.bounds {
        json.member("bbox", each: [bounds.west, bounds.south, bounds.east, bounds.north]) {
          $1.value($0)
        }
      }
    }
  }

  static func json(of file: [UInt8], _ body: (inout JSONBuilder) -> Void) -> [UInt8] {
    return JSONBuilder.line { json in
      json.member("file", text: file)
      body(&json)
    }
  }

  private static func profile(of measures: TrackMeasures) -> String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    guard let range = measures.elevations else { return "" }
    let height = range.upperBound - range.lowerBound
    return String(
      measures.profile.means(60).map { mean in
        let fraction = height > 0 ? (mean - range.lowerBound) / height : 0
        return blocks[min(blocks.count - 1, max(0, Int(fraction * Double(blocks.count))))]
      })
  }

  private static func speed(_ metresPerSecond: Double) -> String {
    "\(NodeText.distance(metresPerSecond * 3600))/h"
  }

  private static func span(_ milliseconds: Int64) -> String {
    TimeSpan.text(seconds: Double(milliseconds / 1000))
  }

  static func moment(_ milliseconds: Int64) -> String {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(milliseconds: milliseconds)
    return buffer.text
  }
}
