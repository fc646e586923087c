/// Which worker works on which stretch of the tree, and its output: a pure state machine.
///
/// The tree is a list of slots in output order. A slot is *pending* (work that no worker has
/// begun), *running* or *done*. A worker takes the first pending work that it may, so all workers
/// stay near the front. Output stays in its slot until all slots before it are done and taken. The
/// amount is bounded, so memory doesn't grow with the tree:
///
/// - the *front*, the first slot that is not done, always has a worker. It waits while ``headroom``
///   bytes are in that slot and before it;
/// - a later slot is worked on only while the output after the front up to that slot is less than a
///   quarter of what is left of twice ``headroom``. A worker further ahead gives back the rest of its
///   work. The nearer to the front, the longer there is room, so that others can help there when much
///   output waits.
///
/// The front can always continue once its output is taken, so there is no deadlock.
struct OutputOrder<Item: Divisible & Sendable, Batch: Sendable>: Sendable {
  /// Identifies a slot while it is running.
  typealias SlotID = Int

  enum Verdict: Equatable, Sendable {
    case proceed
    /// Wait until output was taken, then check ``mayContinue(_:)``.
    case wait
    /// Give back the rest of its work.
    case retire
  }

  private enum Phase { case pending, running, done }

  private struct Slot {
    var id: SlotID
    var phase: Phase
    /// Remaining work, the next item last.
    var work: [Item] = []
    var batches: ArraySlice<(batch: Batch, weight: Int)> = []
    var weight = 0
  }

  /// The limit of output that waits to be taken, in bytes.
  private(set) var headroom: Int
  private var slots: [Slot]
  private var waiting = 0
  private var lastID: SlotID = 0

  init(_ work: Item, headroom: Int) {
    self.headroom = headroom
    slots = [Slot(id: 0, phase: .pending, work: [work])]
  }

  /// Sets the limit of output that waits, but not below what waits already: others could then not
  /// help at the front.
  mutating func setHeadroom(_ limit: Int) { headroom = max(limit, min(headroom, waiting)) }

  /// Whether all work is done and its output taken.
  var isFinished: Bool { slots.isEmpty }

  /// Whether all work is done; output may remain.
  var isExhausted: Bool { slots.allSatisfy { $0.phase == .done } }

  /// The number of bytes that can be taken now.
  var ready: Int { slots.first?.weight ?? 0 }
  var hasTakeableWork: Bool { takeableIndex != nil }

  private var takeableIndex: Int? {
    guard let index = slots.firstIndex(where: { $0.phase == .pending }) else { return nil }
    return index <= front || isNear(index) ? index : nil
  }

  /// The index of the first slot that is not done. Done slots before it are merged into one.
  private var front: Int { slots.first?.phase == .done ? 1 : 0 }

  private func isNear(_ index: Int) -> Bool {
    let room = (2 * headroom - waiting) / 4
    return slots[(front + 1)...index].reduce(0) { $0 + $1.weight } < room
  }

  /// Assigns the first available work, or a part of it, so that other workers find some too.
  mutating func take(among workers: Int) -> (id: SlotID, work: Item)? {
    defer { checkInvariants() }
    guard let index = takeableIndex, var next = slots[index].work.popLast() else { return nil }
    lastID += 1
    let running = Slot(id: lastID, phase: .running)
    let pieces = next.pieces
    let share = min(max(1, pieces / (2 * workers)), 64)
    if share < pieces {
      let first = next.takeFirst(share)
      slots[index].work.append(next)
      next = first
    }
    if slots[index].work.isEmpty {
      slots[index] = running
    } else {
      slots.insert(running, at: index)
    }
    return (lastID, next)
  }

  /// Takes back work that comes right after a running slot: not empty, the next item last.
  mutating func giveBack(_ work: [Item], after id: SlotID) {
    defer { checkInvariants() }
    guard let index = index(of: id) else { return }
    if index + 1 < slots.count, slots[index + 1].phase == .pending {
      slots[index + 1].work += work
    } else {
      lastID += 1
      slots.insert(Slot(id: lastID, phase: .pending, work: work), at: index + 1)
    }
  }

  mutating func deliver(_ batch: Batch, weight: Int, to id: SlotID) {
    defer { checkInvariants() }
    guard let index = index(of: id) else { return }
    slots[index].batches.append((batch, weight))
    slots[index].weight += weight
    waiting += weight
  }

  func verdict(for id: SlotID) -> Verdict {
    guard let index = index(of: id) else { return .retire }
    if index > front { return isNear(index) ? .proceed : .retire }
    return weight(upTo: index) < headroom ? .proceed : .wait
  }

  /// Whether enough output was taken for a waiting worker to continue.
  func mayContinue(_ id: SlotID) -> Bool {
    guard let index = index(of: id) else { return true }
    return weight(upTo: index) < headroom / 2 + 1
  }

  private func weight(upTo index: Int) -> Int { slots[...index].reduce(0) { $0 + $1.weight } }

  /// Ends a slot whose work is done or given back.
  mutating func finish(_ id: SlotID) {
    defer { checkInvariants() }
    guard let index = index(of: id) else { return }
    slots[index].phase = .done
    // Adjacent done slots are merged, so there are never many slots.
    if index + 1 < slots.count, slots[index + 1].phase == .done { merge(index + 1, into: index) }
    if index > 0, slots[index - 1].phase == .done { merge(index, into: index - 1) }
    dropFinishedHead()
  }

  mutating func next() -> Batch? {
    defer { checkInvariants() }
    guard !slots.isEmpty, let (batch, weight) = slots[0].batches.popFirst() else { return nil }
    slots[0].weight -= weight
    waiting -= weight
    dropFinishedHead()
    return batch
  }

  mutating func clear() { (slots, waiting) = ([], 0) }

  private mutating func merge(_ later: Int, into index: Int) {
    slots[index].batches += slots[later].batches
    slots[index].weight += slots[later].weight
    slots.remove(at: later)
  }

  private mutating func dropFinishedHead() {
    while let head = slots.first, head.phase == .done, head.batches.isEmpty { slots.removeFirst() }
  }

  private func index(of id: SlotID) -> Int? {
    slots.firstIndex { $0.id == id && $0.phase == .running }
  }

  private func checkInvariants() {
    #if DEBUG
      assert(
        waiting == slots.reduce(0) { $0 + $1.weight },
        "the weight differs from the sum of the slots")
      assert(
        slots.first?.phase != .done || slots.first?.batches.isEmpty == false,
        "the first slot is done and empty")
      for (slot, next) in zip(slots, slots.dropFirst()) {
        assert(
          slot.phase == .running || slot.phase != next.phase, "two adjacent slots are not merged")
      }
      for slot in slots {
        assert(
          slot.work.isEmpty == (slot.phase != .pending),
          "a slot has work and is not pending, or the reverse")
        assert(slot.batches.isEmpty || slot.phase != .pending, "a pending slot has output")
        assert(
          slot.weight == slot.batches.reduce(0) { $0 + $1.weight },
          "a slot's weight differs from its batches")
      }
      let running = slots.lazy.filter { $0.phase == .running }.map(\.id)
      assert(Set(running).count == running.count, "two running slots have one number")
    #endif
  }
}
