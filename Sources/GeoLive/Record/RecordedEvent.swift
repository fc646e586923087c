import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// An event of a recording.
package struct RecordedEvent: Hashable, Sendable {
  /// The content of an event.
  package enum Body: Hashable, Sendable {
    case location(RecordedLocation)
    case sample(RecordedSample)
    case error(RecordedFault)
    case alert(RecordedAlert)
    /// Recording stops until the next `resume`.
    case pause
    case resume
    /// Events were lost since a Unix time in milliseconds.
    case gap(since: Int64)
  }

  /// Unix time in milliseconds.
  package var timestamp: Int64
  /// Seconds since the start of the recording.
  package var relativeTime: Double
  package var body: Body

  /// Creates an event.
  package init(timestamp: Int64, relativeTime: Double, body: Body) {
    self.timestamp = timestamp
    self.relativeTime = relativeTime
    self.body = body
  }

  /// The type's name in the recording format.
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

  /// The location, if the event has one.
  package var location: RecordedLocation? {
    if case .location(let location) = body { location } else { nil }
  }
}

/// Where and what happened; members are named as those of Core Location.
package struct RecordedLocation: Hashable, Sendable {
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Metres; for map entries 100 times the depth.
  package var altitude: Double = 0
  /// Metres; for map entries 0 if the entry or its folder has land.
  package var horizontalAccuracy: Double = 0
  package var verticalAccuracy: Double = 0
  /// Degrees clockwise from north; −1 if unknown.
  package var course: Double = -1
  package var courseAccuracy: Double = 0
  /// Metres per second; −1 if unknown.
  package var speed: Double = -1
  package var speedAccuracy: Double = 0
  /// For map entries the depth.
  package var floor: Int64?
  /// Unix time in milliseconds.
  package var timestamp: Int64
  package var ellipsoidalAltitude: Double = 0
  package var isSimulated = false
  package var isProducedByAccessory = false

  /// The entry's path, as bytes; nil if the location is not a map entry.
  package var path: [UInt8]?
  /// The entry's kind on the map.
  package var kind: NodeKind?
  package var change: Change?
  /// The path before a move.
  package var from: [UInt8]?
  /// Size of a file, in bytes.
  package var size: Int64?

  /// What happened to an entry.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case created
    case modified
    case deleted
    case moved
    case attributes
  }

  /// Creates a location from degrees.
  package init(latitude: Double, longitude: Double, timestamp: Int64) {
    self.latitude = latitude
    self.longitude = longitude
    self.timestamp = timestamp
  }
}

/// The totals of a folder at a moment.
package struct RecordedSample: Hashable, Sendable {
  package var path: [UInt8]
  package var files: Int64
  package var folders: Int64
  package var bytes: Int64
  package var allocated: Int64
  /// Free bytes in the folder's file system; nil if unknown.
  package var free: Int64?

  /// Creates a sample.
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

/// An error during the recording.
package struct RecordedFault: Hashable, Sendable {
  package var code: Int64
  /// The domain of the code, such as `errno`.
  package var domain: [UInt8]
  package var description: [UInt8]

  /// Creates a fault.
  package init(code: Int64, domain: [UInt8], description: [UInt8]) {
    self.code = code
    self.domain = domain
    self.description = description
  }
}

/// An alert that was raised or cleared.
package struct RecordedAlert: Hashable, Sendable {
  /// The state of an alert.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case raised
    case cleared
  }

  package var name: [UInt8]
  package var path: [UInt8]
  /// The rule as written.
  package var rule: [UInt8]
  package var value: Double
  package var limit: Double
  package var state: State

  /// Creates an alert.
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

  /// Creates the alert of a rule.
  init(_ rule: AlertRule, value: Double, state: State) {
    self.init(
      name: rule.name, path: rule.path, rule: rule.text, value: value, limit: rule.limit,
      state: state)
  }
}

/// Makes events from tree changes: finds each entry's place on the map, and course and speed since
/// the previous event.
///
/// Times come from the monotonic clock, so that events are in order even if the system clock is
/// changed.
package struct EventMaker {
  /// Start of the recording, on the clock of ``ThisProcess/nanoseconds``.
  let start: Int64
  /// Start of the recording, as Unix time in milliseconds.
  let recordedAt: Int64
  private var lastMilliseconds: Int64 = 0
  private var before: (position: Sphere.Position, milliseconds: Int64)?

  /// Creates a maker for a recording that starts now.
  package init(start: Int64, recordedAt: Int64) {
    self.start = start
    self.recordedAt = recordedAt
  }

  /// Makes an event; its time is not earlier than that of the previous event.
  package mutating func event(_ body: RecordedEvent.Body, at time: Int64) -> RecordedEvent {
    let milliseconds = advance(to: time)
    return RecordedEvent(
      timestamp: recordedAt + milliseconds, relativeTime: Double(milliseconds) / 1000, body: body)
  }

  /// Converts a time of the monotonic clock to Unix time in milliseconds.
  package func unixMilliseconds(of time: Int64) -> Int64 { recordedAt + (time - start) / 1_000_000 }

  private mutating func advance(to time: Int64) -> Int64 {
    lastMilliseconds = max(lastMilliseconds, (time - start) / 1_000_000)
    return lastMilliseconds
  }

  /// Makes an event at a given location, which need not be on the map.
  package mutating func event(at location: RecordedLocation, time: Int64) -> RecordedEvent {
    var location = location
    let milliseconds = advance(to: time)
    complete(&location, at: milliseconds)
    return RecordedEvent(
      timestamp: recordedAt + milliseconds, relativeTime: Double(milliseconds) / 1000,
      body: .location(location))
  }

  /// Makes the event of a change; nil if the map doesn't show the entry.
  package mutating func event(_ change: TreeChange, in world: World) -> RecordedEvent? {
    guard var location = Self.location(of: change, in: world) else { return nil }
    let milliseconds = advance(to: change.time)
    location.timestamp = recordedAt + milliseconds
    complete(&location, at: milliseconds)
    return RecordedEvent(
      timestamp: location.timestamp, relativeTime: Double(milliseconds) / 1000,
      body: .location(location))
  }

  /// Sets course and speed.
  private mutating func complete(_ location: inout RecordedLocation, at milliseconds: Int64) {
    let position = Sphere.Position(longitude: location.longitude, latitude: location.latitude)
    if let before {
      if location.course < 0, let bearing = before.position.bearing(to: position) {
        location.course = Self.rounded(bearing)
      }
      let seconds = Double(milliseconds - before.milliseconds) / 1000
      if location.speed < 0, seconds > 0 {
        location.speed = Self.rounded(before.position.distance(to: position) / seconds)
      }
    }
    before = (position, milliseconds)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  /// The place of an entry; nil if the map doesn't show it.
  static func location(of change: TreeChange, in world: World) -> RecordedLocation? {
    let names = change.path.components
    let engine = world.engine
    if names.count == 1 {
      guard let root = world.roots.firstIndex(where: { $0.label == change.path }) else {
        return nil
      }
      let place = engine.roots[root]
      return location(
        of: change, engine.coordinate(of: place), place.digits, kind: place.kind, depth: 0)
    }
    guard let folder = world.folders(along: names.dropLast(), by: world.reader())?.last else {
      return nil
    }
    let name = Array(names[names.count - 1])
    if change.isFolder {
      guard let index = folder.folders.index(of: name) else { return nil }
      let place = folder.places[index]
      var found = location(
        of: change, engine.coordinate(of: place), place.digits, kind: place.kind,
        depth: Int64(names.count - 1))
      if !place.isLanded, !folder.place.isLanded {
        found.horizontalAccuracy = accuracy(of: place.land, latitude: found.latitude)
      }
      return found
    }
    let place = engine.placeFile(name.span, in: folder.city)
    var found = location(
      of: change, place.coordinate, folder.city.digits, kind: .poi, depth: Int64(names.count - 1))
    if !folder.place.isLanded {
      found.horizontalAccuracy = accuracy(of: folder.place.land, latitude: found.latitude)
    }
    return found
  }

  private static func location(
    of change: TreeChange, _ coordinate: Coordinate, _ digits: UInt8, kind: NodeKind, depth: Int64
  ) -> RecordedLocation {
    let (longitude, latitude) = coordinate.degrees(digits: digits)
    var location = RecordedLocation(latitude: latitude, longitude: longitude, timestamp: 0)
    location.altitude = 100 * Double(depth)
    location.ellipsoidalAltitude = location.altitude
    location.floor = depth
    location.path = change.path
    location.kind = kind
    location.change = RecordedLocation.Change(rawValue: change.what.rawValue)
    location.from = change.from
    location.size = change.isFolder ? nil : change.size
    return location
  }

  /// Half the breadth of the land that nodes without land share, in metres.
  private static func accuracy(of land: Quad, latitude: Double) -> Double {
    let metres =
      Double(land.breadth) * 40_075_016.686 * Sphere.cosine(ofDegrees: latitude) * 0x1p-62
    return rounded(metres / 2)
  }
}
