/// What the user can do about an error.
package enum ErrorGroup: Sendable {
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
}

/// An error that says what is wrong and what to do, in one line that is fit for a terminal.
package protocol GroupedError: Error, CustomStringConvertible {
  var group: ErrorGroup { get }
}

/// A text or value breaks the rules for it.
package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words that follow a colon.
  package let reason: String

  package init(reason: String) { self.reason = reason }

  package var description: String { reason }
}
