import GeoCore
import GeoFormats

extension PagedName: PagedRecord {
  static var pageBits: Int { 10 }
  static func lost(at index: Int) -> PagedName { .none }

  mutating func code(_ page: inout PageCoder) {
    page.code(&place)
    page.code(&length)
  }
}

extension ComparedFile: PagedRecord {
  static var pageBits: Int { 7 }

  static func lost(at index: Int) -> ComparedFile {
    ComparedFile(
      name: .none, change: .none, facts: EntryFacts(status: .vanished), was: EntryFacts(),
      folder: 0)
  }

  mutating func code(_ page: inout PageCoder) {
    name.code(&page)
    page.code(&change)
    facts.code(&page)
    was.code(&page)
    page.code(&partner)
    page.code(&folder)
    page.code(&room)
    page.code(&roomBefore)
    page.code(&isCounted)
  }
}

extension EntryFacts {
  fileprivate mutating func code(_ page: inout PageCoder) {
    page.code(&size)
    page.code(&modified)
    page.code(&status)
    page.code(&kind)
    var links = Int64(links)
    page.code(&links)
    self.links = UInt32(truncatingIfNeeded: links)
  }
}

extension ChangeTree.Folder: PagedRecord {
  static var pageBits: Int { 7 }

  static func lost(at index: Int) -> ChangeTree.Folder {
    ChangeTree.Folder(
      parent: -1, number: 0, end: Int32(index + 1), depth: 0, known: ComparedFolder(),
      files: 0..<0, children: 0..<0, below: ChangesBelow())
  }

  mutating func code(_ page: inout PageCoder) {
    page.code(&parent)
    page.code(&number)
    page.code(&end)
    page.code(&depth)
    known.code(&page)
    page.code(&files)
    page.code(&children)
    page.code(&below.counts.added)
    page.code(&below.counts.removed)
    page.code(&below.counts.changed)
    page.code(&below.counts.moved)
    page.code(&below.bytes)
    page.code(&holds)
    page.code(&growth)
  }
}

extension ComparedFolder {
  fileprivate mutating func code(_ page: inout PageCoder) {
    page.code(&change)
    page.code(&fileCount)
    page.code(&entries)
    page.code(&modified)
    page.code(&isUnreadable)
    page.code(&isLoop)
    page.code(&isListed)
    page.code(&isUncompared)
  }
}

extension StatePairSums: PagedRecord {
  static var pageBits: Int { 8 }
  static func lost(at index: Int) -> StatePairSums { StatePairSums() }

  mutating func code(_ page: inout PageCoder) {
    old.code(&page)
    new.code(&page)
  }
}

extension StateSums {
  fileprivate mutating func code(_ page: inout PageCoder) {
    page.code(&files)
    page.code(&apparent)
    page.code(&allocated)
  }
}

extension FolderGrowth: PagedRecord {
  static var pageBits: Int { 5 }
  static func lost(at index: Int) -> FolderGrowth { FolderGrowth() }

  mutating func code(_ page: inout PageCoder) {
    apparent.code(&page)
    allocated.code(&page)
    files.code(&page)
    page.code(&shared)
    all.code(&page)
  }
}

extension FolderGrowth.Own {
  fileprivate mutating func code(_ page: inout PageCoder) {
    names.code(&page)
    page.code(&repeatedHere)
    page.code(&repeatedBelow)
  }
}

extension Growth {
  fileprivate mutating func code(_ page: inout PageCoder) {
    page.code(&gain)
    page.code(&loss)
  }
}
