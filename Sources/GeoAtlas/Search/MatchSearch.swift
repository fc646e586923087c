import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

/// What a search has found since it was asked the last time.
package struct MatchNews: Sendable {
  /// Files in folders: of each folder those that came since the last time.
  package struct Folder: Sendable, Equatable {
    package let path: [UInt8]
    package var files: Int
    package var bytes: Int64
  }

  /// Folders that hold files which fit, in the order of the tree.
  package var folders: [Folder] = []
  /// Files that have come among the first of all.
  package var found: [MatchedFile] = []
  /// Files that fit so far, and their bytes: a file of several names counts for each.
  package var files = 0
  package var bytes: Int64 = 0
  /// Files and folders looked at so far.
  package var lookedAt = 0
  package var foldersLookedAt = 0
  /// Whether all was looked at by now.
  package var isDone = false
  /// Whether all could be read up to now.
  package var isComplete = true
}

/// Looks through a world for files that fulfil conditions, and tells what it has found meanwhile.
///
/// It is one pass of the scanner over what the world shows. In memory are the first files of the order
/// that is asked for and what was found since the last time, no more.
package struct MatchSearch: Sendable {
  private let world: World
  private let conditions: FileConditions
  private let order: MatchOrder
  private let limit: Int

  /// How long it gathers what it has found, in nanoseconds; the first is told at once.
  private static let interval: Int64 = 100_000_000

  /// - Parameters:
  ///   - order: Of which files the first are wanted.
  ///   - limit: How many of them.
  package init(
    for conditions: FileConditions, first order: MatchOrder, limit: Int, in world: World
  ) {
    self.world = world
    self.conditions = conditions
    self.order = order
    self.limit = limit
  }

  /// Looks through all of it.
  ///
  /// - Parameters:
  ///   - isUnwanted: Asked again and again; once it is true, it stops.
  ///   - tell: Told of news, and at the end. As long as it waits, the search does.
  /// - Throws: `FileSystemScanner.Failure` if no thread could be made.
  package func run(
    isUnwanted: @Sendable () -> Bool, tell: (MatchNews) async -> Void
  ) async throws {
    var options = FileSystemScanner.Options()
    options.readsMetadata = true
    let (conditions, visibility) = (conditions, world.visibility)
    var batches = try await FileSystemScanner(options: options)
      .scan(world.roots, plan: MatchPlan()) { MatchVisitor(conditions, in: visibility) }
      .makeAsyncIterator()
    var news = MatchNews()
    var best = BestMatches(order, limit: limit)
    var toldAt = ThisProcess.nanoseconds
    var isFirst = true
    while let batch = try await batches.next() {
      if isUnwanted() { return }
      if !batch.faults.isEmpty { news.isComplete = false }
      take(batch.content, into: &news, &best)
      let isUrgent = isFirst && !news.folders.isEmpty
      if !isUrgent && ThisProcess.nanoseconds - toldAt < Self.interval { continue }
      if isUrgent { isFirst = false }
      await self.tell(&news, best.takeNew(), tell)
      toldAt = ThisProcess.nanoseconds
    }
    news.isDone = true
    await self.tell(&news, best.takeNew(), tell)
  }

  private func tell(
    _ news: inout MatchNews, _ found: [MatchedFile], _ tell: (MatchNews) async -> Void
  ) async {
    news.found = found
    await tell(news)
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
        folder.bytes = Self.sum(folder.bytes, file.size ?? 0)
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
      news.bytes = Self.sum(news.bytes, folder.bytes)
      if let last = news.folders.last, last.path == folder.path {
        news.folders[news.folders.count - 1].files += folder.files
        news.folders[news.folders.count - 1].bytes = Self.sum(last.bytes, folder.bytes)
      } else {
        news.folders.append(folder)
      }
    }
  }

  /// A sum that stays where numbers end.
  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}

/// What is known of a folder's sub-folders before they are read: git's rules, if they count.
final class MatchPlan: Sendable {
  let scope: IgnoreScope?
  /// Those of the sub-folders that are entered, though git ignores them.
  let ignored: [Int]

  init(scope: IgnoreScope? = nil, ignored: [Int] = []) {
    self.scope = scope
    self.ignored = ignored
  }
}

/// Files of some folders that fulfil conditions, in the order of the tree.
struct MatchPart: Sendable {
  struct File: Sendable {
    /// Where its name ends in ``MatchPart/names``, and the next one's begins.
    let nameEnd: Int
    /// Bytes, and Unix time of the last change; nil where they are not known.
    let size: Int64?
    let modified: Int64?
    let kind: EntryKind
  }

  /// Files that follow each other in one folder.
  struct Run: Sendable {
    let path: [UInt8]
    /// Where its files end in ``MatchPart/files``.
    var end: Int
  }

  var runs: [Run] = []
  var files: [File] = []
  var names: [UInt8] = []
  /// How many files and folders were looked at.
  var lookedAt = 0
  var folders = 0
}

/// Looks which of the files that a world shows fulfil conditions; enters what the world shows.
final class MatchVisitor: ScanVisitor {
  /// What the world itself leaves out; nil if nothing.
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

  /// What git's rules say in a folder; nil if they don't count.
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

  /// What was looked at counts, too: a search that finds little still tells how far it is.
  var weight: Int {
    part.names.count + part.files.count * MemoryLayout<MatchPart.File>.stride
      + part.runs.count * 96 + part.lookedAt * 4 + part.folders * 32
  }

  func takeContent() -> MatchPart {
    defer { part = MatchPart() }
    return part
  }
}
