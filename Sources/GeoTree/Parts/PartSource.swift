import GeoCore
import GeoSystem

/// The part of a tree that a list of folders names.
///
/// It wraps another source. Folders on the way to the part are listed, because places on the map
/// depend on all names, but everything else in them is left out: it is in other parts.
package final class PartSource: TreeSource {
  private let base: any TreeSource
  fileprivate let folders: ListedFolders

  private init(_ base: any TreeSource, _ folders: ListedFolders) {
    self.base = base
    self.folders = folders
  }

  package static func roots(_ roots: [ScanRoot], in list: FolderList) -> [ScanRoot] {
    let folders = ListedFolders([list])
    // Roots that share a source go on sharing its session.
    var sources: [ObjectIdentifier: PartSource] = [:]
    return roots.map { root in
      var part = root
      let source = sources[ObjectIdentifier(root.source)] ?? PartSource(root.source, folders)
      sources[ObjectIdentifier(root.source)] = source
      part.source = source
      return part
    }
  }

  package func check(_ root: ScanRoot) throws(Errno) { try base.check(root) }

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    PartSession(self, base.session(options, readers: readers))
  }

  package var isLive: Bool { base.isLive }
  package var isSequential: Bool { base.isSequential }
  package var isDecided: Bool { base.isDecided }
  package var faults: [ScanFault] { base.faults }
  package var followsLinks: Bool { base.followsLinks }
  package var record: SourceRecord? { base.record }
  package var knowledge: ContentKnowledge { base.knowledge }
  package var isPartial: Bool { true }
  package var exclusionReasons: [ExclusionReason] { base.exclusionReasons + [.part] }
}

private final class PartSession: TreeSession {
  private let source: PartSource
  private let inner: any TreeSession

  init(_ source: PartSource, _ inner: any TreeSession) {
    self.source = source
    self.inner = inner
  }

  func makeReader() -> any FolderReader { PartReader(source.folders, inner.makeReader()) }
  func stamp(of folder: FolderReference) -> ListingStamp? { inner.stamp(of: folder) }
}

/// A folder's place among the listed ones.
private struct PartPlace {
  /// The listed folders in it; nil without one.
  var listed: ListedFolders?
  /// Whether its own entries are in the part.
  var isIncluded: Bool

  func folder(_ name: [UInt8]) -> PartPlace {
    guard let next = listed?.folders[name] else {
      return PartPlace(listed: nil, isIncluded: isIncluded)
    }
    return PartPlace(listed: next, isIncluded: !next.owners.isEmpty)
  }

  var hasContents: Bool { isIncluded || listed != nil }
}

private final class PartFolder: KeptFolder {
  let place: PartPlace
  let kept: any KeptFolder

  init(_ place: PartPlace, _ kept: any KeptFolder) {
    self.place = place
    self.kept = kept
  }
}

private final class PartReader: WrappingReader {
  private let folders: ListedFolders
  let inner: any FolderReader
  private var current: PartPlace

  init(_ folders: ListedFolders, _ inner: any FolderReader) {
    self.folders = folders
    self.inner = inner
    current = PartPlace(listed: folders, isIncluded: false)
  }

  /// The folder in the wrapped source; its place becomes the current one.
  private func enterPlace(_ folder: FolderReference) -> FolderReference {
    switch folder {
    case .path(_, let path, _):
      current = path.components.reduce(PartPlace(listed: folders, isIncluded: false)) {
        $0.folder(Array($1))
      }
      return folder
    case .child(let parent, let path, let name, let isLink, let handle):
      guard let parent = parent as? PartFolder else { return folder }
      current = parent.place.folder(name)
      return .child(of: parent.kept, path: path, name: name, isLink: isLink, handle: handle)
    case .kept(let kept):
      guard let kept = kept as? PartFolder else { return folder }
      current = kept.place
      return .kept(kept.kept)
    }
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    inner.list(enterPlace(folder), into: &listing)
    if current.listed == nil, current.isIncluded { return }
    listing.leaveOut { name, known in
      known ?? (current.folder(name).hasContents ? nil : .part)
    }
    if current.isIncluded { return }
    // The part that has the folder's own files also has its facts.
    listing.facts = nil
    listing.leavesOutFiles = max(listing.leavesOutFiles, .byName)
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    inner.inspect(enterPlace(folder), into: &listing)
  }

  func enter(_ folder: FolderReference) throws(Errno) { try inner.enter(enterPlace(folder)) }
  func keep() -> any KeptFolder { PartFolder(current, inner.keep()) }

  func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts]) {
    inner.leaveOut(names, range, in: &facts)
    if current.isIncluded { return }
    for position in facts.indices where facts[position].status != .hidden {
      facts[position].leaveOut(for: .part)
    }
  }
}
