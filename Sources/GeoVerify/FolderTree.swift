import GeoPath
import GeoProjection

/// A folder of a map, as far as it decides where others are.
struct FolderRecord {
  var parent: Int32
  var firstChild: Int32 = -1
  var lastChild: Int32 = -1
  var nextSibling: Int32 = -1
  /// Where its name lies among the bytes of all names.
  var name: Range<Int>
  var children = 0
  var files = 0
  /// What it says of its listing; nil if it says nothing.
  var size: Int64?
  /// Whether it has a feature; else only what is in it has.
  var isWritten = false
  /// Whether ``place`` holds, beyond its seed and depth.
  var isPlaced = false
  var place = FolderPlace(
    seed: 0, land: .land, depth: 0, digits: 13, minzoom: 0, isLanded: false)
  /// The last zoom that ``place`` can have: entries that are not on the map may count for it.
  var latestMinzoom: UInt8 = 0

  /// Whether all that its listing named is on the map.
  var isComplete: Bool { isWritten && (size ?? 0) == Int64(files + children) }

  /// How many entries are no folders, at most.
  var mostFiles: Int {
    guard isWritten else { return .max }
    return size.map { max(files, Int($0) - children) } ?? (files + children == 0 ? .max : files)
  }
}

/// The folders of a map in its order, with those that only paths tell of.
struct FolderTree {
  private(set) var records: [FolderRecord] = []
  /// The bytes of all names, one after the other.
  private(set) var names: [UInt8] = []
  /// The roots, in the order of the map.
  private(set) var roots: [Int] = []

  subscript(index: Int) -> FolderRecord {
    get { records[index] }
    set { records[index] = newValue }
  }

  func name(of index: Int) -> ArraySlice<UInt8> { names[records[index].name] }

  /// The last folder that was added to another one, or to the roots.
  func lastChild(of parent: Int?) -> Int? {
    guard let parent else { return roots.last }
    let last = records[parent].lastChild
    return last < 0 ? nil : Int(last)
  }

  /// Adds a folder behind its siblings.
  mutating func add(_ name: ArraySlice<UInt8>, to parent: Int?) -> Int {
    let index = records.count
    let start = names.count
    names.append(contentsOf: name)
    records.append(
      FolderRecord(parent: Int32(clamping: parent ?? -1), name: start..<names.count))
    guard let parent else {
      roots.append(index)
      return index
    }
    let last = records[parent].lastChild
    if last < 0 {
      records[parent].firstChild = Int32(clamping: index)
    } else {
      records[Int(last)].nextSibling = Int32(clamping: index)
    }
    records[parent].lastChild = Int32(clamping: index)
    records[parent].children += 1
    return index
  }

  /// Calls a function with each sub-folder of a folder.
  func forEachChild(of parent: Int, _ body: (Int) -> Void) {
    var next = records[parent].firstChild
    while next >= 0 {
      body(Int(next))
      next = records[Int(next)].nextSibling
    }
  }
}

extension FolderTree {
  /// Finds the place of every folder, as far as the map tells enough.
  ///
  /// - Parameters:
  ///   - engine: That of the map's roots.
  ///   - rootPlaces: The places of ``roots``.
  mutating func place(by engine: GeoProjectionEngine, roots rootPlaces: [FolderPlace]) {
    for (root, place) in zip(roots, rootPlaces) {
      records[root].place = place
      records[root].latestMinzoom = place.minzoom
      records[root].isPlaced = true
    }
    var places: [FolderPlace] = []
    var children: [Int] = []
    var names = NameTable()
    // Parents stand before their sub-folders.
    for index in records.indices where records[index].children > 0 {
      let record = records[index]
      children.removeAll(keepingCapacity: true)
      names.removeAll()
      forEachChild(of: index) { children.append($0) }
      for child in children {
        names.append(self.names.span.extracting(records[child].name), kind: .directory)
      }
      let isKnown =
        record.isPlaced
        && (record.isComplete || !record.place.isLanded || engine.layout == .pinned)
      if isKnown {
        engine.placeFolders(names, in: record.place, fileCount: record.files, into: &places)
      }
      let latest =
        !record.place.isLanded
        ? record.latestMinzoom
        : isKnown ? engine.city(of: record.place, fileCount: record.mostFiles).minzoom : .max
      for (position, child) in children.enumerated() {
        if isKnown {
          records[child].place = places[position]
          records[child].isPlaced = true
          records[child].latestMinzoom =
            places[position].isLanded ? places[position].minzoom : latest
        } else {
          let name = names.bytes.span.extracting(names.records[position].range)
          records[child].place.seed = XXH64.hash(name, seed: record.place.seed)
          records[child].place.depth = record.place.depth + 1
        }
      }
    }
  }
}
