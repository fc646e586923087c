import GeoFormats
import GeoCore
import TestSupport
import Testing

@testable import GeoChange

/// Lists that are partly in a scratch file equal lists in memory.
@Suite struct PagedListTests {
  /// Numbers of all sizes, often near the limits of their types.
  private func number(_ random: inout SeededGenerator) -> Int64 {
    switch random.number(in: 0...3) {
    case 0: Int64(random.number(in: -3...3))
    case 1: .max - Int64(random.number(in: 0...1))
    case 2: .min + Int64(random.number(in: 0...1))
    default: Int64(bitPattern: random.next())
    }
  }

  private func file(_ random: inout SeededGenerator) -> ComparedFile {
    func facts() -> EntryFacts {
      EntryFacts(
        size: number(&random), modified: number(&random),
        status: random.chance(0.5) ? .known : .vanished,
        kind: random.chance(0.5) ? .symlink : .regular,
        links: UInt32(truncatingIfNeeded: number(&random)))
    }
    return ComparedFile(
      name: PagedName(
        place: random.number(in: 0...(1 << 40)), length: Int32(random.number(in: 0...9))),
      change: NodeChange(rawValue: UInt8(random.number(in: 0...5))) ?? .none, facts: facts(),
      was: facts(), partner: Int32(truncatingIfNeeded: number(&random)),
      folder: Int32(truncatingIfNeeded: number(&random)))
  }

  private func folder(_ random: inout SeededGenerator) -> ChangeTree.Folder {
    var known = ComparedFolder()
    known.change = random.chance(0.5) ? .added : .none
    (known.fileCount, known.entries) = (random.number(in: 0...9), random.number(in: -1...900))
    known.modified = random.chance(0.3) ? nil : number(&random)
    (known.isUnreadable, known.isLoop) = (random.chance(0.5), random.chance(0.5))
    known.isListed = random.chance(0.5)
    var below = ChangesBelow()
    below.counts.added = random.number(in: 0...9)
    below.counts.removed = random.number(in: 0...999)
    below.counts.changed = random.number(in: 0...9)
    below.counts.moved = random.number(in: 0...9)
    below.bytes = random.chance(0.3) ? nil : number(&random)
    let start = Int32(random.number(in: 0...(1 << 30)))
    return ChangeTree.Folder(
      parent: Int32(random.number(in: -1...9)), number: 3, end: start, depth: 7, known: known,
      files: start..<(start + 5), children: 0..<Int32(random.number(in: 0...9)), below: below,
      holds: random.chance(0.5))
  }

  private func check<Record: PagedRecord>(
    limit: Int, count: Int, seed: UInt64, _ make: (inout SeededGenerator) -> Record
  ) throws {
    var random = SeededGenerator(seed: seed)
    let store = PageStore(limit: limit)
    var list = PagedList<Record>(store)
    var plain: [Record] = []
    for _ in 0..<count {
      let record = make(&random)
      plain.append(record)
      try list.append(record)
      let index = random.number(in: 0...(plain.count - 1))
      if random.chance(0.3) {
        let other = make(&random)
        plain[index] = other
        try list.update(index) { $0 = other }
      }
      if random.chance(0.3) { #expect("\(list[index])" == "\(plain[index])", "seed \(seed)") }
    }
    #expect(list.count == plain.count)
    #expect(store.isUsed == (limit < Int.max))
    for index in list.indices.reversed() {
      #expect("\(list[index])" == "\(plain[index])", "seed \(seed), limit \(limit), \(index)")
    }
    #expect(store.failure == nil)
  }

  @Test func recordsRoundTrip() throws {
    for seed in TestScale.seeds(6) {
      for limit in [0, .max] {
        try check(limit: limit, count: 200, seed: seed, file)
        try check(limit: limit, count: 200, seed: seed, folder)
        try check(limit: limit, count: 200, seed: seed) { $0.next() }
      }
    }
    // With pages of the usual size.
    try check(limit: 1, count: 5000, seed: 1, file)
  }

  /// Changes of a copy don't show in the original, wherever their pages are.
  @Test func copiesAreApart() throws {
    let store = PageStore(limit: 0)
    var list = PagedList<UInt64>(store)
    for number in 0..<UInt64(40) { try list.append(number) }
    var copy = list
    for index in 0..<40 { try copy.update(index) { $0 += 1000 } }
    // Reading alternates between both, so that each meets pages that the other has read.
    for index in list.indices {
      #expect(list[index] == UInt64(index))
      #expect(copy[index] == UInt64(index) + 1000)
    }
    var names = PagedNames(store)
    for _ in 0..<9 { _ = try names.append(Array("0123456789".utf8).span) }
    var other = names
    var pairs: [(PagedName, PagedName, UInt8)] = []
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      let (small, large) = (letter, letter - 32)
      pairs.append(
        (
          try names.append([UInt8](repeating: small, count: 10).span),
          try other.append([UInt8](repeating: large, count: 10).span), small
        ))
    }
    for (own, others, letter) in pairs {
      #expect(names[own] == [UInt8](repeating: letter, count: 10))
      #expect(other[others] == [UInt8](repeating: letter - 32, count: 10))
    }
  }

  @Test func namesRoundTrip() throws {
    for seed in TestScale.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let store = PageStore(limit: seed.isMultiple(of: 2) ? 0 : 1)
      var names = PagedNames(store)
      var known: [(PagedName, [UInt8])] = []
      for _ in 0..<300 {
        let length = random.chance(0.02) ? 65_535 : random.number(in: 0...40)
        let name = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        known.append((try names.append(name.span), name))
        let (place, expected) = known[random.number(in: 0...(known.count - 1))]
        #expect(names[place] == expected, "seed \(seed)")
      }
      for (place, expected) in known.reversed() { #expect(names[place] == expected) }
    }
  }
}
