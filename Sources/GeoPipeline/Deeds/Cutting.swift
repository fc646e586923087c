/// Which folders are cut out of a world, and who gets them.
struct Cutting {
  /// What becomes one deed.
  struct Share {
    var folders: [Int] = []
    var work = 0.0
  }

  /// The folders that are cut out.
  private(set) var cuts: [Int] = []
  /// The folders between the roots and those.
  private(set) var ways: [Int] = []
  /// What the other deeds get.
  private(set) var shares: [Share] = []
  /// The work that stays.
  private(set) var rest = 0.0

  /// How many sub-trees a deed is made of, at most, on average.
  private static let mostPlaces = 256

  init(_ scan: ShallowScan, into number: Int) {
    let folders = scan.folders
    let total = folders[..<scan.rootCount].reduce(0) { $0 + $1.work }
    let fair = total / Double(number + 1)
    // Sub-trees of an eighth of a share can be dealt out evenly.
    var pieces: [Int] = []
    var open = Array(0..<scan.rootCount)
    while let index = open.popLast() {
      let folder = folders[index]
      if index < scan.rootCount || (folder.work > fair / 8 && !folder.folders.isEmpty) {
        rest += 1 + Double(folder.fileCount ?? 0)
        open += folder.folders
      } else {
        pieces.append(index)
      }
    }
    pieces.sort { (folders[$0].work, $1) > (folders[$1].work, $0) }
    // The smallest aren't worth it, as long as the rest is no more than its share.
    while let last = pieces.last,
      rest + folders[last].work <= fair || pieces.count > number * Self.mostPlaces
    {
      rest += folders[last].work
      pieces.removeLast()
    }
    cuts = pieces
    deal(pieces, folders, number)

    ways = Self.ways(to: pieces, in: scan)
  }

  /// Cuts out what is given.
  ///
  /// - Parameter shares: Folders of which none lies in another.
  init(_ scan: ShallowScan, shares: [Share]) {
    self.shares = shares
    cuts = shares.flatMap(\.folders)
    ways = Self.ways(to: cuts, in: scan)
  }

  /// The folders between the roots and some others.
  private static func ways(to cuts: [Int], in scan: ShallowScan) -> [Int] {
    var needed = Set<[UInt8]>()
    for index in cuts {
      var way = scan.folders[index].path.parentPath
      while let folder = way, needed.insert(Array(folder)).inserted { way = folder.parentPath }
    }
    return scan.folders.indices.filter {
      $0 >= scan.rootCount && needed.contains(scan.folders[$0].path)
    }
  }

  /// Gives each piece, the largest first, to who has least.
  private mutating func deal(_ pieces: [Int], _ folders: [ShallowScan.Folder], _ number: Int) {
    shares = [Share](repeating: Share(), count: min(number, pieces.count))
    // A heap: no share has less than the one at half its position.
    for index in pieces {
      shares[0].folders.append(index)
      shares[0].work += folders[index].work
      var position = 0
      while true {
        var least = position
        for child in [2 * position + 1, 2 * position + 2]
        where child < shares.count && shares[child].work < shares[least].work {
          least = child
        }
        if least == position { break }
        shares.swapAt(position, least)
        position = least
      }
    }
  }
}
