import GeoCore
import GeoSystem
import GeoTree

/// A revision of a git repository, as the source of a tree.
///
/// It is read by the program `git`, once, when it is opened. Sizes are those of the blobs; there are no
/// times. A submodule is a folder that is not entered.
public final class GitRevision: TreeSource {
  /// The revision as it was given.
  public let name: [UInt8]
  private let program: GitProgram
  let tree: GitTree
  /// What is known of a revision that was read as far as it differs from another one.
  private let partial: Partial?

  private struct Partial: Sendable {
    let time: Int64?
    let unread: UnreadTrees
  }

  /// How many folders and files it has; nil if it was read only as far as it differs from another one.
  public var entryCount: Int? { partial == nil ? tree.entries.count + 1 : nil }

  /// It is of when it was committed.
  public var record: SourceRecord? {
    var record = SourceRecord(origin: .git)
    record.committed = try? committed()
    return record
  }

  /// What is in the revision and can't be shown.
  public var faults: [ScanFault] { tree.faults }

  /// Reads a revision.
  ///
  /// - Parameters:
  ///   - name: A commit, a tag, a tree or `REVISION:PATH`, as git has them.
  ///   - repository: Where the repository is, or a folder of its work tree.
  ///   - tell: Told now and then how many entries were read.
  /// - Complexity: O(n log n) for n entries of the tree.
  public init(
    _ name: [UInt8], of repository: [UInt8], telling tell: (Int) -> Void = { _ in }
  ) throws(GitError) {
    self.name = name
    if name.isEmpty || name.contains(0) || repository.contains(0) {
      throw .refused(revision: name, text: Array("not the name of a revision".utf8))
    }
    program = GitProgram(repository: repository)
    let program = try program.start(
      ["ls-tree", "-z", "-r", "-t", "-l", "--full-tree", "--end-of-options"].map {
        Array($0.utf8)
      } + [name])
    var tree = GitTree()
    var bytes: [UInt8] = []
    while true {
      if try program.readOn(upTo: 1 << 18, appendingTo: &bytes) == 0 { break }
      var start = 0
      for index in bytes.indices where bytes[index] == 0 {
        guard tree.add(bytes.span.extracting(start..<index)) else {
          throw .malformed(revision: name)
        }
        start = index + 1
      }
      bytes.removeSubrange(..<start)
      tell(tree.entries.count)
    }
    guard program.finish() == 0 else {
      throw self.program.refusal(of: name, program.errorText)
    }
    if !bytes.isEmpty { throw .malformed(revision: name) }
    tree.finish()
    self.tree = tree
    partial = nil
  }

  /// A revision that was read as far as it differs from another one.
  init(
    _ name: [UInt8], _ program: GitProgram, _ tree: GitTree, time: Int64?, _ unread: UnreadTrees
  ) {
    self.name = name
    self.program = program
    self.tree = tree
    partial = Partial(time: time, unread: unread)
  }

  /// When it was committed, in Unix seconds; nil if no commit leads to it.
  ///
  /// Asks git.
  public func committed() throws(GitError) -> Int64? {
    if let partial { return partial.time }
    guard let commit = GitCommit.name(of: name) else { return nil }
    let running = try program.start(
      ["cat-file", "commit", "--end-of-options"].map { Array($0.utf8) } + [commit])
    var bytes: [UInt8] = []
    while try running.readOn(upTo: 1 << 16, appendingTo: &bytes) > 0 {}
    // What can be listed and is no commit is a tree.
    return running.finish() == 0 ? GitCommit.time(bytes) : nil
  }

  /// The name of the commit that a revision is now, in hex digits.
  ///
  /// Asks git.
  ///
  /// - Throws: ``GitError/noRepository(path:text:)`` if there is none.
  public static func commit(
    _ name: [UInt8], of repository: [UInt8]
  ) throws(GitError) -> [UInt8] {
    if name.isEmpty || name.contains(0) || repository.contains(0) {
      throw .refused(revision: name, text: Array("not the name of a revision".utf8))
    }
    let words = ["rev-list", "--max-count=1", "--end-of-options"].map { Array($0.utf8) }
    return try GitProgram(repository: repository).output(words + [name, Array("--".utf8)])
  }

  /// What a revision is called on the map: the last component of the path after its `:`, else that of the
  /// work tree's path, or of a bare repository's, without `.git`.
  public static func label(
    of name: [UInt8], in repository: [UInt8]
  ) throws(GitError) -> [UInt8] {
    if let label = label(of: name) { return label }
    let program = GitProgram(repository: repository)
    // All at once: a bare repository has no work tree, and git refuses the last question there.
    let told = try program.outputHoweverItEnds([
      "rev-parse", "--is-bare-repository", "--absolute-git-dir", "--show-toplevel",
    ])
    let lines = told.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.count > 1, lines[0].elementsEqual("true".utf8) {
      let path = Array(told[lines[1].startIndex...])
      var label = RootArgument.lastName(of: path) ?? Array("root".utf8)
      let ending = Array(".git".utf8)
      if label.count > ending.count, label.suffix(ending.count).elementsEqual(ending) {
        label.removeLast(ending.count)
      }
      return label
    }
    // Within `.git` there is no work tree for git, though it lies in one.
    let path = Array(told[(lines.count > 1 ? lines[1].startIndex : told.startIndex)...])
    if lines.count == 2, path.lastComponent.elementsEqual(".git".utf8) {
      return RootArgument.label(ofRealPath: Array(path.dropLast("/.git".utf8.count)))
    }
    // Paths may have line ends in them.
    return RootArgument.label(
      ofRealPath: lines.count == 3
        ? Array(lines[2]) : try program.output(["rev-parse", "--show-toplevel"]))
  }

  /// The path of a folder below the top of the repository's work tree; nil if it is none of that tree, or
  /// the top.
  ///
  /// Asks git, twice.
  ///
  /// - Parameter folder: Its path on the disk.
  public func path(of folder: [UInt8]) throws(GitError) -> [UInt8]? {
    // The path comes first, and both may have line ends in them.
    let words = ["rev-parse", "--show-prefix", "--show-toplevel"]
    if folder.contains(0) { return nil }
    let told = try GitProgram(repository: folder).outputHoweverItEnds(words)
    let top = try program.outputHoweverItEnds([words[0], words[2]])
    let ending = Array("/\n".utf8) + top
    guard !top.isEmpty, told.count > ending.count, told.suffix(ending.count).elementsEqual(ending)
    else { return nil }
    return told.dropLast(ending.count)
  }

  /// What a revision is called by its own name: the last component of the path after its `:`; nil if it has
  /// none.
  public static func label(of name: [UInt8]) -> [UInt8]? {
    name.firstIndex(of: UInt8(ascii: ":")).flatMap {
      RootArgument.lastName(of: Array(name[($0 + 1)...]))
    }
  }

  /// Looks whether a root is there.
  public func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    if folder(at: root.names) == nil { throw .notFound(.noEntry) }
  }

  /// Knows what names the contents of its files.
  public var knowledge: ContentKnowledge { .objects }

  /// The files that are below some folders.
  public func readObjects(
    in contents: [ObjectID], _ take: (ObjectID) -> Void
  ) -> ScanFault.Reason? {
    guard let partial else {
      tree.readObjects(in: contents, take)
      return nil
    }
    do throws(GitError) {
      try partial.unread.readObjects(in: contents, take)
      return nil
    } catch {
      return .listed(error.description)
    }
  }

  /// Begins to read.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession { NumberedSession(options) { self } }
}

extension GitRevision: NumberedTree {
  /// A revision never changes.
  package var stamp: ListingStamp {
    ListingStamp(identity: FileSystem.Identity(device: 0, inode: 0))
  }

  package func folder(at names: [[UInt8]], of root: ScanRoot) -> Int? { folder(at: names) }

  /// The number of the folder that names lead to; nil if there is none.
  func folder(at names: [[UInt8]]) -> Int? {
    var folder = 0
    for name in names {
      let found = tree.entries(of: folder).first {
        $0.folder != GitTree.file && tree.names[$0.name].elementsEqual(name)
      }
      guard let found else { return nil }
      folder = Int(found.folder)
      if folder < 0 { return nil }
    }
    return folder
  }

  package func folder(marked mark: UInt64) -> Int? { Int(truncatingIfNeeded: mark) }

  package func list(_ folder: Int, into listing: inout FolderListing) {
    if folder == GitTree.unread {
      listing.failure = .listed("it is the same in two revisions, and was not read")
    }
    // What is in a submodule is another repository's.
    if folder < 0 { return }
    listing.outcome = .listed
    let tree = tree
    for entry in tree.entries(of: folder) {
      let name = tree.names.span.extracting(entry.name)
      if entry.folder == GitTree.file {
        listing.files.append(name, kind: entry.kind)
      } else {
        listing.folders.append(name, kind: .directory)
        listing.marks.append(UInt64(bitPattern: Int64(entry.folder)))
        listing.contents.append(entry.folder == GitTree.foreign ? nil : entry.object)
      }
    }
  }

  package func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool {
    let tree = tree
    var files = files(in: folder)
    return { name, facts in
      guard let entry = Self.take(name, from: &files, tree) else { return false }
      facts.kind = entry.kind
      facts.status = options.readsMetadata && entry.size >= 0 ? .sized : .unasked
      if options.readsMetadata { facts.size = max(0, entry.size) }
      return true
    }
  }

  package func readObjects(
    of names: NameTable, _ range: Range<Int>, in folder: Int, into objects: inout [ObjectID?]
  ) {
    let tree = tree
    var files = files(in: folder)
    for index in range {
      let name = names.bytes.span.extracting(names.records[index].range)
      objects.append(Self.take(name, from: &files, tree)?.object)
    }
  }

  private func files(in folder: Int) -> ArraySlice<GitTree.Entry> {
    folder < 0 ? [] : tree.entries(of: folder).prefix { $0.folder == GitTree.file }
  }

  /// The file of a name, as the first of the others: names are looked for in their order.
  private static func take(
    _ name: Span<UInt8>, from files: inout ArraySlice<GitTree.Entry>, _ tree: GitTree
  ) -> GitTree.Entry? {
    while let file = files.first, tree.names.span.extracting(file.name).orders(before: name) {
      files.removeFirst()
    }
    guard let file = files.first, tree.names.span.extracting(file.name).equals(name) else {
      return nil
    }
    return file
  }
}

extension ObjectID {
  /// What an entry of a tree is, by its mode.
  enum Kind {
    case tree, file, link
    /// A commit of another repository.
    case commit

    /// What it is on the map.
    var ofEntry: EntryKind {
      switch self {
      case .tree, .commit: .directory
      case .file: .regular
      case .link: .symlink
      }
    }
  }

  /// What it is, as git takes its mode.
  var kind: Kind {
    switch mode >> 12 {
    case 0o04: .tree
    case 0o10: .file
    case 0o12: .link
    default: .commit
    }
  }

  /// An object as a tree has it: a mode, of which git knows a few only, and the bytes of its name.
  init(mode: UInt32, name: Span<UInt8>) {
    // None is shorter than 20 bytes.
    self.init(
      high: name.bigEndianPrefix, low: name.extracting(min(8, name.count)...).bigEndianPrefix,
      mode: mode)
    switch kind {
    case .tree: self.mode = 0o040000
    case .file: self.mode = mode & 0o100 == 0 ? 0o100644 : 0o100755
    case .link: self.mode = 0o120000
    case .commit: self.mode = 0o160000
    }
  }
}

extension Span<UInt8> {
  /// A mode; what is none of its digits doesn't count.
  var octal: UInt32 {
    var number: UInt32 = 0
    for index in 0..<count where (0x30...0x37).contains(self[index]) {
      number = number << 3 | UInt32(self[index] - 0x30)
    }
    return number
  }
}
