import GeoAtlas
import GeoCore
import GeoTrack

/// `geomapper track cues`: the turns of a planned way as words.
enum TrackCues {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    // Lands are named on a map that was asked for; without one, points have their own names.
    let world = low.atlas.roots.isEmpty ? nil : try AtlasPlan(low).world
    let file = try TrackFile(path)
    var sheet = TrackCueSheet()
    try file.read(into: &sheet)
    var text = ""
    for (details, cues) in sheet.lines {
      if !details.name.isEmpty { text += "\(TerminalText.escaped(details.name))\n" }
      for (index, cue) in cues.enumerated() {
        let next = index + 1 < cues.count ? cues[index + 1] : nil
        text += "  \(line(for: cue, before: next, world))\n"
      }
    }
    try OutputFile.write(Array(text.utf8), to: place)
    return .success
  }

  private static func line(
    for cue: TrackCue, before next: TrackCue?, _ world: World?
  ) -> String {
    let at = padded(NodeText.distance(cue.distance), 10)
    func name(of cue: TrackCue) -> String? {
      if !cue.name.isEmpty { return TerminalText.escaped(cue.name) }
      let folder = world?.deepestFolder(at: cue.point) ?? []
      return folder.isEmpty ? nil : TerminalText.escaped(folder)
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
