import GeoCore
import GeoSystem
import GeoTree

/// What the histories of the roots' repositories say of their files.
///
/// A history is read by one run of `git log`, along first parents. Memory is needed for each path
/// that a commit has changed, and for each author of it.
struct GitLayers {
  /// The changes of a path.
  private struct Path {
    var commits: Int64 = 0
    var lines: Int64 = 0
    /// The author of the last commit.
    var last: Int32 = 0
    /// How many commits each author has.
    var authors: [(author: Int32, commits: Int64)] = []
    /// Whether it is a file after the last commit.
    var isThere = false

    mutating func count(_ author: Int32) {
      commits += 1
      last = author
      if let index = authors.firstIndex(where: { $0.author == author }) {
        authors[index].commits += 1
      } else {
        authors.append((author, 1))
      }
    }
  }

  /// The history of a root.
  private struct History {
    var paths = PathTally<Path>()
    /// The names of authors.
    var names: [[UInt8]] = []
    var numbers: [Author: Int32] = [:]
    var author: Int32 = 0

    struct Author: Hashable {
      let name: [UInt8]
      let mail: [UInt8]
    }

    mutating func begin(_ commit: GitLog.Commit) {
      let key = Author(name: commit.author, mail: commit.mail)
      if let number = numbers[key] {
        author = number
        return
      }
      author = Int32(clamping: names.count)
      numbers[key] = author
      names.append(commit.author)
    }
  }

  private static let source = "git log"
  private var histories: [(label: [UInt8], history: History)] = []

  /// Reads the histories.
  ///
  /// - Parameters:
  ///   - facts: What is asked for.
  ///   - roots: Folders in work trees, or revisions.
  ///   - since: The first time of commits in Unix seconds; nil for all.
  init(
    _ facts: Set<LayerRequest.GitFact>, of roots: [ScanRoot], since: Int64?
  ) throws(Failure) {
    for root in roots {
      let history = try rethrowing(Self.log(of: root)) { (error: GitError) in Failure(error) }
      var log = history.log
      log.since = since
      log.folder = history.folder.isEmpty ? nil : history.folder
      log.readsMail = true
      log.skipsSubmodules = true
      log.countsLines = facts.contains(.lines)
      histories.append((root.label, try Self.read(log, below: history.folder)))
    }
  }

  /// The history of a root's repository, and the folder of the root from the top of the work tree.
  private static func log(of root: ScanRoot) throws(GitError) -> (log: GitLog, folder: [UInt8]) {
    if let revision = root.source as? GitRevision {
      let commit = revision.name.prefix { $0 != UInt8(ascii: ":") }
      let folder = (revision.folder ?? []) + root.names.joined(separator: [.slash])
      return (try GitLog(Array(commit), of: revision.repository), folder)
    }
    let directory = root.names.reduce(root.directory) { $0.appending(component: $1) }
    var prefix = try GitProgram(repository: directory).output(["rev-parse", "--show-prefix"])
    if prefix.last == .slash { prefix.removeLast() }
    return (try GitLog(Array("HEAD".utf8), of: directory), prefix)
  }

  private static func read(_ log: GitLog, below folder: [UInt8]) throws(Failure) -> History {
    var history = History()
    var failure: Failure?
    func index(_ path: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
      var whole = Array(copying: bytes.extracting(path))[...]
      if !folder.isEmpty {
        guard whole.isPath(atOrBelow: folder), whole.count > folder.count else { return nil }
        whole = whole.dropFirst(folder.count + 1)
      }
      do throws(Failure) {
        return try history.paths.index(
          of: PathTally.Place(path: Array(whole)), source, adding: Path())
      } catch {
        failure = failure ?? error
        return nil
      }
    }
    do throws(GitError) {
      try log.read { commit in
        history.begin(commit)
      } body: { entry, bytes in
        guard let index = index(entry.path, bytes) else { return }
        history.paths[index].count(history.author)
        let type = entry.newMode >> 12
        history.paths[index].isThere = type == 0o10 || type == 0o12
      } lines: { lines, path, bytes in
        guard let index = index(path, bytes) else { return }
        history.paths[index].lines = history.paths[index].lines.adding(saturating: lines)
      }
    } catch {
      throw Failure(error)
    }
    if let failure { throw failure }
    return history
  }

  /// Adds a layer.
  func add(
    _ fact: LayerRequest.GitFact, _ request: LayerRequest, to loader: inout LayerLoader
  ) throws(Failure) {
    let draft = try request.draft(fact.name, fact.isWord ? .share : .sum)
    try loader.builder.begin(Self.source, [draft])
    for (label, history) in histories {
      for (place, value) in history.paths.entries where value.isThere {
        try loader.builder.add(
          path: label.appending(component: place.path), [Self.text(fact, value, history)[...]],
          line: 0)
      }
    }
  }

  private static func text(
    _ fact: LayerRequest.GitFact, _ path: Path, _ history: History
  ) -> [UInt8] {
    switch fact {
    case .commits: return Array("\(path.commits)".utf8)
    case .authors: return Array("\(path.authors.count)".utf8)
    case .lines: return Array("\(path.lines)".utf8)
    case .lastAuthor: return history.names[Int(path.last)]
    case .mainAuthor:
      let most = path.authors.map(\.commits).max() ?? 0
      let main = path.authors.filter { $0.commits == most }
      return main.map { history.names[Int($0.author)] }.min { $0.lexicographicallyPrecedes($1) }
        ?? []
    }
  }
}

extension GitRevision {
  /// The folder in the name of a revision, `REVISION:PATH`; nil without one.
  var folder: [UInt8]? {
    name.firstIndex(of: UInt8(ascii: ":")).map {
      Array(name[($0 + 1)...].split(separator: .slash).joined(separator: [.slash]))
    }
  }
}
