import GeoCore
import GeoPipeline
import GeoSources
import GeoTree

/// The open sources of a command that reads trees.
struct Inputs: Sendable {
  /// How a command reads its sources.
  enum Reading {
    /// Once, in the order of the tree; a list can be read directly.
    case once
    /// In any order, or more than once; a list is first kept as a snapshot in a scratch file.
    case anywhere
    /// As `anywhere`, but only selected entries.
    case selected
  }

  /// The roots to read, in the order of the operands.
  let roots: [ScanRoot]
  /// The roots as operands name them: on the disk, even if `roots` are in a scratch file.
  let named: [ScanRoot]
  /// The selection to apply while reading.
  let selection: Selection
  /// Whether names are replaced; links and mounts are resolved by then.
  let isRedacted: Bool
  /// Number of unusable entries of a list or a revision; each was reported.
  let faults: Int

  /// Opens the sources that operands name.
  init(_ low: LowArguments, _ operands: [[UInt8]], read reading: Reading) throws(Failure) {
    let redaction = try low.redaction.plan(isQuiet: low.isQuiet)
    let request = try SourceResolver(low).request(operands)
    try low.checkDisk(of: request.roots)
    isRedacted = redaction != nil
    var faults = low.reportUnshown(in: request.roots)
    if !isRedacted, reading == .once {
      selection = request.selection
      (roots, named) = (request.roots, request.roots)
      self.faults = faults
      return
    }
    // Select by the original names, and follow links, before anything else reads the tree.
    let keepsSelected =
      redaction != nil || low.links.follows || reading == .selected && low.selects
    var open = request.roots
    let isSequential = open.contains(where: \.source.isSequential)
    if keepsSelected || isSequential {
      let kept = try low.keep(keepsSelected ? request : SnapshotRequest(roots: open))
      (open, faults) = (kept.roots, faults + kept.faults)
    }
    if let redaction { open = redaction.roots(open) }
    roots = open
    named = redaction == nil && !isSequential ? request.roots : open
    selection = keepsSelected ? request.selection.ofKinds : request.selection
    self.faults = faults
  }

  /// The roots sorted by label, each checked to exist.
  var checked: [ScanRoot] {
    get throws(Failure) { try roots.checked }
  }
}

extension [ScanRoot] {
  /// The roots sorted by label, each checked to exist.
  var checked: [ScanRoot] {
    get throws(Failure) { try wording { try MapPipeline.roots(self, readsDisk: true) } }
  }
}

extension LowArguments {
  /// Reports entries of revisions that can't be shown; each fault only once.
  ///
  /// - Returns: The number of faults.
  func reportUnshown(in roots: [ScanRoot]) -> Int {
    let list = FaultList(isQuiet: isQuiet)
    var reported: Set<ScanFault> = []
    for root in roots {
      list.add(
        root.source.faults.map { fault in
          ScanFault(path: root.label.appending(component: fault.path), reason: fault.reason)
        }.filter { reported.insert($0).inserted })
    }
    list.finish()
    return list.count
  }

  /// Keeps a tree as a snapshot in a scratch file.
  ///
  /// - Returns: The roots, and the number of reported faults.
  func keep(_ request: SnapshotRequest) throws(Failure) -> (roots: [ScanRoot], faults: Int) {
    let progress = progressLine()
    var request = request
    request.scan.preparationListener = progress?.preparationListener
    if !request.roots.contains(where: \.source.isSequential) {
      progress?.begin("first pass", of: request.roots.entryCount)
      request.scan.listener = progress?.listener
    }
    return try onMainThread("what there is can't be kept") { [isQuiet, request] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let roots = try await MapPipeline.index(request) { faults.add($0) }
      faults.finish()
      return (roots, faults.count)
    }
  }
}
