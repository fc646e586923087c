import GeoCore
import GeoSystem
import GeoTree

/// A root of a snapshot, in the place of a folder on a disk.
package final class SnapshotSource: TreeSource {
  /// The snapshot.
  package let snapshot: Snapshot
  /// Which of its roots.
  let number: Int

  /// A root of a snapshot.
  ///
  /// - Parameter number: Which one, in the order of the header.
  init(_ snapshot: Snapshot, root number: Int) {
    self.snapshot = snapshot
    self.number = number
  }

  package var record: SourceRecord? {
    var record = SourceRecord(origin: snapshot.header.origin)
    record.knowledge = snapshot.header.knowledge
    record.options = snapshot.header.options
    record.isKept = true
    return record
  }

  /// Looks whether a root is there.
  package func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    let session = SnapshotSession(self, FileSystemScanner.Options())
    do throws(SnapshotFolderFailure) {
      _ = try session.reference(to: root.names)
    } catch {
      // A root whose part of the snapshot is damaged is an unreadable continent.
      if case .missing = error { throw .notFound(.noEntry) }
    }
  }

  /// Links, mounts and git's rules were decided about when the snapshot was taken.
  package var isDecided: Bool { true }

  /// The snapshot.
  package var whole: AnyObject { snapshot }

  /// Whether the selection left entries out when the snapshot was taken.
  package var isPartial: Bool { snapshot.header.isSelective }

  /// Whether links were followed when the snapshot was taken.
  package var followsLinks: Bool { snapshot.header.conditions.contains(KeptCondition(.follow)) }

  /// Knows times to the nanosecond if what it was taken of did.
  package var knowledge: ContentKnowledge {
    snapshot.header.knowledge.contains(.nanoseconds) ? .nanoseconds : .seconds
  }

  /// How many folders and files the snapshot has.
  package var entryCount: Int? { Int(clamping: snapshot.folders) + Int(clamping: snapshot.files) }

  /// Why the selection may have left entries out when the snapshot was taken.
  package var exclusionReasons: [ExclusionReason] { snapshot.header.exclusionReasons }

  /// Begins to read.
  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    SnapshotSession(self, options)
  }
}

extension Snapshot {
  /// Its roots, as what a map is made of.
  ///
  /// - Parameter label: What its only root is called; nil for its own label.
  public func scanRoots(label: [UInt8]? = nil) -> [ScanRoot] {
    header.roots.enumerated().map { (number, root) in
      ScanRoot(
        label: label ?? root.label, directory: path, source: SnapshotSource(self, root: number))
    }
  }
}

extension SnapshotHeader {
  /// What its options say, as far as this version knows them.
  fileprivate var conditions: [KeptCondition] { options.compactMap { KeptCondition(parsing: $0) } }

  /// Whether options were given that leave entries out.
  var isSelective: Bool {
    let others = [KeptCondition(.oneFileSystem), KeptCondition(.follow)]
    return options.count > conditions.count(where: others.contains)
  }

  /// What the options that were given may leave entries out for.
  var exclusionReasons: [ExclusionReason] {
    let asked = conditions.compactMap(\.name.reason)
    return ExclusionReason.allCases.filter { asked.contains($0) }
  }
}

/// Why a folder of a snapshot can't be reached.
enum SnapshotFolderFailure: Error {
  /// There is none; or it was gone when the snapshot was taken.
  case missing
  /// The selection left it out when the snapshot was taken.
  case leftOut
  /// Its part of the snapshot is damaged.
  case lost

  var reason: ScanFault.Reason? {
    switch self {
    case .missing: .unreadable(.noEntry)
    case .leftOut: nil
    case .lost: Snapshot.lost
    }
  }
}

/// A snapshot while it is read.
final class SnapshotSession: TreeSession {
  let snapshot: Snapshot
  let options: FileSystemScanner.Options
  /// Where the root is.
  private let root: SnapshotChild

  init(_ source: SnapshotSource, _ options: FileSystemScanner.Options) {
    snapshot = source.snapshot
    self.options = options
    root = snapshot.roots()[source.number]
  }

  func makeReader() -> any FolderReader { SnapshotFolderReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? { stamp }

  /// A snapshot doesn't change: the file that was opened stays what it is.
  var stamp: ListingStamp {
    ListingStamp(
      identity: FileSystem.Identity(device: snapshot.indexOffset, inode: UInt64(snapshot.checksum)))
  }

  /// Follows names from the root.
  func reference(to names: [[UInt8]]) throws(SnapshotFolderFailure) -> SnapshotReference {
    var reader = SnapshotRecordReader(snapshot, asksForStorage: false)
    var listing = SnapshotListing()
    var folder = try root.reference
    for name in names {
      let children: [SnapshotChild]
      do throws(SnapshotDamage) {
        children = try reader.read(folder, into: &listing)
      } catch {
        throw .lost
      }
      guard let index = listing.folders.index(of: name) else { throw .missing }
      folder = try children[index].reference
    }
    return folder
  }
}

extension SnapshotChild {
  /// Where the folder is.
  var reference: SnapshotReference {
    get throws(SnapshotFolderFailure) {
      switch self {
      case .reference(let reference): return reference
      case .none: throw .missing
      case .leftOut: throw .leftOut
      case .lost: throw .lost
      }
    }
  }

  /// What says in 64 bits which folder it is.
  var mark: UInt64 {
    switch self {
    case .reference(let reference): reference.mark
    case .none: Self.noneMark
    case .leftOut: Self.leftOutMark
    case .lost: Self.lostMark
    }
  }

  // No slot has these numbers: the index would have to have as many, and one more.
  static let noneMark = UInt64.max
  static let lostMark = UInt64.max - 1
  static let leftOutMark = UInt64.max - 2

  /// What a mark says that isn't a folder's; nil for those that are.
  init?(special mark: UInt64) {
    switch mark {
    case Self.noneMark: self = .none
    case Self.lostMark: self = .lost
    case Self.leftOutMark: self = .leftOut
    default: return nil
    }
  }
}
