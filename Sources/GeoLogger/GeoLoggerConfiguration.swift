/// What a logger does with places.
public enum GeoLoggerMode: String, Hashable, Sendable, CaseIterable {
  /// Hands them on, and records them.
  case record
  /// Hands out those of a recording, at their times; the source is not asked.
  case replay
  /// Hands them on, and does nothing else.
  case passthrough
}

/// How a logger works. It is read when the logger starts; what is changed underway counts from the next
/// start on.
public struct GeoLoggerConfiguration: Hashable, Sendable {
  /// What it does with places.
  public var mode: GeoLoggerMode
  /// The folder of recordings. It is made if it isn't there.
  public var directory: String
  /// How many times as fast as it was recorded a recording is played; above 0.
  public var replaySpeedMultiplier: Double
  /// The name of the recording that is played.
  public var replayFileName: String?
  /// Whether a recording begins again at its end.
  public var loopReplay: Bool

  /// A configuration of the given values.
  public init(
    mode: GeoLoggerMode = .passthrough, directory: String = "recordings",
    replaySpeedMultiplier: Double = 1, replayFileName: String? = nil, loopReplay: Bool = false
  ) {
    self.mode = mode
    self.directory = directory
    self.replaySpeedMultiplier = replaySpeedMultiplier
    self.replayFileName = replayFileName
    self.loopReplay = loopReplay
  }
}

/// Why a logger has stopped, or something can't be done with a recording.
public struct GeoLoggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// There is no such recording, or the name is none of one.
    case noRecording
    /// A recording is not what it has to be; what stands before was handed out.
    case corrupted
    /// The configuration can't be used.
    case badConfiguration
    /// The system refused something.
    case system
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// What was wrong, in words; of a corrupted recording with the place where it broke and how many
  /// events before it can be used.
  public let description: String
}
