import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// The folder that a list is about.
public struct ListRoot: Sendable, Hashable {
  /// What its nodes' paths begin with on the map.
  public var label: [UInt8]
  /// What the paths of the list begin with; it need not be there.
  public var prefix: [UInt8]
  /// Whether what is in it is shown; if not, it alone is.
  public var isEntered = true
  /// Whether sizes and times are used.
  public var readsMetadata = true

  /// A root of the given label and prefix.
  public init(label: [UInt8], prefix: [UInt8]) {
    self.label = label
    self.prefix = prefix
  }
}

/// Reads a list of paths, and yields what a visitor makes of them in batches: what
/// ``FileSystemScanner`` is for a disk.
///
/// The entries may stand in any order, and folders need no entry of their own. One that can't be
/// used is a `ScanFault` and never stops the scan.
///
/// Memory: 35 bytes and the name for each folder, its share of a hash table (5 to 11 bytes), and
/// 8 more while they are put in order; ``ListSource/memory`` for the entries. Disk, unlinked and in
/// `TMPDIR`: what comes through a pipe, and 32 bytes and the name for each entry that doesn't fit into
/// memory.
///
/// Complexity: O(n log n) for n entries, three readings; a list in the order of the map is not
/// sorted, but read once more.
public struct ListScanner: Sendable {
  private let source: ListSource
  private let input: Handover

  /// Opens a list.
  ///
  /// - Throws: ``ListError/unreadable(list:_:)``.
  public init(opening source: ListSource) throws(ListError) {
    self.source = source
    input = Handover(try ListInput(opening: source))
  }

  /// Begins to read; a list can be read once.
  ///
  /// - Parameters:
  ///   - root: What the list is about.
  ///   - plan: What the visitor knows of the root, as if it were the only sub-folder of a folder.
  ///   - makeVisitor: Makes the visitor; called on the thread that reads.
  /// - Returns: The batches, in the order of the tree. They end with a ``ListError`` if the list
  ///   can't be read to its end.
  /// - Throws: `FileSystemScanner.Failure` if no thread could be made.
  public func scan<Visitor: ScanVisitor>(
    _ root: ListRoot, plan: Visitor.Plan, visitor makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(FileSystemScanner.Failure) -> ScanBatches<Visitor.Content> {
    switch source.format {
    case .lines: try begin(RecordParser<LineSyntax>.self, root, plan, makeVisitor)
    case .find: try begin(RecordParser<FindSyntax>.self, root, plan, makeVisitor)
    case .ncdu, .gdu: try begin(ExportParser.self, root, plan, makeVisitor)
    }
  }

  private func begin<Parser: ListParser & SendableMetatype, Visitor: ScanVisitor>(
    _ parser: Parser.Type, _ root: ListRoot, _ plan: Visitor.Plan,
    _ makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(FileSystemScanner.Failure) -> ScanBatches<Visitor.Content> {
    try BatchFeed<Visitor.Content>.start { [source, input] feed in
      guard let input = input.take() else { return }
      let worker = ListWorker<Parser, Visitor>(
        input, source, root: root, visitor: makeVisitor(), feed: feed)
      try worker.run(plan: plan)
    }
  }
}

/// A list of paths that is read in place of a disk.
public struct ListSource: Sendable, Hashable {
  /// Where the list is; nil for standard input.
  public var file: [UInt8]?
  /// How the list is written.
  public var format = ListFormat.lines
  /// Whether a zero byte stands after each path in place of a line end; see
  /// ``ListFormat/separator(zero:)``.
  public var isZeroSeparated = false
  /// Bytes of memory that the entries may take; what doesn't fit is sorted in a scratch file.
  public var memory = 192 << 20
  /// Hears how far the list is read.
  package var listener: ListListener?

  /// A list in a file; on standard input if there is none.
  public init(file: [UInt8]?) { self.file = file }
}

/// Hears what part of a list is read, 0 to 1, and how many bytes where it is not known how many there are. It takes
/// no part in what a list is.
package struct ListListener: Sendable, Hashable {
  let tell: @Sendable (Double?, Int64) -> Void

  package init(_ tell: @escaping @Sendable (Double?, Int64) -> Void) { self.tell = tell }

  package static func == (a: Self, b: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// How a list is written.
public enum ListFormat: String, Sendable, CaseIterable {
  /// A path a line.
  case lines
  /// The output of `find -printf '%s %T@ %y %p\0'`.
  case find
  /// An export of ncdu, in JSON.
  case ncdu
  /// An export of gdu, which writes as ncdu does.
  case gdu

  /// Whether the list is JSON.
  public var isExport: Bool { self == .ncdu || self == .gdu }

  /// What stands after each entry of a list that is no export.
  func separator(zero: Bool) -> UInt8 { zero || self == .find ? 0 : UInt8(ascii: "\n") }
}

/// Why a list can't be mapped at all.
public enum ListError: Error, Hashable, Sendable {
  /// It can't be opened, or be read to its end.
  case unreadable(list: String, Errno)
  /// What doesn't fit into memory can't be kept in a scratch file.
  case noScratch(Errno)
  /// Its bytes are not the same as when they were read before.
  case changed(list: String)
  /// There are more folders, or bytes in their names, than 32 bits can count.
  case tooLarge(list: String)
}

extension ListError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable, .tooLarge: .source
    case .changed: .damage
    case .noScratch: .output
    }
  }

  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    switch self {
    case .unreadable(let list, let reason): return "can't read the list '\(list)': \(reason)"
    case .noScratch(let reason):
      return "can't keep a part of the list on disk: \(reason); "
        + "set TMPDIR to a folder that has room for it"
    case .changed(let list):
      return "the list '\(list)' was changed while it was read; try again when it is complete"
    case .tooLarge(let list): return "the list '\(list)' has too many folders for one map"
    }
  }
}

/// Hands an opened list to the one thread that reads it.
final class Handover: Sendable {
  private let input: Mutex<ListInput?>

  init(_ input: sending ListInput) { self.input = Mutex(input) }

  /// The list, the first time.
  func take() -> sending ListInput? {
    input.withLock { input in
      let taken = input
      input = nil
      return taken
    }
  }
}

extension ListSource {
  /// The path of the folder that an export is of; nil if there is nothing in it.
  ///
  /// - Throws: ``ListError`` if it can't be read.
  public var topOfExport: [UInt8]? {
    get throws(ListError) {
      var parser = ExportParser(try ListInput(opening: self), self)
      var entry = ListedEntry()
      var faults: [ListFault] = []
      guard try parser.next(into: &entry, faults: &faults) == .entry else { return nil }
      return entry.path
    }
  }
}

/// The bytes of a list, which are read more than once: what comes through a pipe is kept in a
/// scratch file.
final class ListInput: JSONInput {
  /// What the list is called in messages.
  let name: String
  /// The bytes of that.
  let path: [UInt8]
  private let file: InputFile
  /// What came through a pipe.
  private var scratch: ScratchFile?
  /// How many bytes there are, as soon as they were all read once.
  private(set) var count: Int64?
  private let listener: ListListener?
  /// How often it was begun to be read; a list is read twice.
  private var readings = 0

  static let block = 256 * 1024

  /// Opens a list.
  ///
  /// - Throws: ``ListError/unreadable(list:_:)``.
  init(opening source: ListSource) throws(ListError) {
    path = source.file ?? Array("standard input".utf8)
    name = TerminalText.escaped(path)
    listener = source.listener
    do throws(Errno) {
      if let path = source.file {
        file = try InputFile(at: path)
      } else {
        file = try InputFile.standardInput()
      }
    } catch {
      throw .unreadable(list: name, error)
    }
  }

  /// Why it could not be read to its end.
  private(set) var failure: ListError?

  /// Adds the bytes at some place, and keeps the reason if that fails.
  ///
  /// - Returns: Whether there were any.
  package func read(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(UnreadableJSON) -> Bool {
    do throws(ListError) {
      return try readBlock(at: offset, appendingTo: &bytes)
    } catch {
      failure = error
      throw UnreadableJSON(error)
    }
  }

  /// Adds the bytes at some place, which must follow what was read before until ``count`` is known.
  ///
  /// - Returns: Whether there were any.
  func readBlock(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    tell(offset)
    if let count { return try readAgain(at: offset, of: count, appendingTo: &bytes) }
    let start = bytes.count
    let found: Int
    do throws(Errno) {
      if let start = file.start {
        found = try file.read(upTo: Self.block, at: start + offset, appendingTo: &bytes)
      } else {
        found = try file.read(upTo: Self.block, appendingTo: &bytes)
      }
    } catch {
      throw .unreadable(list: name, error)
    }
    if found == 0 { count = offset }
    if file.start == nil { try keep(bytes.span.extracting(start..<bytes.count)) }
    return found > 0
  }

  /// Tells how far it is.
  private func tell(_ offset: Int64) {
    guard let listener else { return }
    if offset == 0 { readings += 1 }
    guard let all = count ?? file.size else { return listener.tell(nil, offset) }
    let share = all > 0 ? min(1, Double(offset) / Double(all)) : 1
    listener.tell((Double(min(readings, 2) - 1) + share) / 2, offset)
  }

  private func keep(_ bytes: Span<UInt8>) throws(ListError) {
    do throws(Errno) {
      if scratch == nil { scratch = try ScratchFile() }
      try scratch?.append(bytes)
    } catch {
      throw .noScratch(error)
    }
  }

  private func readAgain(
    at offset: Int64, of count: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    let room = Int(min(Int64(Self.block), count - offset))
    if room <= 0 { return false }
    let found: Int
    do throws(Errno) {
      if let scratch {
        found = try scratch.read(upTo: room, at: offset, appendingTo: &bytes)
      } else {
        found = try file.read(upTo: room, at: (file.start ?? 0) + offset, appendingTo: &bytes)
      }
    } catch {
      throw .unreadable(list: name, error)
    }
    if found == 0 { throw .changed(list: name) }
    return true
  }
}
