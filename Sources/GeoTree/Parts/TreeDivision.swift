import GeoCore

/// A tree divided into parts of similar work.
package struct TreeDivision: Sendable {
  /// The lists of the parts. The first is the rest: the roots, without what the others have.
  package let lists: [FolderList]
  /// The share of the work of each part, 0 to 1, as estimated by a shallow scan.
  package let shares: [Double]
  /// The number of entries, as estimated by a shallow scan.
  package let entries: Int

  /// The maximum number of parts in addition to the rest.
  package static let maximum = 10_000
  /// The maximum number of folders in a list, on average.
  private static let maximumFolders = 256

  /// Divides the tree of some roots.
  ///
  /// The largest sub-trees that are small enough are cut out and assigned, the largest first, each
  /// to the part with the least work so far (longest processing time first; Graham, 1969). The
  /// folders above them stay in the rest, with their own files and small sub-trees.
  ///
  /// At most `number` parts (1 to ``maximum``) are made in addition to the rest, fewer if there is
  /// nothing more to cut out. `progress` gets the number of folders listed so far, which is at most
  /// one and a half times 256 for each part, or 4,096.
  package init(
    _ roots: [ScanRoot], into number: Int, progress: @escaping (Int) -> Void = { _ in }
  ) throws(Failure) {
    let estimate = WorkEstimate(roots, limit: max(4096, 256 * number), progress: progress)
    let division = Self.divide(estimate, into: min(max(1, number), Self.maximum))
    func paths(_ indices: [Int]) -> [[UInt8]] { indices.map { estimate.folders[$0].path } }
    var lists = [try FolderList(roots.map(\.label) + paths(division.shares.flatMap(\.folders)))]
    for share in division.shares { lists.append(try FolderList(paths(share.folders))) }
    self.lists = lists
    let total = estimate.folders[..<estimate.rootCount].reduce(0) { $0 + $1.work }
    shares = ([division.rest] + division.shares.map(\.work)).map { $0 / total }
    entries = Int(total)
  }

  private struct Share {
    var folders: [Int] = []
    var work = 0.0
  }

  /// Chooses the sub-trees that are cut out, and deals them.
  private static func divide(
    _ estimate: WorkEstimate, into number: Int
  ) -> (shares: [Share], rest: Double) {
    let folders = estimate.folders
    let total = folders[..<estimate.rootCount].reduce(0) { $0 + $1.work }
    let fair = total / Double(number + 1)
    // Sub-trees of an eighth of a share can be distributed evenly.
    var pieces: [Int] = []
    var rest = 0.0
    var open = Array(0..<estimate.rootCount)
    while let index = open.popLast() {
      let folder = folders[index]
      if index < estimate.rootCount || (folder.work > fair / 8 && !folder.folders.isEmpty) {
        rest += 1 + Double(folder.fileCount ?? 0)
        open += folder.folders
      } else {
        pieces.append(index)
      }
    }
    pieces.sort { (folders[$0].work, $1) > (folders[$1].work, $0) }
    // The smallest ones stay in the rest, up to its share.
    while let last = pieces.last,
      rest + folders[last].work <= fair || pieces.count > number * maximumFolders
    {
      rest += folders[last].work
      pieces.removeLast()
    }
    return (deal(pieces, folders, number), rest)
  }

  /// Gives each piece, the largest first, to the share with the least work.
  private static func deal(
    _ pieces: [Int], _ folders: [WorkEstimate.Folder], _ number: Int
  ) -> [Share] {
    var shares = [Share](repeating: Share(), count: min(number, pieces.count))
    // A heap: no share has less work than the one at half its position.
    for index in pieces {
      shares[0].folders.append(index)
      shares[0].work += folders[index].work
      var position = 0
      while true {
        var smallest = position
        for child in [2 * position + 1, 2 * position + 2]
        where child < shares.count && shares[child].work < shares[smallest].work {
          smallest = child
        }
        if smallest == position { break }
        shares.swapAt(position, smallest)
        position = smallest
      }
    }
    return shares
  }
}
