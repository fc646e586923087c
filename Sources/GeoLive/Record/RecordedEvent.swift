import GeoSystem

package struct RecordedEvent: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case location(GeoLocation)
    case sample(RecordedSample)
    case error(RecordedFault)
    case alert(RecordedAlert)
    /// Recording stops until the next `resume`.
    case pause
    case resume
    /// Unix milliseconds.
    case gap(since: Int64)
  }

  package enum Kind: String, Sendable, CaseIterable {
    case location
    case sample
    case error
    case alert
    case pause
    case resume
    case gap
  }

  /// Unix milliseconds.
  package var timestamp: Int64
  /// Seconds since the start of the recording.
  package var relativeTime: Double
  package var body: Body

  package var type: Kind {
    switch body {
    case .location: .location
    case .sample: .sample
    case .error: .error
    case .alert: .alert
    case .pause: .pause
    case .resume: .resume
    case .gap: .gap
    }
  }

  package var location: GeoLocation? {
    if case .location(let location) = body { location } else { nil }
  }
}

/// The totals of a folder at a moment.
package struct RecordedSample: Hashable, Sendable {
  package var path: [UInt8]
  package var files: Int64
  package var folders: Int64
  package var bytes: Int64
  package var allocated: Int64
  /// In the folder's file system; nil if unknown.
  package var free: Int64?
}

package struct RecordedFault: Hashable, Sendable {
  package var code: Int64
  /// Such as `errno`.
  package var domain: [UInt8]
  package var description: [UInt8]

  package init(code: Int64, domain: [UInt8], description: [UInt8]) {
    (self.code, self.domain, self.description) = (code, domain, description)
  }

  init(_ reason: Errno, _ description: String) {
    self.init(
      code: Int64(reason.rawValue), domain: Array("errno".utf8),
      description: Array(description.utf8))
  }
}

/// An alert that was raised or cleared.
package struct RecordedAlert: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case raised
    case cleared
  }

  package var name: [UInt8]
  package var path: [UInt8]
  package var rule: [UInt8]
  package var value: Double
  package var limit: Double
  package var state: State
}
