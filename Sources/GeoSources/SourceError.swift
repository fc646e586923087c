import GeoCore

/// An error that callers distinguish, and whose cases have words.
package protocol SourceError: GeoError, Hashable, Sendable {
  /// What is wrong and what to do.
  var failure: Failure { get }
}

extension SourceError {
  package var group: ErrorGroup { failure.group }
  package var description: String { failure.message }
}
