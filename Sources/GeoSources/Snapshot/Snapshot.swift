import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A snapshot in a file: what was in some folders at one time.
///
/// It is read by `pread`, here and there: a folder's listing takes one look into the index and as many
/// blocks as it spans, which for nearly all is one or two. No number in it is believed: places have to
/// lie in the file, each record belongs to one folder, and memory is taken for bytes that are there.
public final class Snapshot: Sendable {
  /// What it says of itself.
  public let header: SnapshotHeader
  /// What it is called in messages.
  public let path: [UInt8]
  /// How many folders and files it says that it has.
  public let folders: UInt64
  /// How many files.
  public let files: UInt64
  /// How many blocks.
  public let blocks: UInt64
  /// Bytes of the file.
  public var length: Int { file.size }

  private let file: ReadableFile
  private let brokenBy = Mutex<Errno?>(nil)
  /// Where the blocks begin.
  let firstBlock: UInt64
  /// Where the index begins, and the blocks end.
  let indexOffset: UInt64
  /// How many slots it has.
  let slots: UInt64
  /// The checksum of all but the trailer.
  let checksum: UInt32

  /// Whether a file is a snapshot by its first bytes; what is no regular file isn't opened.
  public static func begins(_ path: [UInt8]) -> Bool {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular else { return false }
    guard let file = try? ReadableFile.open(path) else { return false }
    var bytes: [UInt8] = []
    try? file.read(SnapshotNumbers.magic.count, at: 0, into: &bytes)
    return bytes == SnapshotNumbers.magic
  }

  /// Opens a snapshot, and reads what it says of itself.
  ///
  /// - Throws: ``SnapshotError``.
  /// - Complexity: O(length of the header).
  public convenience init(opening path: [UInt8]) throws(SnapshotError) {
    let opened: ReadableFile?
    do throws(Errno) {
      opened = try ReadableFile.open(path)
    } catch {
      throw .unreadable(file: path, error)
    }
    guard let opened else { throw .notRegular(file: path) }
    try self.init(opened, named: path)
  }

  /// Opens a snapshot that was written to a scratch file.
  ///
  /// - Parameter path: What it is called in messages.
  package convenience init(in scratch: ScratchFile, named path: [UInt8]) throws(SnapshotError) {
    let opened: ReadableFile
    do throws(Errno) {
      opened = try scratch.readable()
    } catch {
      throw .unreadable(file: path, error)
    }
    try self.init(opened, named: path)
  }

  private init(_ opened: consuming ReadableFile, named path: [UInt8]) throws(SnapshotError) {
    self.path = path
    file = opened
    (header, firstBlock) = try Self.readHeader(of: file, path)

    let size = UInt64(file.size)
    guard size >= firstBlock + UInt64(SnapshotNumbers.trailer) else { throw .cutShort(file: path) }
    let end = size - UInt64(SnapshotNumbers.trailer)
    let trailer = try Self.read(SnapshotNumbers.trailer, at: Int(end), of: file, path)
    guard trailer.suffix(SnapshotNumbers.endMagic.count).elementsEqual(SnapshotNumbers.endMagic)
    else { throw .cutShort(file: path) }
    let checked = SnapshotNumbers.trailer - SnapshotNumbers.endMagic.count - 4
    do throws(SnapshotDamage) {
      var reader = ByteReader(0..<trailer.count)
      indexOffset = try reader.takeLittle(UInt64.self, in: trailer.span)
      slots = try reader.takeLittle(UInt64.self, in: trailer.span)
      folders = try reader.takeLittle(UInt64.self, in: trailer.span)
      files = try reader.takeLittle(UInt64.self, in: trailer.span)
      blocks = try reader.takeLittle(UInt64.self, in: trailer.span)
      checksum = try reader.takeLittle(UInt32.self, in: trailer.span)
      let sum = CRC32.checksum(of: trailer.span.extracting(0..<checked))
      guard try reader.takeLittle(UInt32.self, in: trailer.span) == sum else { throw .changed }
    } catch {
      throw .damaged(file: path)
    }
    guard slots <= UInt64(UInt32.max), slots >= UInt64(header.roots.count),
      indexOffset >= firstBlock, indexOffset <= end,
      end - indexOffset == SnapshotNumbers.indexLength(slots: slots)
    else { throw .damaged(file: path) }
  }

  private static func readHeader(
    of file: borrowing ReadableFile, _ path: [UInt8]
  ) throws(SnapshotError) -> (SnapshotHeader, UInt64) {
    let start = try read(SnapshotNumbers.headerStart, at: 0, of: file, path)
    let magic = SnapshotNumbers.magic
    guard start.prefix(magic.count).elementsEqual(magic.prefix(start.count)), !start.isEmpty else {
      throw .foreign(file: path)
    }
    guard start.count == SnapshotNumbers.headerStart else { throw .cutShort(file: path) }
    let version = little(at: magic.count, in: start)
    // What a later version is like nobody knows, its length least of all.
    if version != SnapshotNumbers.version { throw .version(file: path, version) }
    let length = Int(little(at: magic.count + 4, in: start))
    if length > SnapshotNumbers.longestHeader { throw .damaged(file: path) }
    let end = start.count + length
    if file.size < end + 4 { throw .cutShort(file: path) }
    let bytes = try read(end + 4, at: 0, of: file, path)
    if bytes.count < end + 4 { throw .cutShort(file: path) }
    let checksum = CRC32.checksum(of: bytes.span.extracting(0..<end))
    if little(at: end, in: bytes) != checksum { throw .damaged(file: path) }
    do throws(SnapshotDamage) {
      let header = try SnapshotHeader(body: Array(bytes[SnapshotNumbers.headerStart..<end]))
      return (header, UInt64(bytes.count))
    } catch {
      throw .damaged(file: path)
    }
  }

  /// A number of four bytes that are there.
  private static func little(at offset: Int, in bytes: [UInt8]) -> UInt32 {
    bytes.span.loadHalfWord(at: offset)
  }

  private static func read(
    _ count: Int, at offset: Int, of file: borrowing ReadableFile, _ path: [UInt8]
  ) throws(SnapshotError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(Errno) {
      try file.read(min(count, max(0, file.size - offset)), at: offset, into: &bytes)
    } catch {
      throw .unreadable(file: path, error)
    }
    return bytes
  }

  /// Reads bytes of blocks or of the index.
  ///
  /// - Parameter count: How many; the caller has seen that the file had as many.
  func read(_ count: Int, at offset: UInt64, into bytes: inout [UInt8]) throws(SnapshotDamage) {
    do throws(Errno) {
      try file.read(count, at: Int(offset), into: &bytes)
      if bytes.count < count { throw .inputOutput }
    } catch {
      brokenBy.withLock { $0 = $0 ?? error }
      throw .changed
    }
  }

  /// Why a part of the file could not be read so far, which is then an unreadable folder to whoever asked
  /// for it; nil if all could.
  package var failure: Errno? { brokenBy.withLock { $0 } }
}

/// What came of reading all of a snapshot.
public struct SnapshotCheck: Sendable {
  /// Folders and files that could be read.
  public var folders: UInt64 = 0
  /// Files.
  public var files: UInt64 = 0
  /// Entries that could not be read when it was taken.
  public var unreadable: UInt64 = 0
  /// Entries that were left out when it was taken.
  public var leftOut: UInt64 = 0
  /// Folders whose part of the snapshot is damaged.
  public var lost: UInt64 = 0
  /// Whether the checksum of all bytes is right.
  public var isWhole = true
  /// Whether it has as many folders and files as it says; not asked if any is lost.
  public var countsFit = true

  /// Whether nothing is wrong with it.
  public var isSound: Bool { lost == 0 && isWhole && countsFit }
}

extension Snapshot {
  /// What is said of a folder whose part of the snapshot is damaged.
  package static let lost = ScanFault.Reason.listed("its part of the snapshot is damaged")

  /// The fault of a folder whose part of the snapshot is damaged.
  package static func fault(ofLost path: [UInt8]) -> ScanFault {
    ScanFault(path: path, reason: lost)
  }

  /// Reads all of it, and compares all that can be compared.
  ///
  /// - Parameters:
  ///   - report: Told the path of each folder that is lost, as it is found.
  ///   - tell: Told how many folders were read, after each.
  /// - Complexity: O(length); memory for the folders on the way down and their neighbours.
  public func check(
    report: ([UInt8]) -> Void, telling tell: (UInt64) -> Void = { _ in }
  ) -> SnapshotCheck {
    var result = SnapshotCheck()
    result.isWhole = checksumOfAll() == checksum
    var reader = SnapshotRecordReader(self, asksForStorage: true)
    var listing = SnapshotListing()
    var stack: [(path: [UInt8], child: SnapshotChild)] = []
    for (root, child) in zip(header.roots, roots()).reversed() { stack.append((root.label, child)) }
    while let (path, child) = stack.popLast() {
      guard case .reference(let folder) = child,
        let children = try? reader.read(folder, into: &listing)
      else {
        if child == .none || child == .leftOut { continue }
        result.lost += 1
        report(path)
        continue
      }
      result.folders += 1
      tell(result.folders)
      if listing.failure != nil { result.unreadable += 1 }
      for facts in listing.facts {
        switch facts.status {
        case .hidden: result.leftOut += 1
        case .vanished: break
        case .unreadable:
          result.unreadable += 1
          result.files += 1
        case .known, .sized, .unasked: result.files += 1
        }
      }
      result.leftOut += UInt64(listing.foldersLeftOut.count)
      for (index, child) in children.enumerated().reversed() {
        stack.append((path.appending(component: listing.folders.name(at: index)), child))
      }
    }
    if result.lost == 0 { result.countsFit = result.folders == folders && result.files == files }
    return result
  }

  /// The checksum of all but the trailer; nil if it can't be read.
  private func checksumOfAll() -> UInt32? {
    let end = UInt64(length - SnapshotNumbers.trailer)
    var sum: UInt32 = 0
    var bytes: [UInt8] = []
    var offset: UInt64 = 0
    while offset < end {
      let count = Int(min(1 << 20, end - offset))
      guard (try? read(count, at: offset, into: &bytes)) != nil else { return nil }
      sum = CRC32.checksum(of: bytes.span, after: sum)
      offset += UInt64(count)
    }
    return sum
  }
}

extension SnapshotRecordReader {
  /// Reads the record of a folder, and where its sub-folders are.
  ///
  /// - Returns: One for each sub-folder.
  mutating func read(
    _ folder: SnapshotReference, into listing: inout SnapshotListing
  ) throws(SnapshotDamage) -> [SnapshotChild] {
    let count = try read(folder.place, into: &listing)
    guard count <= folder.below.count else { throw .malformed }
    var children = snapshot.children(
      UInt32(count), below: folder.below, after: folder.place, until: folder.limit, by: &pages)
    // What was left out was not entered, whatever the index says.
    for left in listing.foldersLeftOut { children[left.index] = .leftOut }
    return children
  }
}

/// Reads the index of a snapshot, and keeps some of its pages: folders that follow each other have their
/// slots near each other.
struct IndexPages {
  private static let kept = 16

  private struct Page {
    var number = -1
    /// None if the page is damaged.
    var bytes: [UInt8] = []
  }

  private var pages: [Page] = []

  /// Slots; nil for those of pages that are damaged.
  mutating func slots(_ range: Range<UInt32>, of snapshot: Snapshot) -> [IndexSlot?] {
    let perPage = SnapshotNumbers.slotsToPage
    var result: [IndexSlot?] = []
    result.reserveCapacity(range.count)
    var next = Int(range.lowerBound)
    let end = Int(range.upperBound)
    while next < end {
      let page = next / perPage
      let start = page * perPage
      let count = min(perPage, Int(snapshot.slots) - start)
      let stop = min(end, start + count)
      let bytes = fetch(page, count, of: snapshot)
      do throws(SnapshotDamage) {
        var reader = ByteReader(0..<bytes.count)
        _ = try reader.take(4 + (next - start) * SnapshotNumbers.slot)
        for _ in next..<stop { result.append(try IndexSlot(&reader, in: bytes.span)) }
      } catch {
        while result.count < stop - Int(range.lowerBound) { result.append(nil) }
      }
      next = stop
    }
    return result
  }

  /// A page; none of its bytes if it is damaged.
  private mutating func fetch(_ number: Int, _ count: Int, of snapshot: Snapshot) -> [UInt8] {
    if pages.isEmpty { pages = Array(repeating: Page(), count: Self.kept) }
    let place = number % Self.kept
    if pages[place].number == number { return pages[place].bytes }
    var bytes: [UInt8] = []
    do throws(SnapshotDamage) {
      try snapshot.read(
        4 + count * SnapshotNumbers.slot,
        at: snapshot.indexOffset + UInt64(number * SnapshotNumbers.page), into: &bytes)
      var reader = ByteReader(0..<bytes.count)
      let sum = try reader.takeLittle(UInt32.self, in: bytes.span)
      if sum != CRC32.checksum(of: bytes.span.extracting(4..<bytes.count)) { throw .changed }
    } catch {
      bytes = []
    }
    pages[place] = Page(number: number, bytes: bytes)
    return bytes
  }
}
