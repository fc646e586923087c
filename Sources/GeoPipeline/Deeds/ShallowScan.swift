import GeoCore
import GeoProjection
import GeoTree

/// The upper part of a world, as far as a number of listings goes, and how much work is where.
///
/// Work is counted in entries: what a listing shows is known, what is in folders that were not listed
/// is estimated from a sample of them.
struct ShallowScan {
  /// A folder.
  struct Folder {
    let path: [UInt8]
    let place: FolderPlace
    /// The nearest folder above that has land, if this one has none.
    var ancestor: FolderPlace?
    /// Its sub-folders, if it was listed: where they stand among all folders.
    var folders: Range<Int> = 0..<0
    /// How many entries are no folders; nil if it was not listed.
    var fileCount: Int?
    /// The hash of its sub-folders' names; nil if it was not listed.
    var listing: UInt64?
    /// Entries in it at any depth, and itself.
    var work = 1.0
  }

  /// All folders known, each before those that are in it; the roots come first.
  private(set) var folders: [Folder] = []
  let rootCount: Int

  /// Lists folders, the uppermost first.
  ///
  /// - Parameter limit: How many folders are listed; half as many again may be, as a sample.
  /// - Complexity: O(entries listed).
  init(_ scout: Scout, limit: Int) {
    rootCount = scout.labels.count
    for (label, place) in zip(scout.labels, scout.engine.roots) {
      folders.append(Folder(path: label, place: place))
    }
    var next = 0
    while next < folders.count, next < limit {
      list(next, by: scout)
      next += 1
    }
    estimate(listed: next, by: scout)
  }

  /// Lists one more folder, for its hash alone.
  mutating func recognise(_ index: Int, by scout: Scout) {
    if folders[index].listing == nil {
      folders[index].listing =
        scout.list(folders[index].path, at: folders[index].place)?.fingerprint
    }
  }

  private mutating func list(_ index: Int, by scout: Scout) {
    let folder = folders[index]
    // A deed can't say where what is deeper is; what can't be listed has nothing in it.
    guard folder.place.depth < Deed.deepest - 1,
      folder.path.count + 256 < NameRecord.longestName,
      let listing = scout.list(folder.path, at: folder.place)
    else { return }
    let start = folders.count
    for (position, place) in listing.places.enumerated() {
      let name = listing.folders.name(at: position)
      folders.append(
        Folder(
          path: folder.path.appending(component: name), place: place,
          ancestor: place.ancestor(below: folder.place, folder.ancestor)))
    }
    folders[index].folders = start..<folders.count
    folders[index].fileCount = listing.fileCount
    folders[index].listing = listing.fingerprint
  }

  /// Adds up the work, from below.
  ///
  /// What was not listed gets what a sample of it has: folders taken at even distances, with all
  /// that is in them.
  private mutating func estimate(listed: Int, by scout: Scout) {
    let unlisted = folders.count - listed
    var budget = listed / 2
    var sample: [(found: Double, folders: Double)] = []
    var step = max(1, unlisted / Self.sampleSize)
    if unlisted % step == 0, step > 1 { step += 1 }
    for index in stride(from: listed + step / 2, to: folders.count, by: step) where budget > 0 {
      let depth = Int(folders[index].place.depth)
      while sample.count <= depth { sample.append((0, 0)) }
      sample[depth].found += Double(count(index, by: scout, &budget))
      sample[depth].folders += 1
    }
    let all = sample.reduce((found: 0.0, folders: 0.0)) {
      ($0.found + $1.found, $0.folders + $1.folders)
    }
    let mean = all.folders > 0 ? all.found / all.folders : 1
    for index in folders.indices.reversed() {
      if index >= listed {
        let depth = Int(folders[index].place.depth)
        let found = depth < sample.count ? sample[depth] : (found: 0, folders: 0)
        folders[index].work = found.folders >= 8 ? found.found / found.folders : mean
      } else {
        folders[index].work =
          1 + Double(folders[index].fileCount ?? 0)
          + folders[folders[index].folders].reduce(0) { $0 + $1.work }
      }
    }
  }

  /// How many folders that were not listed are looked into.
  private static let sampleSize = 1024

  /// Counts the entries in a folder at any depth, and itself.
  ///
  /// - Parameter budget: How many folders may still be listed; where it ends, the rest is left out.
  private func count(_ index: Int, by scout: Scout, _ budget: inout Int) -> Int {
    var open = [(folders[index].path, folders[index].place)]
    var entries = 1
    while budget > 0, let (path, place) = open.popLast() {
      budget -= 1
      guard let listing = scout.list(path, at: place) else { continue }
      entries += listing.fileCount + listing.places.count
      for (position, place) in listing.places.enumerated() {
        open.append((path.appending(component: listing.folders.name(at: position)), place))
      }
    }
    return entries
  }
}
