import GeoFormats
import GeoCore

extension PagedName: PagedRecord {
  static var pageBits: Int { 10 }
  static func lost(at index: Int) -> PagedName { .none }

  func put(to page: inout [UInt8]) {
    page.append(zigzag: place)
    page.append(zigzag: length)
  }

  init(_ page: inout PageReader) {
    self.init(place: page.takeInt(), length: page.takeInt32())
  }
}

extension ComparedFile: PagedRecord {
  static var pageBits: Int { 7 }

  static func lost(at index: Int) -> ComparedFile {
    ComparedFile(
      name: .none, change: .none, facts: EntryFacts(status: .vanished), was: EntryFacts(),
      folder: 0)
  }

  func put(to page: inout [UInt8]) {
    name.put(to: &page)
    page.append(change.rawValue)
    facts.put(to: &page)
    was.put(to: &page)
    page.append(zigzag: partner)
    page.append(zigzag: folder)
    page.append(zigzag: room)
    page.append(zigzag: roomBefore)
    page.append(isCounted ? 1 : 0)
  }

  init(_ page: inout PageReader) {
    self.init(
      name: PagedName(&page), change: NodeChange(rawValue: page.takeByte()) ?? .none,
      facts: EntryFacts(&page), was: EntryFacts(&page), partner: page.takeInt32(),
      folder: page.takeInt32())
    (room, roomBefore) = (page.takeNumber(), page.takeNumber())
    isCounted = page.takeByte() == 1
  }
}

extension EntryFacts {
  fileprivate func put(to page: inout [UInt8]) {
    page.append(zigzag: size)
    page.append(zigzag: modified)
    page.append(status.rawValue)
    page.append(kind.rawValue)
    page.append(varint: UInt64(links))
  }

  fileprivate init(_ page: inout PageReader) {
    self.init(
      size: page.takeNumber(), modified: page.takeNumber(),
      status: Status(rawValue: page.takeByte()) ?? .vanished,
      kind: EntryKind(rawValue: page.takeByte()) ?? .unknown,
      links: UInt32(truncatingIfNeeded: page.takeVarint()))
  }
}

extension ChangeTree.Folder: PagedRecord {
  static var pageBits: Int { 7 }

  static func lost(at index: Int) -> ChangeTree.Folder {
    ChangeTree.Folder(
      parent: -1, number: 0, end: Int32(index + 1), depth: 0, known: ComparedFolder(),
      files: 0..<0, children: 0..<0, below: ChangesBelow())
  }

  func put(to page: inout [UInt8]) {
    page.append(zigzag: parent)
    page.append(zigzag: number)
    page.append(zigzag: end)
    page.append(zigzag: depth)
    known.put(to: &page)
    for bound in [files.lowerBound, files.upperBound, children.lowerBound, children.upperBound] {
      page.append(zigzag: bound)
    }
    below.put(to: &page)
    page.append(holds ? 1 : 0)
    page.append(zigzag: growth)
  }

  init(_ page: inout PageReader) {
    self.init(
      parent: page.takeInt32(), number: page.takeInt32(), end: page.takeInt32(),
      depth: page.takeInt32(), known: ComparedFolder(&page), files: page.takeRange(),
      children: page.takeRange(), below: ChangesBelow(&page), holds: page.takeByte() == 1,
      growth: page.takeInt32())
  }
}

extension PageReader {
  fileprivate mutating func takeRange() -> Range<Int32> {
    let start = takeInt32()
    return start..<max(start, takeInt32())
  }

  /// Takes a number after a byte that says whether there is one.
  fileprivate mutating func takeOptional() -> Int64? {
    takeByte() == 1 ? takeNumber() : nil
  }
}

extension [UInt8] {
  fileprivate mutating func append(optional number: Int64?) {
    append(number == nil ? 0 : 1)
    if let number { append(zigzag: number) }
  }
}

extension ComparedFolder {
  fileprivate func put(to page: inout [UInt8]) {
    page.append(change.rawValue)
    page.append(zigzag: fileCount)
    page.append(zigzag: entries)
    page.append(optional: modified)
    page.append(
      (isUnreadable ? 1 : 0) | (isLoop ? 2 : 0) | (isListed ? 4 : 0) | (isUncompared ? 8 : 0))
  }

  fileprivate init(_ page: inout PageReader) {
    change = NodeChange(rawValue: page.takeByte()) ?? .none
    fileCount = page.takeInt()
    entries = page.takeInt()
    modified = page.takeOptional()
    let flags = page.takeByte()
    (isUnreadable, isLoop) = (flags & 1 != 0, flags & 2 != 0)
    (isListed, isUncompared) = (flags & 4 != 0, flags & 8 != 0)
  }
}

extension ChangesBelow {
  fileprivate func put(to page: inout [UInt8]) {
    for count in [counts.added, counts.removed, counts.changed, counts.moved] {
      page.append(zigzag: count)
    }
    page.append(optional: bytes)
  }

  fileprivate init(_ page: inout PageReader) {
    self.init()
    counts.added = page.takeInt()
    counts.removed = page.takeInt()
    counts.changed = page.takeInt()
    counts.moved = page.takeInt()
    bytes = page.takeOptional()
  }
}

extension StatePairSums: PagedRecord {
  static var pageBits: Int { 8 }
  static func lost(at index: Int) -> StatePairSums { StatePairSums() }

  func put(to page: inout [UInt8]) {
    for sums in [old, new] {
      for number in [sums.files, sums.apparent, sums.allocated] { page.append(zigzag: number) }
    }
  }

  init(_ page: inout PageReader) {
    self.init()
    (old.files, old.apparent, old.allocated) = (
      page.takeNumber(), page.takeNumber(), page.takeNumber()
    )
    (new.files, new.apparent, new.allocated) = (
      page.takeNumber(), page.takeNumber(), page.takeNumber()
    )
  }
}
