import GeoCore
import GeoSystem
import Synchronization

/// Where workers take work and leave what they made, and a reader picks it up.
///
/// The locked storage around ``OutputOrder``. Workers sleep on the monitor; the reader is a task,
/// and is resumed.
final class OrderedWorkQueue<Content: Sendable>: @unchecked Sendable {
  typealias Batch = ScanBatch<Content>
  typealias Order = OutputOrder<Work, Batch>

  /// What a reader gets.
  enum Delivery: Sendable {
    case batch(Batch)
    case end
    case cancelled
  }

  /// How much is worth the price of waking the reader, in bytes.
  private static var worthWaking: Int { 512 * 1024 }
  /// After how long anything is.
  private static var patience: Duration { .milliseconds(50) }

  private typealias Resumption = (UnsafeContinuation<Delivery, Never>, Delivery)

  private let monitor = Monitor()
  private let clocks: WorkerLimit.Clocks
  // All that follows is touched inside the monitor only, but for the two atomics.
  private var order: Order
  /// Readers that wait: one, unless a sequence is shared between tasks.
  private var readers: [UnsafeContinuation<Delivery, Never>] = []
  private var workers: Int
  /// How many workers have work in hand.
  private var busy = 0
  /// How many may have, those included that find none.
  private var limit: WorkerLimit
  /// How many sleep because of that.
  private var reserve = 0
  /// Whether one of them looks after the limit.
  private var isWatched = false
  /// The slot whose worker waits for the reader.
  private var waitingSlot: Order.SlotID?
  private var lastDelivery = ContinuousClock.now
  private let hungry = Atomic<Int>(0)
  private let cancelled = Atomic<Bool>(false)

  /// - Parameter clocks: What tells how busy the processors are.
  init(
    _ work: Work, workers: Int, processors: Int, headroom: Int,
    clocks: WorkerLimit.Clocks = .ofThisProcess
  ) {
    order = Order(work, headroom: headroom)
    self.clocks = clocks
    self.workers = workers
    limit = WorkerLimit(workers: workers, processors: processors)
  }

  /// Whether some worker finds nothing to do.
  var isHungry: Bool { hungryWorkers > 0 }

  /// How many workers find nothing to do.
  var hungryWorkers: Int { hungry.load(ordering: .relaxed) }

  /// Whether the reader has lost interest.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  // MARK: Workers

  /// Waits for work; nil if there is none left.
  func take() -> (id: Order.SlotID, work: Work)? {
    var assignment: (id: Order.SlotID, work: Work)?
    change {
      while !isCancelled, !order.isExhausted {
        if limit.isAdjustable { adjustLimit() }
        // Whoever wakes takes what there is, if so many may work: were it to sleep because others
        // are hungry, nobody would tell those.
        if busy < limit.value {
          assignment = order.take(among: limit.value)
          if assignment != nil {
            busy += 1
            break
          }
        }
        if active >= limit.value {
          waitInReserve()
        } else {
          hungry.add(1, ordering: .relaxed)
          monitor.wait()
          hungry.subtract(1, ordering: .relaxed)
        }
      }
    }
    return assignment
  }

  private var active: Int { busy + hungryWorkers }

  /// Sleeps until more may be at work; one of those that do so looks at the clocks now and then.
  private func waitInReserve() {
    reserve += 1
    if isWatched {
      monitor.waitInReserve()
    } else {
      isWatched = true
      monitor.waitInReserve(nanoseconds: WorkerLimit.interval)
      isWatched = false
    }
    reserve -= 1
  }

  private func adjustLimit() {
    let now = clocks.elapsed()
    guard limit.isDue(at: now) else { return }
    limit.adjust(
      to: .init(elapsed: now, spent: clocks.spent()),
      isReached: busy >= limit.value)
  }

  /// Leaves part of what a slot comes to.
  ///
  /// - Returns: Whether the worker is to go on; if not, it gives the rest of its work back.
  func deliver(_ batch: Batch, weight: Int, to id: Order.SlotID) -> Bool {
    var verdict = Order.Verdict.proceed
    change {
      order.deliver(batch, weight: weight, to: id)
      verdict = order.verdict(for: id)
      if verdict == .wait { waitingSlot = id }
    }
    guard verdict == .wait else { return verdict == .proceed && !isCancelled }
    monitor.withLock {
      while !isCancelled, !order.hasRoom(for: id) { monitor.wait() }
      waitingSlot = nil
    }
    return !isCancelled
  }

  /// Gives work back that comes right after what the slot's worker is doing.
  ///
  /// - Returns: Whether it was taken; not if there is enough for whoever is hungry already.
  func share(_ work: [Work], after id: Order.SlotID) -> Bool {
    var isTaken = false
    change {
      isTaken = !order.hasTakeableWork
      if isTaken { order.giveBack(work, after: id) }
    }
    return isTaken
  }

  /// Ends a slot.
  func finish(_ id: Order.SlotID, givingBack rest: [Work]) {
    change {
      if !rest.isEmpty { order.giveBack(rest, after: id) }
      order.finish(id)
      busy -= 1
    }
  }

  /// A worker ends.
  func leave() {
    change {
      workers -= 1
      if isCancelled, workers == 0 { order.clear() }
    }
  }

  // MARK: Reader

  /// Waits for the next batch.
  func next() async -> Delivery {
    var ready: Delivery?
    change { ready = delivery() }
    if let ready { return ready }
    return await withUnsafeContinuation { continuation in
      change { readers.append(continuation) }
    }
  }

  /// Makes the workers stop, and forgets what they made.
  func cancel() {
    change { cancelled.store(true, ordering: .relaxed) }
  }

  // MARK: Inside the monitor

  /// Changes the state, then wakes whoever can go on because of it: outside of the monitor, where
  /// they find it free.
  private func change(_ body: () -> Void) {
    let (resumptions, wakesWorkers, wakesReserve): ([Resumption], Wake, Bool) = monitor.withLock {
      body()
      return (deliveries(), wake, needsReserve)
    }
    switch wakesWorkers {
    case .none: break
    case .one: monitor.wakeOne()
    case .all: monitor.wakeAll()
    }
    if wakesReserve { monitor.wakeReserve() }
    for (reader, delivery) in resumptions { reader.resume(returning: delivery) }
  }

  /// Whether a sleeper of the reserve is to take work, or to look at the clocks instead of one that
  /// has begun to work.
  private var needsReserve: Bool {
    reserve > 0 && (!isWatched || active < limit.value)
  }

  private enum Wake { case none, one, all }

  /// Which workers can go on. One that finds work wakes the next, if there is more.
  private var wake: Wake {
    if let waitingSlot { return isCancelled || order.hasRoom(for: waitingSlot) ? .all : wakeHungry }
    return wakeHungry
  }

  private var wakeHungry: Wake {
    guard isHungry || reserve > 0 else { return .none }
    if isCancelled || order.isExhausted { return .all }
    guard isHungry else { return .none }
    guard order.hasTakeableWork else { return .none }
    // Only if nobody else sleeps is it sure to be a hungry one that is woken.
    return waitingSlot == nil ? .one : .all
  }

  /// What goes to readers that wait.
  private func deliveries() -> [Resumption] {
    var result: [Resumption] = []
    while !readers.isEmpty, isWorthWaking, let ready = delivery() {
      result.append((readers.removeFirst(), ready))
      lastDelivery = .now
    }
    return result
  }

  /// Whether a reader that sleeps is better woken now than later, for more.
  private var isWorthWaking: Bool {
    if isCancelled || order.isExhausted || waitingSlot != nil { return true }
    if order.ready == 0 { return false }
    return order.ready >= Self.worthWaking || ContinuousClock.now - lastDelivery > Self.patience
  }

  private func delivery() -> Delivery? {
    // Nothing of a cancelled scan is left open by the time the reader hears of it.
    if isCancelled { return workers == 0 ? .cancelled : nil }
    if let batch = order.next() { return .batch(batch) }
    return order.isFinished ? .end : nil
  }
}

extension WorkerLimit.Clocks {
  static let ofThisProcess = Self(
    elapsed: { ThisProcess.nanoseconds }, spent: { ThisProcess.processorNanoseconds })
}

/// A stretch of the tree that is still to be visited: some of a folder's files, or some of its
/// sub-folders with all that is in them.
struct Work: Sendable {
  /// What of the folder is to be visited.
  enum Part: Sendable {
    case files(NameTable)
    case folders
  }

  let folder: ScannedFolder
  let part: Part
  var range: Range<Int>

  /// How many files are visited at once: what is written of so many, and what was written before them,
  /// seldom outgrows a buffer.
  static var segment: Int { 256 }

  private var piece: Int {
    switch part {
    case .files: Self.segment
    case .folders: 1
    }
  }
}

/// Something that can be divided into pieces that follow each other.
protocol Divisible {
  /// How many pieces there are, at least 1.
  var pieces: Int { get }

  /// Takes pieces off the front, at least one and fewer than all.
  mutating func takeFirst(_ pieces: Int) -> Self
}

extension Work: Divisible {
  var pieces: Int { (range.count + piece - 1) / piece }

  mutating func takeFirst(_ pieces: Int) -> Work {
    let middle = min(range.lowerBound + pieces * piece, range.upperBound)
    var first = self
    first.range = range.lowerBound..<middle
    range = middle..<range.upperBound
    return first
  }
}
