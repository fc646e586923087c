import GeoCore
import GeoSystem

/// Why a revision of a repository can't be read.
public enum GitError: Error, Hashable, Sendable {
  /// The program `git` can't be started.
  case noProgram(Errno)
  /// There is no scratch file for what passes between it and this program.
  case noScratch(Errno)
  /// It refuses; with what it says.
  case refused(revision: [UInt8], text: [UInt8])
  /// What it wrote can't be read.
  case unreadable(Errno)
  /// It wrote something else than it should.
  case malformed(revision: [UInt8])
  /// It is a folder that is not there, or none.
  case noRepository(path: [UInt8], text: [UInt8])
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

  /// What is wrong and what to do, in one line that is fit for a terminal.
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
      return "git lists the revision '\(shown(revision))' in another way than it should"
    case .noRepository(let path, let text):
      return "git can't use '\(shown(path))' as a repository: \(Self.line(text))"
    }
  }

  /// The first line of what git says, without its beginning, and what it says to call if the folder's
  /// owner is trusted.
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

/// The program `git`, kept from all that reading a tree doesn't need: hooks, pagers, prompts, locks and
/// the network.
struct GitProgram {
  /// Where the repository is, or a folder of its work tree.
  let repository: [UInt8]

  /// Starts it.
  ///
  /// - Parameter input: What it reads.
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
          // No protocol is called so.
          "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
          "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C",
        ],
        // Another repository, or parts of one, that the environment speaks of; and files to write to.
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

  /// Why it refuses to read a revision, by what it says: there may be no repository, or nothing in it.
  func refusal(of revision: [UInt8], _ text: [UInt8]) -> GitError {
    let signs = ["not a git repository", "cannot change to", "detected dubious ownership"]
    if signs.contains(where: { text.starts(with: "fatal: \($0)".utf8) }) {
      return .noRepository(path: repository, text: text)
    }
    let empty = ["Not a valid object name HEAD", "bad revision 'HEAD'"]
    // The whole line: there may be commits, and no `HEAD:nowhere`.
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    if empty.contains(where: { line.elementsEqual("fatal: \($0)".utf8) }) {
      return .refused(revision: revision, text: Array("it has no commit yet".utf8))
    }
    return .refused(revision: revision, text: text)
  }

  /// What it writes, without the last line end.
  ///
  /// - Throws: ``GitError/noRepository(path:text:)`` if it fails.
  func output(_ arguments: [String]) throws(GitError) -> [UInt8] {
    try output(arguments.map { Array($0.utf8) })
  }

  /// What it writes, without the last line end.
  ///
  /// - Throws: ``GitError/noRepository(path:text:)`` if it fails.
  func output(_ arguments: [[UInt8]]) throws(GitError) -> [UInt8] {
    let program = try start(arguments)
    let bytes = try allOutput(of: program)
    guard program.finish() == 0 else {
      throw .noRepository(path: repository, text: program.errorText)
    }
    return bytes
  }

  /// What it writes until it ends, however it does, without the last line end.
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

/// The objects of a repository, which the program `git` tells as long as somebody asks. It has to be of
/// version 2.36 at least.
final class GitObjects {
  private let running: RunningProgram
  /// What git has written.
  private var bytes: [UInt8] = []
  /// Where the next answer begins in it.
  private var start = 0
  /// Why what it writes next answers nobody knows what.
  private var failure: GitError?

  /// An object.
  struct Object {
    /// What an object is.
    enum Kind { case tree, commit, tag, blob }

    /// What names it, in hex digits.
    let name: [UInt8]
    let kind: Kind
    /// How many bytes it has in it.
    let size: Int64
  }

  init(_ program: GitProgram) throws(GitError) {
    running = try program.start(
      ["cat-file", "--buffer", "--batch-command"].map { Array($0.utf8) }, input: .questions)
  }

  /// Puts questions, which git reads all before it answers the first.
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
  ///   - content: Whether what is in the object was asked for.
  ///   - body: Told of the object, nil if there is no such object, and what is in it.
  func take<Result>(
    content isAsked: Bool,
    _ body: (_ object: Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    do throws(GitError) {
      guard let object = try takeHeader() else { return try body(nil, Span()) }
      if !isAsked { return try body(object, Span()) }
      let content = try takeContent(Int(object.size))
      // Taken out, so that nothing else has to be kept from writing to it.
      var bytes: [UInt8] = []
      swap(&bytes, &self.bytes)
      defer { swap(&bytes, &self.bytes) }
      return try body(object, bytes.span.extracting(content))
    } catch {
      failure = error
      throw error
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
  ///
  /// - Returns: Where it lies.
  private func takeContent(_ count: Int) throws(GitError) -> Range<Int> {
    if bytes.count - start <= count { try readOn(to: count + 1) }
    defer { start += count + 1 }
    return start..<(start + count)
  }

  /// Forgets what was taken, and reads until there are so many bytes.
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

/// Questions about objects, answered in the order in which they are put. Some are put ahead, so that git looks
/// up the next while whoever asks makes something of the last.
struct GitQuestions: Sendable {
  /// How many bytes of them git is given at once. Twice as many may be open, which it takes in at any time.
  private static let portion = 2048

  private let command: [UInt8]
  /// What git knows the objects by, and how many of them were put.
  private var names: [[UInt8]] = []
  private var put = 0
  /// How many answers are open of what was put last, and of what was put before.
  private var open = (before: 0, last: 0)

  /// - Parameter command: What of the objects is asked for: `contents` or `info`.
  init(_ command: String) { self.command = Array(command.utf8) }

  /// Whether all are answered.
  var isEmpty: Bool { open == (0, 0) && put == names.count }

  /// Asks for an object, later than for those before.
  mutating func add(_ name: [UInt8]) { names.append(name) }

  /// Lends the next object with what was asked of it; nil if there is no such object.
  ///
  /// - Parameters:
  ///   - objects: The same for all questions.
  ///   - body: Told what is in the object, nothing if nobody asked for that.
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

  /// Puts as many as there are, and may be put at once.
  ///
  /// - Returns: How many.
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
  /// Reads more of what git writes.
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
