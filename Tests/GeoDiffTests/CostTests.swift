import GeoDiff
import GeoPath
import GeoScan
import TestSupport
import Testing

/// What costs less says the same.
@Suite struct CostTests {
  /// Pairs take room from the lists, whose pages are put away in the midst of it.
  @Test func manyMovedFilesAreTheSameInLittleMemory() async throws {
    var pair = StatePair(old: MemoryState(), new: MemoryState())
    for number in 0..<2500 {
      let file = MemoryState.Entry.file(
        kind: .regular, size: Int64(1 + number), seconds: Int64(number / 3), nanoseconds: 0)
      pair.old.entries["a\(number % 50)"] = .folder
      pair.new.entries["b\(number % 50)"] = .folder
      pair.old.entries["a\(number % 50)/f\(number)"] = file
      pair.new.entries["b\(number % 50)/f\(number)"] = file
    }
    let all = try await written(pair).bytes
    for memory in [1 << 20, 200_000] {
      #expect(try await written(pair, memory: memory).bytes == all, "\(memory)")
    }
    #expect(String(decoding: all, as: UTF8.self).contains("\"moved\":2500"))
  }

  private func summary(
    _ folder: TemporaryFolder, asksForFolders: Bool, since: Int64?
  ) async throws -> String {
    func root(_ name: String) -> ScanRoot {
      ScanRoot(label: Array("r".utf8), directory: Array(folder(name).utf8))
    }
    var comparison = Comparison(old: [root("old")], new: [root("new")])
    comparison.asksForFolders = asksForFolders
    comparison.since = since
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    return "\(ChangeSummary(try batches.finish(), top: 9))"
  }

  /// Folders are not asked when they were changed, unless that decides something.
  @Test func aSummaryNeedsNoTimesOfFolders() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("old/same")
    for name in ["old/gone", "new/same/a", "new/late/b", "new/early/c"] {
      try folder.makeFile(name, name)
    }
    for name in ["new/early/c", "new/early"] { try folder.setModified(name, 1000) }
    for since in [nil, 2000] as [Int64?] {
      let told = try await summary(folder, asksForFolders: true, since: since)
      #expect(try await summary(folder, asksForFolders: false, since: since) == told)
      #expect(told.contains("folders: \(since == nil ? 2 : 1)"), "\(told)")
    }
  }
}
