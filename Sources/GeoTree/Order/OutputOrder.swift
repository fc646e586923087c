/// Who works on which stretch of the tree, and what was made of it: a pure state machine.
///
/// The tree is a list of slots in the order of the output. A slot is *pending*, work that nobody
/// has begun; *running*, in the hands of a worker; or *done*. A worker takes the first pending work
/// that it may, so that all of them are always near the front. What they make piles up in their
/// slots until the slots before them are done and taken; the pile is bounded, so that memory
/// doesn't grow with the tree:
///
/// - the *front*, the first slot that is not done, is always worked on; when ``headroom`` has piled
///   up in it and before it, its worker waits;
/// - a slot after it is worked on only while less than half of ``headroom`` has piled up after the front, up to
///   that slot, and less than twice ``headroom`` in all. A worker that gets further ahead gives the rest of its
///   work back. The other half is for those that help at the front meanwhile.
///
/// The front can always go on once what was made is taken, so nothing waits forever.
struct OutputOrder<Item: Divisible & Sendable, Batch: Sendable>: Sendable {
  /// Names a slot for as long as it is running.
  typealias SlotID = Int

  /// What a worker does after it has delivered.
  enum Verdict: Equatable, Sendable {
    /// Goes on.
    case proceed
    /// Waits until more was taken, then asks again.
    case wait
    /// Gives the rest of its work back.
    case retire
  }

  private enum Phase { case pending, running, done }

  private struct Slot {
    var id: SlotID
    var phase: Phase
    /// What is left to do, the next last.
    var work: [Item] = []
    var batches: ArraySlice<(batch: Batch, weight: Int)> = []
    var weight = 0
  }

  /// How much may pile up, in bytes.
  let headroom: Int
  private var slots: [Slot]
  private var piled = 0
  private var lastID: SlotID = 0

  /// An order in which all is still to be done.
  init(_ work: Item, headroom: Int) {
    self.headroom = headroom
    slots = [Slot(id: 0, phase: .pending, work: [work])]
  }

  /// Whether all was done and taken.
  var isFinished: Bool { slots.isEmpty }

  /// Whether nothing is left to do, though what was made may still have to be taken.
  var isExhausted: Bool { slots.allSatisfy { $0.phase == .done } }

  /// Bytes that can be taken at once.
  var ready: Int { slots.first?.weight ?? 0 }

  /// Whether there is work that somebody may begin.
  var hasTakeableWork: Bool { takeableIndex != nil }

  private var takeableIndex: Int? {
    guard let index = slots.firstIndex(where: { $0.phase == .pending }) else { return nil }
    return index <= front || isNear(index) ? index : nil
  }

  /// The first slot that is not done; what is done before it is one slot.
  private var front: Int { slots.first?.phase == .done ? 1 : 0 }

  private func isNear(_ index: Int) -> Bool {
    guard piled / 2 < headroom else { return false }
    return slots[(front + 1)...index].reduce(0) { $0 + $1.weight } < headroom / 2
  }

  /// Gives the first work that may be begun to a worker: a share of it, so that the others find
  /// some too.
  ///
  /// - Parameter workers: How many are at work at once.
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

  /// Takes back work that comes right after what a running slot is doing.
  ///
  /// - Parameter work: What is left to do, the next last; not empty.
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

  /// Adds what a worker made.
  mutating func deliver(_ batch: Batch, weight: Int, to id: SlotID) {
    defer { checkInvariants() }
    guard let index = index(of: id) else { return }
    slots[index].batches.append((batch, weight))
    slots[index].weight += weight
    piled += weight
  }

  /// Whether a worker goes on.
  func verdict(for id: SlotID) -> Verdict {
    guard let index = index(of: id) else { return .retire }
    if index > front { return isNear(index) ? .proceed : .retire }
    return weight(upTo: index) < headroom ? .proceed : .wait
  }

  /// Whether so much was taken that a worker that was told to wait goes on.
  func hasRoom(for id: SlotID) -> Bool {
    guard let index = index(of: id) else { return true }
    return weight(upTo: index) < headroom / 2 + 1
  }

  private func weight(upTo index: Int) -> Int { slots[...index].reduce(0) { $0 + $1.weight } }

  /// A worker has done all of its slot, or given the rest back.
  mutating func finish(_ id: SlotID) {
    defer { checkInvariants() }
    guard let index = index(of: id) else { return }
    slots[index].phase = .done
    // What is done and stands together becomes one slot, so that there are never many.
    if index + 1 < slots.count, slots[index + 1].phase == .done { merge(index + 1, into: index) }
    if index > 0, slots[index - 1].phase == .done { merge(index, into: index - 1) }
    dropFinishedHead()
  }

  /// Takes the next of what was made, in the order of the output.
  mutating func next() -> Batch? {
    defer { checkInvariants() }
    guard !slots.isEmpty, let (batch, weight) = slots[0].batches.popFirst() else { return nil }
    slots[0].weight -= weight
    piled -= weight
    dropFinishedHead()
    return batch
  }

  /// Forgets all, done or not.
  mutating func clear() { (slots, piled) = ([], 0) }

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

  /// What holds between any two changes; looked at in debug builds only.
  private func checkInvariants() {
    #if DEBUG
      assert(piled == slots.reduce(0) { $0 + $1.weight }, "what has piled up lies in the slots")
      assert(slots.first?.phase != .done || slots.first?.batches.isEmpty == false, "a spent head")
      for (slot, next) in zip(slots, slots.dropFirst()) {
        assert(slot.phase == .running || slot.phase != next.phase, "two slots that are one")
      }
      for slot in slots {
        assert(slot.work.isEmpty == (slot.phase != .pending), "only what is pending has work")
        assert(slot.batches.isEmpty || slot.phase != .pending, "who made something has begun")
        assert(slot.weight == slot.batches.reduce(0) { $0 + $1.weight }, "a slot's weight")
      }
      let running = slots.lazy.filter { $0.phase == .running }.map(\.id)
      assert(Set(running).count == running.count, "each running slot has a name of its own")
    #endif
  }
}
