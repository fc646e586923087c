import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem

/// The roots of a command that reads here and there, or more than once, whatever they are read from. A
/// list becomes a snapshot in a scratch file.
struct WorldSources {
  /// In the order in which they were given.
  let roots: [ScanRoot]
  /// The same as they were named: a folder that was kept for what is selected of it is still on the disk.
  let named: [ScanRoot]
  /// What of them is shown.
  let selection: Selection
  /// Whether all of a list can be used, and all of a revision be shown; what can't was named.
  private let isWhole: Bool

  /// What is selected, and nothing else: for a command that doesn't select while it reads.
  ///
  /// - Parameter operands: What names the roots.
  init(selected low: LowArguments, _ operands: [[UInt8]]) throws(Failure) {
    let isRedacted = low.redaction.isAsked || low.redaction.keyFile != nil
    if isRedacted || !low.selects {
      try self.init(low, operands)
      return
    }
    let request = try SnapshotCommand.request(low, operands)
    let isShown = MapPlan.canBeShown(request.roots, isQuiet: low.isQuiet)
    let (roots, faults) = try Self.index(request, low)
    self.init(roots: roots, named: request.roots, isWhole: isShown && faults == 0)
  }

  /// Roots that hold what is selected.
  private init(roots: [ScanRoot], named: [ScanRoot], isWhole: Bool) {
    self.roots = roots
    self.named = named
    selection = Selection()
    self.isWhole = isWhole
  }

  /// - Parameter operands: What names the roots.
  init(_ low: LowArguments, _ operands: [[UInt8]]) throws(Failure) {
    if let redaction = try low.redaction.plan(isQuiet: low.isQuiet) {
      // What is selected is told by its own name, and by that alone.
      var request = try SnapshotCommand.request(low, operands)
      request.scan.countsLinks = low.links.countsLinks
      let isShown = MapPlan.canBeShown(request.roots, isQuiet: low.isQuiet)
      let (roots, faults) = try Self.index(request, low)
      self.roots = redaction.roots(roots)
      named = self.roots
      isWhole = isShown && faults == 0
      selection = request.selection.ofKinds
      return
    }
    if low.links.follows, low.list.file == nil {
      // What links lead to is found by reading all of it once.
      let request = try SnapshotCommand.request(low, operands)
      let isShown = MapPlan.canBeShown(request.roots, isQuiet: low.isQuiet)
      let faults: Int
      (roots, faults) = try Self.index(request, low)
      named = request.roots
      isWhole = isShown && faults == 0
      selection = request.selection.ofKinds
      return
    }
    selection = try MapPlan.selection(low)
    if let list = try MapPlan.list(low) {
      var request = MapRequest(roots: [try MapPlan.rootOfList(operands)])
      request.list = list
      request.selection = selection
      MapPlan.apply(low.links, to: &request)
      // Whoever reads more than once reads the snapshot.
      request.totals = false
      var snapshot = SnapshotRequest(roots: request.roots)
      snapshot.list = list
      let faults: Int
      (roots, faults) = try Self.index(snapshot, low)
      isWhole = faults == 0
    } else {
      roots = try MapPlan.sources(low, operands)
      try low.checkDisk(of: roots)
      isWhole = MapPlan.canBeShown(roots, isQuiet: low.isQuiet)
    }
    named = roots
  }

  /// The roots, each of which is there, in the order of their labels.
  var checked: [ScanRoot] {
    get throws(Failure) { try MapPlan.checked(roots) }
  }

  /// What a command's success comes to.
  func status(_ status: ExitStatus = .success) -> ExitStatus {
    status == .success && !isWhole ? .incomplete : status
  }

  /// Keeps what there is in a scratch file.
  ///
  /// - Returns: The roots, and how much could not be used, each of which was named.
  static func index(
    _ request: SnapshotRequest, _ low: LowArguments
  ) throws(Failure) -> ([ScanRoot], Int) {
    let progress = low.progressLine()
    var request = request
    if request.list != nil {
      request.list?.listener = progress?.listListener
    } else {
      progress?.begin("first pass", of: request.roots.entryCount)
      request.scan.tellsReach = progress?.listener
    }
    let isQuiet = low.isQuiet
    return try MainThreadExecutor().run {
      [request] () async -> Result<([ScanRoot], Int), Failure> in
      let faults = FaultList(isQuiet: isQuiet, progress)
      do {
        let roots = try await MapPipeline.index(request) { faults.add($0) }
        faults.finish()
        return .success((roots, faults.count))
      } catch let error as MapError {
        return .failure(Failure(error))
      } catch {
        return .failure(.output("what there is can't be kept: \(error)"))
      }
    }.get()
  }
}

extension Selection {
  /// The part of it that says whether folders are shown: where they are not, what left entries out before
  /// has left them in, for what they hold.
  var ofKinds: Selection {
    var selection = Selection()
    if !showsFolders {
      selection.requireKinds([.regular, .symlink, .fifo, .socket, .block, .character, .unknown])
    }
    return selection
  }
}
