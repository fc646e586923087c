import GeoCore
import GeoTree

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
    let end = UInt64(length - SnapshotFormat.trailer)
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
