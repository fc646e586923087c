import Synchronization

/// Keeps the values used last, up to a number of bytes.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var cost: Int
    var used: UInt64
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var cost = 0
    var clock: UInt64 = 0
  }

  private let state = Mutex(State())
  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  package var cost: Int { state.withLock { $0.cost } }
  package var count: Int { state.withLock { $0.entries.count } }

  package func value(for key: Key) -> Value? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key) else { return nil }
      state.clock += 1
      state.entries.values[index].used = state.clock
      return state.entries.values[index].value
    }
  }

  /// Adds a value, unless it takes more than a quarter of the limit.
  package func insert(_ value: Value, for key: Key, cost: Int) {
    if cost > limit / 4 { return }
    state.withLock { state in
      state.clock += 1
      let entry = Entry(value: value, cost: cost, used: state.clock)
      if let old = state.entries.updateValue(entry, forKey: key) { state.cost -= old.cost }
      state.cost += cost
      if state.cost > limit { Self.trim(&state, to: limit * 3 / 4) }
    }
  }

  package func remove(_ key: Key) {
    state.withLock { state in
      if let old = state.entries.removeValue(forKey: key) { state.cost -= old.cost }
    }
  }

  /// Drops the values used longest ago. It runs rarely and drops many at once, so that values need
  /// no order: O(n log n), shared by many insertions.
  private static func trim(_ state: inout State, to limit: Int) {
    for (key, entry) in state.entries.map({ ($0.key, $0.value) }).sorted(by: {
      $0.1.used < $1.1.used
    }) {
      if state.cost <= limit { return }
      state.entries[key] = nil
      state.cost -= entry.cost
    }
  }
}
