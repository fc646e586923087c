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

extension GitError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    func shown(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .noProgram(.noEntry):
      return "revisions are read by the program 'git', and there is none in PATH: install it"
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
      return .refused(revision: revision, text: Array("there is no commit yet".utf8))
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
    do throws(Errno) {
      while try program.read(upTo: 4096, appendingTo: &bytes) > 0 {}
    } catch {
      throw .unreadable(error)
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes
  }
}
