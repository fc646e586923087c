import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// The differences between two revisions. Both trees are read level by level; a folder with the
/// same object in both is not entered. Objects are named by hex digits.
struct GitDifference {
  private struct Folder {
    var isThere = (old: false, new: false)
    var numbers: (old: Int32, new: Int32) = (0, 0)
  }

  private(set) var trees = [GitTree(), GitTree()]
  private(set) var unread: [ObjectID: [UInt8]] = [:]
  private var folders: [Folder] = []
  private var contents = GitQuestions("contents")
  private var places: [(side: Int, entry: Int)] = []
  private var sizes = GitQuestions("info")

  init(_ tops: (old: [UInt8], new: [UInt8]), _ objects: GitObjects) throws(GitError) {
    contents.add(tops.old)
    contents.add(tops.new)
    folders.append(Folder(isThere: (true, true)))
    var next = 0
    while next < folders.count {
      let folder = folders[next]
      next += 1
      let old = try folder.isThere.old ? tree(of: objects) : GitTreeEntries()
      let new = try folder.isThere.new ? tree(of: objects) : GitTreeEntries()
      add(old, new, of: folder)
      if next > 4096 {
        folders.removeFirst(next)
        next = 0
      }
    }
    for place in places {
      let size = try sizes.next(of: objects) { (object, _) throws(GitError) in object?.size }
      guard let size else { throw .malformed(revision: tops.new) }
      trees[place.side].setSize(size, ofEntry: place.entry)
    }
    for side in trees.indices { trees[side].finish() }
  }

  private mutating func tree(of objects: GitObjects) throws(GitError) -> GitTreeEntries {
    try contents.next(of: objects) { (object, content) throws(GitError) in
      guard let object, object.kind == .tree,
        let tree = GitTreeEntries(content, objectLength: object.name.count / 2)
      else { throw .malformed(revision: object?.name ?? []) }
      return tree
    }
  }

  private mutating func add(
    _ old: GitTreeEntries, _ new: GitTreeEntries, of folder: Folder
  ) {
    var (i, j) = (0, 0)
    while i < old.entries.count || j < new.entries.count {
      let order: Int
      if i == old.entries.count {
        order = 1
      } else if j == new.entries.count {
        order = -1
      } else {
        order = old.order(of: old.entries[i], against: new.entries[j], in: new)
      }
      let isSame = order == 0 && old.entries[i].object == new.entries[j].object
      var inner = Folder()
      if order <= 0 {
        let number = add(old.entries[i], of: old, 0, in: folder.numbers.old, isSame: isSame)
        if let number { (inner.isThere.old, inner.numbers.old) = (true, number) }
        i += 1
      }
      if order >= 0 {
        let number = add(new.entries[j], of: new, 1, in: folder.numbers.new, isSame: isSame)
        if let number { (inner.isThere.new, inner.numbers.new) = (true, number) }
        j += 1
      }
      if inner.isThere.old || inner.isThere.new { folders.append(inner) }
    }
  }

  /// Returns the number of the entry as a folder; nil if it won't be read.
  private mutating func add(
    _ entry: GitTreeEntries.Entry, of tree: GitTreeEntries, _ side: Int, in parent: Int32,
    isSame: Bool
  ) -> Int32? {
    let count = trees[side].entries.count
    let number = trees[side].add(
      tree.bytes.span.extracting(entry.name), in: parent, entry.object, isRead: !isSame)
    // Entries with invalid names are not added.
    guard trees[side].entries.count > count else { return nil }
    switch entry.object.kind {
    case .tree:
      if number != nil {
        contents.add(tree.hexName(of: entry))
      } else if isSame {
        unread[entry.object] = tree.hexName(of: entry)
      }
    case .file, .link:
      if isSame { return nil }
      sizes.add(tree.hexName(of: entry))
      places.append((side, count))
    case .commit: break
    }
    return number
  }
}

extension GitRevision {
  /// Reads two revisions as far as they differ: folders with the same object in both are not
  /// listed, and sizes of unchanged files are unknown. Nil if git is older than 2.36, or if a
  /// revision can't be read (``init(_:of:)`` throws the reason).
  package static func differing(
    _ names: (old: [UInt8], new: [UInt8]), of repository: [UInt8]
  ) -> (old: GitRevision, new: GitRevision)? {
    let program = GitProgram(repository: repository)
    do throws(GitError) {
      let objects = try GitObjects(program)
      let (old, new) = try objects.revisions(names.old, names.new)
      let difference = try GitDifference((old.tree, new.tree), objects)
      let trees = difference.trees
      let unread = UnreadTrees(difference.unread, objects)
      return (
        GitRevision(names.old, program, trees[0], time: old.time, unread),
        GitRevision(names.new, program, trees[1], time: new.time, unread)
      )
    } catch {
      return nil
    }
  }
}

/// Trees that two revisions have in common, read only when needed.
final class UnreadTrees: Sendable {
  private let names: [ObjectID: [UInt8]]
  private let objects: Mutex<GitObjects>

  init(_ names: [ObjectID: [UInt8]], _ objects: sending GitObjects) {
    self.names = names
    self.objects = Mutex(objects)
  }

  /// Passes on all files below some trees. Identical trees are read once.
  func readObjects(
    in contents: [ObjectID], _ take: (ObjectID) -> Void
  ) throws(GitError) {
    var seen: Set<ObjectID> = []
    var questions = GitQuestions("contents")
    for content in contents where seen.insert(content).inserted {
      if let name = names[content] { questions.add(name) }
    }
    while !questions.isEmpty {
      let files = try objects.withLock { (objects) throws(GitError) in
        try Self.readFiles(of: &questions, &seen, objects)
      }
      for file in files { take(file) }
    }
  }

  private static func readFiles(
    of questions: inout GitQuestions, _ seen: inout Set<ObjectID>, _ objects: GitObjects
  ) throws(GitError) -> [ObjectID] {
    var files: [ObjectID] = []
    var below: [[UInt8]] = []
    while !questions.isEmpty, files.count < 4096 {
      try questions.next(of: objects) { (object, content) throws(GitError) in
        guard let object, object.kind == .tree else {
          throw .malformed(revision: object?.name ?? [])
        }
        let isTree = GitTreeEntries.read(content, objectLength: object.name.count / 2) {
          (mode, _, name) in
          let name = content.extracting(name)
          let entry = ObjectID(mode: content.extracting(mode).octal, name: name)
          if entry.kind != .tree {
            files.append(entry)
          } else if seen.insert(entry).inserted {
            below.append(name.hexDigits)
          }
        }
        if !isTree { throw .malformed(revision: object.name) }
      }
      for name in below { questions.add(name) }
      below.removeAll(keepingCapacity: true)
    }
    return files
  }
}

extension GitObjects {
  fileprivate struct Revision {
    var tree: [UInt8] = []
    /// In Unix seconds; nil if the revision names no commit.
    var time: Int64?
  }

  fileprivate func revisions(
    _ old: [UInt8], _ new: [UInt8]
  ) throws(GitError) -> (old: Revision, new: Revision) {
    var questions = GitQuestions("contents")
    for name in [old, new] {
      questions.add(name.contains(UInt8(ascii: ":")) ? name : name + Array("^{tree}".utf8))
      if let commit = GitCommit.name(of: name) { questions.add(commit) }
    }
    func revision(_ name: [UInt8]) throws(GitError) -> Revision {
      var revision = Revision()
      revision.tree = try questions.next(of: self) { (object, _) throws(GitError) in
        guard let object, object.kind == .tree else { throw .malformed(revision: name) }
        return object.name
      }
      if GitCommit.name(of: name) != nil {
        revision.time = try questions.next(of: self) { (object, content) throws(GitError) in
          GitCommit.time(Array(copying: content))
        }
      }
      return revision
    }
    return (try revision(old), try revision(new))
  }
}
