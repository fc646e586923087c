import GeoProjection
import GeoSystem

/// An event of a recording.
package struct RecordedEvent: Hashable, Sendable {
  /// What has happened.
  package enum Body: Hashable, Sendable {
    case location(RecordedLocation)
    case sample(RecordedSample)
    case error(RecordedFault)
    case alert(RecordedAlert)
    /// Nothing is recorded until it is resumed.
    case pause
    case resume
    /// Events were lost from a time on: Unix time in milliseconds.
    case gap(since: Int64)
  }

  /// Unix time in milliseconds.
  package var timestamp: Int64
  /// Seconds since the recording began.
  package var relativeTime: Double
  package var body: Body

  /// An event of the given parts.
  package init(timestamp: Int64, relativeTime: Double, body: Body) {
    self.timestamp = timestamp
    self.relativeTime = relativeTime
    self.body = body
  }

  /// The name of its type in a recording.
  package var type: String {
    switch body {
    case .location: "location"
    case .sample: "sample"
    case .error: "error"
    case .alert: "alert"
    case .pause: "pause"
    case .resume: "resume"
    case .gap: "gap"
    }
  }

  /// The place, if it has one.
  package var location: RecordedLocation? {
    if case .location(let location) = body { location } else { nil }
  }
}

/// Where something has happened, in the words of a phone, and what.
package struct RecordedLocation: Hashable, Sendable {
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Metres; of an entry of the map 100 times its depth.
  package var altitude: Double = 0
  /// Metres; of an entry of the map 0 where it has land of its own or is in a folder that has.
  package var horizontalAccuracy: Double = 0
  package var verticalAccuracy: Double = 0
  /// Degrees from north by east; −1 if there is no direction.
  package var course: Double = -1
  package var courseAccuracy: Double = 0
  /// Metres a second; −1 if it is not known.
  package var speed: Double = -1
  package var speedAccuracy: Double = 0
  /// Of an entry of the map its depth.
  package var floor: Int64?
  /// When it was found: Unix time in milliseconds.
  package var timestamp: Int64
  package var ellipsoidalAltitude: Double = 0
  package var isSimulated = false
  package var isProducedByAccessory = false

  /// The entry's path, as bytes; nil if it is a place of something else.
  package var path: [UInt8]?
  /// Its rank on the map.
  package var kind: NodeKind?
  package var change: Change?
  /// The path before it was moved.
  package var from: [UInt8]?
  /// Bytes of a file.
  package var size: Int64?

  /// What became of an entry.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case created
    case modified
    case deleted
    case moved
    case attributes
  }

  /// A place of the given degrees.
  package init(latitude: Double, longitude: Double, timestamp: Int64) {
    self.latitude = latitude
    self.longitude = longitude
    self.timestamp = timestamp
  }
}

/// What was below a folder at a time.
package struct RecordedSample: Hashable, Sendable {
  package var path: [UInt8]
  package var files: Int64
  package var folders: Int64
  package var bytes: Int64
  package var allocated: Int64
  /// Bytes that are left in the folder's file system; nil if that isn't known.
  package var free: Int64?

  /// A sample of the given parts.
  package init(
    path: [UInt8], files: Int64, folders: Int64, bytes: Int64, allocated: Int64, free: Int64?
  ) {
    self.path = path
    self.files = files
    self.folders = folders
    self.bytes = bytes
    self.allocated = allocated
    self.free = free
  }
}

/// Something that went wrong while it was recorded.
package struct RecordedFault: Hashable, Sendable {
  package var code: Int64
  /// What the code is a number of, such as `errno`.
  package var domain: [UInt8]
  package var description: [UInt8]

  /// A fault of the given parts.
  package init(code: Int64, domain: [UInt8], description: [UInt8]) {
    self.code = code
    self.domain = domain
    self.description = description
  }
}

/// Something that has crossed a line, or has come back.
package struct RecordedAlert: Hashable, Sendable {
  /// Which way.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case raised
    case cleared
  }

  package var name: [UInt8]
  package var path: [UInt8]
  /// The rule as it was given.
  package var rule: [UInt8]
  package var value: Double
  package var limit: Double
  package var state: State

  /// An alert of the given parts.
  package init(
    name: [UInt8], path: [UInt8], rule: [UInt8], value: Double, limit: Double, state: State
  ) {
    self.name = name
    self.path = path
    self.rule = rule
    self.value = value
    self.limit = limit
    self.state = state
  }
}

/// What a recording says of itself.
package struct RecordingMetadata: Hashable, Sendable {
  /// The version of the format that is written, and read.
  package static let version = "1.0"

  /// When it began: Unix time in milliseconds.
  package var recordedAt: Int64
  /// The machine.
  package var device: [UInt8]
  /// The system with its version, such as `Linux 6.1`.
  package var systemVersion: [UInt8]
  /// Seconds up to the last flush; nil if it doesn't say.
  package var duration: Double?
  /// Events up to the last flush; nil if it doesn't say. Readers count for themselves.
  package var eventCount: Int64?
  package var name: [UInt8]?
  package var tags: [[UInt8]] = []
  /// The labels of what was watched; none of a recording of something else than folders.
  package var roots: [[UInt8]] = []
  /// The version of the projection that places were found by.
  package var projection: Int64?
  package var layout: [UInt8]?

  /// The metadata of a recording that begins.
  package init(recordedAt: Int64, device: [UInt8], systemVersion: [UInt8]) {
    self.recordedAt = recordedAt
    self.device = device
    self.systemVersion = systemVersion
  }
}

/// Why a recording can't be read, or not to its end.
package enum RecordingError: Error, Hashable, Sendable {
  /// The system refused to read.
  case unreadable(Errno)
  /// It is no recording, or not one of a version that is known here; with the line and the byte, counted
  /// from 1, and the reason.
  case notRecording(line: Int, byte: UInt64, reason: String)
  /// It breaks off, or is not what a recording has to be. What stands before can be used.
  case broken(line: Int, byte: UInt64, events: Int, reason: String)

  /// How many events before the fault can be used.
  package var events: Int {
    if case .broken(_, _, let events, _) = self { events } else { 0 }
  }
}

extension RecordingError: CustomStringConvertible {
  /// What is wrong and where, in one line that is fit for a terminal.
  package var description: String {
    switch self {
    case .unreadable(let reason): return "\(reason)"
    case .notRecording(let line, let byte, let reason):
      return "it is no recording: line \(line), byte \(byte): \(reason)"
    case .broken(let line, let byte, let events, let reason):
      let usable =
        events == 0
        ? "no event before that"
        : events == 1 ? "the event before that" : "\(events) events before that"
      return "line \(line), byte \(byte): \(reason); \(usable) can be used"
    }
  }
}
