import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

/// Opens the sources that operands name: folders, snapshots, git revisions, kept states, and lists
/// read in place of a disk.
struct SourceResolver {
  let low: LowArguments

  init(_ low: LowArguments) { self.low = low }

  private var repository: [UInt8] { low.gitRepository ?? [UInt8(ascii: ".")] }

  /// The parsed operands of a command; the current folder, or `HEAD` with `--git`, if `texts` is
  /// empty.
  func operands(_ texts: [[UInt8]]) throws(Failure) -> [Operand] {
    let defaultOperand = low.gitRepository == nil ? [UInt8(ascii: ".")] : Array("HEAD".utf8)
    return try Operand.all(texts.isEmpty ? [defaultOperand] : texts, low.gitRepository)
  }

  func roots(_ texts: [[UInt8]]) throws(Failure) -> [ScanRoot] {
    var roots: [ScanRoot] = []
    for operand in try operands(texts) { roots += try open(operand).roots }
    return roots
  }

  func open(_ operand: Operand) throws(Failure) -> OpenSource {
    if operand.revision != nil { return try revision(operand) }
    if operand.keptTime != nil { return try kept(operand) }
    if Snapshot.begins(operand.path) { return try snapshot(operand) }
    if let listing = try listing(operand) { return listing }
    return OpenSource(roots: [try folder(operand)], isLive: true)
  }

  // MARK: Revisions

  private func revision(_ operand: Operand) throws(Failure) -> OpenSource {
    let name = operand.revision ?? []
    let progress = low.progressLine()
    progress?.begin("revision \(name.shown)")
    defer { progress?.clear() }
    do throws(GitError) {
      let revision = try GitRevision(name, of: repository) { progress?.show($0, "name") }
      let label =
        if let label = operand.label { label } else {
          try GitRevision.label(of: name, in: repository)
        }
      return .revision(revision, ScanRoot(label: label, directory: operand.path, source: revision))
    } catch {
      let failure = Failure(error)
      if !operand.hasRevisionPrefix || !Self.isThere(operand.path) { throw failure }
      throw Self.advising(failure, path: operand.path)
    }
  }

  /// Opens two snapshots, or two revisions of one repository, to compare only the folders in which
  /// they differ; nil if the operands are neither, or git is too old or doesn't know a revision.
  func differing(_ old: Operand, _ new: Operand) throws(Failure) -> [OpenSource]? {
    if let sources = try differingSnapshots([old, new]) { return sources }
    if let sources = try differingStates(old, new) { return sources }
    guard let oldName = old.revision, let newName = new.revision else { return nil }
    let repository = repository
    // Read the repository's name in a second git process meanwhile.
    let label = BackgroundTask { () throws(Errno) in
      Result { () throws(GitError) in try GitRevision.label(of: [], in: repository) }
    }
    label.begin()
    guard let pair = GitRevision.differing((oldName, newName), of: repository) else { return nil }
    return try wording {
      try zip([old, new], [pair.old, pair.new]).map { (operand, revision) -> OpenSource in
        let label =
          try operand.label ?? GitRevision.label(of: revision.name) ?? label.finish().get()
        return .revision(
          revision, ScanRoot(label: label, directory: operand.path, source: revision))
      }
    }
  }

  // MARK: Snapshots

  private func snapshot(_ operand: Operand) throws(Failure) -> OpenSource {
    source(of: try openSnapshot(operand), operand, sharing: nil)
  }

  private func openSnapshot(_ operand: Operand) throws(Failure) -> Snapshot {
    let snapshot = try wording { try Snapshot(opening: operand.path) }
    try Self.refuseLabel(
      of: operand, roots: snapshot.header.roots.count, "the snapshot \(operand.path.quoted)")
    return snapshot
  }

  private func source(
    of snapshot: Snapshot, _ operand: Operand, sharing common: CommonBlocks?
  ) -> OpenSource {
    OpenSource(
      roots: snapshot.scanRoots(label: operand.label, sharing: common),
      seconds: snapshot.header.seconds)
  }

  private func differingSnapshots(_ operands: [Operand]) throws(Failure) -> [OpenSource]? {
    guard operands.allSatisfy({ $0.isPath && Snapshot.begins($0.path) }) else {
      return nil
    }
    let snapshots = try operands.map { (operand) throws(Failure) in try openSnapshot(operand) }
    let common = CommonBlocks(snapshots[0], snapshots[1])
    return zip(snapshots, operands).map { source(of: $0, $1, sharing: common) }
  }

  static func refuseLabel(
    of operand: Operand, roots: Int, _ what: @autoclosure () -> String
  ) throws(Failure) {
    if operand.label != nil, roots > 1 {
      throw .usage("\(what()) has \(roots) roots, each with a label of its own: give it no LABEL")
    }
  }

  // MARK: Kept states

  /// Opens two kept states of the current folder, to compare only where they differ; nil if the
  /// operands are not two, or one doesn't have the folder.
  private func differingStates(_ old: Operand, _ new: Operand) throws(Failure) -> [OpenSource]? {
    guard old.keptTime != nil, new.keptTime != nil else { return nil }
    let times = try (old: time(of: old), new: time(of: new))
    let states = try KeptStates(of: [UInt8(ascii: ".")], in: low.keptStore, .newest)
    let pair = try states.open(
      states.state(at: times.old, isQuiet: low.isQuiet),
      states.state(at: times.new, isQuiet: low.isQuiet))
    if pair.old.roots.isEmpty || pair.new.roots.isEmpty { return nil }
    return zip([old, new], [pair.old, pair.new]).map { (operand, state) in
      var roots = state.roots
      if let label = operand.label { roots[0].label = label }
      return OpenSource(roots: roots, name: operand.path, seconds: state.state.time)
    }
  }

  private func time(of operand: Operand) throws(Failure) -> When {
    let text = operand.keptTime ?? []
    var failure = Failure.wrong(
      text, "is not a time of a kept state (try first, last, \(When.examples))")
    do throws(Failure) {
      if let time = try When(parsing: text) { return time }
    } catch {
      failure.message = error.message
    }
    throw Self.isThere(operand.path) ? Self.advising(failure, path: operand.path) : failure
  }

  private func kept(_ operand: Operand) throws(Failure) -> OpenSource {
    let wanted = try time(of: operand)
    try Self.refuseLabel(
      of: operand, roots: operand.folders.count, "the state \(operand.path.quoted)")
    let store = try low.keptStore
    var roots: [ScanRoot] = []
    var times: Set<Int64> = []
    let folders = operand.folders.isEmpty ? [nil] : operand.folders.map { Optional($0) }
    for folder in folders {
      let path = folder?.path ?? [UInt8(ascii: ".")]
      let states = try KeptStates(of: path, in: store, folder == nil ? .newest : .onThisDisk)
      let state = states.state(at: wanted, isQuiet: low.isQuiet)
      var label = operand.label
      if label == nil, let folder { label = try self.label(of: folder) }
      guard let root = try states.root(in: state, label: label) else {
        throw .usage("the state of \(state.timeText) doesn't have the folder \(path.quoted)")
      }
      roots.append(root)
      times.insert(state.seconds)
    }
    let seconds = times.count == 1 ? times.first : nil
    return OpenSource(roots: roots, name: operand.path, seconds: seconds)
  }

  // MARK: Folders

  private func folder(_ operand: Operand) throws(Failure) -> ScanRoot {
    var root = ScanRoot(label: try label(of: operand), directory: operand.path)
    if operand.label != nil { try check(root, operand) }
    root.source = low.disk
    return root
  }

  func label(of operand: Operand) throws(Failure) -> [UInt8] {
    if let label = operand.impliedLabel { return label }
    do throws(Errno) {
      return RootArgument.label(ofRealPath: try ThisProcess.realPath(operand.path))
    } catch {
      if let failure = Self.failure(of: operand.path) { throw failure }
      // The folder exists but has no path any more, such as a removed current folder.
      let shown = operand.path.shown
      throw .usage(
        "can't find the real path of '\(shown)', which gives its label: \(error); give it "
          + "a LABEL, such as NAME=\(shown)")
    }
  }

  /// Reports a missing folder, with advice if `a=b` was meant as a folder's name.
  private func check(_ root: ScanRoot, _ operand: Operand) throws(Failure) {
    guard let failure = Self.failure(of: root.directory) else { return }
    throw Self.isFolder(operand.text) ? Self.advising(failure, path: operand.text) : failure
  }

  private static func failure(of path: [UInt8]) -> Failure? {
    do throws(Errno) {
      try ScanRoot(label: [], directory: path).check()
      return nil
    } catch {
      return Failure(MapError(error, directory: path))
    }
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    (try? ScanRoot(label: [], directory: path).check()) != nil
  }

  private static func isThere(_ path: [UInt8]) -> Bool {
    (try? FileSystem.rootFacts(path)) != nil
  }

  /// Adds advice to a failure: how to give a path that contains `=`.
  private static func advising(_ failure: Failure, path: [UInt8]) -> Failure {
    let (shown, kind) = (path.shown, isFolder(path) ? "folder" : "file")
    return failure.advising("for the \(kind) '\(shown)', give './\(shown)'")
  }

  // MARK: Without reading

  /// Whether all operands can only be folders on a disk: no list, revision, kept state or snapshot.
  func areFolders(_ texts: [[UInt8]]) -> Bool {
    if low.gitRepository != nil || low.list.file != nil { return false }
    return !texts.lazy.compactMap { try? Operand($0) }.contains {
      $0.revision != nil || $0.keptTime != nil || Snapshot.begins($0.path)
        || Self.listingFormat(of: $0.path) != nil
    }
  }

  /// Makes roots without reading the folders; labels follow from the paths.
  func unreadRoots(_ texts: [[UInt8]]) throws(Failure) -> [ScanRoot] {
    var roots: [ScanRoot] = []
    for operand in try operands(texts) {
      let label: [UInt8]
      if let implied = operand.impliedLabel {
        label = implied
      } else if let path = try? MapPaths.absolute(operand.path) {
        label = RootArgument.label(ofRealPath: path)
      } else {
        throw Failure(RootError.noDirectory(label: nil))
      }
      roots.append(ScanRoot(label: label, directory: operand.path))
    }
    return roots
  }
}

extension LowArguments {
  /// The old states of `--since`, in which a time stands for the kept state of that time.
  var oldStates: [[UInt8]] {
    serve.since.map { text in
      guard let operand = try? Operand(text), operand.isPath,
        (try? FileSystem.rootFacts(operand.path)) == nil, isTime(operand.path)
      else { return text }
      return text.dropLast(operand.path.count) + Operand.keptPrefix + operand.path
    }
  }

  private func isTime(_ text: [UInt8]) -> Bool {
    do throws(Failure) {
      return try When(parsing: text) != nil
    } catch {
      return true
    }
  }
}

extension SourceResolver {
  func request(_ texts: [[UInt8]]) throws(Failure) -> SnapshotRequest {
    var request = request([], selection: try Selection(low))
    if let source = try list() {
      try texts.expectOneRoot()
      let list = try open(source, isDetected: low.list.format == nil && !source.isZeroSeparated)
      request.roots = [try rootOfList(texts, list)]
      try wording { try request.read(list) }
    } else {
      request.roots = try roots(texts)
    }
    return request
  }

  func request(_ roots: [ScanRoot], selection: Selection) -> SnapshotRequest {
    var request = SnapshotRequest(roots: roots)
    request.selection = selection
    request.scan = low.map.scan
    return request
  }
}

/// An open source: its roots, and its name and time as a state.
struct OpenSource: Sendable {
  var roots: [ScanRoot]
  /// The name of the state; nil if the labels of its roots are its name.
  var name: [UInt8]?
  var revision: GitRevision?
  /// The recorded time of the state in Unix seconds; nil if it is on a disk or unknown.
  var seconds: Int64?
  var isLive = false
  var faults = 0
  /// The list that is still to be read; nil of other sources.
  var list: OpenList?

  static func revision(_ revision: GitRevision, _ root: ScanRoot) -> OpenSource {
    OpenSource(roots: [root], name: revision.name, revision: revision)
  }

  /// The time of the state in Unix seconds; that of sources on a disk is `now`.
  func time(now: Int64?) throws(Failure) -> Int64? {
    if isLive { return now }
    guard let revision else { return seconds }
    return try wording { try revision.committed() }
  }
}

extension LowArguments {
  fileprivate var disk: DiskSource {
    var disk = DiskSource.Choice()
    disk.staysOnFileSystem = map.scan.staysOnFileSystem
    disk.patience = patience.map { $0 * 1_000_000 }
    return .instance(disk)
  }

  /// Refuses operands on a file system that doesn't answer in the time of `--give-up`. Without that
  /// option it waits, in whichever call comes first.
  func expectAnswers() throws(Failure) {
    guard let patience else { return }
    for text in operands.isEmpty ? [[UInt8(ascii: ".")]] : operands + roots {
      guard let path = (try? Operand(text))?.path, !disk.answers(about: path) else { continue }
      throw Failure(.source, "can't read \(path.quoted): no answer within \(patience / 1000) s")
    }
  }
}
