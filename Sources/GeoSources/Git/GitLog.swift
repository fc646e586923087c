import GeoCore
import GeoSystem

/// The history of a git repository along first parents, from the root commit to a revision, read
/// from `git log`.
package struct GitLog: Sendable {
  package struct Commit: Sendable {
    package var revision: [UInt8] = []
    package var time: Int64 = 0
    package var author: [UInt8] = []
    /// Empty unless ``GitLog/readsMail`` is set.
    package var mail: [UInt8] = []
    /// Empty unless ``GitLog/readsSubjects`` is set.
    package var subject: [UInt8] = []
  }

  package struct Entry: Sendable {
    /// 0 if the path did not exist.
    package var oldMode: UInt32
    /// 0 if the path no longer exists.
    package var newMode: UInt32
    /// The range of the new object's name, in hex digits, in the bytes passed along.
    package var object: Range<Int>
    package var path: Range<Int>
  }

  private var revision: [UInt8]
  /// Exclusive; nil for the root.
  private var start: [UInt8]?
  private let program: GitProgram
  package var readsSubjects = false
  var readsMail = false
  /// Makes git compare contents.
  var countsLines = false
  var skipsSubmodules = false
  var since: Int64?
  /// The folder of the work tree whose changes are read; nil for all.
  var folder: [UInt8]?

  /// Runs git only in `read`.
  package init(_ revision: [UInt8], of repository: [UInt8]) throws(GitError) {
    program = try GitProgram(repository: repository, revision: revision)
    self.revision = revision
  }

  package var commitCount: Int? {
    let words = ["rev-list", "--count", "--first-parent", "--end-of-options"]
    let text = try? program.output(words, [revision, Array("--".utf8)])
    return text.flatMap { Int64(wholeNumber: $0[...]) }.flatMap { Int(exactly: $0) }
  }

  private static let options = [
    // Configuration can change the meaning of `-m`.
    "-c", "log.showRoot=true", "-c", "diff.orderFile=/dev/null", "-c", "log.diffMerges=separate",
    "-c", "log.follow=false",
    "log", "--reverse", "--first-parent", "-m", "--raw", "-z", "--no-renames", "--no-abbrev",
    "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-color",
    "--no-decorate", "--no-relative", "--encoding=UTF-8",
  ]

  private func limited(_ options: [String]) -> ([String], [[UInt8]]) {
    let paths = folder.map { [Array(":(top,literal)".utf8) + $0] } ?? []
    let from = start.map { [Array("^".utf8) + $0] } ?? []
    let age = since.map { ["--max-age=\($0)"] } ?? []
    return (options + age + ["--end-of-options"], from + [revision, Array("--".utf8)] + paths)
  }

  /// At most `count` parts with about as many commits each, in the order of time, which can be read
  /// at once.
  func parts(_ count: Int) -> [GitLog] {
    let (words, more) = limited(["rev-list", "--first-parent", "--reverse"])
    let list = try? program.output(words, more)
    let commits = list?.split(separator: UInt8(ascii: "\n")) ?? []
    let count = min(count, commits.count / Self.smallestPart)
    if count < 2 { return [self] }
    let ends = (1..<count).map { Array(commits[$0 * commits.count / count - 1]) } + [revision]
    return zip([start] + ends, ends).map { start, end in
      var part = self
      (part.start, part.revision) = (start, end)
      return part
    }
  }

  /// The number of commits for which another process of git is worth its start.
  private static let smallestPart = 50

  fileprivate var isWhole: Bool { start == nil && since == nil && folder == nil }

  /// The format of a commit: byte 1, which begins no path or mode, then fields that end with a zero
  /// byte.
  private var format: String {
    "--format=tformat:%x01%H%x00%P%x00%ct%x00%aN%x00"
      + (readsMail ? "%aE%x00" : "") + (readsSubjects ? "%s%x00" : "")
  }

  /// Reads the history as a stream; it ends early if the current task is cancelled.
  ///
  /// `lines` is called after the changes of a commit with the lines added and removed in each path,
  /// 0 of a binary file. A whole history has to have commits, and to begin at the root.
  package func read(
    begin: (Commit) -> Void, body: (Entry, Span<UInt8>) -> Void,
    lines: (Int64, Range<Int>, Span<UInt8>) -> Void = { _, _, _ in }
  ) throws(GitError) {
    let (words, more) = limited(
      Self.options + [format, "--ignore-submodules=\(skipsSubmodules ? "all" : "none")"]
        + (countsLines ? ["--numstat"] : []))
    let running = try program.start(words, more)
    var parser = LogParser(self)
    var bytes: [UInt8] = []
    while true {
      if Task.isCancelled { throw .unreadable(.cancelled) }
      if try running.readOn(upTo: 1 << 18, appendingTo: &bytes) == 0 { break }
      guard let used = parser.parse(bytes.span, begin: begin, body: body, lines: lines) else {
        throw .malformed(revision: revision)
      }
      if parser.isPart { throw .range(revision: revision) }
      bytes.removeSubrange(..<used)
    }
    guard running.finish() == 0 else {
      throw program.refusal(of: revision, running.errorText)
    }
    if !bytes.isEmpty || !parser.isAtEnd { throw .malformed(revision: revision) }
    // For a tree object or a folder in a commit, git prints nothing.
    if !parser.hasCommits, isWhole {
      throw .refused(
        revision: revision,
        text: Array("it has no commit: give a commit, and limit the paths".utf8))
    }
  }

  /// Reads the sizes of objects, whose names are in hex digits, each followed by a line feed; nil
  /// for one that is missing.
  package func readSizes(
    of names: ScratchFile, _ body: (Int64?) -> Void
  ) throws(GitError) {
    let running = try program.start(
      ["cat-file", "--buffer", "--batch-check=%(objectsize)"], input: .file(names))
    var bytes: [UInt8] = []
    while true {
      if Task.isCancelled { throw .unreadable(.cancelled) }
      if try running.readOn(upTo: 1 << 16, appendingTo: &bytes) == 0 { break }
      var start = 0
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
        // The answer for a missing object is `NAME missing`.
        body(Int64(wholeNumber: bytes[start..<index]))
        start = index + 1
      }
      bytes.removeSubrange(..<start)
    }
    guard running.finish() == 0 else {
      throw .refused(revision: revision, text: running.errorText)
    }
  }
}

/// Parses the output of `git log`: `\1REVISION\0PARENTS\0TIME\0AUTHOR\0\0`, with `MAIL\0` and
/// `SUBJECT\0` after the author if they are read. For each path follows
/// `:MODE MODE OBJECT OBJECT STATUS\0PATH\0`, the first of a commit after a line feed, and then, if
/// lines are counted, `ADDED\tREMOVED\tPATH\0`.
private struct LogParser {
  private let log: GitLog
  private var commit = GitLog.Commit()
  /// Those of the next commit so far; nil after them.
  private var fields: [[UInt8]]?
  private var modes: (old: UInt32, new: UInt32) = (0, 0)

  init(_ log: GitLog) { self.log = log }

  /// Whether a commit is not the child of the one before, as in a range of commits.
  private(set) var isPart = false

  var hasCommits: Bool { !commit.revision.isEmpty }

  var isAtEnd: Bool { fields == nil }

  /// Returns the number of bytes used; nil if the output is malformed.
  mutating func parse(
    _ bytes: Span<UInt8>, begin: (GitLog.Commit) -> Void,
    body: (GitLog.Entry, Span<UInt8>) -> Void, lines: (Int64, Range<Int>, Span<UInt8>) -> Void
  ) -> Int? {
    var start = 0
    // Only whole entries count as used: a header stays in the buffer until its path has arrived.
    var used = 0
    var object: Range<Int>?
    for index in 0..<bytes.count where bytes[index] == 0 {
      let text = start..<index
      start = index + 1
      if fields != nil {
        fields?.append(Array(copying: bytes.extracting(text)))
        guard takeCommit(begin) else { return nil }
        if isPart { return used }
      } else if let known = object {
        guard !text.isEmpty else { return nil }
        body(
          GitLog.Entry(oldMode: modes.old, newMode: modes.new, object: known, path: text), bytes)
        object = nil
      } else {
        guard let first = text.first else { return nil }
        if bytes[first] == 1 {
          fields = [Array(copying: bytes.extracting((first + 1)..<text.upperBound))]
        } else if log.countsLines, bytes[first] == UInt8(ascii: "-") || bytes[first].isDigit {
          guard let (sum, path) = Self.lines(bytes, text) else { return nil }
          lines(sum, path, bytes)
        } else {
          let from = bytes[first] == UInt8(ascii: "\n") ? first + 1 : first
          object = takeHeader(bytes, from..<text.upperBound)
          if object == nil { return nil }
          // Not counted as used: parsed again if the path has not arrived yet.
          continue
        }
      }
      used = start
    }
    return used
  }

  /// Begins a commit that has all of its fields, of which the last is empty. False if it isn't.
  private mutating func takeCommit(_ begin: (GitLog.Commit) -> Void) -> Bool {
    guard let known = fields,
      known.count == 5 + (log.readsMail ? 1 : 0) + (log.readsSubjects ? 1 : 0)
    else { return true }
    let (before, parents) = (commit.revision, known[1])
    isPart = log.isWhole && (!parents.starts(with: before) || before.isEmpty != parents.isEmpty)
    if isPart { return true }
    commit = GitLog.Commit(
      revision: known[0], time: Int64(wholeNumber: known[2][...]) ?? 0, author: known[3])
    if log.readsMail { commit.mail = known[4] }
    if log.readsSubjects { commit.subject = known[known.count - 2] }
    fields = nil
    begin(commit)
    return known.last?.isEmpty ?? false
  }

  private static func lines(
    _ bytes: Span<UInt8>, _ text: Range<Int>
  ) -> (sum: Int64, path: Range<Int>)? {
    let parts = Array(copying: bytes.extracting(text))
      .split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty else { return nil }
    var sum: Int64 = 0
    // A binary file has `-`.
    for part in parts.prefix(2) where !part.elementsEqual("-".utf8) {
      guard let number = Int64(wholeNumber: part) else { return nil }
      sum = sum.adding(saturating: number)
    }
    return (sum, (text.upperBound - parts[2].count)..<text.upperBound)
  }

  /// Parses `:MODE MODE OBJECT OBJECT STATUS`; returns the range of the second object.
  private mutating func takeHeader(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Range<Int>? {
    guard text.count > 16, bytes[text.lowerBound] == UInt8(ascii: ":") else { return nil }
    let start = text.lowerBound + 1
    let line = bytes.extracting(start..<text.upperBound)
    let fields = line.fields
    guard fields.count == 5, let old = line.extracting(fields[0]).mode,
      let new = line.extracting(fields[1]).mode
    else { return nil }
    modes = (old, new)
    return (start + fields[3].lowerBound)..<(start + fields[3].upperBound)
  }
}

enum GitCommit {
  static func name(of revision: [UInt8]) -> [UInt8]? {
    // `REVISION:PATH`, or `:PATH` in the index.
    let commit = revision.prefix { $0 != UInt8(ascii: ":") }
    return commit.isEmpty ? nil : commit + Array("^{commit}".utf8)
  }

  /// When a commit was committed, in Unix seconds, by the content of its object.
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
