import GeoCore
import GeoTree
import GeoSystem
import Synchronization

extension GitRevision {
  /// Two revisions of a repository, read as far as they differ: a folder that has one object in both is not
  /// listed, and sizes are not known of files that are the same in both.
  ///
  /// - Parameters:
  ///   - names: The old one and the new one, as ``init(_:of:)`` takes them.
  /// - Returns: nil if git can't tell them so, as it is older than 2.36, or one of them isn't there;
  ///   ``init(_:of:)`` knows why.
  /// - Complexity: O(n log n) for n entries of folders that differ.
  public static func differing(
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

/// Trees that two revisions have in common, which nobody has read.
final class UnreadTrees: Sendable {
  private let names: [ObjectID: [UInt8]]
  private let objects: Mutex<GitObjects>

  /// - Parameter names: Their objects, in hex digits.
  init(_ names: [ObjectID: [UInt8]], _ objects: sending GitObjects) {
    self.names = names
    self.objects = Mutex(objects)
  }

  /// The files that are in some of them, at any depth; of trees that are alike once.
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

  /// The files of some of the trees that were asked for, and questions for the trees in these.
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
  /// What a revision names.
  fileprivate struct Revision {
    /// Its top, in hex digits.
    var tree: [UInt8] = []
    /// When it was committed, if a commit leads to it.
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
