import GeoCore
import GeoFormats
import GeoProjection

/// What differs between two states as a list in which a folder that is all new, or all gone, or that moved
/// as a whole, counts once, and what is in it not by itself.
package struct ChangeList: Sendable {
  /// In which order it is.
  package enum Order: String, Sendable, CaseIterable {
    /// What most bytes were added, removed or moved with first.
    case size
    /// As on the map, so that what is in a folder stands together.
    case folder
    /// What was changed last first, by the new state's times. What is gone has no such time, and comes
    /// after all that has.
    case time
  }

  /// A row of the list.
  struct Item: Sendable {
    /// The number of a folder, or of the one that holds the file.
    var folder: Int
    /// The number of a file; nil for a whole folder.
    var file: Int?
    var change: NodeChange
    /// By how many bytes the new state has more.
    var growth: Int64
    /// How many bytes were added, removed or moved.
    var weight: Int64
    /// How many files there are in a whole folder; 1 for a file.
    var files = 1
    /// Unix time of the last change in the new state; nil if it is gone or has none.
    var modified: Int64?
    /// The other place of a folder that moved.
    var otherFolder: Int?
  }

  /// The first of the list.
  let items: [Item]
  /// How long the whole list is.
  package let count: Int

  /// The list of what differs.
  ///
  /// - Parameters:
  ///   - tree: What differs.
  ///   - order: In which order it is to be.
  ///   - kinds: Which kinds of change are listed: `added`, `removed`, `changed`, `moved`.
  ///   - limit: How many rows there are at most.
  /// - Complexity: O(folders + files that differ), and memory for twice as many rows as there are at most.
  package init(_ tree: ChangeTree, by order: Order, kinds: Set<NodeChange>, limit: Int) {
    var builder = ChangeListBuilder(tree, kinds: kinds, limit: limit) { a, b in
      switch order {
      case .folder: a.stands(before: b, by: 0, 0)
      case .size: a.stands(before: b, by: a.weight, b.weight)
      case .time: a.stands(before: b, by: a.modified ?? .min, b.modified ?? .min)
      }
    }
    builder.collect()
    count = builder.count
    items = builder.finish()
  }
}

extension ChangeList.Item {
  /// Whether it stands before another: what is more first, then in the order of the map.
  fileprivate func stands(before other: Self, by mine: Int64, _ others: Int64) -> Bool {
    if mine != others { return mine > others }
    return (folder, file ?? -1) < (other.folder, other.file ?? -1)
  }
}

/// Collects the rows in the order of the map.
private struct ChangeListBuilder {
  private let tree: ChangeTree
  /// Folders that moved as a whole: where they were by where they are now.
  private let origins: [Int: Int]
  /// The folders where those were.
  private let left: Set<Int>
  private let kinds: Set<NodeChange>
  private var foremost: Foremost<ChangeList.Item>
  /// How many rows there are in all.
  private(set) var count = 0

  init(
    _ tree: ChangeTree, kinds: Set<NodeChange>, limit: Int,
    by precedes: @escaping (ChangeList.Item, ChangeList.Item) -> Bool
  ) {
    self.tree = tree
    self.kinds = kinds
    foremost = Foremost(limit, by: precedes)
    let moves = FolderMoves.whole(in: tree)
    origins = Dictionary(
      moves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    left = Set(moves.map(\.from))
  }

  /// The rows that stand first, in their order.
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
      if !folder.holds, folder.known.change == .none {
        index = Int(folder.end)
      } else if let origin = origins[index] {
        add(whole: index, .moved, from: origin)
        index = Int(folder.end)
      } else if left.contains(index) {
        index = Int(folder.end)
      } else if folder.known.change != .none {
        add(whole: index, folder.known.change)
        // What has come from elsewhere is a row of its own; what went elsewhere has one there.
        var inner = index
        while inner < Int(folder.end) {
          if let origin = origins[inner] {
            add(whole: inner, .moved, from: origin)
            inner = Int(tree.folders[inner].end)
          } else {
            addFiles(of: inner) { $0 == .moved }
            inner += 1
          }
        }
        index = Int(folder.end)
      } else {
        addFiles(of: index) { $0 != .none && $0 != .left }
        index += 1
      }
    }
  }

  private mutating func add(whole index: Int, _ change: NodeChange, from origin: Int? = nil) {
    let folder = tree.folders[index]
    var item = ChangeList.Item(
      folder: index, change: change, growth: 0, weight: 0, files: 0)
    item.otherFolder = origin
    var holdsOthers = false
    for inner in index..<Int(folder.end) {
      for file in tree.folders[inner].files {
        let file = tree.files[Int(file)]
        // Those that moved in or out have rows of their own, unless the folder moved.
        guard file.change == change else {
          if file.change != .none { holdsOthers = true }
          continue
        }
        item.files += 1
        let size = file.facts.status.hasSize ? file.facts.size : 0
        item.weight = item.weight.addingReportingOverflow(size).partialValue
        guard change != .removed, file.facts.status == .known else { continue }
        item.modified = max(item.modified ?? .min, file.facts.modified)
      }
    }
    // A folder that is new only for what moved there is told by that.
    if item.files == 0, holdsOthers { return }
    if change != .moved { item.growth = change == .removed ? 0 &- item.weight : item.weight }
    add(item)
  }

  private mutating func addFiles(of folder: Int, where fits: (NodeChange) -> Bool) {
    for number in tree.folders[folder].files where fits(tree.files[Int(number)].change) {
      let file = tree.files[Int(number)]
      let size = file.facts.status.hasSize ? file.facts.size : 0
      let before = file.was.status.hasSize ? file.was.size : 0
      var item = ChangeList.Item(
        folder: folder, file: Int(number), change: file.change, growth: 0, weight: size)
      switch file.change {
      case .added: item.growth = size
      case .removed: item.growth = 0 &- size
      case .changed:
        let (growth, overflow) = size.subtractingReportingOverflow(before)
        item.growth = overflow ? 0 : growth
        item.weight = Int64(clamping: item.growth.magnitude)
      case .none, .moved, .left: break
      }
      if file.change != .removed, file.facts.status == .known {
        item.modified = file.facts.modified
      }
      add(item)
    }
  }
}

extension ChangeList {
  /// The kinds of change that rows have.
  package static let allKinds: Set<NodeChange> = [.added, .removed, .changed, .moved]
  /// How many rows, and moves, a page in a file has at most.
  static let mostOnPage = 5000

  /// Adds the rows as an array of objects: `path`, `change`, `growth`, and as far as they apply
  /// `folder`, `files`, `size`, `was`, `modified`, `from`; raw where a path is no UTF-8.
  package func put(rowsOf tree: ChangeTree, to json: inout JSONBuilder) {
    json.array { json in
      for item in items {
        json.object { json in
          let path = item.file.map { tree.path(ofFile: $0) } ?? tree.path(ofFolder: item.folder)
          json.member("path", text: path, raw: "rawPath")
          if let text = item.change.text { json.member("change", text: Array("\(text)".utf8)) }
          json.member("growth", item.growth)
          json.member("modified", item.modified)
          guard let number = item.file else {
            json.member("folder", true)
            json.member("files", Int64(item.files))
            if item.change == .moved { json.member("size", item.weight) }
            if let other = item.otherFolder {
              json.member("from", text: tree.path(ofFolder: other), raw: "rawFrom")
            }
            return
          }
          let file = tree.files[number]
          if file.facts.status.hasSize { json.member("size", file.facts.size) }
          if file.change == .changed, file.was.status.hasSize {
            json.member("was", file.was.size)
          }
          if file.partner >= 0 {
            json.member("from", text: tree.path(ofFile: Int(file.partner)), raw: "rawFrom")
          }
        }
      }
    }
  }
}

extension ChangeTree {
  /// Adds the moved files as an array of `[lon, lat, lon, lat, size]`, from the old place to the new one.
  ///
  /// - Parameters:
  ///   - engine: The engine of the map of both states.
  ///   - limit: How many there are at most, the largest first.
  package func put(
    movesBy engine: GeoProjectionEngine, limit: Int, to json: inout JSONBuilder
  ) {
    let moves = largestMoves(limit)
    // Each end in the order of the map, so that no folder is placed twice.
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

  /// A file that moved: where it is, where it was, and its size.
  private struct Move {
    var file: Int
    var origin: Int
    var size: Int64
  }

  /// The largest files that moved, in the order of the map.
  ///
  /// - Complexity: O(files that differ), each of which is looked at once.
  private func largestMoves(_ limit: Int) -> [Move] {
    var largest = Foremost<Move>(limit) { ($0.size, $1.file) > ($1.size, $0.file) }
    for number in files.indices {
      let file = files[number]
      guard file.change == .moved, file.partner >= 0 else { continue }
      largest.add(Move(file: number, origin: Int(file.partner), size: file.facts.size))
    }
    return largest.finish().sorted { $0.file < $1.file }
  }

  /// What a page says of both states besides its rows, as JSON in which `<` is escaped.
  func page(of states: [MapState], by engine: GeoProjectionEngine) -> [UInt8] {
    let list = ChangeList(
      self, by: .size, kinds: ChangeList.allKinds, limit: ChangeList.mostOnPage)
    var json = JSONBuilder()
    json.object { put(states, list, by: engine, moves: ChangeList.mostOnPage, to: &$0) }
    return json.scriptBytes
  }

  /// Adds what is to be said of both states: `states`, `below`, `total`, `list`, `moves`.
  package func put(
    _ states: [MapState], _ list: ChangeList, by engine: GeoProjectionEngine, moves: Int,
    to json: inout JSONBuilder
  ) {
    json.key("states")
    put(states, to: &json)
    var difference = NodeDifference(.none)
    difference.below = total
    json.put(FeatureParts(of: .directory, difference))
    json.member("total", Int64(list.count))
    json.key("list")
    list.put(rowsOf: self, to: &json)
    json.key("moves")
    put(movesBy: engine, limit: moves, to: &json)
  }

  /// Adds both states in a few words, as an array of objects: `name`, `time`, `files`, `bytes`.
  package func put(_ states: [MapState], to json: inout JSONBuilder) {
    let sums = totalSums
    json.array { json in
      for (state, sums) in zip(states, [sums?.old, sums?.new]) {
        json.object { json in
          json.member("name", text: state.name, raw: "rawName")
          json.member("time", state.time)
          if let sums {
            json.member("files", sums.files)
            json.member("bytes", sums.bytes)
          }
        }
      }
    }
  }
}
