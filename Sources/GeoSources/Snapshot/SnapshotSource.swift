import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A root of a snapshot as the source of a tree.
package final class SnapshotSource: TreeSource {
  package let snapshot: Snapshot
  let number: Int
  /// Shared with the snapshot that it is compared with.
  let common: CommonBlocks?

  init(_ snapshot: Snapshot, root number: Int, sharing common: CommonBlocks? = nil) {
    self.snapshot = snapshot
    self.number = number
    self.common = common
  }

  package var record: SourceRecord? {
    var record = SourceRecord(origin: snapshot.header.origin)
    record.knowledge = snapshot.header.knowledge
    record.options = snapshot.header.options
    record.isKept = true
    return record
  }

  package func check(_ root: ScanRoot) throws(Errno) {
    let session = SnapshotSession(self, FileSystemScanner.Options())
    do throws(SnapshotFolderFailure) {
      _ = try session.reference(to: root.names)
    } catch {
      // A root whose part of the snapshot is damaged is shown as an unreadable continent.
      if case .missing = error { throw .noEntry }
    }
  }

  package var isDecided: Bool { true }

  package var whole: AnyObject { snapshot }

  package var isPartial: Bool { snapshot.header.isSelective }

  package var followsLinks: Bool { snapshot.header.conditions.contains(KeptCondition(.follow)) }

  package var knowledge: ContentKnowledge {
    snapshot.header.knowledge.contains(.nanoseconds) ? .nanoseconds : .seconds
  }

  package var entryCount: Int? { Int(clamping: snapshot.entries) }

  package var exclusionReasons: [ExclusionReason] { snapshot.header.exclusionReasons }

  /// Of folders that both snapshots of a comparison have in common, identified by where they are in
  /// the new one.
  package func readFiles(
    in contents: [ObjectID], _ take: (FileVersion) -> Void
  ) -> ScanFault.Reason? {
    guard common != nil else { return nil }
    var reader = SnapshotRecordReader(snapshot, .rooms)
    do throws(ByteDamage) {
      for content in contents.sorted(by: { $0.high < $1.high }) {
        try reader.readFiles(
          from: RecordPlace(packed: content.high), to: RecordPlace(packed: content.low), take)
      }
      return nil
    } catch {
      return Snapshot.lost
    }
  }

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    SnapshotSession(self, options)
  }
}

extension SnapshotHeader {
  fileprivate var conditions: [KeptCondition] { options.compactMap { KeptCondition(parsing: $0) } }

  var isSelective: Bool {
    let others = [KeptCondition(.oneFileSystem), KeptCondition(.follow)]
    return options.count > conditions.count(where: others.contains)
  }

  var exclusionReasons: [ExclusionReason] {
    let asked = conditions.compactMap(\.name.reason)
    return ExclusionReason.allCases.filter { asked.contains($0) }
  }
}

final class SnapshotSession: TreeSession {
  let snapshot: Snapshot
  let options: FileSystemScanner.Options
  let common: CommonBlocks?
  private let finder: Mutex<SnapshotPathFinder>

  init(_ source: SnapshotSource, _ options: FileSystemScanner.Options) {
    snapshot = source.snapshot
    self.options = options
    common = source.common
    let finder = SnapshotPathFinder(snapshot, root: snapshot.roots()[source.number])
    self.finder = Mutex(finder)
  }

  func makeReader() -> any FolderReader { SnapshotFolderReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? { stamp }

  /// A snapshot never changes while it is open.
  var stamp: ListingStamp {
    ListingStamp(
      identity: FileSystem.Identity(device: snapshot.indexOffset, inode: UInt64(snapshot.checksum)))
  }

  func reference(to names: [[UInt8]]) throws(SnapshotFolderFailure) -> SnapshotReference {
    try finder.withLock { (finder) throws(SnapshotFolderFailure) in
      try finder.reference(to: names)
    }
  }

  func reason(ofLeftOut names: [[UInt8]]) -> ExclusionReason? {
    finder.withLock { try? $0.reason(ofLeftOut: names) }
  }
}
