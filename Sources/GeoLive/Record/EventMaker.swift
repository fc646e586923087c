import GeoAtlas
import GeoProjection

/// Makes events with the entry's place on the map, and course and speed since the previous change.
///
/// Times come from the monotonic clock, so that events are in order even if the system clock is
/// changed.
package struct EventMaker {
  /// On the clock of ``ThisProcess/nanoseconds``.
  let start: Int64
  /// Unix time in milliseconds.
  let recordedAt: Int64
  private var lastMilliseconds: Int64 = 0
  private var before: (position: Sphere.Position, milliseconds: Int64)?

  package init(start: Int64, recordedAt: Int64) {
    self.start = start
    self.recordedAt = recordedAt
  }

  /// The time is not earlier than that of the previous event.
  package mutating func event(_ body: RecordedEvent.Body, at time: Int64) -> RecordedEvent {
    let milliseconds = advance(to: time)
    return RecordedEvent(
      timestamp: recordedAt + milliseconds, relativeTime: Double(milliseconds) / 1000, body: body)
  }

  /// From a time of the monotonic clock.
  package func unixMilliseconds(of time: Int64) -> Int64 { recordedAt + (time - start) / 1_000_000 }

  private mutating func advance(to time: Int64) -> Int64 {
    lastMilliseconds = max(lastMilliseconds, (time - start) / 1_000_000)
    return lastMilliseconds
  }

  /// Nil if the map doesn't show the entry.
  package mutating func event(_ change: TreeChange, in world: World) -> RecordedEvent? {
    guard var location = Self.location(of: change, in: world) else { return nil }
    let milliseconds = advance(to: change.time)
    location.timestamp = recordedAt + milliseconds
    complete(&location, at: milliseconds)
    return RecordedEvent(
      timestamp: location.timestamp, relativeTime: Double(milliseconds) / 1000,
      body: .location(location))
  }

  private mutating func complete(_ location: inout GeoLocation, at milliseconds: Int64) {
    let position = Sphere.Position(longitude: location.longitude, latitude: location.latitude)
    if let before {
      if let bearing = before.position.bearing(to: position) {
        location.course = Self.rounded(bearing)
      }
      let seconds = Double(milliseconds - before.milliseconds) / 1000
      if seconds > 0 {
        location.speed = Self.rounded(before.position.distance(to: position) / seconds)
      }
    }
    before = (position, milliseconds)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  /// Nil if the map doesn't show the entry.
  static func location(of change: TreeChange, in world: World) -> GeoLocation? {
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
  ) -> GeoLocation {
    let (longitude, latitude) = coordinate.degrees(digits: digits)
    var location = GeoLocation(longitude: longitude, latitude: latitude, timestamp: 0)
    location.altitude = 100 * Double(depth)
    location.ellipsoidalAltitude = location.altitude
    location.floor = Int(depth)
    location.rawPath = change.path
    location.kind = kind
    location.entryChange = GeoLocation.EntryChange(rawValue: change.what.rawValue)
    location.rawOldPath = change.from
    location.size = change.isFolder ? nil : change.size.map { Int(clamping: $0) }
    return location
  }

  /// Half the breadth of the land that nodes without land share, in metres.
  private static func accuracy(of land: Quad, latitude: Double) -> Double {
    let metres =
      Double(land.breadth) * 40_075_016.686 * Sphere.cosine(ofDegrees: latitude) * 0x1p-62
    return rounded(metres / 2)
  }
}
