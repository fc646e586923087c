import GeoCore

/// The upper part of a tree, and the work in each of its folders.
///
/// Work is counted in entries: listings give exact counts, the contents of other folders are
/// estimated from a sample.
struct WorkEstimate {
  struct Folder {
    let path: [UInt8]
    /// 0 for a root, 1 for its sub-folders, and so on.
    let depth: Int
    /// The indices of its sub-folders among all folders; empty if it was not listed.
    var folders: Range<Int> = 0..<0
    /// The number of entries that are not folders; nil if it was not listed.
    var fileCount: Int?
    /// The number of entries in it at any depth, and itself.
    var work = 1.0
  }

  /// All known folders, each before its sub-folders; the roots come first.
  private(set) var folders: [Folder] = []
  let rootCount: Int

  private static let sampleSize = 1024

  /// Lists `limit` folders, breadth first, and up to half as many more as a sample. After each,
  /// `progress` gets the number of folders so far.
  init(_ roots: [ScanRoot], limit: Int, progress: @escaping (Int) -> Void) {
    rootCount = roots.count
    let lister = NameLister(roots, progress: progress)
    for root in roots { folders.append(Folder(path: root.label, depth: 0)) }
    var next = 0
    while next < folders.count, next < limit {
      list(next, by: lister)
      next += 1
    }
    estimate(listed: next, by: lister)
  }

  private mutating func list(_ index: Int, by lister: NameLister) {
    let folder = folders[index]
    // Lists can't have deeper folders; a folder that can't be listed counts as empty.
    guard folder.depth < FolderList.maximumDepth - 1, let listing = lister.list(folder.path) else {
      return
    }
    let start = folders.count
    for position in 0..<listing.folders.count {
      let path = folder.path.appending(component: listing.folders.name(at: position))
      folders.append(Folder(path: path, depth: folder.depth + 1))
    }
    folders[index].folders = start..<folders.count
    folders[index].fileCount = listing.files.count
  }

  /// Adds up the work, from the deepest folders to the roots.
  ///
  /// Folders that were not listed get the mean of a sample of them, taken at even distances and
  /// counted with all their contents.
  private mutating func estimate(listed: Int, by lister: NameLister) {
    let unlisted = folders.count - listed
    var budget = listed / 2
    var sample: [(found: Double, folders: Double)] = []
    var step = max(1, unlisted / Self.sampleSize)
    if unlisted % step == 0, step > 1 { step += 1 }
    for index in stride(from: listed + step / 2, to: folders.count, by: step) where budget > 0 {
      let depth = folders[index].depth
      while sample.count <= depth { sample.append((0, 0)) }
      sample[depth].found += Double(lister.count(folders[index].path, &budget))
      sample[depth].folders += 1
    }
    let all = sample.reduce((found: 0.0, folders: 0.0)) {
      ($0.found + $1.found, $0.folders + $1.folders)
    }
    let mean = all.folders > 0 ? all.found / all.folders : 1
    for index in folders.indices.reversed() {
      if index >= listed {
        let depth = folders[index].depth
        let found = depth < sample.count ? sample[depth] : (found: 0, folders: 0)
        folders[index].work = found.folders >= 8 ? found.found / found.folders : mean
      } else {
        folders[index].work =
          1 + Double(folders[index].fileCount ?? 0)
          + folders[folders[index].folders].reduce(0) { $0 + $1.work }
      }
    }
  }
}

/// Lists single folders by name, without metadata.
private final class NameLister {
  private let labels: [[UInt8]]
  private let readers: OpenSources.Readers
  private let progress: (Int) -> Void
  private var listing = FolderListing()
  private var listed = 0

  init(_ roots: [ScanRoot], progress: @escaping (Int) -> Void) {
    labels = roots.map(\.label)
    self.progress = progress
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    readers = OpenSources(roots, options, readers: 1).makeReaders()
  }

  /// The listing of a folder; nil if it could not be read completely.
  func list(_ path: [UInt8]) -> FolderListing? {
    let label = path.firstComponent
    guard let root = labels.firstIndex(where: { $0.elementsEqual(label) }) else { return nil }
    readers.list(path, root: root, into: &listing)
    readers[root].leave()
    listed += 1
    progress(listed)
    return listing.outcome == .listed && listing.failure == nil ? listing : nil
  }

  /// Counts the entries in a folder at any depth, and itself. Ends early when the budget of folders
  /// to list is used up.
  func count(_ path: [UInt8], _ budget: inout Int) -> Int {
    var open = [path]
    var entries = 1
    while budget > 0, let path = open.popLast() {
      budget -= 1
      guard let listing = list(path) else { continue }
      entries += listing.files.count + listing.folders.count
      for position in 0..<listing.folders.count {
        open.append(path.appending(component: listing.folders.name(at: position)))
      }
    }
    return entries
  }
}
