import TestSupport
import Testing

@testable import GeoTree

/// Work items that are ranges of numbers, some of which have further numbers below them.
private struct Numbers: Divisible, Sendable {
  var path: [Int]
  var range: Range<Int>

  var pieces: Int { range.count }

  mutating func takeFirst(_ pieces: Int) -> Numbers {
    let middle = range.lowerBound + pieces
    let first = Numbers(path: path, range: range.lowerBound..<middle)
    range = middle..<range.upperBound
    return first
  }
}

/// Simulates workers and a reader of the state machine, in an order that depends on a seed.
private struct Play {
  typealias Order = OutputOrder<Numbers, [[Int]]>

  struct Worker {
    var id: Order.SlotID?
    var stack: [Numbers] = []
    var made: [[Int]] = []
    var isWaiting = false
  }

  var generator: SeededGenerator
  var order: Order
  var workers: [Worker]
  var read: [[Int]] = []
  var expected: [[Int]] = []
  var largestPile = 0
  private var pile = 0
  private let widths: [Int]

  init(seed: UInt64, workers count: Int, headroom: Int) {
    var generator = SeededGenerator(seed: seed)
    widths = (0..<4).map { _ in Int.random(in: 1...9, using: &generator) }
    self.generator = generator
    order = Order(
      Numbers(path: [], range: 0..<widths[0]), headroom: headroom)
    workers = Array(repeating: Worker(), count: count)
    expect([], 0)
  }

  /// The number of children of a node: a function of its path, so that all workers agree.
  private func children(of path: [Int]) -> Int {
    guard path.count < widths.count else { return 0 }
    let mixed = path.reduce(17) { ($0 &* 31 &+ $1) & 0xFFFF }
    return mixed % 3 == 0 ? 0 : mixed % (widths[path.count] + 1)
  }

  private mutating func expect(_ path: [Int], _ level: Int) {
    let count = path.isEmpty ? widths[0] : children(of: path)
    for index in 0..<count {
      expected.append(path + [index])
      expect(path + [index], level + 1)
    }
  }

  /// Runs the simulation.
  ///
  /// - Returns: Whether it came to an end.
  mutating func run() -> Bool {
    var idle = 0
    while !order.isFinished {
      let actor = Int.random(in: 0...workers.count, using: &generator)
      let moved = actor == workers.count ? readOne() : step(actor)
      idle = moved ? 0 : idle + 1
      // No participant can continue after many attempts: a deadlock.
      if idle > 1000 { return false }
    }
    return true
  }

  private mutating func readOne() -> Bool {
    guard let batch = order.next() else { return false }
    read += batch
    pile -= batch.count
    return true
  }

  private mutating func step(_ index: Int) -> Bool {
    var worker = workers[index]
    defer { workers[index] = worker }
    guard let id = worker.id else {
      guard let assignment = order.take(among: workers.count) else { return false }
      worker = Worker(id: assignment.id, stack: [assignment.work])
      return true
    }
    if worker.isWaiting {
      worker.isWaiting = !order.mayContinue(id)
      return !worker.isWaiting
    }
    guard var work = worker.stack.popLast() else {
      retire(&worker)
      return true
    }
    let next = work.pieces > 1 ? work.takeFirst(1) : work
    if work.pieces >= 1, next.range != work.range { worker.stack.append(work) }
    let path = next.path + [next.range.lowerBound]
    worker.made.append(path)
    let below = children(of: path)
    if below > 0 { worker.stack.append(Numbers(path: path, range: 0..<below)) }

    if generator.chance(0.5) {
      deliver(&worker)
      let verdict = order.verdict(for: id)
      worker.isWaiting = verdict == .wait
      if verdict == .retire { retire(&worker) }
    } else if generator.chance(0.3), worker.stack.count > 1 {
      let kept = worker.stack.removeLast()
      order.giveBack(worker.stack, after: id)
      worker.stack = [kept]
    }
    return true
  }

  private mutating func deliver(_ worker: inout Worker) {
    guard let id = worker.id, !worker.made.isEmpty else { return }
    order.deliver(worker.made, weight: worker.made.count, to: id)
    pile += worker.made.count
    largestPile = max(largestPile, pile)
    worker.made = []
  }

  private mutating func retire(_ worker: inout Worker) {
    deliver(&worker)
    guard let id = worker.id else { return }
    if !worker.stack.isEmpty { order.giveBack(worker.stack, after: id) }
    order.finish(id)
    worker = Worker()
  }
}

@Suite struct OutputOrderTests {
  @Test(arguments: [1, 2, 3, 8]) func anyInterleavingKeepsTheOrder(workers: Int) {
    for seed in TestScale.seeds(200) {
      let headroom = [1, 2, 5, 20, 10_000][Int(seed % 5)]
      var play = Play(seed: seed, workers: workers, headroom: headroom)
      let ends = play.run()
      #expect(ends, "no worker can move: seed \(seed), headroom \(headroom)")
      #expect(play.read == play.expected, "seed \(seed), headroom \(headroom)")
    }
  }

  @Test(arguments: [1, 2, 8]) func pendingOutputIsBounded(workers: Int) {
    for seed in TestScale.seeds(200) {
      let headroom = 10
      var play = Play(seed: seed, workers: workers, headroom: headroom)
      _ = play.run()
      // Three times the headroom, and what each worker still held when it had to wait.
      let largestBatch = 40
      #expect(
        play.largestPile <= 3 * headroom + workers * largestBatch,
        "seed \(seed): \(play.largestPile)")
    }
  }

  /// Output that waits when the limit is lowered keeps no worker from helping at the front.
  @Test func aLowerLimitLeavesRoomAtTheFront() {
    var order = OutputOrder<Numbers, [Int]>(Numbers(path: [], range: 0..<8), headroom: 100)
    let front = order.take(among: 1)?.id ?? 0
    order.deliver([1], weight: 60, to: front)
    order.setHeadroom(10)
    #expect(order.hasTakeableWork)
    #expect(order.verdict(for: front) == .wait)
    _ = order.next()
    order.setHeadroom(10)
    #expect(order.headroom == 10)
  }
}
