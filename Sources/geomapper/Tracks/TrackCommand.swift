import GeoFormats
import GeoCore
import GeoTrack

/// `geomapper track`: reads, converts and makes tracks.
enum TrackCommand {
  /// What is done with files of tracks.
  enum Action: String, CaseIterable {
    case info
    case convert
    case simplify
    case redact
    case places
    case cues
    case from

    /// Whether it tells of a track, and makes none.
    var isReport: Bool { self == .info || self == .places || self == .cues }

    /// What it makes.
    var formats: [FileFormat] { FileFormat.holding(isReport ? .reports : .tracks) }
  }

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    try ActionWord.run("track") { () throws(Failure) in try perform(low) }
  }

  private static func perform(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let word = low.operands.first else {
      let actions = Action.allCases.map(\.rawValue)
      throw .usage("say what to do: \(actions.joined(separator: ", "))")
    }
    let action: Action = try ActionWord.parse(word, doneWith: "tracks")
    let files = Array(low.operands.dropFirst())
    if files.isEmpty { throw .usage("track \(action) needs a FILE; '-' is standard input") }
    try check(action, files, low)
    var low = low
    low.format = try low.format(among: action.formats, usual: action.isReport ? .text : .gpx)
    switch action {
    case .info: return try TrackInfo.run(files, low)
    case .convert, .simplify, .redact: return try TrackConversion.run(action, files[0], low)
    case .places: return try TrackPlaces.run(files[0], low)
    case .cues: return try TrackCues.run(files[0], low)
    case .from: return try TimedPaths.run(files[0], low)
    }
  }

  /// Looks whether options and files go with an action.
  private static func check(
    _ action: Action, _ files: [[UInt8]], _ low: LowArguments
  ) throws(Failure) {
    let track = low.track
    if action != .info, files.count > 1 {
      throw .usage("track \(action) takes one FILE at a time")
    }
    if track.tolerance != nil, action != .simplify {
      throw .usage("--tolerance is for track simplify alone")
    }
    if !track.near.isEmpty, action != .redact {
      throw .usage("--near is for track redact alone")
    }
    if track.near.isEmpty, action == .redact {
      throw .usage("say around which place to redact: --near LON,LAT,METRES")
    }
    if track.lines != nil, action != .from { throw .usage("--lines is for track from alone") }
    guard let format = low.format, !action.formats.contains(format) else { return }
    throw .usage("track \(action) can't be written as \(format)")
  }
}
