import GeoCore
import GeoSystem

/// The visitor's plan: the depth in the tree.
final class StatsPlan: Sendable {
  let depth: Int

  init(depth: Int) { self.depth = depth }
}

/// The sums of one visitor since the last batch, by region.
struct StatsPart: Sendable {
  /// Consecutive folders and files in one region.
  struct Stretch: Sendable {
    var region: [UInt8]
    var sums = TreeSums()
  }

  /// A file with several names, which may have been counted before.
  struct SharedFile: Sendable {
    var identity: FileSystem.Identity
    var sums: TreeSums
    /// Unix time of the last change; nil if unknown.
    var modified: Int64?
    var depth: Int
    var stretch: Int
    var path: [UInt8]
    var suffix: FileExtension
    var owner: UInt32
  }

  var stretches: [Stretch] = []
  var shared: [SharedFile] = []
  var sums: StatsSums
}

/// The sums that don't depend on regions.
struct StatsSums: Sendable {
  var extensions: [FileExtension: TreeSums] = [:]
  var owners: [UInt32: TreeSums] = [:]
  var ages = [TreeSums](repeating: TreeSums(), count: TreeStats.Age.allCases.count)
  var depths: [TreeSums] = []
  var largest: TopList
  var newest: TopList
  var widest: TopList
  var unreadable = 0
  /// The files of each word; nil without layers of words.
  var layers: StatsLayers?

  init(top: Int, _ layers: LayerSchema?) {
    self.layers = layers.map { StatsLayers($0) }
    (largest, newest, widest) = (TopList(limit: top), TopList(limit: top), TopList(limit: top))
  }

  static func += (total: inout Self, part: Self) {
    for (suffix, sums) in part.extensions { total.extensions[suffix, default: TreeSums()] += sums }
    for (owner, sums) in part.owners { total.owners[owner, default: TreeSums()] += sums }
    for (index, sums) in part.ages.enumerated() { total.ages[index] += sums }
    for (depth, sums) in part.depths.enumerated() { total.depths.add(sums, atDepth: depth) }
    for entry in part.largest.entries { total.largest.add(entry) }
    for entry in part.newest.entries { total.newest.add(entry) }
    for entry in part.widest.entries { total.widest.add(entry) }
    total.unreadable += part.unreadable
    if let layers = part.layers { total.layers?.add(layers) }
  }
}

extension [TreeSums] {
  mutating func add(_ sums: TreeSums, atDepth depth: Int) {
    while count <= depth { append(TreeSums()) }
    self[depth] += sums
  }
}

/// The entries with the greatest values, ties in byte order of their paths.
struct TopList: Sendable {
  let limit: Int
  private(set) var entries: [TreeStats.Entry] = []

  init(limit: Int) { self.limit = limit }

  /// Whether an entry with this value could be among them.
  func admits(_ value: Int64) -> Bool {
    limit > 0 && (entries.count < limit || value >= (entries.last?.value ?? .min))
  }

  mutating func add(_ entry: TreeStats.Entry) {
    guard admits(entry.value) else { return }
    let place = entries.firstIndex { other in
      other.value != entry.value
        ? other.value < entry.value : entry.rawPath.lexicographicallyPrecedes(other.rawPath)
    }
    entries.insert(entry, at: place ?? entries.count)
    if entries.count > limit { entries.removeLast() }
  }
}

/// Adds up statistics; enters all folders.
final class StatsVisitor: ScanVisitor {
  private let top: Int
  private let maximumDepth: Int
  private let now: Int64
  /// Whether any file may be visited again, not only one with several names.
  private let followsLinks: Bool
  private var part: StatsPart
  private var current: (names: NameTable, range: Range<Int>, path: [UInt8], depth: Int)?
  private var isEmpty = true
  /// The values of layers; nil without layers of words.
  private let layers: LayerReader?
  private let wordLayers: [Int]
  private var cells: [LayerCell] = []

  /// `maximumDepth` is that of the deepest regions. Ages are counted from `now`, in Unix seconds.
  init(
    top: Int, maximumDepth: Int, now: Int64, followsLinks: Bool, layers: LayerSet? = nil
  ) {
    self.top = top
    self.maximumDepth = maximumDepth
    self.now = now
    self.followsLinks = followsLinks
    let all = layers?.schema.layers ?? []
    wordLayers = all.indices.filter { all[$0].kind == .word }
    self.layers = wordLayers.isEmpty ? nil : layers?.makeReader()
    part = StatsPart(sums: StatsSums(top: top, self.layers?.schema))
  }

  func enter(
    _ visit: FolderVisit<StatsPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<StatsPlan>? {
    add(visit)
    let entries = Int64(files.count + folders.count)
    if part.sums.widest.admits(entries) {
      part.sums.widest.add(TreeStats.Entry(rawPath: visit.path, value: entries))
    }
    return FolderDecision(
      plan: StatsPlan(depth: visit.parentPlan.depth + 1),
      decisions: visit.decisions(ofAll: folders.count), wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<StatsPlan>) { add(visit) }

  private func add(_ visit: FolderVisit<StatsPlan>) {
    isEmpty = false
    let sums = TreeSums(folders: 1)
    let stretch = stretch(of: visit.path, depth: visit.parentPlan.depth)
    part.stretches[stretch].sums += sums
    part.sums.depths.add(sums, atDepth: visit.parentPlan.depth)
    if visit.isUnreadable { part.sums.unreadable += 1 }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: StatsPlan,
    facts: [EntryFacts]
  ) {
    current = (names, range, path, plan.depth)
  }

  func visit(_ storage: [FileStorage], facts: [EntryFacts]) {
    guard let (names, range, path, depth) = current else { return }
    current = nil
    isEmpty = false
    let stretch = stretch(of: path, depth: depth - 1)
    let bytes = names.bytes.span
    layers?.fill(&cells, names, range, in: path, storage: storage)
    var all = TreeSums()
    // The files of a folder mostly have one owner, so sums are added per run of one owner.
    var (owner, owned) = (UInt32(0), TreeSums())
    for (position, known) in facts.enumerated() {
      if known.status == .vanished || known.status == .hidden { continue }
      if position < storage.count, storage[position].isElsewhere { continue }
      let name = bytes.extracting(names.records[range.lowerBound + position].range)
      let suffix = FileExtension(of: name)
      var file = TreeSums(files: 1)
      var age = TreeStats.Age.unknown
      switch known.status {
      case .known, .sized:
        let storage = storage[position]
        let modified = known.status == .known ? known.modified : nil
        if let modified {
          age = TreeStats.Age(at: now, modified: modified)
          file.newest = modified
        }
        file.bytes = Int128(known.size)
        file.allocated = storage.isKnown ? Int128(storage.allocated) : TreeSums.unknown
        addWords(of: file, at: position)
        if storage.isKnown, followsLinks || known.links > 1 {
          // Another name of it may have been counted before.
          part.shared.append(
            StatsPart.SharedFile(
              identity: storage.identity, sums: file, modified: modified, depth: depth,
              stretch: stretch, path: Self.path(path, name), suffix: suffix,
              owner: storage.owner))
          continue
        }
        stand(out: known.size, modified) { Self.path(path, name) }
      case .unasked:
        (file.bytes, file.allocated) = (TreeSums.unknown, TreeSums.unknown)
        addWords(of: file, at: position)
      case .unreadable:
        part.sums.unreadable += 1
        addWords(of: file, at: position)
      case .vanished, .hidden: break
      }
      all += file
      part.sums.extensions[suffix, default: TreeSums()] += file
      part.sums.ages[age.rawValue] += file
      // Owners are known only with the storage.
      guard known.status == .known, storage[position].isKnown,
        storage[position].owner != FileStorage.unknownOwner
      else { continue }
      if storage[position].owner != owner, owned.files > 0 {
        part.sums.owners[owner, default: TreeSums()] += owned
        owned = TreeSums()
      }
      owner = storage[position].owner
      owned += file
    }
    if owned.files > 0 { part.sums.owners[owner, default: TreeSums()] += owned }
    part.stretches[stretch].sums += all
    part.sums.depths.add(all, atDepth: depth)
  }

  private func addWords(of file: TreeSums, at position: Int) {
    guard let count = layers?.schema.layers.count else { return }
    for layer in wordLayers where cells[position * count + layer].isThere {
      part.sums.layers?.add(file, of: cells[position * count + layer].word, in: layer)
    }
  }

  private func stand(out size: Int64, _ modified: Int64?, path: () -> [UInt8]) {
    if part.sums.largest.admits(size) {
      part.sums.largest.add(TreeStats.Entry(rawPath: path(), value: size))
    }
    if let modified, part.sums.newest.admits(modified) {
      part.sums.newest.add(TreeStats.Entry(rawPath: path(), value: modified))
    }
  }

  private static func path(_ folder: [UInt8], _ name: Span<UInt8>) -> [UInt8] {
    var path = folder
    path.reserveCapacity(folder.count + 1 + name.count)
    path.append(.slash)
    for index in name.indices { path.append(name[index]) }
    return path
  }

  /// The index of the stretch for a folder's region: the folder itself, or its ancestor at the
  /// greatest depth of regions.
  private func stretch(of path: [UInt8], depth: Int) -> Int {
    var end = path.count
    if depth > maximumDepth {
      var slashes = 0
      for (index, byte) in path.enumerated() where byte == .slash {
        slashes += 1
        if slashes == maximumDepth + 1 {
          end = index
          break
        }
      }
    }
    if let last = part.stretches.last, last.region.elementsEqual(path[..<end]) {
      return part.stretches.count - 1
    }
    part.stretches.append(StatsPart.Stretch(region: Array(path[..<end])))
    return part.stretches.count - 1
  }

  var weight: Int {
    isEmpty
      ? 0
      : 256 + 128 * (part.stretches.count + part.sums.extensions.count) + 160 * part.shared.count
  }

  func takeContent() -> StatsPart {
    defer {
      part = StatsPart(sums: StatsSums(top: top, layers?.schema))
      isEmpty = true
    }
    return part
  }
}
