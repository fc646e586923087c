import GeoCore
import GeoTree
import GeoSystem

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
