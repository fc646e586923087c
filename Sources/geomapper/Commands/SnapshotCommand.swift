import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

extension Command {
  static let snapshot = Command(
    id: .snapshot,
    summary: "Save the state of folders to a file.",
    usage: "snapshot [OPTION]... [[LABEL=]DIR]... -o FILE\n"
      + "       geomapper snapshot [OPTION]... --git REPO [[LABEL=]REV]... -o FILE\n"
      + "       geomapper snapshot --only LIST [OPTION]... [[LABEL=]DIR]... -o FILE\n"
      + "       geomapper snapshot --info FILE",
    description: [
      "Save the state of folders to FILE: names, types, sizes, times, disk space, owners. "
        + "All commands can read FILE like a folder, later and on any machine.",
      "What the selection leaves out is not read, but its names and types are in FILE: "
        + "the places of the others depend on them.",
    ],
    examples: [
      "geomapper snapshot -o home.geosnap ~": "Save the state of the home folder.",
      "ssh host geomapper snapshot /srv > srv.geosnap":
        "Fetch the state of a folder on another machine.",
      "geomapper snapshot --info home.geosnap": "Show what a snapshot holds, and check it.",
    ],
    statuses: statuses(
      "Everything was saved, or the snapshot of --info is intact",
      incomplete: "The snapshot lacks what could not be read or vanished; or the snapshot of "
        + "--info is damaged.",
      wrong: "a folder, list, revision or snapshot that does not exist or can't be used"),
    rules: [
      .takes(
        ...0, when: .option("info"), or: "--info shows one snapshot; give no folders with it"),
      CommandRule { $0.low.snapshotInfo == nil ? nil : $0.formatRefusal },
      .ending(of: nil, unless: .option("info"), because: "a snapshot has a format of its own"),
    ],
    run: SnapshotCommand.run)
}

enum SnapshotCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    if let file = low.snapshotInfo { return try SnapshotInfo.run(file, run) }
    let inputs = try run.inputs(low.operands, read: .once, writesStorage: true)
    var request = try request(of: inputs, low)
    if let file = low.only { try narrow(&request, to: list(in: file), run) }
    let place = try run.place
    try place.refuseTerminal("a snapshot")
    request.scan.temporary = place.temporary
    let total = request.selection.isActive ? nil : request.roots.entryCount
    let expected = run.expectedEntries(of: request.roots)
    try run.write("snapshot", of: total, about: expected) { [request] report in
      var request = request
      request.scan.preparationListener = report.preparationListener
      request.scan.stallListener = report.stallListener
      return try await MapPipeline.openSnapshot(request)
    }
  }

  /// Bytes.
  private static let longestList = 1 << 26

  private static func list(in file: [UInt8]) throws(Failure) -> FolderList {
    let bytes = try GivenFile.bytes(
      of: file, limit: longestList, or: "can't read the list of folders")
    return try FolderList(parsing: bytes, called: file.quoted)
  }

  private static func narrow(
    _ request: inout SnapshotRequest, to list: FolderList, _ run: Run
  ) throws(Failure) {
    try request.roots.expectLive { "\($0) is not on disk: --only reads parts of folders" }
    // The folder may have another name on this machine.
    if request.roots.count == 1, list.labels.count == 1, let label = list.labels.first,
      run.low.operands.first.flatMap({ try? Operand($0) })?.label == nil
    {
      request.roots[0].label = label
    }
    for label in list.labels where !request.roots.contains(where: { $0.label == label }) {
      let shown = label.shown
      throw .usage("the list is of '\(shown)'; say where that is, as \(shown)=DIR")
    }
    for path in list.beginnings {
      for root in request.roots where path.firstComponent.elementsEqual(root.label) {
        if (try? root.below(path).check()) != nil { continue }
        run.note("\(path.quoted) is not there any more")
        run.add(faults: 1)
      }
    }
    request.options += list.paths.map { KeptCondition(.only, $0).text }
    request.roots = PartSource.roots(request.roots, in: list)
  }

  static func request(of inputs: Inputs, _ low: LowArguments) throws(Failure) -> SnapshotRequest {
    var request: SnapshotRequest
    if inputs.isRedacted {
      // The other options were applied when the names were read.
      request = SnapshotRequest(roots: inputs.roots)
      request.scan = inputs.scan
    } else {
      request = SourceResolver(low).request(inputs.roots, selection: inputs.selection)
      request.options = options(low)
    }
    request.setTimeToNow()
    return request
  }

  /// The conditions to record in the snapshot; files of globs and times as typed.
  private static func options(_ low: LowArguments) -> [[UInt8]] {
    var kept: [KeptCondition] = low.rules.map { rule in
      switch rule {
      case .exclude(let glob): .glob(.exclude, glob)
      case .excludeFrom(let file): KeptCondition(.excludeFrom, file)
      case .include(let glob): .glob(.include, glob)
      case .noHidden: KeptCondition(.noHidden)
      case .gitignore: KeptCondition(.gitignore)
      }
    }
    kept += low.names.map { KeptCondition(.name, $0) }
    if let kinds = low.kinds { kept.append(.kinds(kinds)) }
    kept += low.sizes.map { .size($0) }
    if let newer = low.newer { kept.append(KeptCondition(.newer, newer.text)) }
    if let older = low.older { kept.append(KeptCondition(.older, older.text)) }
    if low.map.scan.staysOnFileSystem { kept.append(KeptCondition(.oneFileSystem)) }
    if low.map.scan.followsLinks { kept.append(KeptCondition(.follow)) }
    if let depth = low.scanDepth {
      kept.append(KeptCondition(.maxDepth, Array("\(depth)".utf8)))
    }
    return kept.map(\.text)
  }
}

extension SnapshotRequest {
  mutating func setTimeToNow() {
    let now = ThisProcess.unixNanoseconds
    seconds = now / 1_000_000_000
    nanoseconds = UInt32(now % 1_000_000_000)
  }
}
