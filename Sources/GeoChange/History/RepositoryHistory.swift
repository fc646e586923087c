import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

/// Reads the history of a git repository along first parents.
package struct RepositoryHistory: Sendable {
  private var log: GitLog
  private let repository: [UInt8]
  package let label: [UInt8]
  package var keepsEvents = true
  package var asksForSizes = true
  package var readsSubjects: Bool {
    get { log.readsSubjects }
    set { log.readsSubjects = newValue }
  }

  /// Finds the label, by git if `label` is nil.
  package init(
    _ revision: [UInt8], of repository: [UInt8], label: [UInt8]?
  ) throws(GitError) {
    log = try GitLog(revision, of: repository)
    self.repository = repository
    self.label = if let label { label } else { try GitRevision.label(of: [], in: repository) }
  }

  package var commitCount: Int? { log.commitCount }

  /// Ends early if the current task is cancelled. Returns also the number of paths that can't be on
  /// a map. Throws `GitError` or `MapError`.
  package func world(
    _ layout: Layout, progress: (Int) -> Void, isRead: () -> Void = {}
  ) throws -> (HistoryWorld, refused: Int) {
    var commits = 0
    var builder = HistoryBuilder(label: label, keepsEvents: keepsEvents, asksForSizes: asksForSizes)
    try log.read { commit in
      commits += 1
      progress(commits)
      builder.begin(
        time: commit.time, author: commit.author, revision: commit.revision,
        subject: commit.subject)
    } body: { (entry, bytes) in
      let path = entry.path.map { bytes[$0] }
      builder.apply(
        path, oldMode: entry.oldMode, newMode: entry.newMode,
        object: bytes.extracting(entry.object))
    }
    isRead()
    let refused = builder.refused
    var (history, objects) = builder.finish()
    var sizes: [Int64?] = []
    if !objects.isEmpty {
      try log.readSizes(of: try Self.scratch(objects)) { sizes.append($0) }
    }
    history.setSizes(sizes)
    let roots = try WorldRoots(
      [ScanRoot(label: label, directory: repository)], layout, areThere: false)
    return (HistoryWorld(history, roots.engine), refused)
  }

  private static func scratch(_ bytes: [UInt8]) throws(GitError) -> ScratchFile {
    do throws(Errno) {
      let file = try ScratchFile()
      try file.append(bytes.span)
      return file
    } catch {
      throw .noScratch(error)
    }
  }
}

extension History {
  /// Sets the sizes of files, given in the order of the requested objects; nil is unknown.
  package mutating func setSizes(_ sizes: [Int64?]) {
    func size(_ number: Int64) -> Int64? {
      sizes.indices.contains(Int(number)) ? sizes[Int(number)] : nil
    }
    for index in lives.indices where !nodes[Int(lives[index].node)].isFolder {
      let size = size(lives[index].facts.size)
      lives[index].facts.size = size ?? 0
      lives[index].facts.status = size == nil ? .unasked : .sized
    }
    for index in events.indices { events[index].size = size(events[index].size) ?? -1 }
  }
}
