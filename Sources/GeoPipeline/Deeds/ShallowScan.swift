import GeoDeed
import GeoPath
import GeoProjection
import GeoScan

/// The upper part of a world, as far as a number of listings goes, and how much work is where.
///
/// Work is counted in entries: what a listing shows is known, what is in folders that were not listed
/// is estimated by what those that were listed have in them on average.
struct ShallowScan {
  /// A folder.
  struct Folder {
    let path: [UInt8]
    let place: FolderPlace
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
  /// - Parameter limit: How many folders are listed.
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
    estimate(listed: next)
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
      folders.append(Folder(path: folder.path + [UInt8(ascii: "/")] + name, place: place))
    }
    folders[index].folders = start..<folders.count
    folders[index].fileCount = listing.fileCount
    folders[index].listing = listing.fingerprint
  }

  /// Adds up the work, from below.
  private mutating func estimate(listed: Int) {
    // What is just above those that were not listed is most like them.
    let sample = folders[(listed / 2)..<listed].filter { $0.fileCount != nil }
    let files = sample.reduce(0) { $0 + Double($1.fileCount ?? 0) }
    let subfolders = sample.reduce(0) { $0 + Double($1.folders.count) }
    let number = Double(max(1, sample.count))
    // Each sub-folder has as many again, and so on: a geometric series, cut off where it would grow
    // beyond what so small a sample can say.
    let growth = 1 / (1 - min(subfolders / number, 0.9))
    let unseen = (1 + files / number) * growth
    for index in folders.indices.reversed() {
      if index >= listed {
        folders[index].work = unseen
      } else {
        folders[index].work =
          1 + Double(folders[index].fileCount ?? 0)
          + folders[folders[index].folders].reduce(0) { $0 + $1.work }
      }
    }
  }
}
