import Synchronization

/// Hands an opened list to the one thread that reads it.
final class Handover: Sendable {
  private let input: Mutex<ListInput?>

  init(_ input: sending ListInput) { self.input = Mutex(input) }

  /// The list, the first time.
  func take() -> sending ListInput? {
    input.withLock { input in
      let taken = input
      input = nil
      return taken
    }
  }
}
