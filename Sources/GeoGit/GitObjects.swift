import GeoPath
import GeoSystem

/// The objects of a repository, which the program `git` tells as long as somebody asks. It has to be of
/// version 2.36 at least.
final class GitObjects {
  private let running: RunningProgram
  /// What git has written.
  private var bytes: [UInt8] = []
  /// Where the next answer begins in it.
  private var start = 0

  /// An object.
  struct Object {
    /// What an object is.
    enum Kind { case tree, commit, tag, blob }

    /// What names it, in hex digits.
    let name: [UInt8]
    let kind: Kind
    /// How many bytes it has in it.
    let size: Int64
    /// These bytes, if they were asked for.
    var content: [UInt8] = []
  }

  init(_ program: GitProgram) throws(GitError) {
    running = try program.start(
      ["cat-file", "--buffer", "--batch-command"].map { Array($0.utf8) }, input: .questions)
  }

  /// Some objects with what is in them, in the order in which they are named; nil for what is not there.
  ///
  /// - Parameter names: What git knows them by.
  func read(_ names: [[UInt8]]) throws(GitError) -> [Object?] {
    try ask("contents ", names)
    var objects: [Object?] = []
    objects.reserveCapacity(names.count)
    for _ in names {
      guard var object = try takeHeader() else {
        objects.append(nil)
        continue
      }
      object.content = try takeContent(Int(object.size))
      objects.append(object)
    }
    return objects
  }

  /// What is in some trees, in the order in which they are named.
  ///
  /// - Parameter names: In hex digits.
  func trees(_ names: [[UInt8]]) throws(GitError) -> [GitTreeEntries] {
    var trees: [GitTreeEntries] = []
    trees.reserveCapacity(names.count)
    for (object, name) in zip(try read(names), names) {
      guard let object, object.kind == .tree,
        let tree = GitTreeEntries(object.content, objectLength: name.count / 2)
      else { throw .malformed(revision: name) }
      trees.append(tree)
    }
    return trees
  }

  /// How many bytes some objects have in them, in the order in which they are named.
  ///
  /// - Parameter names: In hex digits.
  func sizes(_ names: [[UInt8]]) throws(GitError) -> [Int64] {
    try ask("info ", names)
    var sizes: [Int64] = []
    sizes.reserveCapacity(names.count)
    for name in names {
      guard let object = try takeHeader() else { throw .malformed(revision: name) }
      sizes.append(object.size)
    }
    return sizes
  }

  /// Asks for some objects: git reads all questions before it answers the first.
  private func ask(_ command: String, _ names: [[UInt8]]) throws(GitError) {
    if names.isEmpty { return }
    var questions: [UInt8] = []
    for name in names {
      if name.contains(UInt8(ascii: "\n")) { throw .malformed(revision: name) }
      questions += Array(command.utf8) + name
      questions.append(UInt8(ascii: "\n"))
    }
    questions += Array("flush\n".utf8)
    do throws(Errno) {
      try running.ask(questions.span)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Takes `OBJECT KIND SIZE` and the line end; nil if git says that there is no such object.
  private func takeHeader() throws(GitError) -> Object? {
    var end = start
    while true {
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if end < bytes.count { break }
      end -= start
      try readOn(to: end + 1)
    }
    defer { start = end + 1 }
    let words = bytes[start..<end].split(separator: UInt8(ascii: " "))
    guard words.count == 3, let kind = Self.kind(words[1]),
      let size = Int64(wholeNumber: words[2])
    else { return nil }
    return Object(name: Array(words[0]), kind: kind, size: size)
  }

  private static func kind(_ word: ArraySlice<UInt8>) -> Object.Kind? {
    if word.elementsEqual("tree".utf8) { return .tree }
    if word.elementsEqual("commit".utf8) { return .commit }
    if word.elementsEqual("tag".utf8) { return .tag }
    return word.elementsEqual("blob".utf8) ? .blob : nil
  }

  /// Takes what is in an object, and the line end.
  private func takeContent(_ count: Int) throws(GitError) -> [UInt8] {
    if bytes.count - start <= count { try readOn(to: count + 1) }
    defer { start += count + 1 }
    return Array(bytes[start..<(start + count)])
  }

  /// Forgets what was taken, and reads until there are so many bytes.
  private func readOn(to count: Int) throws(GitError) {
    bytes.removeSubrange(..<start)
    start = 0
    while bytes.count < count {
      do throws(Errno) {
        let wanted = max(1 << 16, count - bytes.count)
        if try running.read(upTo: wanted, appendingTo: &bytes) == 0 { throw .brokenPipe }
      } catch {
        throw .unreadable(error)
      }
    }
  }
}
