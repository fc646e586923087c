import GeoSystem

/// Values that are made one after the other, each by another thread while the one before is used.
final class ReadAhead<Value> {
  private let isThreaded: Bool
  private let make: @Sendable () throws(Errno) -> Value?
  private var coming: SideWork<Value?>?

  /// - Parameters:
  ///   - threads: How many threads may work at once; with one, each value is made when it is asked for.
  ///   - make: Makes the next value; nil at the end, and then it isn't called again. It is called by one thread at a time.
  init(threads: Int, _ make: @escaping @Sendable () throws(Errno) -> Value?) {
    isThreaded = threads > 1
    self.make = make
    begin()
  }

  private func begin() {
    let work = SideWork(make)
    if isThreaded { work.begin() }
    coming = work
  }

  /// The next value; nil at the end.
  ///
  /// - Throws: What making it has thrown; there is no other value after that.
  func next() throws(Errno) -> Value? {
    guard let work = coming else { return nil }
    coming = nil
    guard let value = try work.finish() else { return nil }
    begin()
    return value
  }
}
