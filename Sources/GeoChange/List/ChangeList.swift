import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree

/// The differences between two states as a list. A folder that was added, removed or moved as a
/// whole is one row, without rows for its contents.
package struct ChangeList: Sendable {
  package enum Order: String, Sendable, CaseIterable {
    case size
    case folder
    /// Last modified first, by the new state's times. Removed entries have no such time and come
    /// last.
    case time
  }

  struct Item: Sendable {
    /// Number of the folder, or of the file's folder.
    var folder: Int
    /// Number of the file; nil for a whole folder.
    var file: Int?
    var change: NodeChange
    var growth: Int64
    /// Bytes added, removed or moved.
    var weight: Int64
    /// Number of files in a whole folder; 1 for a file.
    var files = 1
    /// Unix time of the last change in the new state; nil if removed or unknown.
    var modified: Int64?
    var otherFolder: Int?
  }

  let items: [Item]
  package let count: Int

  /// - Complexity: O(folders + files that differ); memory for 2 · `limit` rows.
  package init(_ tree: ChangeTree, by order: Order, kinds: Set<NodeChange>, limit: Int) {
    var builder = ChangeListBuilder(tree, kinds: kinds, limit: limit) { a, b in
      switch order {
      case .folder: a.precedes(b, by: 0, 0)
      case .size: a.precedes(b, by: a.weight, b.weight)
      case .time: a.precedes(b, by: a.modified ?? .min, b.modified ?? .min)
      }
    }
    builder.collect()
    count = builder.count
    items = builder.finish()
  }
}

extension ChangeList.Item {
  /// Whether this row precedes another: larger values first, then the order of the map.
  fileprivate func precedes(_ other: Self, by mine: Int64, _ others: Int64) -> Bool {
    if mine != others { return mine > others }
    return (folder, file ?? -1) < (other.folder, other.file ?? -1)
  }
}

private struct ChangeListBuilder {
  private let tree: ChangeTree
  private let moves: FolderMoves
  private let kinds: Set<NodeChange>
  private var foremost: Foremost<ChangeList.Item>
  private(set) var count = 0

  init(
    _ tree: ChangeTree, kinds: Set<NodeChange>, limit: Int,
    by precedes: @escaping (ChangeList.Item, ChangeList.Item) -> Bool
  ) {
    (self.tree, self.kinds, moves) = (tree, kinds, FolderMoves(in: tree))
    foremost = Foremost(limit, by: precedes)
  }

  consuming func finish() -> [ChangeList.Item] { foremost.finish() }

  private mutating func add(_ item: ChangeList.Item) {
    if !kinds.contains(item.change) { return }
    count += 1
    foremost.add(item)
  }

  mutating func collect() {
    var index = 0
    while index < tree.folders.count {
      let folder = tree.folders[index]
      var next = Int(folder.end)
      if let origin = moves.origins[index] {
        add(whole: index, .moved, from: origin)
      } else if moves.left.contains(index) {
        // The row of the move is at the new place.
      } else if folder.known.change != .none {
        add(whole: index, folder.known.change)
        addMovedInto(index..<next)
      } else if folder.holds {
        addFiles(of: index) { $0 != .none && $0 != .left }
        next = index + 1
      }
      index = next
    }
  }

  /// Files and folders that moved into an added folder get their own rows; those that moved out are
  /// rows at their new place.
  private mutating func addMovedInto(_ folders: Range<Int>) {
    var inner = folders.lowerBound
    while inner < folders.upperBound {
      if let origin = moves.origins[inner] {
        add(whole: inner, .moved, from: origin)
        inner = Int(tree.folders[inner].end)
      } else {
        addFiles(of: inner) { $0 == .moved }
        inner += 1
      }
    }
  }

  private mutating func add(whole index: Int, _ change: NodeChange, from origin: Int? = nil) {
    let folder = tree.folders[index]
    var item = ChangeList.Item(
      folder: index, change: change, growth: 0, weight: 0, files: 0, otherFolder: origin)
    var holdsOthers = false
    for inner in index..<Int(folder.end) {
      for file in tree.folders[inner].files {
        let file = tree.files[Int(file)]
        // Files that moved in or out have their own rows, unless the folder moved.
        guard file.change == change else {
          if file.change != .none { holdsOthers = true }
          continue
        }
        item.files += 1
        item.weight = TreeTotals.sum(item.weight, tree.size(of: file) ?? 0)
        guard change != .removed, file.facts.status == .known else { continue }
        item.modified = max(item.modified ?? .min, file.facts.modified)
      }
    }
    // A folder that contains only files that moved there is implied by their rows.
    if item.files == 0, holdsOthers { return }
    if change != .moved { item.growth = change == .removed ? 0 &- item.weight : item.weight }
    add(item)
  }

  private mutating func addFiles(of folder: Int, where fits: (NodeChange) -> Bool) {
    for number in tree.folders[folder].files where fits(tree.files[Int(number)].change) {
      let file = tree.files[Int(number)]
      var item = ChangeList.Item(
        folder: folder, file: Int(number), change: file.change,
        growth: file.change == .moved ? 0 : file.growth(tree.measure),
        weight: tree.size(of: file) ?? 0)
      if file.change == .changed { item.weight = Int64(clamping: item.growth.magnitude) }
      if file.change != .removed, file.facts.status == .known {
        item.modified = file.facts.modified
      }
      add(item)
    }
  }
}

extension ChangeList {
  package static let allKinds: Set<NodeChange> = [.added, .removed, .changed, .moved]
  /// Maximum number of rows, and of moves, in a page.
  static let maximumOnPage = 5000
  /// Maximum number of rows that grew most, and of those that shrank most.
  static let maximumRows = 10

  /// Appends the rows as an array of objects: `path`, `change`, `growth`, and where they apply
  /// `folder`, `files`, `size`, `was`, `modified`, `from`. Paths that aren't valid UTF-8 are also
  /// given raw.
  package func put(rowsOf tree: ChangeTree, to json: inout JSONBuilder) {
    json.array { json in
      for item in items {
        json.object { json in
          let path = item.file.map { tree.path(ofFile: $0) } ?? tree.path(of: item.folder)
          json.member("path", text: path, raw: "rawPath")
          if let text = item.change.text { json.member("change", text: Array("\(text)".utf8)) }
          json.member("growth", item.growth)
          json.member("modified", item.modified)
          guard let number = item.file else {
            json.member("folder", true)
            json.member("files", Int64(item.files))
            if item.change == .moved { json.member("size", item.weight) }
            if let other = item.otherFolder {
              json.member("from", text: tree.path(of: other), raw: "rawFrom")
            }
            return
          }
          let file = tree.files[number]
          json.member("size", tree.size(of: file))
          if file.change == .changed { json.member("was", file.sizeBefore(tree.measure)) }
          if file.partner >= 0 {
            json.member("from", text: tree.path(ofFile: Int(file.partner)), raw: "rawFrom")
          }
        }
      }
    }
  }
}

extension ChangeTree {
  /// Appends the moved files as an array of `[lon, lat, lon, lat, size]`, from the old place to the
  /// new one.
  package func put(
    movesBy engine: GeoProjectionEngine, limit: Int, to json: inout JSONBuilder
  ) {
    var largest = Foremost<(size: Int64, file: Int, origin: Int)>(limit) {
      ($0.size, $1.file) > ($1.size, $0.file)
    }
    for (number, file) in files.enumerated() {
      guard file.change == .moved, file.partner >= 0 else { continue }
      largest.add((size(of: file) ?? 0, number, Int(file.partner)))
    }
    let moves = largest.finish().sorted { $0.file < $1.file }
    // Ends are placed in the order of the map, so that no folder is placed twice.
    var places = ChangePlaces(self, engine)
    let ends = moves.map { places.place(ofFile: $0.file) }
    var starts = ends
    for index in moves.indices.sorted(by: { moves[$0].origin < moves[$1].origin }) {
      starts[index] = places.place(ofFile: moves[index].origin)
    }
    json.array { json in
      for (index, move) in moves.enumerated() {
        json.array { json in
          for place in [starts[index], ends[index]] {
            json.value(degrees: place.coordinate.longitude, digits: place.digits)
            json.value(degrees: place.coordinate.latitude, digits: place.digits)
          }
          json.value(move.size)
        }
      }
    }
  }

  /// The data of a page other than its rows, as JSON in which `<` is escaped.
  func page(
    of states: [MapState], _ faults: FirstFaults, by engine: GeoProjectionEngine
  ) -> [UInt8] {
    let list = ChangeList(
      self, by: .size, kinds: ChangeList.allKinds, limit: ChangeList.maximumOnPage)
    var json = JSONBuilder()
    json.object { json in
      json.member(faults)
      put(states, list, by: engine, moves: ChangeList.maximumOnPage, to: &json)
    }
    return json.scriptBytes
  }

  /// Appends the members of both states: `states`, `below`, `measure`, `grown`, `shrunk`,
  /// `total`, `list`, `moves`.
  package func put(
    _ states: [MapState], _ list: ChangeList, by engine: GeoProjectionEngine, moves: Int,
    to json: inout JSONBuilder
  ) {
    json.key("states")
    put(states, to: &json)
    var difference = NodeDifference(.none)
    difference.below = total
    json.put(FeatureParts(of: .directory, difference))
    json.member("measure", text: Array(measure.name.utf8))
    let rows = GrowthRows(self, top: ChangeList.maximumRows)
    json.member("grown", rows: rows.grown)
    json.member("shrunk", rows: rows.shrunk)
    json.member("total", Int64(list.count))
    json.key("list")
    list.put(rowsOf: self, to: &json)
    json.key("moves")
    put(movesBy: engine, limit: moves, to: &json)
  }

  /// Appends a summary of both states as an array of objects: `name`, `time`, `files`, `bytes`.
  package func put(_ states: [MapState], to json: inout JSONBuilder) {
    let sums = totalSums
    json.array { json in
      for (state, sums) in zip(states, [sums?.old, sums?.new]) {
        json.object { json in
          json.member("name", text: state.name, raw: "rawName")
          json.member("time", state.time)
          if let sums {
            json.member("files", sums.files)
            json.member("bytes", sums.bytes(measure))
          }
        }
      }
    }
  }
}
