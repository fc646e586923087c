/// The best hits of a search so far, the first ones in an order or by score.
///
/// Each hit costs O(1) by score, and O(log limit) in an order. In an order they are taken once.
struct BestHits {
  /// Whether one hit comes before another, nil if they are equal.
  typealias Order = (NameHit, NameHit) -> Bool?

  private let order: Order?
  private let limit: Int
  /// Hits by score, each in the order found. In an order, all are in the first.
  private var ranks: [[NameHit]]
  /// How many of each rank were taken.
  private var taken: [Int]
  private var count = 0

  init(_ order: Order?, limit: Int) {
    self.order = order
    self.limit = limit
    let ranks = order == nil ? NameMatch.best(atDepth: 0) + 1 : 1
    self.ranks = Array(repeating: [], count: ranks)
    taken = Array(repeating: 0, count: ranks)
  }

  /// Adds a hit, unless there are enough better ones; those with the same score that came before it
  /// are better.
  mutating func add(_ score: Int, _ hit: () -> NameHit) {
    if limit == 0 { return }
    if order != nil {
      ranks[0].append(hit())
      if ranks[0].count / 2 >= limit { trim() }
      return
    }
    let rank = min(max(score, 0), ranks.count - 1)
    if count == limit {
      guard let last = lowest, last < rank else { return }
      ranks[last].removeLast()
      taken[last] = min(taken[last], ranks[last].count)
    } else {
      count += 1
    }
    ranks[rank].append(hit())
  }

  /// Whether there are as many as the limit, and none with a lower score than this.
  func isFull(from score: Int) -> Bool {
    limit == 0 || order == nil && count == limit && (lowest ?? 0) >= score
  }

  mutating func take(from score: Int = 0) -> [NameHit] {
    if order != nil { trim() }
    var found: [NameHit] = []
    for rank in ranks.indices.reversed() where order != nil || rank >= score {
      found += ranks[rank][taken[rank]...]
      taken[rank] = ranks[rank].count
    }
    return found
  }

  private var lowest: Int? { ranks.firstIndex { !$0.isEmpty } }

  private mutating func trim() {
    guard let order else { return }
    let sorted = ranks[0].enumerated().sorted { a, b in
      order(a.element, b.element) ?? (a.offset < b.offset)
    }
    ranks[0] = sorted.prefix(limit).map(\.element)
  }
}
