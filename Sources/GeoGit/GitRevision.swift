import GeoPath
import GeoScan
import GeoSystem

/// A revision of a git repository, as the source of a tree.
///
/// It is read by the program `git`, once, when it is opened. Sizes are those of the blobs; there are no
/// times. A submodule is a folder that is not entered.
public final class GitRevision: TreeSource {
  /// The revision as it was given.
  public let name: [UInt8]
  private let program: GitProgram
  let tree: GitTree
  /// What is in the revision and can't be shown.
  public var faults: [ScanFault] { tree.faults }

  /// Reads a revision.
  ///
  /// - Parameters:
  ///   - name: A commit, a tag, a tree or `REVISION:PATH`, as git has them.
  ///   - repository: Where the repository is, or a folder of its work tree.
  /// - Complexity: O(n log n) for n entries of the tree.
  public init(_ name: [UInt8], of repository: [UInt8]) throws(GitError) {
    self.name = name
    if name.isEmpty || name.contains(0) || repository.contains(0) {
      throw .refused(revision: name, text: Array("it is no name of a revision".utf8))
    }
    program = GitProgram(repository: repository)
    let program = try program.start(
      ["ls-tree", "-z", "-r", "-t", "-l", "--full-tree", "--end-of-options"].map {
        Array($0.utf8)
      } + [name])
    var tree = GitTree()
    var bytes: [UInt8] = []
    while true {
      do throws(Errno) {
        if try program.read(upTo: 1 << 18, appendingTo: &bytes) == 0 { break }
      } catch {
        throw .unreadable(error)
      }
      var start = 0
      for index in bytes.indices where bytes[index] == 0 {
        guard tree.add(bytes.span.extracting(start..<index)) else {
          throw .malformed(revision: name)
        }
        start = index + 1
      }
      bytes.removeSubrange(..<start)
    }
    guard program.finish() == 0 else { throw .refused(revision: name, text: program.errorText) }
    if !bytes.isEmpty { throw .malformed(revision: name) }
    tree.finish()
    self.tree = tree
  }

  /// When it was committed, in Unix seconds; nil if no commit leads to it.
  ///
  /// Asks git.
  public func committed() throws(GitError) -> Int64? {
    // A path in the index, or of a revision.
    let revision = name.prefix { $0 != UInt8(ascii: ":") }
    if revision.isEmpty { return nil }
    let running = try program.start(
      ["cat-file", "commit", "--end-of-options"].map { Array($0.utf8) }
        + [revision + Array("^{commit}".utf8)])
    var bytes: [UInt8] = []
    do throws(Errno) {
      while try running.read(upTo: 1 << 16, appendingTo: &bytes) > 0 {}
    } catch {
      throw .unreadable(error)
    }
    // What can be listed and is no commit is a tree.
    guard running.finish() == 0 else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(while: { !$0.isEmpty }) where line.starts(with: "committer ".utf8) {
      // NAME <ADDRESS> SECONDS ZONE
      let words = line.split(separator: UInt8(ascii: " "))
      return words.count > 2 ? Int64(wholeNumber: words[words.count - 2]) : nil
    }
    return nil
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
      throw .refused(revision: name, text: Array("it is no name of a revision".utf8))
    }
    let words = ["rev-list", "--max-count=1", "--end-of-options"].map { Array($0.utf8) }
    return try GitProgram(repository: repository).output(words + [name, Array("--".utf8)])
  }

  /// What a revision is called on the map: the last component of the path after its `:`, else that of the
  /// work tree's path, or of a bare repository's, without `.git`.
  public static func label(
    of name: [UInt8], in repository: [UInt8]
  ) throws(GitError) -> [UInt8] {
    if let colon = name.firstIndex(of: UInt8(ascii: ":")),
      let label = lastName(of: Array(name[(colon + 1)...]))
    {
      return label
    }
    let program = GitProgram(repository: repository)
    if try program.output(["rev-parse", "--is-bare-repository"]).elementsEqual("true".utf8) {
      let path = try program.output(["rev-parse", "--absolute-git-dir"])
      var label = lastName(of: path) ?? Array("root".utf8)
      let ending = Array(".git".utf8)
      if label.count > ending.count, label.suffix(ending.count).elementsEqual(ending) {
        label.removeLast(ending.count)
      }
      return label
    }
    return RootArgument.label(ofRealPath: try program.output(["rev-parse", "--show-toplevel"]))
  }

  private static func lastName(of path: [UInt8]) -> [UInt8]? {
    RootArgument.lastName(of: path)
  }

  /// Looks whether a root is there.
  public func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    if folder(at: root.names) == nil { throw .notFound(.noEntry) }
  }

  /// Knows what names the contents of its files.
  public var knowledge: ContentKnowledge { .objects }

  /// Begins to read.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession { NumberedSession(options) { self } }
}

extension GitRevision: NumberedTree {
  /// A revision never changes.
  package var witness: ListingWitness {
    ListingWitness(identity: FileSystem.Identity(device: 0, inode: 0))
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
