import Testing

@testable import GeoSystem
@testable import GeoLive

/// The two halves of a renaming, and the events between them.
@Suite struct HeldChangesTests {
  private let first = change(.removed, "a", cookie: 7)
  private let second = change(.added, "b", cookie: 7)
  private let other = change(.modified, "c")

  private static func change(
    _ what: FolderWatcher.Change.What, _ name: String, cookie: UInt32 = 0
  ) -> FolderWatcher.Change {
    FolderWatcher.Change(
      folder: 1, what: what, name: Array(name.utf8), isFolder: false, cookie: cookie)
  }

  private func names(_ changes: [FolderWatcher.Change]) -> String {
    changes.map { String(decoding: $0.name, as: UTF8.self) }.joined()
  }

  @Test func completeRenamesAreNotHeld() {
    var held = HeldChanges()
    #expect(names(held.release(with: [first, other, second], reportedAt: 0, now: 0)) == "acb")
    #expect(held.isEmpty && held.deadline == nil)
  }

  @Test func firstHalfHoldsLaterChanges() {
    var held = HeldChanges()
    #expect(names(held.release(with: [other, first, other], reportedAt: 100, now: 200)) == "c")
    #expect(held.deadline == 100 + HeldChanges.patience)
    #expect(names(held.release(with: [second, other], reportedAt: 300, now: 400)) == "acbc")
    #expect(held.isEmpty)
  }

  @Test func deadlineCountsFromTheFirstHalf() {
    var held = HeldChanges()
    _ = held.release(with: [first], reportedAt: 100, now: 100)
    _ = held.release(with: [other], reportedAt: 200, now: 99 + HeldChanges.patience)
    #expect(held.deadline == 100 + HeldChanges.patience)
    let late = held.release(with: [other], reportedAt: 300, now: 100 + HeldChanges.patience)
    #expect(names(late) == "acc")
    #expect(held.isEmpty)
  }

  @Test func releasesAllAtTheEnd() {
    var held = HeldChanges()
    _ = held.release(with: [first, other], reportedAt: 100, now: 100)
    #expect(names(held.releaseAll()) == "ac")
    #expect(held.isEmpty && held.releaseAll().isEmpty)
  }

  @Test func removalsAreNotHeld() {
    var held = HeldChanges()
    let removal = Self.change(.removed, "d")
    #expect(names(held.release(with: [removal, second], reportedAt: 0, now: 0)) == "db")
    #expect(held.isEmpty)
  }
}
