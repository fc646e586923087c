import GeoCore
import GeoSystem

/// Visits stretches of the tree, on a thread of its own.
///
/// Depth first, with a stack of its own instead of recursion, so that no tree is too deep.
final class Worker<Visitor: ScanVisitor> {
  typealias Plan = Visitor.Plan

  /// How much is made before it is delivered, in bytes.
  private static var batchWeight: Int { 96 * 1024 }

  let exchange: Exchange<Visitor.Content>
  let visitor: Visitor
  let context: ScanContext
  let readers: OpenSources.Readers
  /// What is left of the work in hand, the next last.
  var stack: [Work] = []
  /// What could not be read since the last delivery.
  var faults: [ScanFault] = []
  /// What was looked at since the last delivery.
  var lookedAt = ScanReach()
  /// Where the worker is.
  var place: [UInt8] = []

  // Memory that is used again and again.
  var listing = FolderListing()
  var facts: [EntryFacts] = []
  var storage: [FileStorage] = []
  var failures: [FileSystem.Failure] = []

  init(
    exchange: Exchange<Visitor.Content>, visitor: Visitor, context: ScanContext
  ) {
    self.exchange = exchange
    self.visitor = visitor
    self.context = context
    readers = context.sources.makeReaders()
  }

  /// Works until there is nothing left to do.
  func run() {
    if context.options.givesWay != nil { WorkerThread.stepBack() }
    while let assignment = exchange.take() {
      stack = [assignment.work]
      var goesOn = true
      while goesOn, let work = nextPiece() {
        giveWay()
        switch work.part {
        case .folders: visitFolder(work.folder, work.range.lowerBound)
        case .files(let names): visitFiles(names, work.range, of: work.folder)
        }
        if visitor.weight + faults.count * 64 >= Self.batchWeight {
          goesOn = deliver(to: assignment.id)
        }
        if exchange.isCancelled { goesOn = false }
        if goesOn, exchange.isHungry { share(after: assignment.id) }
      }
      if visitor.weight > 0 || !faults.isEmpty { _ = deliver(to: assignment.id) }
      exchange.finish(assignment.id, givingBack: stack)
      stack = []
    }
    // Nothing is left open by the time the reader hears of the end.
    readers.close()
  }

  /// Rests as long as something more urgent is being done.
  private func giveWay() {
    guard let isBusy = context.options.givesWay else { return }
    while isBusy(), !exchange.isCancelled { WorkerThread.pause(milliseconds: 1) }
  }

  /// What the visitor knows of a folder's sub-folders.
  func plan(of folder: ScannedFolder) -> Plan {
    // The visitors of a scan are of one type, and so are the plans that they and its caller made.
    unsafeDowncast(folder.plan, to: Plan.self)
  }

  private func nextPiece() -> Work? {
    guard var work = stack.popLast() else { return nil }
    if work.pieces > 1 {
      let first = work.takeFirst(1)
      stack.append(work)
      return first
    }
    return work
  }

  private func deliver(to id: Exchange<Visitor.Content>.Order.SlotID) -> Bool {
    let weight = visitor.weight + faults.count * 64
    var batch = ScanBatch(content: visitor.takeContent(), faults: faults, place: place)
    batch.lookedAt = lookedAt
    (faults, lookedAt) = ([], ScanReach())
    return exchange.deliver(batch, weight: weight, to: id)
  }

  /// Lets the others have what comes later: all but the work at hand, or half of that.
  private func share(after id: Exchange<Visitor.Content>.Order.SlotID) {
    var kept = stack.suffix(1)
    var rest = Array(stack.dropLast())
    if rest.isEmpty, var work = kept.popLast() {
      if work.pieces > 1 {
        let first = work.takeFirst(work.pieces / 2)
        rest = [work]
        work = first
      }
      kept = [work]
    }
    if !rest.isEmpty, exchange.share(rest, after: id) { stack = Array(kept) }
  }
}
