import GeoCore
import TestSupport
import Testing

/// Two states that have much in common.
struct StatePair: Sendable, CustomStringConvertible {
  var old: MemoryState
  var new: MemoryState

  var description: String {
    func lines(_ state: MemoryState) -> String {
      state.entries.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        .joined(separator: "\n")
    }
    return "old\n\(lines(old))\nnew\n\(lines(new))"
  }

  var swapped: StatePair { StatePair(old: new, new: old) }

  /// Two random states.
  ///
  /// - Parameter mayFail: Whether some folders can't be read.
  static func random(mayFail: Bool, using random: inout SeededGenerator) -> StatePair {
    var old = MemoryState()
    for _ in 0..<random.number(in: 0...30) {
      old.entries[old.freshPath(using: &random)] = .random(mayFail: mayFail, using: &random)
    }
    var new = old
    for _ in 0..<random.number(in: 0...12) { new.change(mayFail: mayFail, using: &random) }
    return StatePair(old: old, new: new)
  }

  /// Searches for a pair of states in which a test finds a fault, and shrinks it.
  static func check(
    _ name: String, cases: Int, mayFail: Bool, _ fault: (StatePair) async throws -> String?
  ) async throws {
    for seed in TestScale.seeds(cases) {
      var generator = SeededGenerator(seed: seed)
      var pair = StatePair.random(mayFail: mayFail, using: &generator)
      guard var found = try await fault(pair) else { continue }
      var isSmaller = true
      while isSmaller {
        isSmaller = false
        for candidate in pair.smaller where !isSmaller {
          guard let other = try await fault(candidate) else { continue }
          (pair, found, isSmaller) = (candidate, other, true)
        }
      }
      Issue.record("\(name), seed \(seed): \(found)\n\(pair)")
      return
    }
  }

  /// Pairs with fewer entries.
  var smaller: [StatePair] {
    Set(old.entries.keys).union(new.entries.keys).sorted().map { path in
      var pair = self
      pair.old.remove(path)
      pair.new.remove(path)
      return pair
    }
  }
}

extension MemoryState.Entry {
  fileprivate static func random(
    mayFail: Bool, using random: inout SeededGenerator
  ) -> MemoryState.Entry {
    if mayFail, random.chance(0.1) { return random.chance(0.5) ? .unreadable : .closed }
    if random.chance(0.4) { return .folder }
    // Few distinct sizes and times, so that different files look equal.
    return .file(
      kind: random.chance(0.1) ? .symlink : .regular, size: Int64(random.number(in: 0...3)),
      seconds: Int64(random.number(in: 0...2)),
      nanoseconds: UInt32(random.number(in: 0...1)))
  }
}

extension MemoryState {
  /// An unused path in a folder that can be listed.
  fileprivate func freshPath(using random: inout SeededGenerator) -> String {
    let folders = [""] + entries.filter { $0.value == .folder }.keys.sorted()
    let folder = folders[random.number(in: 0...(folders.count - 1))]
    while true {
      let name = (0..<random.number(in: 1...2)).map { _ in
        ["a", "b", "c", "-"][random.number(in: 0...3)]
      }.joined()
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if entries[path] == nil { return path }
      if random.chance(0.5) { return freshPath(using: &random) }
    }
  }

  fileprivate mutating func change(mayFail: Bool, using random: inout SeededGenerator) {
    let paths = entries.keys.sorted()
    guard !paths.isEmpty, !random.chance(0.25) else {
      entries[freshPath(using: &random)] = .random(mayFail: mayFail, using: &random)
      return
    }
    let path = paths[random.number(in: 0...(paths.count - 1))]
    let below = entries.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
    switch random.number(in: 0...3) {
    case 0: remove(path)
    case 1:
      remove(path)
      entries[path] = .random(mayFail: mayFail, using: &random)
    default:
      // The whole folder moves or is copied.
      let place = freshPath(using: &random)
      if place.hasPrefix(path + "/") { return }
      if random.chance(0.7) { remove(path) }
      for (old, entry) in below { entries[place + old.dropFirst(path.count)] = entry }
    }
  }
}
