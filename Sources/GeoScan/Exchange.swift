import GeoSystem
import Synchronization

/// Where workers take work and leave what they made, and a reader picks it up.
///
/// The locked storage around ``OutputOrder``. Workers sleep on the monitor; the reader is a task,
/// and is resumed.
final class Exchange<Plan: AnyObject & Sendable, Content: Sendable>: @unchecked Sendable {
  typealias Batch = ScanBatch<Content>
  typealias Order = OutputOrder<Work<Plan>, Batch>

  /// What a reader gets.
  enum Delivery: Sendable {
    case batch(Batch)
    case end
    case cancelled
  }

  /// How much is worth the price of waking the reader, in bytes.
  private static var worthWaking: Int { 64 * 1024 }
  /// After how long anything is.
  private static var patience: Duration { .milliseconds(50) }

  private let monitor = Monitor()
  // All that follows is touched inside the monitor only, but for the two atomics.
  private var order: Order
  /// Readers that wait: one, unless a sequence is shared between tasks.
  private var readers: [UnsafeContinuation<Delivery, Never>] = []
  private var workers: Int
  private var sleepers = 0
  private var lastDelivery = ContinuousClock.now
  private let hungry = Atomic<Int>(0)
  private let cancelled = Atomic<Bool>(false)

  init(_ work: Work<Plan>, workers: Int, headroom: Int) {
    order = Order(work, workers: workers, headroom: headroom)
    self.workers = workers
  }

  /// Whether some worker finds nothing to do.
  var isHungry: Bool { hungry.load(ordering: .relaxed) > 0 }

  /// Whether the reader has lost interest.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  // MARK: Workers

  /// Waits for work; nil if there is none left.
  func take() -> (id: Order.SlotID, work: Work<Plan>)? {
    monitor.withLock {
      while !isCancelled, !order.isExhausted {
        if let assignment = order.take() {
          if order.hasTakeableWork { wakeSleepers() }
          return assignment
        }
        hungry.add(1, ordering: .relaxed)
        sleep()
        hungry.subtract(1, ordering: .relaxed)
      }
      return nil
    }
  }

  /// Leaves part of what a slot comes to.
  ///
  /// - Returns: Whether the worker is to go on; if not, it gives the rest of its work back.
  func deliver(_ batch: Batch, weight: Int, to id: Order.SlotID) -> Bool {
    monitor.withLock {
      order.deliver(batch, weight: weight, to: id)
      serveReader()
      while !isCancelled {
        switch order.verdict(for: id) {
        case .proceed: return true
        case .retire: return false
        case .wait:
          serveReader(atOnce: true)
          if order.verdict(for: id) == .wait { sleep() }
        }
      }
      return false
    }
  }

  /// Gives work back that comes right after what the slot's worker is doing.
  func share(_ work: [Work<Plan>], after id: Order.SlotID) {
    monitor.withLock {
      order.giveBack(work, after: id)
      wakeSleepers()
    }
  }

  /// Ends a slot.
  func finish(_ id: Order.SlotID, givingBack rest: [Work<Plan>]) {
    monitor.withLock {
      if !rest.isEmpty { order.giveBack(rest, after: id) }
      order.finish(id)
      serveReader()
      if order.isExhausted || order.hasTakeableWork { wakeSleepers() }
    }
  }

  /// A worker ends.
  func leave() {
    monitor.withLock {
      workers -= 1
      if isCancelled, workers == 0 { order.clear() }
      serveReader(atOnce: true)
    }
  }

  // MARK: Reader

  /// Waits for the next batch.
  func next() async -> Delivery {
    if let ready = monitor.withLock({ delivery() }) { return ready }
    return await withUnsafeContinuation { continuation in
      monitor.withLock {
        readers.append(continuation)
        serveReader(atOnce: true)
      }
    }
  }

  /// Makes the workers stop, and forgets what they made.
  func cancel() {
    monitor.withLock {
      cancelled.store(true, ordering: .relaxed)
      wakeSleepers()
      serveReader(atOnce: true)
    }
  }

  // MARK: Inside the monitor

  private func delivery() -> Delivery? {
    // Nothing of a cancelled scan is left open by the time the reader hears of it.
    if isCancelled { return workers == 0 ? .cancelled : nil }
    if let batch = order.next() {
      if sleepers > 0 { wakeSleepers() }
      return .batch(batch)
    }
    return order.isFinished ? .end : nil
  }

  private func serveReader(atOnce: Bool = false) {
    guard let reader = readers.first else { return }
    if !atOnce, order.ready < Self.worthWaking, !order.isExhausted {
      if order.ready == 0 || ContinuousClock.now - lastDelivery < Self.patience { return }
    }
    guard let ready = delivery() else { return }
    lastDelivery = .now
    readers.removeFirst()
    reader.resume(returning: ready)
    if order.isFinished || isCancelled { serveReader(atOnce: true) }
  }

  private func sleep() {
    sleepers += 1
    monitor.wait()
    sleepers -= 1
  }

  private func wakeSleepers() {
    if sleepers > 0 { monitor.wakeAll() }
  }
}
