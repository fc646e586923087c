import GeoCore
import GeoSystem

/// Visits stretches of the tree on its own thread.
///
/// It works depth first with an explicit stack instead of recursion, so the depth of trees is not
/// limited.
final class Worker<Visitor: ScanVisitor> {
  typealias Plan = Visitor.Plan

  /// The amount of output that triggers a delivery, in bytes.
  private static var batchWeight: Int { 96 * 1024 }

  let queue: OrderedWorkQueue<Visitor.Content>
  /// Made with the first work, for a worker may never get any.
  private(set) lazy var visitor = makeVisitor()
  private let makeVisitor: @Sendable () -> Visitor
  let context: ScanContext
  let readers: OpenSources.Readers
  /// The remaining work, the next item last.
  var stack: [Work] = []
  /// Faults since the last delivery.
  var faults: [ScanFault] = []
  /// The number of entries visited since the last delivery.
  var lookedAt = ScanReach()
  /// The path of the current folder.
  var place: [UInt8] = []
  private var assignment = 0
  /// Where it says which folder it reads, if folders that don't answer are reported.
  private let post: StallWatch.Post?

  // Buffers, reused.
  var listing = FolderListing()
  var facts: [EntryFacts] = []
  var storage: [FileStorage] = []
  var failures: [FileSystem.Failure] = []

  init(
    queue: OrderedWorkQueue<Visitor.Content>, makeVisitor: @escaping @Sendable () -> Visitor,
    context: ScanContext
  ) {
    self.queue = queue
    self.makeVisitor = makeVisitor
    self.context = context
    post = queue.stalls?.makePost()
    readers = context.sources.makeReaders()
  }

  func run() {
    if context.options.givesWay != nil { WorkerThread.lowerPriority() }
    var hasFinished = false
    while let assignment = queue.take(returning: hasFinished) {
      stack = [assignment.work]
      self.assignment = assignment.id
      var goesOn = true
      while goesOn, let work = nextPiece() {
        yieldToUrgentWork()
        switch work.part {
        case .folders: visitFolder(work.folder, work.range.lowerBound)
        case .files(let names): visitFiles(names, work.range, of: work.folder)
        }
        post?.leave()
        let weight = visitor.weight + faults.count * 64
        if weight >= Self.batchWeight || weight > 0 && queue.isSlow {
          goesOn = deliver(to: assignment.id)
        }
        if queue.isCancelled || context.isSequential && readers.failure != nil { goesOn = false }
        if goesOn, queue.hasIdleWorkers { share(after: assignment.id) }
      }
      if context.isSequential {
        if goesOn { readers.end() }
        // A failed source ends the scan with its error.
        if let failure = readers.failure, !queue.isCancelled {
          context.failure.withLock { $0 = failure }
        }
        stack = []
      }
      if visitor.weight > 0 || !faults.isEmpty { _ = deliver(to: assignment.id) }
      queue.finish(assignment.id, givingBack: stack)
      (stack, hasFinished) = ([], true)
    }
    // Close all folders before the reader learns of the end.
    readers.close()
  }

  private func begin(_ path: [UInt8]) {
    place = path
    post?.enter(path)
  }

  private func yieldToUrgentWork() {
    guard let isBusy = context.options.givesWay else { return }
    while isBusy(), !queue.isCancelled { WorkerThread.pause(milliseconds: 1) }
  }

  func plan(of folder: ScannedFolder) -> Plan {
    // All visitors of a scan have one type, so all plans are of its `Plan` type.
    unsafeDowncast(folder.plan, to: Plan.self)
  }

  private func nextPiece() -> Work? {
    guard var work = stack.popLast() else { return nil }
    work.slice = min(work.slice, queue.slice)
    if work.pieces > 1 {
      let first = work.takeFirst(1)
      stack.append(work)
      return first
    }
    return work
  }

  private func deliver(to id: OrderedWorkQueue<Visitor.Content>.Order.SlotID) -> Bool {
    let weight = visitor.weight + faults.count * 64
    var batch = ScanBatch(content: visitor.takeContent(), faults: faults, place: place)
    batch.lookedAt = lookedAt
    (faults, lookedAt) = ([], ScanReach())
    return queue.deliver(batch, weight: weight, to: id)
  }

  /// Offers later work to other workers: all but the current item, or half of that.
  private func share(after id: OrderedWorkQueue<Visitor.Content>.Order.SlotID) {
    var kept = stack.suffix(1)
    var rest = Array(stack.dropLast())
    let slice = queue.slice
    for index in rest.indices { rest[index].slice = min(rest[index].slice, slice) }
    if rest.isEmpty, var work = kept.popLast() {
      work.slice = min(work.slice, slice)
      if work.pieces > 1 {
        let first = work.takeFirst(work.pieces / 2)
        rest = [work]
        work = first
      }
      kept = [work]
    }
    if !rest.isEmpty, queue.share(rest, after: id) { stack = Array(kept) }
  }
}

extension Worker {
  func visitFiles(_ names: NameTable, _ range: Range<Int>, of folder: ScannedFolder) {
    guard let kept = folder.kept else { return }
    begin(folder.path)
    let reader = readers[folder.root]
    do throws(Errno) {
      try reader.enter(.kept(kept))
      visitFiles(names, range, of: folder.path, plan: plan(of: folder), by: reader)
      reader.leave()
    } catch {
      // The folder can't be reopened, so only the names of its files are known.
      prepare(names, range, of: folder.path, plan: plan(of: folder), by: reader)
      for position in facts.indices where facts[position].status != .hidden {
        let isKnown = facts[position].kind != .unknown
        if isKnown && !context.options.readsMetadata { continue }
        facts[position].status = error == .noEntry ? .vanished : .unreadable
        report(names.name(at: range.lowerBound + position), of: folder.path, error)
      }
      visitor.visit(names, range, of: folder.path, plan: plan(of: folder), facts: facts)
      if context.options.asksForStorage { visitor.visit([], facts: facts) }
    }
  }

  func visitFiles(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    by reader: any FolderReader
  ) {
    prepare(names, range, of: path, plan: plan, by: reader)
    reader.readValidFacts(
      of: names, range, into: &facts, storage: &storage, failures: &failures,
      asksForStorage: context.options.asksForStorage && !context.options.asksForNanosecondsAlone)
    for failure in failures {
      report(names.name(at: failure.index), of: path, failure.reason, failure.words)
    }
    failures.removeAll(keepingCapacity: true)
    if let versions = reader.versions { visitor.receive(versions) }
    visitor.visit(names, range, of: path, plan: plan, facts: facts)
    if context.options.asksForStorage { visitor.visit(storage, facts: facts) }
  }

  private func prepare(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    by reader: any FolderReader
  ) {
    lookedAt.files += range.count
    reader.prepareFacts(of: names, range, into: &facts)
    visitor.select(names, range, of: path, plan: plan, facts: &facts)
  }

  private func report(
    _ name: [UInt8], of path: [UInt8], _ reason: Errno, _ words: String? = nil
  ) {
    faults.append(
      ScanFault(
        rawPath: path.appending(component: name),
        reason: words.map { .listed($0) } ?? (reason == .noEntry ? .vanished : .unreadable(reason))
      ))
  }
}

extension Worker {
  /// Visits one sub-folder: lists it, passes it to the visitor, and pushes its contents onto the
  /// stack.
  func visitFolder(_ parent: ScannedFolder, _ index: Int) {
    if parent.decisions[index] == .hidden { return }
    let folder = FolderAtHand(index, of: parent, in: context)
    begin(folder.path)
    lookedAt.folders += 1
    if folder.isRoot { lookedAt.known += 1 }
    let reader = readers[folder.root]
    if folder.isRoot, context.isSequential {
      reader.begin(context.roots[folder.root], reportingTo: self)
      if reader.failure != nil { return }
    }
    if parent.decisions[index] == .shown { return pass(folder, by: reader, because: nil) }
    let began = ThisProcess.nanoseconds
    reader.list(folder.reference, into: &listing)
    let isShared = queue.isShared(listing.files.count + listing.folders.count, since: began)
    listing.dropInvalid()
    if listing.outcome == .unlisted, let failure = listing.failure {
      return pass(folder, by: reader, because: failure)
    }
    if listing.outcome != .unlisted {
      context.counters.openedFolders.add(1, ordering: .relaxed)
    }
    for state in listing.states { lookedAt.ofStates += state.entries ?? 0 }
    if let failure = listing.failure {
      faults.append(ScanFault(rawPath: folder.path, reason: failure))
    }
    if !listing.faults.isEmpty { faults += listing.faults }
    if listing.outcome == .listed {
      enter(folder, by: reader, isShared: isShared)
      reader.leave()
    } else {
      visitor.pass(visit(of: folder))
    }
  }

  private func visit(of folder: FolderAtHand) -> FolderVisit<Plan> {
    FolderVisit(
      path: folder.path, parentPlan: plan(of: folder.parent), index: folder.index, listing)
  }

  /// Passes a listed folder to the visitor. If it is shared, other workers get its sub-folders before
  /// its files are read, and most of the files.
  private func enter(_ folder: FolderAtHand, by reader: any FolderReader, isShared: Bool) {
    guard
      let decision = visitor.enter(
        visit(of: folder), files: listing.files, folders: listing.folders)
    else { return }
    let fileCount = decision.wantsFiles ? listing.files.count : 0
    let decisions = removeHiddenFolders(decision.decisions)
    lookedAt.known += decisions.count
    let largest = isShared ? WorkerCount.smallestSlice : queue.slice
    let readsNow = !isShared || decisions.isEmpty && fileCount <= largest
    let slice = readsNow ? min(fileCount, largest) : 0
    if slice > 0 {
      visitFiles(listing.files, 0..<slice, of: folder.path, plan: decision.plan, by: reader)
    }
    if decisions.isEmpty, slice == fileCount { return }

    let scanned = ScannedFolder(
      path: folder.path, root: folder.root, plan: decision.plan, folders: listing.folders,
      handles: listing.handles, decisions: decisions, kept: reader.keep())
    listing.folders = NameTable()
    listing.handles = []
    if !decisions.isEmpty {
      stack.append(Work(folder: scanned, part: .folders, range: 0..<decisions.count))
    }
    if slice < fileCount {
      stack.append(
        Work(
          folder: scanned, part: .files(listing.files), range: slice..<fileCount, slice: largest))
      listing.files = NameTable()
    }
  }

  private func removeHiddenFolders(_ decisions: [TraversalDecision]) -> [TraversalDecision] {
    if !decisions.contains(.hidden) { return decisions }
    var names = NameTable()
    var handles: [UInt64] = []
    for (index, decision) in decisions.enumerated() where decision != .hidden {
      names.append(from: listing.folders, at: index)
      if index < listing.handles.count { handles.append(listing.handles[index]) }
    }
    listing.folders = names
    listing.handles = handles
    return decisions.filter { $0 != .hidden }
  }

  /// Passes a folder without a listing to the visitor: it is not entered, or can't be read.
  private func pass(
    _ folder: FolderAtHand, by reader: any FolderReader, because reason: ScanFault.Reason?
  ) {
    // A root is reported even if it vanished; a folder in which a partial scan begins may vanish.
    let mayVanish = !folder.isRoot || !context.roots[folder.root].names.isEmpty
    func vanishes(_ reason: ScanFault.Reason?) -> Bool {
      guard mayVanish, let reason, reason.meansChanged else { return false }
      faults.append(ScanFault(rawPath: folder.path, reason: .vanished))
      return true
    }
    if vanishes(reason) { return }
    reader.inspect(folder.reference, into: &listing)
    if vanishes(listing.failure) { return }
    // A client's source may say something else.
    if listing.outcome == .listed { listing.outcome = .unlisted }
    listing.failure = reason ?? listing.failure
    if let reason = listing.failure {
      faults.append(ScanFault(rawPath: folder.path, reason: reason))
    }
    visitor.pass(visit(of: folder))
  }
}

extension Worker: ReaderListener {
  func report(_ fault: ScanFault) {
    faults.append(fault)
    if faults.count * 64 >= Self.batchWeight { _ = deliver(to: assignment) }
  }

  func reach(_ place: [UInt8]) {
    self.place = place
    _ = deliver(to: assignment)
  }

  var isCancelled: Bool { queue.isCancelled }
}

private struct FolderAtHand {
  let parent: ScannedFolder
  let index: Int
  let path: [UInt8]
  let root: Int
  let reference: FolderReference

  var isRoot: Bool { parent.kept == nil }

  init(_ index: Int, of parent: ScannedFolder, in context: ScanContext) {
    self.parent = parent
    self.index = index
    let name = parent.folders.name(at: index)
    guard let kept = parent.kept else {
      path = name
      root = index
      reference = .path(root: context.roots[index], path: name, handle: nil)
      return
    }
    root = parent.root
    var path = parent.path
    path.append(component: name)
    self.path = path
    reference = .child(
      of: kept, path: path, name: name,
      isLink: parent.folders.records[index].kind == .symlink,
      handle: parent.handles.isEmpty ? nil : parent.handles[index])
  }
}

extension ScanFault.Reason {
  /// Whether the entry vanished or is no longer a folder.
  fileprivate var meansChanged: Bool {
    switch self {
    case .vanished: true
    case .unreadable(let error):
      error == .noEntry || error == .notDirectory || error == .linkLoop
    case .listed: false
    }
  }
}
