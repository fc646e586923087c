import GeoCore
import GeoSystem

/// Sharing between the states of a series: the newest tree is whole, an older one mostly the
/// difference from the next.
extension LockedStore {
  /// Replaces the tree of the state before the newest by a difference, unless the chain of
  /// differences is long enough or little would be saved.
  ///
  /// Nothing depends on it, so failures are ignored.
  func share(in series: [KeptState]) {
    guard series.count >= 2 else { return }
    let (old, new) = (series[series.count - 2].id, series[series.count - 1].id)
    let older = series.dropLast(2).reversed().prefix { !files.isWhole($0.id) }
    guard older.count < StoreFolder.longestChain.new - 1, files.isWhole(old),
      let tree = try? files.tree(old), let base = try? files.tree(new)
    else { return }
    let size = (try? files.handle.facts(of: old + StoreFolder.snapshot, following: false).size) ?? 0
    _ = try? files.writeDelta(of: old, tree, from: new, base, most: size / 4 * 3)
  }

  /// Removes states; those that don't exist any more are ignored.
  ///
  /// First, differences from them are replaced. If that fails, nothing is removed.
  package func remove(_ states: [KeptState]) throws(KeptError) {
    if states.isEmpty { return }
    let gone = Set(states.map(\.id))
    for series in try contents().states.series { try rebase(series, without: gone) }
    do throws(Errno) {
      try files.handle.synchronize()
      for state in states {
        // Without this file the state is gone, and the next process sweeps up the others.
        try files.remove(state.id + StoreFolder.state)
        for kind in StoreFolder.trees { try files.remove(state.id + kind) }
      }
      try files.handle.synchronize()
    } catch {
      throw .unwritable(store: files.path, error)
    }
  }

  /// Makes the states that stay independent of those that go, newest first, so that the next of each
  /// has its final form.
  private func rebase(_ series: [KeptState], without gone: Set<[UInt8]>) throws(KeptError) {
    var next: KeptState?
    for index in series.indices.reversed() {
      let state = series[index]
      if gone.contains(state.id) { continue }
      defer { next = state }
      let older = series[..<index].reversed().prefix { !files.isWhole($0.id) }.count
      do throws(KeptError) {
        // A process that was killed may have based it on a later state than the next.
        guard let base = try files.base(of: state.id), gone.contains(base) else { continue }
        try rebase(state, on: next, older: older)
      } catch {
        // A damaged state is lost already.
        if error.group != .damage { throw error }
      }
    }
  }

  private func rebase(
    _ state: KeptState, on next: KeptState?, older: Int
  ) throws(KeptError) {
    let tree = try files.tree(state.id)
    if let next, let base = try? files.tree(next.id),
      base.depth + older < StoreFolder.longestChain.any
    {
      try files.writeDelta(of: state.id, tree, from: next.id, base)
    } else {
      try files.writeWhole(state.id, tree)
    }
  }

  /// Removes the states of a series that a rule doesn't retain.
  ///
  /// - Returns: The removed states.
  package func thin(
    _ state: KeptState, _ retention: Retention
  ) throws(KeptError) -> [KeptState] {
    let series = try contents().states.filter { $0.isComparable(with: state) }
    let removed = retention.dropped(of: series)
    try remove(removed)
    return removed
  }
}

extension [KeptState] {
  /// The states by machine, roots, file systems and conditions, each series in the order in which it
  /// was kept.
  package var series: [[KeptState]] {
    var all: [[KeptState]] = []
    var places: [KeptSeries: Int] = [:]
    for state in sorted(by: { $0.number < $1.number }) {
      let key = KeptSeries(key: state.key, conditions: state.conditions)
      if let place = places[key] {
        all[place].append(state)
      } else {
        places[key] = all.count
        all.append([state])
      }
    }
    return all
  }
}

/// What the states of a series have in common.
private struct KeptSeries: Hashable {
  var key: KeptKey
  var conditions: [[UInt8]]
}
