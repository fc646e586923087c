import GeoCore
import GeoPipeline
import GeoSources
import GeoTree

/// The open sources of a command that reads trees.
struct Inputs: Sendable {
  /// How a command reads.
  enum Reading {
    /// Once, in the order of the tree; a list can be read so.
    case once
    /// Here and there, or more than once; a list is kept as a snapshot in a scratch file before.
    case anywhere
    /// As `anywhere`, and only what is selected.
    case selected
  }

  /// The roots that are read, in the order of the operands.
  let roots: [ScanRoot]
  /// The same as the operands name them: a folder that is kept in a scratch file is still on the disk.
  let named: [ScanRoot]
  /// What of the roots is shown.
  let selection: Selection
  /// Whether names are replaced by others; links and mounts were followed or not before.
  let isRedacted: Bool
  /// How much of a list can't be used, or of a revision not be shown; each was reported.
  let faults: Int

  /// Opens what operands name.
  init(_ low: LowArguments, _ operands: [[UInt8]], read reading: Reading) throws(Failure) {
    let redaction = try low.redaction.plan(isQuiet: low.isQuiet)
    let request = try SourceResolver(low).request(operands)
    try low.checkDisk(of: request.roots)
    isRedacted = redaction != nil
    if !isRedacted, reading == .once {
      selection = request.selection
      (roots, named) = (request.roots, request.roots)
      faults = low.reportUnshown(in: request.roots)
      return
    }
    var faults = low.reportUnshown(in: request.roots)
    // Names are selected as they are, and links lead on, before anything else reads the tree.
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

  /// The roots, each of which is there, in the order of their labels.
  var checked: [ScanRoot] {
    get throws(Failure) { try roots.checked }
  }
}

extension [ScanRoot] {
  /// The roots, each of which is there, in the order of their labels.
  var checked: [ScanRoot] {
    get throws(Failure) { try wording { try MapPipeline.roots(self, readsDisk: true) } }
  }
}

extension LowArguments {
  /// Reports what is in revisions and can't be shown; what several of them have, once.
  ///
  /// - Returns: How much there is.
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
  /// - Returns: The roots, and how much could not be used, each of which was reported.
  func keep(_ request: SnapshotRequest) throws(Failure) -> (roots: [ScanRoot], faults: Int) {
    let progress = progressLine()
    var request = request
    request.scan.tellsPreparation = progress?.preparationListener
    if !request.roots.contains(where: \.source.isSequential) {
      progress?.begin("first pass", of: request.roots.entryCount)
      request.scan.tellsReach = progress?.listener
    }
    return try onMainThread("what there is can't be kept") { [isQuiet, request] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let roots = try await MapPipeline.index(request) { faults.add($0) }
      faults.finish()
      return (roots, faults.count)
    }
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
