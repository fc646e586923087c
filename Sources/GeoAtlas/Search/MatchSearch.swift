import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

/// A batch of search results: what was found since the previous batch, with running totals.
package struct MatchNews: Sendable {
  package struct Folder: Sendable, Equatable {
    package let path: [UInt8]
    package var files: Int
    package var bytes: Int64
  }

  package var folders: [Folder] = []
  /// Files that are new among the first of all.
  package var found: [MatchedFile] = []
  /// Matching files so far, and their bytes: a file with several names counts for each.
  package var files = 0
  package var bytes: Int64 = 0
  package var lookedAt = 0
  package var foldersLookedAt = 0
  package var isDone = false
  package var faults = FirstFaults()
  package var isComplete: Bool { faults.count == 0 }
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

  package init(
    for conditions: FileConditions, first order: MatchOrder, limit: Int, in world: World
  ) {
    (self.world, self.conditions, self.order, self.limit) = (world, conditions, order, limit)
  }

  package func run(
    isUnwanted: @Sendable () -> Bool, report: (MatchNews) async -> Void
  ) async throws {
    var options = FileSystemScanner.Options()
    options.readsMetadata = true
    options.selection = world.selection
    var batches = try await FileSystemScanner(options: options)
      .scan(world.roots, plan: MatchPlan()) { [conditions] in MatchVisitor(conditions) }
      .makeAsyncIterator()
    var news = MatchNews()
    var best = BestMatches(order, limit: limit)
    var reportedAt = ThisProcess.nanoseconds
    var isFirst = true
    while let batch = try await batches.next() {
      if isUnwanted() { return }
      news.faults.add(batch.faults)
      add(batch.content, into: &news, &best)
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

  private func add(_ part: MatchPart, into news: inout MatchNews, _ best: inout BestMatches) {
    news.lookedAt += part.lookedAt
    news.foldersLookedAt += part.folders
    var (index, nameStart) = (0, 0)
    for run in part.runs {
      var folder = MatchNews.Folder(path: run.path, files: 0, bytes: 0)
      while index < run.end {
        let file = part.files[index]
        folder.files += 1
        folder.bytes = folder.bytes.adding(saturating: file.size ?? 0)
        if best.mayAdd(size: file.size, modified: file.modified) {
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

/// A visitor's plan, without data: a search needs nothing of the folders above.
final class MatchPlan: Sendable {}

struct MatchPart: Sendable {
  struct File: Sendable {
    let nameEnd: Int
    let size: Int64?
    let modified: Int64?
    let kind: EntryKind
  }

  struct Run: Sendable {
    let path: [UInt8]
    var end: Int
  }

  var runs: [Run] = []
  var files: [File] = []
  var names: [UInt8] = []
  var lookedAt = 0
  var folders = 0
}
