import GeoCore
import GeoSystem

/// Why a revision of a repository can't be read.
package enum GitError: SourceError {
  case noProgram(Errno)
  case noScratch(Errno)
  case refused(revision: [UInt8], text: [UInt8])
  case range(revision: [UInt8])
  case unreadable(Errno)
  case malformed(revision: [UInt8])
  case noRepository(path: [UInt8], text: [UInt8])

  package var failure: Failure {
    func shown(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    return switch self {
    case .noProgram(.noEntry):
      .usage("reading revisions needs the program 'git', which is not in PATH: install it")
    case .noProgram(let reason): .usage("can't start 'git': \(reason)")
    case .noScratch(let reason): .noScratch("make the files on disk that 'git' needs", reason)
    case .refused(let revision, let text):
      Failure(.source, "git can't read the revision '\(shown(revision))': \(Self.line(text))")
    case .range(let revision):
      Failure(
        .source,
        "'\(shown(revision))' is a part of a history, which goes from the root to one revision: "
          + "give its last commit, and limit the times")
    case .unreadable(let reason): Failure(.source, "can't read what git writes: \(reason)")
    case .malformed(let revision):
      .damage("can't parse what git lists of revision '\(shown(revision))'")
    case .noRepository(let path, let text):
      Failure(.source, "git can't use '\(shown(path))' as a repository: \(Self.line(text))")
    }
  }

  /// The first line of git's message, and the command that git suggests for folders of other
  /// owners.
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

/// Runs the program `git` without hooks, pagers, prompts, locks and network access.
struct GitProgram {
  /// The path of the repository, or of a folder in its work tree.
  let repository: [UInt8]

  init(repository: [UInt8]) { self.repository = repository }

  /// Throws unless the revision can be a name.
  init(repository: [UInt8], revision: [UInt8]) throws(GitError) {
    self.repository = repository
    if revision.isEmpty || revision.contains(0) || repository.contains(0) {
      throw .refused(revision: revision, text: Array("not the name of a revision".utf8))
    }
  }

  func start(
    _ words: [String], _ more: [[UInt8]] = [], input: RunningProgram.Input = .nothing
  ) throws(GitError) -> RunningProgram {
    let settings = [
      "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
      "protocol.allow=never", "-c", "credential.helper=", "-C",
    ]
    let arguments =
      settings.map { Array($0.utf8) } + [repository] + words.map { Array($0.utf8) } + more
    let messages = try rethrowing(ScratchFile(), as: GitError.noScratch)
    do throws(Errno) {
      return try RunningProgram(
        "git", arguments, input: input, messages: messages,
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

  /// The output of git, without the last line feed; throws if git fails, if it has to succeed.
  func output(
    _ words: [String], _ more: [[UInt8]] = [], hasToSucceed: Bool = true
  ) throws(GitError) -> [UInt8] {
    let program = try start(words, more)
    var bytes: [UInt8] = []
    while try program.readOn(upTo: 1 << 16, appendingTo: &bytes) > 0 {}
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if hasToSucceed, program.finish() != 0 {
      throw .noRepository(path: repository, text: program.errorText)
    }
    return bytes
  }
}

extension RunningProgram {
  func readOn(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(GitError) -> Int {
    return try rethrowing(read(upTo: count, appendingTo: &bytes), as: GitError.unreadable)
  }
}
