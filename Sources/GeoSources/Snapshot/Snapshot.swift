import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A snapshot file: the contents of some folders at one time.
///
/// It is read by `pread` at any offset. A folder's listing takes one look into the index and reads
/// the blocks that it spans, mostly one or two. All numbers in the file are validated: positions
/// must be in the file, each record belongs to one folder, and memory is allocated only for bytes
/// that exist.
public final class Snapshot: Sendable {
  /// The header.
  public let header: SnapshotHeader
  package let path: [UInt8]
  /// The number of folders, from the trailer.
  public let folders: UInt64
  /// The number of files, from the trailer.
  public let files: UInt64
  /// Both fit the length of the file.
  package var entries: UInt64 { folders + files }
  package let blocks: UInt64
  /// The length of the file in bytes.
  public var length: Int { file.size }

  private let file: ReadableFile
  private let brokenBy = Mutex<Errno?>(nil)
  let firstBlock: UInt64
  /// Where the blocks end.
  let indexOffset: UInt64
  let slots: UInt64
  /// Of all bytes before the trailer.
  let checksum: UInt32

  /// Only regular files are opened.
  package static func begins(_ path: [UInt8]) -> Bool {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular else { return false }
    guard let file = try? ReadableFile.open(path) else { return false }
    var bytes: [UInt8] = []
    try? file.read(SnapshotNumbers.magic.count, at: 0, into: &bytes)
    return bytes == SnapshotNumbers.magic
  }

  /// Reads header and trailer. O(length of the header).
  package convenience init(opening path: [UInt8]) throws(SnapshotError) {
    let opened = try rethrowing(ReadableFile.open(path)) {
      SnapshotError.unreadable(file: path, $0)
    }
    guard let opened else { throw .notRegular(file: path) }
    try self.init(opened, named: path)
  }

  package convenience init(in scratch: ScratchFile, named path: [UInt8]) throws(SnapshotError) {
    let opened = try rethrowing(scratch.readable()) { SnapshotError.unreadable(file: path, $0) }
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
    guard trailer.count == SnapshotNumbers.trailer,
      trailer.suffix(SnapshotNumbers.endMagic.count).elementsEqual(SnapshotNumbers.endMagic)
    else { throw .cutShort(file: path) }
    let numbers = trailer.span
    indexOffset = numbers.loadWord(at: 0)
    slots = numbers.loadWord(at: 8)
    folders = numbers.loadWord(at: 16)
    files = numbers.loadWord(at: 24)
    blocks = numbers.loadWord(at: 32)
    checksum = numbers.loadHalfWord(at: 40)
    guard CRC32.checksum(of: numbers.extracting(0..<44)) == numbers.loadHalfWord(at: 44) else {
      throw .damaged(file: path)
    }
    guard slots <= UInt64(UInt32.max), slots >= UInt64(header.roots.count),
      indexOffset >= firstBlock, indexOffset <= end,
      end - indexOffset == SnapshotNumbers.indexLength(slots: slots), folders <= slots,
      blocks <= (indexOffset - firstBlock) / UInt64(SnapshotNumbers.blockHeader),
      // A file has at least two bytes of its block.
      files <= blocks * UInt64(SnapshotNumbers.longestBlock / 2)
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
    // The layout of later versions is unknown, including the length of the header.
    if version != SnapshotNumbers.version { throw .version(file: path, version) }
    let length = Int(little(at: magic.count + 4, in: start))
    if length > SnapshotNumbers.longestHeader { throw .damaged(file: path) }
    let end = start.count + length
    if file.size < end + 4 { throw .cutShort(file: path) }
    let bytes = try read(end + 4, at: 0, of: file, path)
    if bytes.count < end + 4 { throw .cutShort(file: path) }
    let checksum = CRC32.checksum(of: bytes.span.extracting(0..<end))
    if little(at: end, in: bytes) != checksum { throw .damaged(file: path) }
    do throws(ByteDamage) {
      let header = try SnapshotHeader(body: Array(bytes[SnapshotNumbers.headerStart..<end]))
      return (header, UInt64(bytes.count))
    } catch {
      throw .damaged(file: path)
    }
  }

  private static func little(at offset: Int, in bytes: [UInt8]) -> UInt32 {
    bytes.span.loadHalfWord(at: offset)
  }

  private static func read(
    _ count: Int, at offset: Int, of file: borrowing ReadableFile, _ path: [UInt8]
  ) throws(SnapshotError) -> [UInt8] {
    var bytes: [UInt8] = []
    try rethrowing(file.read(min(count, max(0, file.size - offset)), at: offset, into: &bytes)) {
      SnapshotError.unreadable(file: path, $0)
    }
    return bytes
  }

  /// The caller has checked that blocks and index have so many bytes.
  func read(_ count: Int, at offset: UInt64, into bytes: inout [UInt8]) throws(ByteDamage) {
    do throws(Errno) {
      try file.read(count, at: Int(offset), into: &bytes)
      if bytes.count < count { throw .inputOutput }
    } catch {
      brokenBy.withLock { $0 = $0 ?? error }
      throw .changed
    }
  }

  /// The affected folders were reported as unreadable.
  package var failure: Errno? { brokenBy.withLock { $0 } }

  /// The roots of the snapshot, ready to scan.
  ///
  /// - Parameter label: The label of its only root; nil for the one in the snapshot.
  public func scanRoots(label: [UInt8]? = nil) -> [ScanRoot] {
    scanRoots(label: label, sharing: nil)
  }

  /// The label is of its only root. A comparison skips what both snapshots have in common.
  package func scanRoots(label: [UInt8]? = nil, sharing common: CommonBlocks?) -> [ScanRoot] {
    header.roots.enumerated().map { (number, root) in
      ScanRoot(
        label: label ?? root.label, directory: path,
        source: SnapshotSource(self, root: number, sharing: common))
    }
  }

  package static let lost = ScanFault.Reason.listed("its part of the snapshot is damaged")

  package static func fault(ofLost path: [UInt8]) -> ScanFault {
    ScanFault(rawPath: path, reason: lost)
  }

  /// Reads the whole snapshot and checks all checksums and counts.
  ///
  /// - Parameters:
  ///   - report: Called with the path of each lost folder.
  ///   - progress: Called after each folder with the number of folders read.
  /// - Complexity: O(length); memory for the folders on the current path and their siblings.
  public func check(
    report: ([UInt8]) -> Void, progress: (UInt64) -> Void = { _ in }
  ) -> SnapshotCheck {
    var result = SnapshotCheck()
    result.isWhole = checksumOfAll() == checksum
    var reader = SnapshotRecordReader(self, asksForStorage: true)
    var listing = SnapshotListing()
    var stack: [(path: [UInt8], child: SnapshotChild)] = []
    for (root, child) in zip(header.roots, roots()).reversed() { stack.append((root.label, child)) }
    while let (path, child) = stack.popLast() {
      guard case .success(let folder) = child,
        let children = try? reader.read(folder, into: &listing)
      else {
        if [.failure(.missing), .failure(.leftOut)].contains(child) { continue }
        result.lost += 1
        report(path)
        continue
      }
      result.folders += 1
      progress(result.folders)
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

/// The result of checking a whole snapshot.
public struct SnapshotCheck: Sendable {
  /// The number of readable folders.
  public var folders: UInt64 = 0
  /// The number of readable files.
  public var files: UInt64 = 0
  /// The number of entries that were unreadable when it was taken.
  public var unreadable: UInt64 = 0
  /// The number of entries left out when it was taken.
  public var leftOut: UInt64 = 0
  /// The number of folders whose part of the snapshot is damaged.
  public var lost: UInt64 = 0
  /// Whether the checksum of the whole file is right.
  public var isWhole = true
  /// Whether the counts in the trailer are right; not checked if folders are lost.
  public var countsFit = true

  /// Whether no damage was found.
  public var isSound: Bool { lost == 0 && isWhole && countsFit }
}

extension SnapshotRecordReader {
  /// Also finds the sub-folders: a child for each.
  mutating func read(
    _ folder: SnapshotReference, into listing: inout SnapshotListing
  ) throws(ByteDamage) -> [SnapshotChild] {
    let count = try read(folder.place, into: &listing)
    guard count <= folder.below.count else { throw .malformed }
    var children = snapshot.children(
      UInt32(count), below: folder.below, after: folder.place, until: folder.limit, by: &pages)
    // Folders left out were not entered, whatever the index has.
    for left in listing.foldersLeftOut { children[left.index] = .failure(.leftOut) }
    return children
  }
}
