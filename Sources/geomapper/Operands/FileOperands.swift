import GeoChange
import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import GeoVerify

extension SourceResolver {
  // MARK: Lists of --files-from

  func list() throws(Failure) -> ListSource? {
    let given = low.list
    guard let file = given.file else { return nil }
    let isStandardInput = file == [UInt8(ascii: "-")]
    var source = ListSource(file: isStandardInput ? nil : file)
    source.format = given.format ?? .lines
    if given.format == nil, !isStandardInput, let kind = FileKind(at: file) {
      throw .wrong(file, "is not a list of paths, but \(kind.advice)")
    }
    source.isZeroSeparated = given.isZeroSeparated
    return source
  }

  func open(_ source: ListSource, isDetected: Bool) throws(Failure) -> ListTree {
    let progress = low.progressLine()
    defer { progress?.clear() }
    return try wording {
      try ListTree(opening: source, isDetected: isDetected, listener: progress?.preparationListener)
    }
  }

  /// The folder that all paths of a list begin with: the operand, else that of a listing by another
  /// program, else the current folder.
  func rootOfList(_ texts: [[UInt8]], _ list: ListTree) throws(Failure) -> ScanRoot {
    let text = texts.first
    if let top = list.top {
      // For a listing, a label needs no folder.
      if let text, text.last == UInt8(ascii: "="), case let label = Array(text.dropLast()),
        EntryName.isValid(label)
      {
        return ScanRoot(label: label, directory: top)
      }
      if text == nil { return try Self.root(of: list, top, label: nil) }
    }
    let operand = try wording { try Operand(text ?? [UInt8(ascii: ".")]) }
    if let label = operand.impliedLabel {
      return ScanRoot(label: label, directory: operand.path)
    }
    guard let path = try? ThisProcess.realPath(operand.path) else {
      throw .wrong(
        operand.path, "has no name for a label; give one, such as NAME=\(operand.path.shown)")
    }
    return ScanRoot(label: RootArgument.label(ofRealPath: path), directory: operand.path)
  }

  /// Gives the lists of several states one root, the longest folder that all have: one that was
  /// guessed from the entries of a state may be missing in those of another.
  ///
  /// Trees of different folders, as those of two releases, stay apart.
  static func shareRoot(of states: inout [[OpenSource]]) {
    let lists = states.filter { $0.count == 1 }.compactMap { $0[0].list }
    guard lists.count > 1, lists.count == states.count, !lists.contains(where: \.hasOwnTop),
      Set(lists.map { $0.top.first == .slash }).count == 1
    else { return }
    let tops = lists.map(\.names)
    let common = tops.dropFirst().reduce(tops[0]) { common, top in
      Array(common.prefix(zip(common, top).prefix { $0 == $1 }.count))
    }
    if !tops.contains(common), common.isEmpty || !lists.allSatisfy(\.isListing) { return }
    for (index, list) in lists.enumerated() where list.names != common {
      let top = Array(list.top.prefix { $0 == .slash }) + common.joined(separator: [.slash])
      states[index][0].roots[0].directory = top.isEmpty ? [UInt8(ascii: ".")] : top
      if let label = list.operand.label ?? RootArgument.lastName(of: top) ?? list.fileLabel {
        states[index][0].roots[0].label = label
      }
    }
  }

  /// The root of a listing: its folder, with its name as the label, else the name of the file.
  private static func root(
    of list: ListTree, _ top: [UInt8], label: [UInt8]?
  ) throws(Failure) -> ScanRoot {
    if let label = label ?? RootArgument.lastName(of: top) {
      return ScanRoot(label: label, directory: top)
    }
    guard let file = list.list.file, !isPipe(file) else {
      let isInput = list.list.file == nil
      throw .usage(
        "the entries in \(isInput ? "standard input" : "the pipe") have no folder in common that "
          + "gives a label; give one, such as NAME=\(isInput ? "" : "<(COMMAND)")")
    }
    return ScanRoot(label: Self.label(ofFile: file), directory: top)
  }

  /// The label of a list whose paths have no folder: the file's name without its extension.
  static func label(ofFile path: [UInt8]) -> [UInt8] {
    let name = path.lastComponent
    let label = Array(name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex))
    return label.isEmpty ? Array(name) : label
  }

  // MARK: Listings as operands

  /// Opens the listing of a backup, an archive or a cloud storage, in a file or in a pipe of the
  /// shell; nil for other operands.
  func listing(_ operand: Operand) throws(Failure) -> OpenSource? {
    let isPipe = Self.isPipe(operand.path)
    let formats = isPipe ? [] : Self.listingFormats(of: operand.path)
    if formats.isEmpty, !isPipe { return nil }
    let list = try open(ListSource(file: operand.path), isDetected: true)
    guard let top = list.top else {
      throw .wrong(
        operand.path, "is a pipe without a listing of \(ListFormat.listings); save it as a file")
    }
    var root = try Self.root(of: list, top, label: operand.label)
    root.source = list
    var source = OpenSource(roots: [root], seconds: list.seconds ?? Self.modified(operand.path))
    source.list = OpenList(
      operand: operand, top: top, hasOwnTop: list.hasOwnTop, isListing: true,
      fileLabel: isPipe ? nil : Self.label(ofFile: operand.path))
    return source
  }

  private static func modified(_ path: [UInt8]) -> Int64? {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular else { return nil }
    return facts.modified
  }

  /// Whether it is a pipe that a shell made of a command, as in `<(restic ls --json latest)`.
  private static func isPipe(_ path: [UInt8]) -> Bool {
    let folders = ["/dev/fd/", "/proc/self/fd/"]
    return folders.contains { path.starts(with: $0.utf8) }
      && (try? FileSystem.rootFacts(path))?.kind == .fifo
  }

  static func listingFormat(of path: [UInt8]) -> ListFormat? { listingFormats(of: path).first }

  private static func listingFormats(of path: [UInt8]) -> [ListFormat] {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular,
      let file = try? ReadableFile.open(path)
    else { return [] }
    var bytes: [UInt8] = []
    try? file.read(min(ListFormat.beginning, file.size), at: 0, into: &bytes)
    return ListFormat.fitting(ListFormat.text(of: bytes)).filter(\.isListing)
  }
}

/// A list whose root can still be changed.
struct OpenList: Sendable {
  let operand: Operand
  /// The folder that all paths begin with.
  let top: [UInt8]
  /// Whether the list says which folder was listed.
  let hasOwnTop: Bool
  let isListing: Bool
  let fileLabel: [UInt8]?

  var names: [[UInt8]] {
    top.split(separator: .slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }
}

extension ListFormat {
  fileprivate static var listings: String {
    let names = allCases.filter(\.isListing).map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

extension [[UInt8]] {
  func expectOneRoot() throws(Failure) {
    let shown = map(\.quoted).joined(separator: " and ")
    try expect(
      ...1,
      or: "a list is for one folder, not \(shown): give the path that all its lines begin with")
  }
}

extension SourceResolver {
  private static let block = 1 << 18

  /// Opens the state in a file that is not a snapshot: a map by geomapper, an export of ncdu or
  /// gdu, a listing by another program, or a list of paths; nil for other formats.
  ///
  /// The first bytes decide which. A list is not read yet.
  func stateFile(_ operand: Operand) throws(Failure) -> OpenSource? {
    if let listing = try listing(operand) { return listing }
    guard let facts = try? FileSystem.rootFacts(operand.path), facts.kind == .regular,
      let file = try? ReadableFile.open(operand.path)
    else { return nil }
    var bytes: [UInt8] = []
    try? file.read(min(FileKind.beginning, file.size), at: 0, into: &bytes)
    switch FileKind(bytes) {
    case .map:
      let roots = try Self.roots(ofMap: file, operand, low.progressLine())
      return OpenSource(roots: roots)
    case .export: return try Self.export(operand, ListFormat.text(of: bytes))
    case .recording, .track, .archive: return nil
    case nil: break
    }
    // The snapshot reader reports an unsupported version.
    if Snapshot.begins(operand.path) { return nil }
    return try Self.list(ListFormat.text(of: bytes), operand)
  }

  /// Keeps a list as a snapshot, since a state is read several times.
  func keepList(_ source: inout OpenSource) throws(Failure) {
    if source.list == nil { return }
    let kept = try low.keep(SnapshotRequest(roots: source.roots))
    (source.roots, source.faults, source.list) = (kept.roots, kept.faults, nil)
  }

  private static func roots(
    ofMap file: borrowing ReadableFile, _ operand: Operand, _ progress: Progress?
  ) throws(Failure) -> [ScanRoot] {
    let shown = operand.path.shown
    progress?.begin(shown)
    defer { progress?.clear() }
    var reader = MapReader(of: operand.path)
    var builder = MapTree.Builder()
    var offset = 0
    var bytes: [UInt8] = []
    while offset < file.size {
      bytes.removeAll(keepingCapacity: true)
      try rethrowing(file.read(min(Self.block, file.size - offset), at: offset, into: &bytes)) {
        Failure(.source, "can't read the map '\(shown)': \($0)")
      }
      if bytes.isEmpty { break }
      offset += bytes.count
      progress?.show(done: Double(offset) / Double(file.size))
      try reader.read(bytes.span) { builder.add($0) }
    }
    try reader.finish()
    if let stray = builder.stray {
      throw .usage("can't use the map '\(shown)': the folder of \(stray.quoted) is not in it")
    }
    let roots = builder.finish().roots(label: operand.label, file: operand.path)
    if roots.isEmpty { throw .usage("the map '\(shown)' is empty") }
    try refuseLabel(of: operand, roots: roots.count, "the map '\(shown)'")
    return roots
  }

  private static func export(
    _ operand: Operand, _ beginning: [UInt8]
  ) throws(Failure) -> OpenSource {
    var list = ListSource(file: operand.path)
    list.format = .ncdu
    let named = try wording { [list] in try list.topOfExport }
    guard let top = named else {
      throw .usage("the export \(operand.path.quoted) is empty")
    }
    let label = operand.label ?? RootArgument.label(ofRealPath: top)
    var source = try source(list, as: ScanRoot(label: label, directory: top), operand)
    source.seconds = seconds(ofExport: beginning.prefix(1024))
    return source
  }

  private static func list(_ bytes: [UInt8], _ operand: Operand) throws(Failure) -> OpenSource? {
    guard let beginning = try ListBeginning(bytes, of: operand.path) else { return nil }
    var source = ListSource(file: operand.path)
    source.format = beginning.format
    source.isZeroSeparated = beginning.isZeroSeparated
    var label = operand.label ?? RootArgument.label(ofRealPath: beginning.top)
    if operand.label == nil, beginning.top.allSatisfy({ $0 == .slash || $0 == UInt8(ascii: ".") }) {
      label = Self.label(ofFile: operand.path)
    }
    return try Self.source(source, as: ScanRoot(label: label, directory: beginning.top), operand)
  }

  private static func source(
    _ list: ListSource, as root: ScanRoot, _ operand: Operand
  ) throws(Failure) -> OpenSource {
    var request = SnapshotRequest(roots: [root])
    try wording { try request.read(list) }
    var source = OpenSource(roots: request.roots)
    source.list = OpenList(
      operand: operand, top: root.directory, hasOwnTop: list.format == .ncdu, isListing: false,
      fileLabel: label(ofFile: operand.path))
    return source
  }

  /// The time of an export in Unix seconds, from its `timestamp` member.
  private static func seconds(ofExport bytes: ArraySlice<UInt8>) -> Int64? {
    let text = bytes.filter { !FileKind.whitespace.contains($0) }[...]
    let key = "\"timestamp\":"
    guard let start = text.firstIndex(of: key) else { return nil }
    let rest = text[(start + key.utf8.count)...]
    return Int64(wholeNumber: rest.prefix { (0x30...0x39).contains($0) })
  }
}
