import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension SourceResolver {
  // MARK: Lists of --files-from

  /// The list of `--files-from`; nil without that option.
  func list() throws(Failure) -> ListSource? {
    let given = low.list
    guard let file = given.file else { return nil }
    let isStandardInput = file == [UInt8(ascii: "-")]
    var source = ListSource(file: isStandardInput ? nil : file)
    source.format = given.format ?? .lines
    if given.format == nil, !isStandardInput, let kind = FileKind(at: file) {
      throw .usage("'\(TerminalText.escaped(file))' is not a list of paths, but \(kind.advice)")
    }
    source.isZeroSeparated = given.isZeroSeparated
    return source
  }

  /// Opens a list.
  ///
  /// - Parameter isDetected: Whether its first bytes decide its format.
  func open(_ source: ListSource, isDetected: Bool) throws(Failure) -> ListTree {
    let progress = low.progressLine()
    defer { progress?.clear() }
    return try wording {
      try ListTree(
        opening: source, isDetected: isDetected, listener: progress?.preparationListener)
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
      let shown = TerminalText.escaped(operand.path)
      throw .usage("'\(shown)' has no name for a label; give one, such as NAME=\(shown)")
    }
    return ScanRoot(label: RootArgument.label(ofRealPath: path), directory: operand.path)
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
      throw .usage(
        "'\(TerminalText.escaped(operand.path))' is a pipe without a listing of "
          + "\(ListFormat.listings); save it as a file")
    }
    var root = try Self.root(of: list, top, label: operand.label)
    root.source = list
    return OpenSource(roots: [root], seconds: list.seconds ?? Self.modified(operand.path))
  }

  /// The time at which a listing was saved; nil of a pipe.
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

  /// The format of the listing in a regular file; nil for other files.
  static func listingFormat(of path: [UInt8]) -> ListFormat? { listingFormats(of: path).first }

  private static func listingFormats(of path: [UInt8]) -> [ListFormat] {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular,
      let file = try? ReadableFile.open(path)
    else { return [] }
    var bytes: [UInt8] = []
    try? file.read(min(ListFormat.beginning, file.size), at: 0, into: &bytes)
    return ListFormat.fitting(bytes).filter(\.isListing)
  }
}

extension ListFormat {
  /// The names of all formats of listings.
  fileprivate static var listings: String {
    let names = allCases.filter(\.isListing).map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

extension [[UInt8]] {
  /// Refuses several folders for one list.
  func expectOneRoot() throws(Failure) {
    let shown = map { "'\(TerminalText.escaped($0))'" }.joined(separator: " and ")
    try expect(
      ...1,
      or: "a list is for one folder, not \(shown): give the path that all its lines begin with")
  }
}
