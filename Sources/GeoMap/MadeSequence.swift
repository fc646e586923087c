/// Elements that a function gives one after another, to each reader from the first on.
struct MadeSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  typealias Read = (isolated (any Actor)?) async throws(Failure) -> Element?

  /// Makes the function that gives the next element.
  let start: @Sendable () -> Read

  func makeAsyncIterator() -> Iterator { Iterator(read: start()) }

  struct Iterator: AsyncIteratorProtocol {
    let read: Read

    mutating func next() async throws(Failure) -> Element? { try await read(nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      try await read(actor)
    }
  }
}
