import GeoCore
import GeoProjection

/// A summary of a recording; keeps only the two events to compare.
package struct RecordingSummary: Sendable {
  package let metadata: RecordingMetadata
  package private(set) var count = 0
  package private(set) var types: [String: Int] = [:]
  package private(set) var changes: [String: Int] = [:]
  /// Up to the last event, or the metadata's duration if that is longer, in seconds.
  package private(set) var duration: Double
  /// Of all locations, in degrees.
  package private(set) var bounds: (west: Double, south: Double, east: Double, north: Double)?
  /// Of the path through all locations, in metres.
  package private(set) var length = 0.0
  /// At which the recording breaks off.
  package var fault: Failure?
  /// The two events to compare.
  package private(set) var first: RecordedEvent?
  package private(set) var second: RecordedEvent?

  /// Of the bytes of each sampled folder.
  package private(set) var series: [[UInt8]: SampleSeries] = [:]
  /// In the folders' file systems, by the last samples.
  package private(set) var free: [[UInt8]: Int64] = [:]

  /// The first ones, with seconds since the start of the recording.
  package private(set) var alerts: [(time: Double, alert: RecordedAlert)] = []
  private static let maximumAlerts = 1000

  private static let maximumSeries = 1001

  private let compared: (Int, Int)?
  private var last: Sphere.Position?

  /// `compared` are the numbers of the two events to keep, from 1.
  package init(_ metadata: RecordingMetadata, compared: (Int, Int)? = nil) {
    self.metadata = metadata
    self.compared = compared
    duration = metadata.duration ?? 0
  }

  package mutating func add(_ event: RecordedEvent) {
    count += 1
    types[event.type.rawValue, default: 0] += 1
    duration = max(duration, event.relativeTime)
    if count == compared?.0 { first = event }
    if count == compared?.1 { second = event }
    if case .sample(let sample) = event.body {
      if series[sample.path] != nil || series.count < Self.maximumSeries {
        let seconds = Int64(min(event.relativeTime, 1e15))
        series[sample.path, default: SampleSeries()].add(sample.bytes, at: seconds)
        free[sample.path] = sample.free
      }
    }
    if case .alert(let alert) = event.body, alerts.count < Self.maximumAlerts {
      alerts.append((event.relativeTime, alert))
    }
    guard let place = event.location else { return }
    if let change = place.entryChange { changes[change.rawValue, default: 0] += 1 }
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
