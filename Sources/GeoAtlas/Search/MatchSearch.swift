import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

/// A batch of search results: what was found since the previous batch, with running totals.
package struct MatchNews: Sendable {
  /// The matches of a folder since the previous batch.
  package struct Folder: Sendable, Equatable {
    package let path: [UInt8]
    package var files: Int
    package var bytes: Int64
  }

  /// Folders with matches, in the order of the tree.
  package var folders: [Folder] = []
  /// Files that are new among the first of all.
  package var found: [MatchedFile] = []
  /// Matching files so far, and their bytes: a file with several names counts for each.
  package var files = 0
  package var bytes: Int64 = 0
  /// Files and folders searched so far.
  package var lookedAt = 0
  package var foldersLookedAt = 0
  /// Whether the search has ended.
  package var isDone = false
  /// Whether everything so far could be read.
  package var isComplete = true
}

/// Searches a world for files that meet conditions, and reports results while it runs.
///
/// It is one pass of the scanner over the visible entries. Memory holds only the first files of the
/// requested order and the results since the last report.
package struct MatchSearch: Sendable {
  private let world: World
  private let conditions: FileConditions
  private let order: MatchOrder
  private let limit: Int

  /// How long results are collected before a report, in nanoseconds; the first ones are reported at
  /// once.
  private static let interval: Int64 = 100_000_000

  /// - Parameters:
  ///   - conditions: The conditions of the files.
  ///   - order: The order that decides which files are first.
  ///   - limit: The number of first files.
  ///   - world: The world to search.
  package init(
    for conditions: FileConditions, first order: MatchOrder, limit: Int, in world: World
  ) {
    self.world = world
    self.conditions = conditions
    self.order = order
    self.limit = limit
  }

  /// Searches the whole world.
  ///
  /// - Parameters:
  ///   - isUnwanted: Called repeatedly; if it returns true, the search stops.
  ///   - report: Called with each batch, and at the end. The search waits for it.
  /// - Throws: `FileSystemScanner.Failure` if no thread could be started.
  package func run(
    isUnwanted: @Sendable () -> Bool, report: (MatchNews) async -> Void
  ) async throws {
    var options = FileSystemScanner.Options()
    options.readsMetadata = true
    let (conditions, visibility) = (conditions, world.visibility)
    var batches = try await FileSystemScanner(options: options)
      .scan(world.roots, plan: MatchPlan()) { MatchVisitor(conditions, in: visibility) }
      .makeAsyncIterator()
    var news = MatchNews()
    var best = BestMatches(order, limit: limit)
    var reportedAt = ThisProcess.nanoseconds
    var isFirst = true
    while let batch = try await batches.next() {
      if isUnwanted() { return }
      if !batch.faults.isEmpty { news.isComplete = false }
      take(batch.content, into: &news, &best)
      let isUrgent = isFirst && !news.folders.isEmpty
      if !isUrgent && ThisProcess.nanoseconds - reportedAt < Self.interval { continue }
      if isUrgent { isFirst = false }
      await send(&news, best.takeNew(), report)
      reportedAt = ThisProcess.nanoseconds
    }
    news.isDone = true
    await send(&news, best.takeNew(), report)
  }

  private func send(
    _ news: inout MatchNews, _ found: [MatchedFile], _ report: (MatchNews) async -> Void
  ) async {
    news.found = found
    await report(news)
    news.folders.removeAll(keepingCapacity: true)
    news.found = []
  }

  private func take(_ part: MatchPart, into news: inout MatchNews, _ best: inout BestMatches) {
    news.lookedAt += part.lookedAt
    news.foldersLookedAt += part.folders
    var (index, nameStart) = (0, 0)
    for run in part.runs {
      var folder = MatchNews.Folder(path: run.path, files: 0, bytes: 0)
      while index < run.end {
        let file = part.files[index]
        folder.files += 1
        folder.bytes = folder.bytes.adding(saturating: file.size ?? 0)
        if best.mayTake(size: file.size, modified: file.modified) {
          best.add(
            MatchedFile(
              path: run.path.appending(component: part.names[nameStart..<file.nameEnd]),
              size: file.size, modified: file.modified, kind: file.kind))
        }
        nameStart = file.nameEnd
        index += 1
      }
      news.files += folder.files
      news.bytes = news.bytes.adding(saturating: folder.bytes)
      if let last = news.folders.last, last.path == folder.path {
        news.folders[news.folders.count - 1].files += folder.files
        news.folders[news.folders.count - 1].bytes = last.bytes.adding(saturating: folder.bytes)
      } else {
        news.folders.append(folder)
      }
    }
  }
}

/// The data that sub-folders need when they are read: git's rules, if the selection uses them.
final class MatchPlan: Sendable {
  let scope: IgnoreScope?
  /// The indices of entered sub-folders that git ignores.
  let ignored: [Int]

  init(scope: IgnoreScope? = nil, ignored: [Int] = []) {
    self.scope = scope
    self.ignored = ignored
  }
}

/// Matching files of some folders, in the order of the tree.
struct MatchPart: Sendable {
  struct File: Sendable {
    /// The end of its name in ``MatchPart/names``, where the next one begins.
    let nameEnd: Int
    /// Bytes, and Unix time of the last change; nil if unknown.
    let size: Int64?
    let modified: Int64?
    let kind: EntryKind
  }

  /// Consecutive files of one folder.
  struct Run: Sendable {
    let path: [UInt8]
    /// The end of its files in ``MatchPart/files``.
    var end: Int
  }

  var runs: [Run] = []
  var files: [File] = []
  var names: [UInt8] = []
  /// The numbers of files and folders searched.
  var lookedAt = 0
  var folders = 0
}

/// Finds the visible files that meet conditions.
final class MatchVisitor: ScanVisitor {
  /// Hides the entries that the world hides; nil if it shows everything.
  private let shown: Selector?
  private let git: GitRules?
  private let scopes: [IgnoreScope]
  private let wanted: Selector
  private let sorts: Set<FileSort>
  private var part = MatchPart()
  private var verdicts: [Selector.FolderVerdict] = []

  init(_ conditions: FileConditions, in visibility: Visibility) {
    shown = visibility.selection.map { Selector($0) }
    git = visibility.git
    scopes = visibility.scopes
    wanted = Selector(conditions.selection)
    sorts = conditions.sorts
  }

  func enter(
    _ visit: FolderVisit<MatchPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<MatchPlan>? {
    part.folders += 1
    var faults: [ScanFault] = []
    let scope = scope(of: visit, files: files, folders: folders, &faults)
    var decisions = visit.decisions(ofAll: folders.count)
    var ignored: [Int] = []
    if let shown {
      shown.judgeFolders(folders, in: visit.path, scope: scope, into: &verdicts)
      var kept = 0
      for index in decisions.indices where decisions[index] != .hidden {
        if verdicts[index].reason != nil {
          decisions[index] = .hidden
          continue
        }
        if verdicts[index].isIgnored { ignored.append(kept) }
        kept += 1
      }
    }
    var decision = FolderDecision(
      plan: MatchPlan(scope: scope, ignored: ignored), decisions: decisions, wantsFiles: true)
    decision.faults = faults
    return decision
  }

  /// git's rules in a folder; nil if the selection doesn't use them.
  private func scope(
    of visit: FolderVisit<MatchPlan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope? {
    let parent = visit.parentPlan
    guard let git,
      var scope = parent.scope ?? (visit.index < scopes.count ? scopes[visit.index] : nil)
    else { return nil }
    if parent.ignored.contains(visit.index) { scope = scope.ignored }
    return git.scope(scope, of: visit, files: files, folders: folders, &faults)
  }

  func pass(_ visit: FolderVisit<MatchPlan>) {}

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: MatchPlan,
    facts: inout [EntryFacts]
  ) {
    var counts = ExclusionCounts()
    shown?.selectFiles(names, range, in: path, scope: plan.scope, facts: &facts, counts: &counts)
    part.lookedAt += facts.count - counts.total
    wanted.selectFiles(names, range, in: path, scope: nil, facts: &facts, counts: &counts)
    if sorts.isEmpty { return }
    let (records, bytes) = (names.records.span, names.bytes.span)
    for position in facts.indices where facts[position].status != .hidden {
      let record = records[range.lowerBound + position]
      if !sorts.contains(FileSort(of: bytes.extracting(record.range), record.kind)) {
        facts[position].status = .hidden
      }
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: MatchPlan,
    facts: [EntryFacts]
  ) {
    var facts = facts
    var counts = ExclusionCounts()
    shown?.selectByMetadata(&facts, counts: &counts)
    wanted.selectByMetadata(&facts, counts: &counts)
    let first = part.files.count
    for (position, facts) in facts.enumerated() {
      switch facts.status {
      case .hidden, .vanished: continue
      case .known, .sized, .unasked, .unreadable: break
      }
      let record = names.records[range.lowerBound + position]
      part.names += names.bytes[record.range]
      let isKnown = facts.status == .known
      part.files.append(
        MatchPart.File(
          nameEnd: part.names.count,
          size: isKnown || facts.status == .sized ? facts.size : nil,
          modified: isKnown ? facts.modified : nil, kind: facts.kind))
    }
    if part.files.count == first { return }
    if let last = part.runs.last, last.path == path {
      part.runs[part.runs.count - 1].end = part.files.count
    } else {
      part.runs.append(MatchPart.Run(path: path, end: part.files.count))
    }
  }

  /// Searched entries count, too: a search with few results still reports its progress.
  var weight: Int {
    part.names.count + part.files.count * MemoryLayout<MatchPart.File>.stride
      + part.runs.count * 96 + part.lookedAt * 4 + part.folders * 32
  }

  func takeContent() -> MatchPart {
    defer { part = MatchPart() }
    return part
  }
}
