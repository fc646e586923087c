import GeoSystem
import Synchronization

/// The queue between workers, which take work and deliver batches, and the reader of the batches.
///
/// Guards an ``OutputOrder`` by a lock. Workers sleep on the monitor; the reader is a task that
/// gets resumed.
final class OrderedWorkQueue<Content: Sendable>: @unchecked Sendable {
  typealias Batch = ScanBatch<Content>
  typealias Order = OutputOrder<Work, Batch>

  enum Delivery: Sendable {
    case batch(Batch)
    case end
    case cancelled
  }

  /// The amount of output worth waking the reader for, in bytes.
  private static var worthWaking: Int { 512 * 1024 }
  /// The time after which any output is worth waking the reader for.
  private static var patience: Duration { .milliseconds(50) }

  private typealias Resumption = (UnsafeContinuation<Delivery, Never>, Delivery)

  private let monitor = Monitor()
  private let clocks: WorkerLimit.Clocks
  // The state below is accessed inside the monitor only, except for the two atomics.
  private var order: Order
  /// Waiting readers: at most one, unless tasks share a sequence.
  private var readers: [UnsafeContinuation<Delivery, Never>] = []
  private let count: WorkerCount
  let stalls: StallWatch?
  /// The number of workers that were started and have not ended.
  private var workers: Int
  /// The number of workers that have work.
  private var busy = 0
  /// The number of workers that have finished their work and come back for more.
  private var returning = 0
  /// The limit of active workers: those with work and those looking for it.
  private var limit: WorkerLimit
  /// The number of workers asleep because of the limit.
  private var reserve = 0
  /// Whether one of these wakes regularly to adjust the limit.
  private var isWatched = false
  /// The slot whose worker waits until the reader has taken more.
  private var waitingSlot: Order.SlotID?
  /// How often a worker slept for want of work, or for the reader.
  private var sleeps: Int64 = 0
  /// Starts one more worker; nil if their number is fixed.
  private let startWorker: (@Sendable (OrderedWorkQueue) throws(Errno) -> Void)?
  private var lastDelivery = ContinuousClock.now
  private let idle = Atomic<Int>(0)
  private let sliceNow: Atomic<Int>
  private let isSlowNow = Atomic<Bool>(false)
  private let cancelled = Atomic<Bool>(false)

  init(
    _ work: Work, workers: WorkerCount, stalls: StallWatch? = nil,
    clocks: WorkerLimit.Clocks = .ofThisProcess,
    startWorker: (@Sendable (OrderedWorkQueue) throws(Errno) -> Void)? = nil
  ) {
    order = Order(work, headroom: workers.headroom(for: workers.first))
    self.clocks = clocks
    self.startWorker = startWorker
    count = workers
    self.stalls = stalls
    sliceNow = Atomic(workers.slice(for: workers.first))
    self.workers = workers.started
    limit = WorkerLimit(workers.first, upTo: workers.maximum, processors: workers.processors)
  }

  var hasIdleWorkers: Bool { idleWorkers > 0 }
  var idleWorkers: Int { idle.load(ordering: .relaxed) }

  /// The number of files that a worker should visit at once.
  var slice: Int { sliceNow.load(ordering: .relaxed) }

  /// Whether workers should share a folder at once, as its listing took long: since `began`, on the
  /// clock of ``ThisProcess/nanoseconds``.
  func isShared(_ entries: Int, since began: Int64) -> Bool {
    count.maximum > 1 && count.isSlow(entries, after: ThisProcess.nanoseconds - began)
  }

  /// Whether more workers are active than a cached disk can use, as calls wait. Output is then so
  /// rare that each piece is delivered.
  var isSlow: Bool { isSlowNow.load(ordering: .relaxed) }
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  // MARK: Workers

  /// Waits for work; nil if all is done. A returning worker has finished other work before.
  func take(returning isReturning: Bool) -> (id: Order.SlotID, work: Work)? {
    var comesBack = isReturning
    while true {
      var step = Step.end
      change {
        if comesBack { returning -= 1 }
        comesBack = false
        step = findWork()
      }
      switch step {
      case .work(let id, let work): return (id, work)
      case .start(let missing): startWorkers(missing)
      case .check: stalls?.check()
      case .end: return nil
      }
    }
  }

  private enum Step {
    case work(Order.SlotID, Work)
    case start(Int)
    case check
    case end
  }

  /// Waits for work, or until there is something else to do.
  private func findWork() -> Step {
    var isSpare = false
    while !isCancelled, !order.isExhausted {
      if let stalls, stalls.isDue(at: clocks.elapsed()) { return .check }
      if limit.isAdjustable { adjustLimit() }
      // One more than the limit watches it.
      let missing = startWorker == nil ? 0 : min(limit.value + 1, limit.maximum) - workers
      if missing > 0 {
        workers += missing
        return .start(missing)
      }
      // A woken worker takes available work if the limit allows. If it slept because others are
      // idle, the wake-up would be lost. One of the reserve leaves the work to the others, which
      // have their buffers.
      if (isSpare ? active : busy) < limit.value, let assignment = order.take(among: limit.value) {
        busy += 1
        return .work(assignment.id, assignment.work)
      }
      if active >= limit.value {
        waitInReserve()
        isSpare = true
      } else {
        idle.add(1, ordering: .relaxed)
        sleeps += 1
        monitor.wait()
        idle.subtract(1, ordering: .relaxed)
      }
    }
    return .end
  }

  /// Starts workers that are already counted.
  private func startWorkers(_ missing: Int) {
    for index in 0..<missing {
      do throws(Errno) {
        try startWorker?(self)
      } catch {
        // Those that run do all the work.
        change {
          workers -= missing - index
          limit.stop(at: workers)
        }
        return
      }
    }
  }

  private var active: Int { busy + returning + idleWorkers }

  /// Sleeps until the limit allows more workers. One of the sleepers checks the clocks regularly.
  private func waitInReserve() {
    reserve += 1
    sleeps += 1
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
    // While the reader is slow, more workers would only wait for it.
    limit.adjust(
      to: .init(elapsed: now, spent: clocks.spent(), waits: clocks.waits() - sleeps), busy: busy,
      isReached: busy >= limit.value && waitingSlot == nil)
    order.setHeadroom(count.headroom(for: limit.value))
    sliceNow.store(count.slice(for: limit.value), ordering: .relaxed)
    isSlowNow.store(count.isMany(limit.value), ordering: .relaxed)
  }

  /// Adds a batch of a slot. Returns whether the worker should continue; otherwise it gives back the
  /// rest of its work.
  func deliver(_ batch: Batch, weight: Int, to id: Order.SlotID) -> Bool {
    var verdict = Order.Verdict.proceed
    change {
      order.deliver(batch, weight: weight, to: id)
      verdict = order.verdict(for: id)
      if verdict == .wait { waitingSlot = id }
    }
    guard verdict == .wait else { return verdict == .proceed && !isCancelled }
    monitor.withLock {
      while !isCancelled, !order.mayContinue(id) {
        sleeps += 1
        monitor.wait()
      }
      waitingSlot = nil
    }
    return !isCancelled
  }

  /// Gives back work that comes right after the slot. False if there is already work to take.
  func share(_ work: [Work], after id: Order.SlotID) -> Bool {
    var isTaken = false
    change {
      isTaken = !order.hasTakeableWork
      if isTaken { order.giveBack(work, after: id) }
    }
    return isTaken
  }

  func finish(_ id: Order.SlotID, givingBack rest: [Work]) {
    change {
      if !rest.isEmpty { order.giveBack(rest, after: id) }
      order.finish(id)
      busy -= 1
      returning += 1
    }
  }

  func leave() {
    change {
      workers -= 1
      if isCancelled, workers == 0 { order.clear() }
    }
  }

  // MARK: Reader

  func next() async -> Delivery {
    var ready: Delivery?
    change { ready = delivery() }
    if let ready { return ready }
    return await withUnsafeContinuation { continuation in
      change { readers.append(continuation) }
    }
  }

  /// Stops the workers and discards their output.
  func cancel() {
    change { cancelled.store(true, ordering: .relaxed) }
  }

  // MARK: Inside the monitor

  /// Changes the state, then wakes the threads and readers that can continue, after the lock is
  /// released.
  private func change(_ body: () -> Void) {
    let (resumptions, wakesWorkers, wakesReserve): ([Resumption], Wake, Bool) = monitor.withLock {
      body()
      let resumptions = deliveries()
      checkInvariants()
      return (resumptions, wake, needsReserve)
    }
    switch wakesWorkers {
    case .none: break
    case .one: monitor.wakeOne()
    case .waiting: monitor.wakeWaiting()
    case .all: monitor.wakeAll()
    }
    if wakesReserve { monitor.wakeReserve() }
    for (reader, delivery) in resumptions { reader.resume(returning: delivery) }
  }

  /// Whether to wake a reserve worker, to take work or to check the clocks.
  private var needsReserve: Bool {
    reserve > 0 && (!isWatched || active < limit.value)
  }

  private enum Wake { case none, one, waiting, all }

  /// Which workers to wake. A worker that finds work wakes the next if there is more.
  private var wake: Wake {
    if let waitingSlot, !isCancelled, order.mayContinue(waitingSlot) { return .waiting }
    return wakeHungry
  }

  private var wakeHungry: Wake {
    if isCancelled || order.isExhausted { return .all }
    guard hasIdleWorkers else { return .none }
    guard order.hasTakeableWork else { return .none }
    // A single wake-up surely reaches a idle worker only if no other worker waits.
    return waitingSlot == nil ? .one : .waiting
  }

  private func deliveries() -> [Resumption] {
    var result: [Resumption] = []
    while !readers.isEmpty, isWorthWaking, let ready = delivery() {
      result.append((readers.removeFirst(), ready))
      lastDelivery = .now
    }
    return result
  }

  /// Whether to wake a sleeping reader now, rather than later for more.
  private var isWorthWaking: Bool {
    if isCancelled || order.isExhausted || waitingSlot != nil { return true }
    if order.ready == 0 { return false }
    return order.ready >= Self.worthWaking || ContinuousClock.now - lastDelivery > Self.patience
  }

  private func checkInvariants() {
    #if DEBUG
      assert(returning >= 0, "a worker came back that has not finished")
      assert(busy >= 0 && idleWorkers >= 0 && reserve >= 0, "a negative number of workers")
      assert(busy + idleWorkers + reserve <= workers, "more workers than there are")
      assert(!isWatched || reserve > 0, "no worker watches the limit")
      assert(waitingSlot == nil || busy > 0, "an idle worker waits for the reader")
      assert(busy == 0 || !order.isExhausted, "a worker is busy with work that is done")
      assert(
        readers.isEmpty || isCancelled || !order.isFinished,
        "a reader waits for output that never comes")
    #endif
  }

  private func delivery() -> Delivery? {
    // Cancellation is reported once all workers have closed their folders.
    if isCancelled { return workers == 0 ? .cancelled : nil }
    if let batch = order.next() { return .batch(batch) }
    return order.isFinished ? .end : nil
  }
}
