import GeoCore
import GeoSystem
import GeoTree

/// A revision of a git repository as the source of a tree.
///
/// The program `git` reads it once, at opening. Sizes are those of the blobs; there are no times. A
/// submodule is a folder that is not entered.
public final class GitRevision: TreeSource {
  package let name: [UInt8]
  private let program: GitProgram
  let tree: GitTree
  var repository: [UInt8] { program.repository }
  /// Set if only the differences from another revision were read.
  private let partial: Partial?

  private struct Partial: Sendable {
    let time: Int64?
    let unread: UnreadTrees
  }

  /// How many folders and files it has; nil if only the differences from another revision were
  /// read.
  public var entryCount: Int? { partial == nil ? tree.entries.count + 1 : nil }

  /// The origin and the commit time. Runs git.
  public var record: SourceRecord? {
    var record = SourceRecord(origin: .git)
    record.committed = try? committed()
    return record
  }

  /// Entries with invalid or duplicate names.
  public var faults: [ScanFault] { tree.faults }

  /// Reads a commit, a tag, a tree or `REVISION:PATH`, in git's syntax. `progress` gets the number
  /// of entries so far. O(n log n) for n entries.
  package init(
    _ name: [UInt8], of repository: [UInt8], progress: (Int) -> Void = { _ in }
  ) throws(GitError) {
    self.name = name
    self.program = try GitProgram(repository: repository, revision: name)
    let program = try self.program.start(
      ["ls-tree", "-z", "-r", "-t", "-l", "--full-tree", "--end-of-options"], [name])
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
      progress(tree.entries.count)
    }
    guard program.finish() == 0 else {
      throw self.program.refusal(of: name, program.errorText)
    }
    if !bytes.isEmpty { throw .malformed(revision: name) }
    tree.finish()
    self.tree = tree
    partial = nil
  }

  init(
    _ name: [UInt8], _ program: GitProgram, _ tree: GitTree, time: Int64?, _ unread: UnreadTrees
  ) {
    self.name = name
    self.program = program
    self.tree = tree
    partial = Partial(time: time, unread: unread)
  }

  /// The commit time in Unix seconds; nil if the revision names no commit. Runs git.
  package func committed() throws(GitError) -> Int64? {
    if let partial { return partial.time }
    guard let commit = GitCommit.name(of: name) else { return nil }
    let running = try program.start(["cat-file", "commit", "--end-of-options"], [commit])
    var bytes: [UInt8] = []
    while try running.readOn(upTo: 1 << 16, appendingTo: &bytes) > 0 {}
    // A revision that can be listed but isn't a commit is a tree.
    return running.finish() == 0 ? GitCommit.time(bytes) : nil
  }

  /// Whether a folder is the top of a work tree, or a bare repository. Doesn't run git.
  package static func isRepository(_ path: [UInt8]) -> Bool {
    func has(_ name: String) -> Bool {
      (try? FileSystem.rootFacts(path.appending(component: Array(name.utf8)))) != nil
    }
    return has(".git") || has("HEAD") && has("objects") && has("refs")
  }

  /// Resolves a revision to the name of its commit, in hex digits. Runs git.
  package static func commit(
    _ name: [UInt8], of repository: [UInt8]
  ) throws(GitError) -> [UInt8] {
    let program = try GitProgram(repository: repository, revision: name)
    return try program.output(
      ["rev-list", "--max-count=1", "--end-of-options"], [name, Array("--".utf8)])
  }

  /// The label of a revision on the map: the last component of the path after its `:`, otherwise
  /// that of the work tree's path, or of a bare repository's without `.git`.
  package static func label(
    of name: [UInt8], in repository: [UInt8]
  ) throws(GitError) -> [UInt8] {
    if let label = label(of: name) { return label }
    let program = GitProgram(repository: repository)
    // One call for all: in a bare repository git fails at the last question only.
    let output = try program.output(
      ["rev-parse", "--is-bare-repository", "--absolute-git-dir", "--show-toplevel"],
      hasToSucceed: false)
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.count > 1, lines[0].elementsEqual("true".utf8) {
      let path = Array(output[lines[1].startIndex...])
      var label = RootArgument.lastName(of: path) ?? Array("root".utf8)
      let ending = Array(".git".utf8)
      if label.count > ending.count, label.suffix(ending.count).elementsEqual(ending) {
        label.removeLast(ending.count)
      }
      return label
    }
    // Inside the `.git` folder git reports no work tree.
    let path = Array(output[(lines.count > 1 ? lines[1].startIndex : output.startIndex)...])
    if lines.count == 2, path.lastComponent.elementsEqual(".git".utf8) {
      return RootArgument.label(ofRealPath: Array(path.dropLast("/.git".utf8.count)))
    }
    // A path may contain line feeds, so ask for it alone.
    return RootArgument.label(
      ofRealPath: lines.count == 3
        ? Array(lines[2]) : try program.output(["rev-parse", "--show-toplevel"]))
  }

  /// The path of a folder on disk relative to the top of the work tree; nil for the top itself and
  /// for folders outside. Runs git twice.
  package func path(of folder: [UInt8]) throws(GitError) -> [UInt8]? {
    // The prefix comes first. Both paths may contain line feeds.
    let words = ["rev-parse", "--show-prefix", "--show-toplevel"]
    if folder.contains(0) { return nil }
    let output = try GitProgram(repository: folder).output(words, hasToSucceed: false)
    let top = try program.output([words[0], words[2]], hasToSucceed: false)
    let ending = Array("/\n".utf8) + top
    guard !top.isEmpty, output.count > ending.count,
      output.suffix(ending.count).elementsEqual(ending)
    else { return nil }
    return output.dropLast(ending.count)
  }

  /// The last component of the path after the `:` of a revision; nil without one.
  package static func label(of name: [UInt8]) -> [UInt8]? {
    name.firstIndex(of: UInt8(ascii: ":")).flatMap {
      RootArgument.lastName(of: Array(name[($0 + 1)...]))
    }
  }

  /// Throws unless the root exists.
  public func check(_ root: ScanRoot) throws(Errno) {
    if folder(at: root.names) == nil { throw .noEntry }
  }

  /// Files are compared by their git objects.
  public var knowledge: ContentKnowledge { .objects }

  /// Passes on the objects of all files below some folders.
  public func readFiles(
    in contents: [ObjectID], _ take: (FileVersion) -> Void
  ) -> ScanFault.Reason? {
    guard let partial else {
      tree.readObjects(in: contents) { take(FileVersion($0)) }
      return nil
    }
    do throws(GitError) {
      try partial.unread.readObjects(in: contents) { take(FileVersion($0)) }
      return nil
    } catch {
      return .listed(error.description)
    }
  }

  /// Starts a reading session.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession { NumberedSession(options) { self } }
}

extension GitRevision: NumberedTree {
  package var stamp: ListingStamp {
    ListingStamp(identity: FileSystem.Identity(device: 0, inode: 0))
  }

  package func folder(at names: [[UInt8]], of root: ScanRoot) -> Int? { folder(at: names) }

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

  package func folder(handle: UInt64) -> Int? { Int(truncatingIfNeeded: handle) }

  package func list(_ folder: Int, into listing: inout FolderListing) {
    if folder == GitTree.unread {
      listing.failure = .listed("it is the same in two revisions, and was not read")
    }
    // The content of a submodule is in another repository.
    if folder < 0 { return }
    listing.outcome = .listed
    let tree = tree
    for entry in tree.entries(of: folder) {
      let name = tree.names.span.extracting(entry.name)
      if entry.folder == GitTree.file {
        listing.files.append(name, kind: entry.kind)
      } else {
        listing.folders.append(name, kind: .directory)
        listing.handles.append(UInt64(bitPattern: Int64(entry.folder)))
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

  /// Finds a file by name and drops those before it: names must be looked up in order.
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
  enum Kind {
    case tree, file, link
    /// Of another repository: a submodule.
    case commit

    var ofEntry: EntryKind {
      switch self {
      case .tree, .commit: .directory
      case .file: .regular
      case .link: .symlink
      }
    }
  }

  var kind: Kind {
    switch mode >> 12 {
    case 0o04: .tree
    case 0o10: .file
    case 0o12: .link
    default: .commit
    }
  }

  /// The mode is reduced to one that git writes, the name to 16 bytes.
  init(mode: UInt32, name: Span<UInt8>) {
    // Names have 20 bytes or more.
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
  /// Bytes that are no octal digits are skipped.
  var octal: UInt32 {
    var number: UInt32 = 0
    for index in 0..<count where (0x30...0x37).contains(self[index]) {
      number = number << 3 | UInt32(self[index] - 0x30)
    }
    return number
  }
}
