import GeoAtlas
import GeoCore
import GeoFormats
import GeoTrack

/// `geomapper track cues`: writes the turns of a route as text.
enum TrackCues {
  static func run(_ path: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    // Name lands only if a map was given; without one, points have their own names.
    let world = run.low.asksMap ? try AtlasPlan(run).world : nil
    var sheet = TrackCueSheet()
    try TrackFile(path, run.low.track).read(into: &sheet, run)
    try run.write(as: format, json: json(of: path, sheet, world), text: text(sheet, world))
  }

  private static func text(_ sheet: TrackCueSheet, _ world: World?) -> String {
    var text = ""
    for (details, cues) in sheet.lines {
      if !details.name.isEmpty { text += "\(details.name.shown)\n" }
      for (index, cue) in cues.enumerated() {
        let next = index + 1 < cues.count ? cues[index + 1] : nil
        text += "  \(line(for: cue, before: next, world))\n"
      }
    }
    return text
  }

  private static func json(of file: [UInt8], _ sheet: TrackCueSheet, _ world: World?) -> [UInt8] {
    TrackInfo.json(of: file) { json in
      json.member("lines", objects: sheet.lines) { line, json in
        if !line.0.name.isEmpty { json.member("name", text: line.0.name) }
        json.member("cues", objects: line.1) { add($0, world, to: &$1) }
      }
    }
  }

  private static func add(_ cue: TrackCue, _ world: World?, to json: inout JSONBuilder) {
    json.member("words", word: cue.turn.words)
    switch cue.turn {
    case .start(let bearing): json.member("bearing", decimal: bearing)
    case .turn(let degrees): json.member("turn", decimal: degrees)
    case .arrival: break
    }
    json.member("distance", decimal: cue.distance)
    json.member("lon", decimal: cue.point.longitude)
    json.member("lat", decimal: cue.point.latitude)
    if !cue.name.isEmpty { json.member("name", text: cue.name) }
    if let folder = world?.deepestFolder(at: cue.point), !folder.isEmpty {
      json.member("path", text: folder, raw: "rawPath")
    }
  }

  private static func line(for cue: TrackCue, before next: TrackCue?, _ world: World?) -> String {
    let at = padded(NodeText.distance(cue.distance), 10)
    func name(of cue: TrackCue) -> String? {
      if !cue.name.isEmpty { return cue.name.shown }
      let folder = world?.deepestFolder(at: cue.point) ?? []
      return folder.isEmpty ? nil : folder.shown
    }
    let leg = next.map { next in
      " for \(NodeText.distance(next.distance - cue.distance))"
        + (name(of: next).map { " to \($0)" } ?? "")
    }
    let here = name(of: cue).map { " at \($0)" } ?? ""
    switch cue.turn {
    case .start: return "\(at)start\(here), \(cue.turn.words)\(leg ?? "")"
    case .turn: return "\(at)\(cue.turn.words)\(here), go on\(leg ?? "")"
    case .arrival: return "\(at)\(cue.turn.words)\(here)"
    }
  }
}
