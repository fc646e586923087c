import GeoCore
import GeoSystem

/// The history of a git repository along first parents, from the root commit to a revision, read
/// from `git log`.
package struct GitLog: Sendable {
  package struct Commit: Sendable {
    /// The name of its object, in hex digits.
    package var revision: [UInt8] = []
    /// In Unix seconds.
    package var time: Int64 = 0
    /// Mapped by `.mailmap`, as the address.
    package var author: [UInt8] = []
    /// Empty unless ``GitLog/readsMail`` is set.
    package var mail: [UInt8] = []
    /// Empty unless ``GitLog/readsSubjects`` is set.
    package var subject: [UInt8] = []
  }

  /// A change of one path by a commit.
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
  /// In Unix seconds.
  var since: Int64?
  /// The folder of the work tree whose changes are read; nil for all.
  var folder: [UInt8]?

  /// Runs git only in `read`.
  package init(_ revision: [UInt8], of repository: [UInt8]) throws(GitError) {
    if revision.isEmpty || revision.contains(0) || repository.contains(0) {
      throw .refused(revision: revision, text: Array("not the name of a revision".utf8))
    }
    self.revision = revision
    program = GitProgram(repository: repository)
  }

  package var commitCount: Int? {
    let words = ["rev-list", "--count", "--first-parent", "--end-of-options"].map { Array($0.utf8) }
    let text = try? program.output(words + [revision, Array("--".utf8)])
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

  private var arguments: [[UInt8]] {
    var words = Self.options + [format]
    words.append("--ignore-submodules=\(skipsSubmodules ? "all" : "none")")
    if countsLines { words.append("--numstat") }
    return limited(words)
  }

  private func limited(_ options: [String]) -> [[UInt8]] {
    let age = since.map { ["--max-age=\($0)"] } ?? []
    let paths = folder.map { [Array(":(top,literal)".utf8) + $0] } ?? []
    let from = start.map { [Array("^".utf8) + $0] } ?? []
    return (options + age + ["--end-of-options"]).map { Array($0.utf8) } + from
      + [revision, Array("--".utf8)] + paths
  }

  /// At most `count` parts with about as many commits each, in the order of time, which can be read
  /// at once.
  func parts(_ count: Int) -> [GitLog] {
    let list = try? program.output(limited(["rev-list", "--first-parent", "--reverse"]))
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
    let running = try program.start(arguments)
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
      ["cat-file", "--buffer", "--batch-check=%(objectsize)"].map { Array($0.utf8) },
      input: .file(names))
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
  private enum Expected { case any, parents, time, author, mail, subject, nothing, path }

  private var expected = Expected.any
  private var commit = GitLog.Commit()
  /// Empty for the first.
  private var before: [UInt8] = []
  private var modes: (old: UInt32, new: UInt32) = (0, 0)

  private let log: GitLog

  init(_ log: GitLog) { self.log = log }

  /// Whether a commit is not the child of the one before, as in a range of commits.
  private(set) var isPart = false

  var hasCommits: Bool { !commit.revision.isEmpty }

  /// Whether the output may end here.
  var isAtEnd: Bool { expected == .any }

  /// Returns the number of bytes used; nil if the output is malformed.
  mutating func parse(
    _ bytes: Span<UInt8>, begin: (GitLog.Commit) -> Void,
    body: (GitLog.Entry, Span<UInt8>) -> Void, lines: (Int64, Range<Int>, Span<UInt8>) -> Void
  ) -> Int? {
    var start = 0
    // Only whole entries count as used: a header stays in the buffer until its path has arrived.
    var used = 0
    var header = 0..<0
    if expected == .path { expected = .any }
    for index in 0..<bytes.count where bytes[index] == 0 {
      let text = start..<index
      start = index + 1
      switch expected {
      case .parents:
        let parents = Array(copying: bytes.extracting(text))
        isPart =
          log.isWhole && (!parents.starts(with: before) || before.isEmpty != parents.isEmpty)
        if isPart { return used }
        expected = .time
      case .time:
        commit.time = Int64(wholeNumber: Array(copying: bytes.extracting(text))[...]) ?? 0
        expected = .author
      case .author:
        commit.author = Array(copying: bytes.extracting(text))
        expected = log.readsMail ? .mail : afterMail(begin)
      case .mail:
        commit.mail = Array(copying: bytes.extracting(text))
        expected = afterMail(begin)
      case .subject:
        commit.subject = Array(copying: bytes.extracting(text))
        begin(commit)
        expected = .nothing
      case .nothing:
        guard text.isEmpty else { return nil }
        expected = .any
      case .path:
        guard !text.isEmpty else { return nil }
        body(
          GitLog.Entry(oldMode: modes.old, newMode: modes.new, object: header, path: text), bytes)
        expected = .any
      case .any:
        guard let first = text.first else { return nil }
        if bytes[first] == 1 {
          before = commit.revision
          commit.revision = Array(copying: bytes.extracting((first + 1)..<text.upperBound))
          expected = .parents
        } else if log.countsLines, bytes[first] == UInt8(ascii: "-") || bytes[first] >= 0x30,
          bytes[first] <= 0x39
        {
          guard let (sum, path) = Self.lines(bytes, text) else { return nil }
          lines(sum, path, bytes)
        } else {
          let from = bytes[first] == UInt8(ascii: "\n") ? first + 1 : first
          guard let object = takeHeader(bytes, from..<text.upperBound) else { return nil }
          header = object
          expected = .path
          // Not counted as used: parsed again if the path has not arrived yet.
          continue
        }
      }
      used = start
    }
    return used
  }

  private func afterMail(_ begin: (GitLog.Commit) -> Void) -> Expected {
    if log.readsSubjects { return .subject }
    begin(commit)
    return .nothing
  }

  private static func lines(
    _ bytes: Span<UInt8>, _ text: Range<Int>
  ) -> (sum: Int64, path: Range<Int>)? {
    var sum: Int64 = 0
    var start = text.lowerBound
    for _ in 0..<2 {
      var end = start
      while end < text.upperBound, bytes[end] != 0x09 { end += 1 }
      guard end < text.upperBound else { return nil }
      // A binary file has `-`.
      if let number = Int64(wholeNumber: Array(copying: bytes.extracting(start..<end))[...]) {
        sum = sum.adding(saturating: number)
      } else if end - start != 1 || bytes[start] != UInt8(ascii: "-") {
        return nil
      }
      start = end + 1
    }
    return start < text.upperBound ? (sum, start..<text.upperBound) : nil
  }

  /// Parses `:MODE MODE OBJECT OBJECT STATUS`; returns the range of the second object.
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

enum GitCommit {
  /// The expression for the commit of a revision; nil if the revision names an entry of the index.
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
