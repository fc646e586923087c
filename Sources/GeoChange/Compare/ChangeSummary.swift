import GeoCore
import GeoTree

package struct ChangeSummary: Sendable {
  package struct Amount: Sendable, Hashable {
    package var files = 0
    /// Their bytes, each file counted once; for changed files, the growth.
    package var bytes: Int64 { Int64(clamping: sum) }
    private var sum: Int128 = 0
    /// Number of folders; 0 for changed and moved.
    package var folders = 0
    package var isSized = true

    mutating func add(_ file: ComparedFile, _ measure: SizeMeasure) {
      files += 1
      let size = file.size(measure)
      if size == nil || file.change == .changed && file.sizeBefore(measure) == nil {
        isSized = false
      }
      sum += Int128(file.change == .changed ? file.growth(measure) : size ?? 0)
    }
  }

  package struct Place: Sendable, Hashable {
    package let path: [UInt8]
    package let bytes: Int64
  }

  /// A folder that moved with everything in it.
  package struct FolderMove: Sendable, Hashable {
    package let from, to: [UInt8]
    package let files: Int
  }

  package private(set) var added = Amount()
  package private(set) var removed = Amount()
  package private(set) var changed = Amount()
  package private(set) var moved = Amount()
  package private(set) var grown: [GrowthRow] = []
  package private(set) var shrunk: [GrowthRow] = []
  package private(set) var largest: [Place] = []
  /// The largest removed files and folders; what was removed with its folder is not listed again.
  package private(set) var deleted: [Place] = []
  package private(set) var folderMoves: [FolderMove] = []

  package init(_ tree: ChangeTree, top: Int) {
    for file in tree.files {
      switch file.change {
      case .none, .left: break
      case .added: added.add(file, tree.measure)
      case .removed: removed.add(file, tree.measure)
      case .changed: changed.add(file, tree.measure)
      case .moved: moved.add(file, tree.measure)
      }
    }
    for folder in tree.folders {
      if folder.known.change == .added { added.folders += 1 }
      if folder.known.change == .removed { removed.folders += 1 }
    }
    let rows = GrowthRows(tree, top: top)
    (grown, shrunk) = (rows.grown, rows.shrunk)
    largest = Self.largest(in: tree, top: top)
    deleted = Self.deleted(in: tree, top: top)
    var moves = Foremost<FolderMove>(top) {
      $0.files != $1.files ? $0.files > $1.files : $0.to.lexicographicallyPrecedes($1.to)
    }
    for (to, from) in FolderMoves(in: tree).origins {
      moves.add(
        FolderMove(
          from: tree.path(of: from), to: tree.path(of: to),
          files: tree.folders[to].below.counts.moved))
    }
    folderMoves = moves.finish()
  }

  private static func largest(in tree: ChangeTree, top: Int) -> [Place] {
    if top == 0 { return [] }
    var largest = Foremost<(size: Int64, file: Int)>(top) {
      ($0.size, $1.file) > ($1.size, $0.file)
    }
    for (number, file) in tree.files.enumerated() {
      guard file.change == .added, let size = tree.size(of: file), size > 0 else { continue }
      largest.add((size, number))
    }
    return largest.finish().map { Place(path: tree.path(ofFile: $0.file), bytes: $0.size) }
  }
}

extension ChangeSummary {
  private static func deleted(in tree: ChangeTree, top: Int) -> [Place] {
    if top == 0 { return [] }
    // For each folder, the outermost removed folder that contains it; −1 if none does.
    var outermost: [Int32] = []
    var bytes: [Int32: Int64] = [:]
    outermost.reserveCapacity(tree.folders.count)
    for (index, folder) in tree.folders.enumerated() {
      let above = folder.parent < 0 ? -1 : outermost[Int(folder.parent)]
      outermost.append(above < 0 && folder.known.change == .removed ? Int32(index) : above)
    }
    var largest = Foremost<(bytes: Int64, isFile: Bool, number: Int)>(top) {
      ($0.bytes, $1.isFile ? 1 : 0, $1.number) > ($1.bytes, $0.isFile ? 1 : 0, $0.number)
    }
    for (number, file) in tree.files.enumerated() {
      guard file.change == .removed, let size = tree.size(of: file), size > 0 else { continue }
      let folder = outermost[Int(file.folder)]
      if folder < 0 {
        largest.add((size, true, number))
      } else {
        bytes[folder, default: 0] = TreeTotals.sum(bytes[folder, default: 0], size)
      }
    }
    for (folder, bytes) in bytes { largest.add((bytes, false, Int(folder))) }
    return largest.finish().map { place in
      Place(
        path: place.isFile ? tree.path(ofFile: place.number) : tree.path(of: place.number),
        bytes: place.bytes)
    }
  }
}
