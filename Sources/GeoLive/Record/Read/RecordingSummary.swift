import GeoProjection

/// What a recording comes to; it keeps no events but two.
package struct RecordingSummary: Sendable {
  package let metadata: RecordingMetadata
  /// How many events there are.
  package private(set) var count = 0
  /// How many of each type.
  package private(set) var types: [String: Int] = [:]
  /// How many of each change.
  package private(set) var changes: [String: Int] = [:]
  /// Seconds up to the last event, or those that the metadata says if they are more.
  package private(set) var duration: Double
  /// The least and greatest degrees of all places.
  package private(set) var bounds: (west: Double, south: Double, east: Double, north: Double)?
  /// Metres from place to place.
  package private(set) var length = 0.0
  /// Where it breaks off.
  package var fault: RecordingError?
  /// The two events that were asked for.
  package private(set) var first: RecordedEvent?
  package private(set) var second: RecordedEvent?

  /// Bytes of the folders of which there are samples.
  package private(set) var series: [[UInt8]: SampleSeries] = [:]
  /// What is left on their disks.
  package private(set) var free: [[UInt8]: Int64] = [:]

  /// The first alerts, and when they were, in seconds since the beginning.
  package private(set) var alerts: [(time: Double, alert: RecordedAlert)] = []
  /// How many alerts are kept.
  private static let mostAlerts = 1000

  /// Of how many folders samples are kept.
  private static let mostSeries = 1001

  private let compared: (Int, Int)?
  private var last: Sphere.Position?

  /// Of a recording of which no event was read yet.
  ///
  /// - Parameter compared: The numbers of two events that are kept, from 1 on.
  package init(_ metadata: RecordingMetadata, compared: (Int, Int)? = nil) {
    self.metadata = metadata
    self.compared = compared
    duration = metadata.duration ?? 0
  }

  /// Takes account of the next event.
  package mutating func add(_ event: RecordedEvent) {
    count += 1
    types[event.type, default: 0] += 1
    duration = max(duration, event.relativeTime)
    if count == compared?.0 { first = event }
    if count == compared?.1 { second = event }
    if case .sample(let sample) = event.body {
      if series[sample.path] != nil || series.count < Self.mostSeries {
        let seconds = Int64(min(event.relativeTime, 1e15))
        series[sample.path, default: SampleSeries()].add(sample.bytes, at: seconds)
        free[sample.path] = sample.free
      }
    }
    if case .alert(let alert) = event.body, alerts.count < Self.mostAlerts {
      alerts.append((event.relativeTime, alert))
    }
    guard let place = event.location else { return }
    if let change = place.change { changes[change.rawValue, default: 0] += 1 }
    let (x, y) = (place.longitude, place.latitude)
    if let box = bounds {
      bounds = (min(box.west, x), min(box.south, y), max(box.east, x), max(box.north, y))
    } else {
      bounds = (x, y, x, y)
    }
    let position = Sphere.Position(longitude: x, latitude: y)
    if let last { length += last.distance(to: position) }
    last = position
  }
}
