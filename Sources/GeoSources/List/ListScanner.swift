import GeoCore
import GeoTree

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
