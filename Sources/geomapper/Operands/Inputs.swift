import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

/// The open sources of a command that reads trees.
struct Inputs: Sendable {
  enum Reading {
    /// Once, in the order of the tree; a list can be read directly.
    case once
    /// In any order, or more than once; a list is first kept as a snapshot in a scratch file.
    case anywhere
    /// As `anywhere`, but ``Inputs/scan`` leaves out what the selection leaves out.
    case selected
  }

  let roots: [ScanRoot]
  /// The roots as operands name them: on the disk, even if `roots` are in a scratch file.
  let named: [ScanRoot]
  let selection: Selection
  let scan: FileSystemScanner.Options
  /// Whether names are replaced; links and mounts are resolved by then.
  let isRedacted: Bool
  /// Number of unusable entries of a list or a revision; each was reported.
  let faults: Int

  /// Opens the sources that operands name; `writesStorage` says that the output shows how entries
  /// are stored.
  init(
    _ low: LowArguments, _ operands: [[UInt8]], read reading: Reading, writesStorage: Bool = false
  ) throws(Failure) {
    let redaction = try low.redaction.plan(isQuiet: low.isQuiet)
    let request = try SourceResolver(low).request(operands)
    try low.checkDisk(of: request.roots)
    isRedacted = redaction != nil
    var faults = low.reportUnshown(in: request.roots)
    if !isRedacted, reading == .once {
      (selection, scan) = (request.selection, request.scan)
      (roots, named) = (request.roots, request.roots)
      self.faults = faults
      return
    }
    // Select by the original names, and follow links, before anything else reads the tree.
    let keepsSelected = redaction != nil || low.map.scan.followsLinks
    if let conflict = request.conflict { throw Failure(MapError.conflict(conflict)) }
    var open = request.roots
    let isSequential = open.contains(where: \.source.isSequential)
    if keepsSelected || isSequential {
      let kept = try low.keep(keepsSelected ? request : SnapshotRequest(roots: open))
      (open, faults) = (kept.roots, faults + kept.faults)
    }
    if let redaction { open = redaction.roots(open, keepsIdentity: !writesStorage) }
    roots = open
    named = redaction == nil && !isSequential ? request.roots : open
    let isNarrowed = keepsSelected || reading == .selected
    selection = isNarrowed ? request.selection.ofKinds : request.selection
    var scan = request.scan
    if keepsSelected {
      // Mounts and links were resolved when the tree was kept.
      (scan.staysOnFileSystem, scan.followsLinks) = (false, false)
    } else if reading == .selected {
      scan.selection = request.selection
    }
    self.scan = scan
    self.faults = faults
  }

}

extension [ScanRoot] {
  /// The roots sorted by label, each checked to exist.
  var checked: [ScanRoot] {
    get throws(Failure) { try wording { try MapPipeline.roots(self, readsDisk: true) } }
  }

  /// Refuses roots that are not folders on a disk.
  func expectLive(or refusal: (String) -> String) throws(Failure) {
    guard let still = first(where: { !$0.source.isLive }) else { return }
    throw .usage(refusal(still.directory.quoted))
  }
}

extension LowArguments {
  /// Reports entries of revisions that can't be shown, each fault only once, and counts them.
  func reportUnshown(in roots: [ScanRoot]) -> Int {
    let list = FaultList(isQuiet: isQuiet)
    var reported: Set<ScanFault> = []
    for root in roots {
      list.add(
        root.source.faults.map { fault in
          ScanFault(rawPath: root.label.appending(component: fault.rawPath), reason: fault.reason)
        }.filter { reported.insert($0).inserted })
    }
    list.finish()
    return list.count
  }

  /// Keeps a tree as a snapshot in a scratch file, and counts the faults that it reports.
  func keep(_ request: SnapshotRequest) throws(Failure) -> (roots: [ScanRoot], faults: Int) {
    let progress = progressLine()
    var request = request
    request.scan.preparationListener = progress?.preparationListener
    if !request.roots.contains(where: \.source.isSequential) {
      progress?.begin("first pass", of: request.roots.entryCount)
      request.scan = request.scan.heard(by: progress)
    }
    return try onMainThread("what there is can't be kept") { [isQuiet, request] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let roots = try await MapPipeline.index(request) { faults.add($0) }
      faults.finish()
      return (roots, faults.count)
    }
  }
}

extension LowArguments {
  var selects: Bool {
    scanDepth != nil || !rules.isEmpty || !names.isEmpty || kinds != nil || !sizes.isEmpty
      || newer != nil || older != nil
  }

  var usesGitignore: Bool {
    rules.contains { if case .gitignore = $0 { true } else { false } }
  }

  /// The arguments with the path rules only, without other conditions.
  var rulesAlone: LowArguments {
    var low = self
    (low.names, low.kinds, low.sizes, low.newer, low.older) = ([], nil, [], nil, nil)
    return low
  }

  /// The arguments without the rules that were applied while the disk was read.
  var withoutRulesOfDisk: LowArguments {
    if !usesGitignore { return self }
    var low = self
    low.rules = []
    (low.map.scan.staysOnFileSystem, low.map.scan.followsLinks) = (false, false)
    return low
  }
}

extension Selection {
  /// Maximum size of a file of globs, in bytes.
  private static let largestFile = 64 << 20

  init(_ low: LowArguments) throws(Failure) {
    self.init()
    for name in low.names {
      try explaining("--name: can't use this pattern") { try requireName(name) }
    }
    for rule in low.rules { try add(rule) }
    maximumDepth = low.scanDepth
    if let kinds = low.kinds { requireKinds(kinds) }
    for condition in low.sizes { requireSize(condition) }
    newer = try Self.seconds(of: low.newer, for: "--newer")
    older = try Self.seconds(of: low.older, for: "--older")
  }

  private mutating func add(_ rule: LowRule) throws(Failure) {
    let unusable = "a pattern can't be used"
    switch rule {
    case .exclude(let glob): try explaining(unusable) { try exclude(glob) }
    case .include(let glob): try explaining(unusable) { try include(glob) }
    case .noHidden: excludeHidden()
    case .gitignore: excludeIgnored()
    case .excludeFrom(let file): try exclude(from: file)
    }
  }

  private mutating func exclude(from file: [UInt8]) throws(Failure) {
    let bytes = try GivenFile.bytes(
      of: file, limit: Self.largestFile, or: "--exclude-from: can't read")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let glob = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if glob.isEmpty || glob.first == UInt8(ascii: "#") { continue }
      let place = "line \(index + 1) of \(file.quoted)"
      try explaining("--exclude-from: \(place) is no pattern") {
        if glob.first == UInt8(ascii: "!") {
          try include(Array(glob.dropFirst()), selectively: false)
        } else {
          try exclude(glob)
        }
      }
    }
  }

  /// The time, or the time of change of a file.
  private static func seconds(of time: GivenTime?, for option: String) throws(Failure) -> Int64? {
    guard let time else { return nil }
    if let seconds = time.seconds { return seconds }
    return try explaining(
      "\(option): \(time.text.quoted) is not a time (try \(When.examples)), and as a file"
    ) { try FileSystem.rootFacts(time.text).modified }
  }
}
