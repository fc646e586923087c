import GeoCore
import GeoSystem
import GeoTree

/// What the histories of the roots' repositories say of their files.
///
/// A history is read by one run of `git log`, along first parents, for all layers; if lines are
/// counted, by one for each part of it. Memory is needed for each path that a commit has changed, and
/// for each author of it.
struct GitLayers {
  private struct Path: Sendable {
    var commits: Int64 = 0
    var lines: Int64 = 0
    var last: Int32 = 0
    var authors: [(author: Int32, commits: Int64)] = []
    /// Whether it is a file after the last commit.
    var isThere = false

    mutating func add(_ count: Int64, by author: Int32) {
      commits += count
      last = author
      if let index = authors.firstIndex(where: { $0.author == author }) {
        authors[index].commits += count
      } else {
        authors.append((author, count))
      }
    }
  }

  private struct History: Sendable {
    struct Author: Hashable {
      let name: [UInt8]
      let mail: [UInt8]
    }

    var paths = PathTally<Path>()
    private(set) var authors: [Author] = []
    private var numbers: [Author: Int32] = [:]

    mutating func number(of author: Author) -> Int32 {
      if let number = numbers[author] { return number }
      let number = Int32(clamping: authors.count)
      numbers[author] = number
      authors.append(author)
      return number
    }

    mutating func index(of path: [UInt8]) throws(Failure) -> Int {
      try paths.index(of: PathTally.Place(path: path), source, adding: Path())
    }

    mutating func add(_ part: History) throws(Failure) {
      let numbers = part.authors.map { number(of: $0) }
      for (place, path) in part.paths.entries {
        let index = try index(of: place.path)
        for (author, commits) in path.authors {
          paths[index].add(commits, by: numbers[Int(author)])
        }
        if path.commits > 0 {
          paths[index].last = numbers[Int(path.last)]
          paths[index].isThere = path.isThere
        }
        paths[index].lines = paths[index].lines.adding(saturating: path.lines)
      }
    }
  }

  private static let source = "git log"
  private var histories: [(label: [UInt8], history: History)] = []

  init(
    _ facts: Set<MapLayer.GitFact>, of roots: [ScanRoot], since: Int64?
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

  /// With the folder of the root from the top of the work tree.
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

  /// Reads a history, in parts at once if git compares contents, which takes most of the time.
  private static func read(_ log: GitLog, below folder: [UInt8]) throws(Failure) -> History {
    let threads = FileSystem.processors
    let parts = log.countsLines ? log.parts(4 * threads) : [log]
    if parts.count == 1 { return try part(log, below: folder) }
    typealias Outcome = Result<History, Failure>
    let tasks = (0..<min(threads, parts.count)).map { first in
      BackgroundTask { () throws(Errno) in
        stride(from: first, to: parts.count, by: threads).map { index in
          Outcome { () throws(Failure) in try part(parts[index], below: folder) }
        }
      }
    }
    for task in tasks { task.begin() }
    let outcomes = try tasks.map { (task) throws(Failure) in
      try rethrowing(task.finish()) { (error: Errno) in
        Failure(.limit, "can't start a thread: \(error)", cause: error)
      }
    }
    var history = History()
    for index in parts.indices {
      try history.add(outcomes[index % threads][index / threads].get())
    }
    return history
  }

  private static func part(_ log: GitLog, below folder: [UInt8]) throws(Failure) -> History {
    var history = History()
    var author: Int32 = 0
    var failure: Failure?
    func index(_ path: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
      var whole = Array(copying: bytes.extracting(path))[...]
      if !folder.isEmpty {
        guard whole.isPath(atOrBelow: folder), whole.count > folder.count else { return nil }
        whole = whole.dropFirst(folder.count + 1)
      }
      do throws(Failure) {
        return try history.index(of: Array(whole))
      } catch {
        failure = failure ?? error
        return nil
      }
    }
    do throws(GitError) {
      try log.read { commit in
        author = history.number(of: History.Author(name: commit.author, mail: commit.mail))
      } body: { entry, bytes in
        guard let index = index(entry.path, bytes) else { return }
        history.paths[index].add(1, by: author)
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

  func add(
    _ fact: MapLayer.GitFact, _ request: MapLayer, to loader: inout LayerLoader
  ) throws(Failure) {
    let draft = try request.draft(fact.name, fact.isWord ? .share : .sum)
    try loader.builder.begin(Self.source, [draft])
    for (label, history) in histories {
      for (place, value) in history.paths.entries where value.isThere {
        try loader.builder.add(
          path: label.appending(component: place.path).span,
          LayerTexts(CollectionOfOne(Self.text(fact, value, history))), line: 0)
      }
    }
  }

  private static func text(
    _ fact: MapLayer.GitFact, _ path: Path, _ history: History
  ) -> [UInt8] {
    switch fact {
    case .commits: return Array("\(path.commits)".utf8)
    case .authors: return Array("\(path.authors.count)".utf8)
    case .lines: return Array("\(path.lines)".utf8)
    case .lastAuthor: return history.authors[Int(path.last)].name
    case .mainAuthor:
      let maximum = path.authors.map(\.commits).max() ?? 0
      let main = path.authors.filter { $0.commits == maximum }
      let names = main.map { history.authors[Int($0.author)].name }
      return names.min { $0.lexicographicallyPrecedes($1) } ?? []
    }
  }
}

extension GitRevision {
  var folder: [UInt8]? {
    name.firstIndex(of: UInt8(ascii: ":")).map {
      Array(name[($0 + 1)...].split(separator: .slash).joined(separator: [.slash]))
    }
  }
}
