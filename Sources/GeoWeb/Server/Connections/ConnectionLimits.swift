/// How long clients may take, and how many there may be.
struct ConnectionLimits: Sendable {
  /// Connections at once; one more, and the one that has been idle longest is closed.
  var connections = 4096
  /// Nanoseconds for a request to come in as a whole, from its first byte.
  var request: Int64 = 10_000_000_000
  /// Nanoseconds that a connection may be idle.
  var idle: Int64 = 60_000_000_000
  /// Nanoseconds within which a client has to take something in.
  var progress: Int64 = 20_000_000_000
  /// Nanoseconds for work on one answer.
  var answer: Int64 = 60_000_000_000
  /// Nanoseconds to wait for the client to close, too.
  var linger: Int64 = 1_000_000_000
  /// Event streams at once.
  var streams = 64

  init() {}
}
