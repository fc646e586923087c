import GeoCore
import GeoSystem

/// The history of a git repository by first parents, from the root to a revision, as `git log` tells it.
public struct GitLog: Sendable {
  /// A commit.
  public struct Commit: Sendable {
    /// The name of its object, in hex digits.
    public var revision: [UInt8] = []
    /// When it was committed, in Unix seconds.
    public var time: Int64 = 0
    /// Who wrote it, by `.mailmap`.
    public var author: [UInt8] = []
    /// The first line of its message, if that is asked.
    public var subject: [UInt8] = []
  }

  /// What a commit did to a path.
  public struct Entry: Sendable {
    /// The mode before, 0 if there was nothing.
    public var oldMode: UInt32
    /// The mode after, 0 if there is nothing.
    public var newMode: UInt32
    /// Where the name of the object that is there after it lies in the bytes at hand, in hex digits.
    public var object: Range<Int>
    /// Where the path lies in them.
    public var path: Range<Int>
  }

  private let revision: [UInt8]
  private let program: GitProgram
  /// Whether the first lines of messages are read, too.
  public var readsSubjects = false

  /// The history up to a revision.
  public init(_ revision: [UInt8], of repository: [UInt8]) throws(GitError) {
    if revision.isEmpty || revision.contains(0) || repository.contains(0) {
      throw .refused(revision: revision, text: Array("not the name of a revision".utf8))
    }
    self.revision = revision
    program = GitProgram(repository: repository)
  }

  /// How many commits there are; nil if git doesn't say.
  package var commitCount: Int? {
    let words = ["rev-list", "--count", "--first-parent", "--end-of-options"].map { Array($0.utf8) }
    let text = try? program.output(words + [revision, Array("--".utf8)])
    return text.flatMap { Int64(wholeNumber: $0[...]) }.flatMap { Int(exactly: $0) }
  }

  private static let options = [
    // What `-m` means is a matter of configuration, too.
    "-c", "log.showRoot=true", "-c", "diff.orderFile=/dev/null", "-c", "log.diffMerges=separate",
    "log", "--reverse", "--first-parent", "-m", "--raw", "-z", "--no-renames", "--no-abbrev",
    "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-color",
    "--no-decorate", "--no-relative", "--ignore-submodules=none", "--encoding=UTF-8",
  ]

  /// A byte that no path or mode begins with, then fields that end with a zero.
  private var format: String {
    "--format=tformat:%x01%H%x00%P%x00%ct%x00%aN%x00" + (readsSubjects ? "%s%x00" : "")
  }

  /// Reads it as a stream.
  ///
  /// - Parameters:
  ///   - begin: Told of each commit before what it did.
  ///   - take: Told of what it did, with the bytes that the entry speaks of.
  /// - Throws: `GitError`, if there are no commits, or not all from the root on, too.
  /// - Complexity: O(what git writes).
  public func read(
    begin: (Commit) -> Void, take: (Entry, Span<UInt8>) -> Void
  ) throws(GitError) {
    let running = try program.start(
      (Self.options + [format, "--end-of-options"]).map { Array($0.utf8) }
        + [revision, Array("--".utf8)])
    var parser = LogParser(readsSubjects: readsSubjects)
    var bytes: [UInt8] = []
    while true {
      if try running.readOn(upTo: 1 << 18, appendingTo: &bytes) == 0 { break }
      guard let used = parser.parse(bytes.span, begin: begin, take: take) else {
        throw .malformed(revision: revision)
      }
      if parser.isPart {
        let reason =
          "a history goes from the root to one revision, and this is a part of it: "
          + "give its last commit, and --since and --until"
        throw .refused(revision: revision, text: Array(reason.utf8))
      }
      bytes.removeSubrange(..<used)
    }
    guard running.finish() == 0 else {
      throw program.refusal(of: revision, running.errorText)
    }
    if !bytes.isEmpty || !parser.isAtEnd { throw .malformed(revision: revision) }
    // Of a folder in a commit, as of any tree, git says nothing.
    if !parser.hasCommits {
      throw .refused(
        revision: revision,
        text: Array("it has no commit: give a commit, and --path for a part of it".utf8))
    }
  }

  /// How many bytes some objects have, in the order in which they are named.
  ///
  /// - Parameter names: The names of objects, in hex digits, each with a line end.
  /// - Parameter take: Told of each; nil if the repository doesn't have it.
  public func readSizes(
    of names: ScratchFile, _ take: (Int64?) -> Void
  ) throws(GitError) {
    let running = try program.start(
      ["cat-file", "--buffer", "--batch-check=%(objectsize)"].map { Array($0.utf8) },
      input: .file(names))
    var bytes: [UInt8] = []
    while true {
      if try running.readOn(upTo: 1 << 16, appendingTo: &bytes) == 0 { break }
      var start = 0
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
        // `NAME missing` is no number.
        take(Int64(wholeNumber: bytes[start..<index]))
        start = index + 1
      }
      bytes.removeSubrange(..<start)
    }
    guard running.finish() == 0 else {
      throw .refused(revision: revision, text: running.errorText)
    }
  }
}

/// Takes the output of `git log` apart: `\1REVISION\0PARENTS\0TIME\0AUTHOR\0\0`, where subjects are
/// read `\1REVISION\0PARENTS\0TIME\0AUTHOR\0SUBJECT\0\0`, then for each path
/// `:MODE MODE OBJECT OBJECT STATUS\0PATH\0`, the first of a commit behind a line end.
private struct LogParser {
  private enum Expected { case any, parents, time, author, subject, nothing, path }

  private var expected = Expected.any
  private var commit = GitLog.Commit()
  /// The commit before it; empty if it is the first.
  private var before: [UInt8] = []
  private var modes: (old: UInt32, new: UInt32) = (0, 0)
  /// The object, which stands before the path in bytes that may be gone by then.
  private var object: [UInt8] = []

  private let readsSubjects: Bool

  init(readsSubjects: Bool) { self.readsSubjects = readsSubjects }

  /// Whether a commit doesn't follow the one before it, as in a range of commits.
  private(set) var isPart = false

  /// Whether there was any commit.
  var hasCommits: Bool { !commit.revision.isEmpty }

  /// Whether what was read so far may be all.
  var isAtEnd: Bool { expected == .any }

  /// Takes all texts that end in some bytes.
  ///
  /// - Returns: How many bytes were used; nil if they are none of a log.
  mutating func parse(
    _ bytes: Span<UInt8>, begin: (GitLog.Commit) -> Void,
    take: (GitLog.Entry, Span<UInt8>) -> Void
  ) -> Int? {
    var start = 0
    // A header is kept with its path, so that both are at hand at once.
    var used = 0
    var header = 0..<0
    if expected == .path { expected = .any }
    for index in 0..<bytes.count where bytes[index] == 0 {
      let text = start..<index
      start = index + 1
      switch expected {
      case .parents:
        let parents = Array(copying: bytes.extracting(text))
        isPart = !parents.starts(with: before) || before.isEmpty != parents.isEmpty
        if isPart { return used }
        expected = .time
      case .time:
        commit.time = Int64(wholeNumber: Array(copying: bytes.extracting(text))[...]) ?? 0
        expected = .author
      case .author:
        commit.author = Array(copying: bytes.extracting(text))
        if readsSubjects {
          expected = .subject
        } else {
          begin(commit)
          expected = .nothing
        }
      case .subject:
        commit.subject = Array(copying: bytes.extracting(text))
        begin(commit)
        expected = .nothing
      case .nothing:
        guard text.isEmpty else { return nil }
        expected = .any
      case .path:
        guard !text.isEmpty else { return nil }
        take(
          GitLog.Entry(oldMode: modes.old, newMode: modes.new, object: header, path: text), bytes)
        expected = .any
      case .any:
        guard let first = text.first else { return nil }
        if bytes[first] == 1 {
          before = commit.revision
          commit.revision = Array(copying: bytes.extracting((first + 1)..<text.upperBound))
          expected = .parents
        } else {
          let from = bytes[first] == UInt8(ascii: "\n") ? first + 1 : first
          guard let object = takeHeader(bytes, from..<text.upperBound) else { return nil }
          header = object
          expected = .path
          // Read again if the path is not there yet.
          continue
        }
      }
      used = start
    }
    return used
  }

  /// `:MODE MODE OBJECT OBJECT STATUS`
  private mutating func takeHeader(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Range<Int>? {
    guard text.count > 16, bytes[text.lowerBound] == UInt8(ascii: ":") else { return nil }
    var fields: [Range<Int>] = []
    var start = text.lowerBound + 1
    for index in (text.lowerBound + 1)...text.upperBound
    where index == text.upperBound || bytes[index] == UInt8(ascii: " ") {
      fields.append(start..<index)
      start = index + 1
    }
    guard fields.count == 5, let old = Self.mode(bytes.extracting(fields[0])),
      let new = Self.mode(bytes.extracting(fields[1]))
    else { return nil }
    modes = (old, new)
    return fields[3]
  }

  private static func mode(_ digits: Span<UInt8>) -> UInt32? {
    guard digits.count == 6 else { return nil }
    var number: UInt32 = 0
    for index in 0..<6 {
      guard (0x30...0x37).contains(digits[index]) else { return nil }
      number = number << 3 | UInt32(digits[index] - 0x30)
    }
    return number
  }
}

/// What the object of a commit tells.
enum GitCommit {
  /// By what the commit of a revision is known; nil if the revision names what is in the index.
  static func name(of revision: [UInt8]) -> [UInt8]? {
    // A path of a revision, or in the index.
    let commit = revision.prefix { $0 != UInt8(ascii: ":") }
    return commit.isEmpty ? nil : commit + Array("^{commit}".utf8)
  }

  /// When it was committed, in Unix seconds.
  ///
  /// - Parameter content: What the object has in it.
  static func time(_ content: [UInt8]) -> Int64? {
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(while: { !$0.isEmpty }) where line.starts(with: "committer ".utf8) {
      // NAME <ADDRESS> SECONDS ZONE
      let words = line.split(separator: UInt8(ascii: " "))
      return words.count > 2 ? Int64(wholeNumber: words[words.count - 2]) : nil
    }
    return nil
  }
}
