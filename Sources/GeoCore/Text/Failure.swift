/// What the user can do about an error.
public enum ErrorGroup: Hashable, Sendable {
  /// Give other arguments.
  case usage
  /// Look whether a source is there, and may be read.
  case source
  /// Make a source again: it is damaged, or was changed.
  case damage
  /// Make room, or give another place: something can't be written.
  case output
  /// Give the program more: threads, memory, descriptors.
  case limit
  /// Try again: the source was changed while it was read.
  case change
  /// Correct a map: it is wrong.
  case fault
  /// Nothing: the reader of the output has closed it.
  case closed
}

/// An error of the libraries. Its description says what is wrong and what to do, in one line that is
/// fit for a terminal; so does its `localizedDescription`.
public protocol GeoError: Error, CustomStringConvertible {
  /// What the user can do about it.
  var group: ErrorGroup { get }
}

/// An error that is only reported. Errors of other types are for callers that distinguish cases.
package struct Failure: GeoError {
  package let group: ErrorGroup
  /// What is wrong and what to do, in one line that is fit for a terminal.
  package var message: String
  /// How a remedy is spelled on the command line; the tool appends it to the message.
  package var option = ""
  package var hint: String?
  /// The error that led to it, for callers that distinguish causes.
  package var cause: (any Error)?

  package init(_ group: ErrorGroup, _ message: String, cause: (any Error)? = nil) {
    (self.group, self.message, self.cause) = (group, message, cause)
  }

  package init(_ error: some GeoError) {
    self.init(error.group, error.description, cause: error)
  }

  package var description: String { message }

  package static func usage(_ message: String, option: String = "") -> Failure {
    var failure = Failure(.usage, message)
    failure.option = option
    return failure
  }

  package static func damage(_ message: String) -> Failure { Failure(.damage, message) }

  package static func output(_ message: String, cause: (any Error)? = nil) -> Failure {
    Failure(.output, message, cause: cause)
  }

  package func prefixed(by subject: String) -> Failure {
    var failure = self
    failure.message = "\(subject): \(message)"
    return failure
  }
}

/// Makes a call, and converts its error.
@inlinable
@inline(__always)
package func rethrowing<Value: ~Copyable, Old: Error, New: Error>(
  _ call: @autoclosure () throws(Old) -> Value, as convert: (Old) -> New
) throws(New) -> Value {
  do throws(Old) { return try call() } catch { throw convert(error) }
}

extension Failure: Equatable {
  package static func == (a: Failure, b: Failure) -> Bool {
    a.group == b.group && a.message == b.message
  }
}
