import GeoPath
import GeoScan
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
      let old = try objects.revision(names.old)
      let new = try objects.revision(names.new)
      let difference = try GitDifference([old.tree, new.tree], objects)
      let unread = UnreadTrees(difference.unread, objects)
      return (
        GitRevision(names.old, program, difference.trees[0], time: old.time, unread),
        GitRevision(names.new, program, difference.trees[1], time: new.time, unread)
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
    var level = contents.filter { seen.insert($0).inserted }.compactMap { names[$0] }
    while !level.isEmpty {
      var below: [[UInt8]] = []
      let asked = level
      for tree in try objects.withLock({ (objects) throws(GitError) in try objects.trees(asked) }) {
        for entry in tree.entries {
          if entry.object.kind != .tree {
            take(entry.object)
          } else if seen.insert(entry.object).inserted {
            below.append(tree.hexName(of: entry))
          }
        }
      }
      level = below
    }
  }
}

extension GitObjects {
  /// The top of a revision, in hex digits, and when it was committed, if a commit leads to it.
  fileprivate func revision(_ name: [UInt8]) throws(GitError) -> (tree: [UInt8], time: Int64?) {
    let commit = GitCommit.name(of: name)
    let names = name.contains(UInt8(ascii: ":")) ? [name] : [name + Array("^{tree}".utf8)]
    let found = try read(names + (commit.map { [$0] } ?? []))
    guard let tree = found[0], tree.kind == .tree else { throw .malformed(revision: name) }
    return (tree.name, found.count > 1 ? found[1].flatMap { GitCommit.time($0.content) } : nil)
  }
}
