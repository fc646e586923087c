import GeoCore
import GeoSystem

/// Why a revision of a repository can't be read.
public enum GitError: Error, CustomStringConvertible, Hashable, Sendable {
  /// The program `git` can't be started.
  case noProgram(Errno)
  /// Scratch files for git's input and messages can't be made.
  case noScratch(Errno)
  /// Git refuses the revision; with its message.
  case refused(revision: [UInt8], text: [UInt8])
  /// Git's output can't be read.
  case unreadable(Errno)
  /// Git's output has an unexpected form.
  case malformed(revision: [UInt8])
  /// The path is not a repository; with git's message.
  case noRepository(path: [UInt8], text: [UInt8])

  /// Says in one line what is wrong and what to do, safe for a terminal.
  public var description: String {
    func shown(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .noProgram(.noEntry):
      return "reading revisions needs the program 'git', which is not in PATH: install it"
    case .noProgram(let reason): return "can't start 'git': \(reason)"
    case .noScratch(let reason):
      return "can't make the files on disk that 'git' needs: \(reason); "
        + "set TMPDIR to a folder that has room for them"
    case .refused(let revision, let text):
      return "git can't read the revision '\(shown(revision))': \(Self.line(text))"
    case .unreadable(let reason): return "can't read what git writes: \(reason)"
    case .malformed(let revision):
      return "can't parse what git lists of revision '\(shown(revision))'"
    case .noRepository(let path, let text):
      return "git can't use '\(shown(path))' as a repository: \(Self.line(text))"
    }
  }

  /// The first line of git's message without `fatal: `, with the command that git suggests for
  /// folders of other owners.
  private static func line(_ text: [UInt8]) -> String {
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard var line = lines.first else { return "it doesn't say why" }
    if line.starts(with: "fatal: ".utf8) { line = line.dropFirst(7) }
    let shown = TerminalText.escaped(Array(line))
    let remedy = lines.map { $0.drop { $0 == UInt8(ascii: "\t") } }.first {
      $0.starts(with: "git config --global --add safe.directory ".utf8)
    }
    guard let remedy else { return shown }
    return "\(shown); if you trust its owner, call: \(TerminalText.escaped(Array(remedy)))"
  }
}

extension GitError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .noProgram: .usage
    case .refused, .unreadable, .noRepository: .source
    case .malformed: .damage
    case .noScratch: .output
    }
  }
}

/// Runs the program `git` without hooks, pagers, prompts, locks and network access.
struct GitProgram {
  /// The path of the repository, or of a folder in its work tree.
  let repository: [UInt8]

  /// Starts git.
  ///
  /// - Parameter input: Its standard input.
  func start(
    _ arguments: [[UInt8]], input: RunningProgram.Input = .nothing
  ) throws(GitError) -> RunningProgram {
    let settings = [
      "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
      "protocol.allow=never", "-c", "credential.helper=", "-C",
    ]
    let messages: ScratchFile
    do throws(Errno) {
      messages = try ScratchFile()
    } catch {
      throw .noScratch(error)
    }
    do throws(Errno) {
      return try RunningProgram(
        "git", settings.map { Array($0.utf8) } + [repository] + arguments,
        input: input, messages: messages,
        setting: [
          // No protocol has this name.
          "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
          "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C",
        ],
        // Variables that select another repository or parts of one, or files to write to.
        removing: [
          "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
          "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_TRACE*",
          "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH", "GIT_OPTIONAL_LOCKS",
          "GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "SSH_ASKPASS", "LC_ALL", "GIT_EXTERNAL_DIFF",
          "GIT_LITERAL_PATHSPECS", "GIT_PAGER",
        ])
    } catch {
      throw .noProgram(error)
    }
  }

  /// The error for a refused revision, derived from git's message.
  func refusal(of revision: [UInt8], _ text: [UInt8]) -> GitError {
    let signs = ["not a git repository", "cannot change to", "detected dubious ownership"]
    if signs.contains(where: { text.starts(with: "fatal: \($0)".utf8) }) {
      return .noRepository(path: repository, text: text)
    }
    let empty = ["Not a valid object name HEAD", "bad revision 'HEAD'"]
    // Compared as whole lines: the message for `HEAD:nowhere` begins the same way.
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    if empty.contains(where: { line.elementsEqual("fatal: \($0)".utf8) }) {
      return .refused(revision: revision, text: Array("it has no commit yet".utf8))
    }
    return .refused(revision: revision, text: text)
  }

  /// The output of git, without the last line feed.
  ///
  /// - Throws: ``GitError/noRepository(path:text:)`` if git fails.
  func output(_ arguments: [String]) throws(GitError) -> [UInt8] {
    try output(arguments.map { Array($0.utf8) })
  }

  /// The output of git, without the last line feed.
  ///
  /// - Throws: ``GitError/noRepository(path:text:)`` if git fails.
  func output(_ arguments: [[UInt8]]) throws(GitError) -> [UInt8] {
    let program = try start(arguments)
    let bytes = try allOutput(of: program)
    guard program.finish() == 0 else {
      throw .noRepository(path: repository, text: program.errorText)
    }
    return bytes
  }

  /// The output of git whatever its exit status, without the last line feed.
  func outputHoweverItEnds(_ arguments: [String]) throws(GitError) -> [UInt8] {
    try allOutput(of: try start(arguments.map { Array($0.utf8) }))
  }

  private func allOutput(of program: RunningProgram) throws(GitError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try program.readOn(upTo: 1 << 16, appendingTo: &bytes) > 0 {}
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes
  }
}

/// A running `git cat-file --batch-command`, which answers requests for objects. Needs git 2.36.
final class GitObjects {
  private let running: RunningProgram
  /// Output that was read.
  private var bytes: [UInt8] = []
  /// The offset of the next answer in it.
  private var start = 0
  /// The first error. After it, answers can't be matched to requests.
  private var failure: GitError?

  struct Object {
    enum Kind { case tree, commit, tag, blob }

    /// Its name, in hex digits.
    let name: [UInt8]
    let kind: Kind
    /// Its size in bytes.
    let size: Int64
  }

  init(_ program: GitProgram) throws(GitError) {
    running = try program.start(
      ["cat-file", "--buffer", "--batch-command"].map { Array($0.utf8) }, input: .questions)
  }

  /// Sends requests. Git reads them all before it answers the first.
  func ask(_ questions: [UInt8]) throws(GitError) {
    if let failure { throw failure }
    do throws(Errno) {
      try running.ask(questions.span)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Takes the next answer.
  ///
  /// - Parameters:
  ///   - isAsked: Whether the request was for the content.
  ///   - body: Called with the object (nil if it is missing) and its content.
  func take<Result>(
    content isAsked: Bool,
    _ body: (_ object: Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    do throws(GitError) {
      guard let object = try takeHeader() else { return try body(nil, Span()) }
      if !isAsked { return try body(object, Span()) }
      let content = try takeContent(Int(object.size))
      // Moved out, so that the closure can borrow it without copying.
      var bytes: [UInt8] = []
      swap(&bytes, &self.bytes)
      defer { swap(&bytes, &self.bytes) }
      return try body(object, bytes.span.extracting(content))
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes `OBJECT KIND SIZE` and the line feed; nil if the object is missing.
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

  /// Takes the content of an object and the line feed.
  ///
  /// - Returns: The range of the content in the buffer.
  private func takeContent(_ count: Int) throws(GitError) -> Range<Int> {
    if bytes.count - start <= count { try readOn(to: count + 1) }
    defer { start += count + 1 }
    return start..<(start + count)
  }

  /// Drops the bytes already taken, and reads until at least `count` are there.
  private func readOn(to count: Int) throws(GitError) {
    bytes.removeSubrange(..<start)
    start = 0
    while bytes.count < count {
      let wanted = max(1 << 16, count - bytes.count)
      if try running.readOn(upTo: wanted, appendingTo: &bytes) == 0 {
        throw .unreadable(.brokenPipe)
      }
    }
  }
}

/// Requests for objects, answered in order. Some are sent ahead, so that git looks up the next
/// while the caller processes the last.
struct GitQuestions: Sendable {
  /// The size limit of one batch of requests in bytes. Two batches may be open; git accepts these
  /// without blocking.
  private static let portion = 2048

  private let command: [UInt8]
  /// The requested names, and how many of them were sent.
  private var names: [[UInt8]] = []
  private var put = 0
  /// Open answers of the last batch and of the one before.
  private var open = (before: 0, last: 0)

  /// - Parameter command: The kind of request: `contents` or `info`.
  init(_ command: String) { self.command = Array(command.utf8) }

  var isEmpty: Bool { open == (0, 0) && put == names.count }

  /// Adds a request for an object.
  mutating func add(_ name: [UInt8]) { names.append(name) }

  /// Passes the next answer to `body`.
  ///
  /// - Parameters:
  ///   - objects: The same process for all requests.
  ///   - body: Called with the object (nil if it is missing) and its content, which is empty for
  ///     `info`.
  mutating func next<Result>(
    of objects: GitObjects,
    _ body: (_ object: GitObjects.Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    if open.before == 0 {
      if open.last == 0 { open.last = try putPortion(to: objects) }
      open = (open.last, 0)
    }
    if open.last == 0, put < names.count, names[put].count < Self.portion / 2 {
      open.last = try putPortion(to: objects)
    }
    open.before -= 1
    return try objects.take(content: command.first == UInt8(ascii: "c"), body)
  }

  /// Sends the next batch of requests.
  ///
  /// - Returns: How many were sent.
  private mutating func putPortion(to objects: GitObjects) throws(GitError) -> Int {
    var questions: [UInt8] = []
    var count = 0
    while put < names.count {
      let name = names[put]
      if count > 0, questions.count + command.count + name.count + 8 > Self.portion { break }
      if name.contains(UInt8(ascii: "\n")) { throw .malformed(revision: name) }
      questions += command
      questions.append(UInt8(ascii: " "))
      questions += name
      questions.append(UInt8(ascii: "\n"))
      count += 1
      put += 1
    }
    if put > 4096 {
      names.removeFirst(put)
      put = 0
    }
    if count > 0 { try objects.ask(questions + Array("flush\n".utf8)) }
    return count
  }
}

extension RunningProgram {
  /// Reads more of git's output.
  ///
  /// - Returns: How many bytes; 0 at the end.
  func readOn(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(GitError) -> Int {
    do throws(Errno) {
      return try read(upTo: count, appendingTo: &bytes)
    } catch {
      throw .unreadable(error)
    }
  }
}
