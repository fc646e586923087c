import Synchronization

/// Locations on their way from a source to the main actor, in their order.
///
/// Their number is limited: a source may be faster than what receives its locations.
final class WaitingLocations: Sendable {
  private struct State {
    var batches: [[GeoLocation]] = []
    var count = 0
    /// Unix milliseconds of the first location that was dropped.
    var loss: Int64?
  }

  /// Yields when there is something to take; ends with ``finish()``.
  let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  /// Further locations are dropped.
  static let maximum = 100_000

  init() { (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func add(_ batch: [GeoLocation]) {
    state.withLock { state in
      // After a loss nothing is added, so that the loss is the last of what waits.
      if state.loss == nil, state.count < Self.maximum {
        state.batches.append(batch)
        state.count += batch.count
      } else {
        state.loss = state.loss ?? batch.first?.timestamp
      }
    }
    arrival.yield()
  }

  /// Further locations were lost since `loss`.
  func takeAll() -> (batches: [[GeoLocation]], loss: Int64?) {
    state.withLock { state in
      defer { state = State() }
      return (state.batches, state.loss)
    }
  }

  func finish() { arrival.finish() }
}
