import GeoChange
import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// The measure by which folders and files are compared.
package enum SizeMeasure: String, Sendable {
  /// Room on disk.
  case allocated
  /// Apparent size.
  case bytes

  /// The amount by this measure.
  func amount(bytes: Int64?, allocated: Int64?) -> Int64? {
    self == .bytes ? bytes : allocated
  }
}

/// Writes summaries as JSON: the sums of a folder or of the whole world, the lands in it by size,
/// its own files and the largest files below it.
package struct SummaryWriter {
  private let world: World
  /// The totals of all folders, if known.
  private let totals: TreeTotals?
  /// The differences, in a world of two states.
  private let changes: ChangeTree?
  private let measure: SizeMeasure
  /// Whether used and free space of the file systems are included.
  private let tellsDisk: Bool
  private let reader: WorldReader

  /// The maximum number of lands, and of own files.
  package static let mostEntries = 20_000
  /// The number of largest files.
  package static let mostLargest = 14
  /// The maximum number of folders whose files are read for them. Only sparse files and links can
  /// make it necessary to read more than a handful.
  private static let mostRead = 1_000

  /// - Parameters:
  ///   - measure: The measure; nil for room on disk if all roots know it.
  ///   - tellsDisk: Whether used and free space of the file systems are included, if all roots are
  ///     live.
  package init(
    _ world: World, totals: TreeTotals?, changes: ChangeTree? = nil, measure: SizeMeasure? = nil,
    tellsDisk: Bool = false
  ) {
    self.world = world
    self.totals = totals
    self.changes = changes
    self.measure = measure ?? Self.measure(of: world, totals)
    self.tellsDisk = tellsDisk
    reader = world.reader()
  }

  /// Room on disk if all roots know it.
  private static func measure(of world: World, _ totals: TreeTotals?) -> SizeMeasure {
    guard let totals else {
      return world.roots.allSatisfy(\.source.isLive) ? .allocated : .bytes
    }
    // An unreadable root has no sums.
    let isKnown = totals.subfolders(of: nil).allSatisfy { number in
      totals[number].map { $0.allocated != nil } ?? true
    }
    return isKnown ? .allocated : .bytes
  }

  /// The summary of the whole world; that of the root if there is only one.
  package func answer() -> [UInt8] { answer(about: world.roots.indices.map { reader.root($0) }) }

  /// The summary of a folder; nil for a file.
  package func answer(about found: World.Found) -> [UInt8]? {
    found.file == nil ? answer(about: [found.folder]) : nil
  }

  private func answer(about folders: [WorldFolder]) -> [UInt8] {
    let numbers = folders.map { number(of: $0) }
    var json = JSONBuilder()
    json.object { json in
      if folders.count == 1 { json.member("path", path: folders[0].path) }
      json.member("roots", each: folders) { folder, json in json.value(text: folder.path) }
      json.member("complete", totals != nil)
      json.member("measure", text: Array(measure.rawValue.utf8))
      if tellsDisk { putDisk(of: folders, to: &json) }
      putSums(of: numbers, to: &json)
      putStates(of: folders, to: &json)
      putLands(of: folders, numbers, to: &json)
      putOwn(of: folders, to: &json)
      putLargest(below: numbers, to: &json)
    }
    return json.bytes
  }

  /// The number of a folder in the totals.
  private func number(of folder: WorldFolder) -> Int {
    guard let totals else { return TreeTotals.missing }
    let names = folder.path.components
    if let label = renamedRoot { return totals.number(of: [label[...]] + names.dropFirst()) }
    return totals.number(of: names)
  }

  /// The label of the only root in the totals, if the world of two states has another for it.
  private var renamedRoot: [UInt8]? {
    guard let totals, world.roots.count == 1, changes != nil else { return nil }
    let roots = totals.subfolders(of: nil)
    return roots.count == 1 ? Array(totals.name(of: roots[0])) : nil
  }

  // MARK: Sums

  private func putDisk(of folders: [WorldFolder], to json: inout JSONBuilder) {
    guard !folders.isEmpty, folders.allSatisfy({ world.roots[$0.root].source.isLive }) else {
      return
    }
    var devices: Set<UInt64> = []
    var (used, free) = (Int64(0), Int64(0))
    for folder in folders {
      guard let number = reader.watchable(folder.stamp),
        let device = try? FileSystem.facts(of: number).identity.device
      else { return }
      if !devices.insert(device).inserted { continue }
      guard let space = try? FileSystem.space(at: number) else { return }
      used = TreeTotals.sum(used, space.used)
      free = TreeTotals.sum(free, space.free)
    }
    json.key("disk")
    json.object { json in
      json.member("used", used)
      json.member("free", free)
    }
  }

  private func putSums(of numbers: [Int], to json: inout JSONBuilder) {
    guard let totals else { return }
    var sums = FolderTotals(files: 0, bytes: 0, allocated: 0)
    var below: Int64 = 0
    var newest: Int64?
    for number in numbers {
      guard let known = totals[number] else { continue }
      sums.files += known.files
      sums.bytes = Self.sum(sums.bytes, known.bytes)
      sums.allocated = Self.sum(sums.allocated, known.allocated)
      below += Int64(totals.count(below: number))
      if let time = totals.details(of: number)?.newest { newest = max(newest ?? .min, time) }
    }
    json.member("bytes", sums.bytes)
    json.member("allocated", sums.allocated)
    json.member("files", sums.files)
    json.member("folders", below)
    json.member("newest", newest)
  }

  private static func sum(_ a: Int64?, _ b: Int64?) -> Int64? {
    guard let a, let b else { return nil }
    return TreeTotals.sum(a, b)
  }

  /// Adds the sums of both states, if all are known.
  private func putStates(of folders: [WorldFolder], to json: inout JSONBuilder) {
    guard let changes else { return }
    var both = StatePairSums()
    for folder in folders {
      guard let sums = changes.sums(ofFolder: changes.number(of: folder.path.components)) else {
        return
      }
      both += sums
    }
    Self.put(both, to: &json)
  }

  private static func put(_ sums: StatePairSums, to json: inout JSONBuilder) {
    var parts = FeatureParts(of: .directory)
    parts.states = sums.totals
    json.put(parts)
  }

  // MARK: Lands

  /// A sub-folder of one of the folders.
  private struct Land {
    let amount: Int64
    let parent: Int
    let index: Int
    /// Its number in the totals, and in the differences.
    let number: Int
    let changed: Int
  }

  private func putLands(
    of folders: [WorldFolder], _ numbers: [Int], to json: inout JSONBuilder
  ) {
    var lands: [Land] = []
    for (parent, folder) in folders.enumerated() {
      let known =
        numbers[parent] < 0 ? nil : totals?.numbers(of: folder.folders, in: numbers[parent])
      let changed = changes.map { $0.number(of: folder.path.components) } ?? ChangeTree.missing
      let differences = changed < 0 ? nil : changes?.numbers(of: folder.folders, in: changed)
      for index in folder.places.indices {
        let number = known?[index] ?? TreeTotals.missing
        let difference = differences?[index] ?? ChangeTree.missing
        lands.append(
          Land(
            amount: amount(number, difference), parent: parent, index: index, number: number,
            changed: difference))
      }
    }
    lands.sort { a, b in
      a.amount != b.amount ? a.amount > b.amount : (a.parent, a.index) < (b.parent, b.index)
    }
    json.member("lands", each: lands.prefix(Self.mostEntries)) { land, json in
      put(land, in: folders[land.parent], to: &json)
    }
  }

  /// The amount that orders lands; of two states the larger one.
  private func amount(_ number: Int, _ changed: Int) -> Int64 {
    let own = totals?[number].flatMap { measure.amount(bytes: $0.bytes, allocated: $0.allocated) }
    let states = changes?.sums(ofFolder: changed).map { max($0.old.bytes ?? 0, $0.new.bytes ?? 0) }
    return max(own ?? -1, states ?? -1)
  }

  private func put(_ land: Land, in folder: WorldFolder, to json: inout JSONBuilder) {
    let place = folder.places[land.index]
    let name = folder.folders.name(at: land.index)
    json.object { json in
      json.member("path", path: folder.path(of: name))
      json.member("name", text: name)
      json.member("kind", text: place.kind.bytes)
      json.member("id", Int64(place.id))
      json.put(world.engine.coordinate(of: place), digits: place.digits)
      json.member("minzoom", Int64(place.minzoom))
      let difference = changes?.difference(ofFolder: land.changed)
      json.put(FeatureParts(of: .directory, difference))
      if let sums = changes?.sums(ofFolder: land.changed) { Self.put(sums, to: &json) }
      guard let totals, land.number != TreeTotals.missing else { return }
      guard let sums = totals[land.number] else {
        if reader.child(land.index, of: folder).failure != nil { json.member("unreadable", true) }
        return
      }
      json.member("bytes", sums.bytes)
      json.member("allocated", sums.allocated)
      json.member("files", sums.files)
      if let details = totals.details(of: land.number) {
        json.member("newest", details.newest)
        if let type = details.largestClass.flatMap({ FileType(rawValue: UInt8($0)) }) {
          json.member("type", text: type.word.bytes)
        }
      }
      putLargest(in: land.number, of: totals, to: &json)
    }
  }

  /// Adds the largest sub-folder of a land.
  private func putLargest(in number: Int, of totals: TreeTotals, to json: inout JSONBuilder) {
    var best: (number: Int, sums: FolderTotals, amount: Int64)?
    for child in totals.subfolders(of: number) {
      guard let sums = totals[child],
        let amount = measure.amount(bytes: sums.bytes, allocated: sums.allocated),
        amount > best?.amount ?? 0
      else { continue }
      best = (child, sums, amount)
    }
    guard let best else { return }
    json.key("largest")
    json.object { json in
      json.member(name: Array(totals.name(of: best.number)))
      json.member("bytes", best.sums.bytes)
      json.member("allocated", best.sums.allocated)
    }
  }

  // MARK: Files

  /// A file of one of the folders.
  private struct Own {
    let folder: WorldFolder
    let index: Int
    let facts: EntryFacts
    let storage: FileStorage
    let amount: Int64

    var name: [UInt8] { folder.files.name(at: index) }
    var path: [UInt8] { folder.path(of: name) }

    /// Whether it is larger than another file, or as large and before it.
    func precedes(_ other: Own) -> Bool {
      amount != other.amount ? amount > other.amount : path.lexicographicallyPrecedes(other.path)
    }
  }

  /// Adds the largest files anywhere below some folders.
  private func putLargest(below numbers: [Int], to json: inout JSONBuilder) {
    guard let totals else { return }
    json.member("largest", each: largest(in: totals, below: numbers)) { file, json in
      put(file, tellsPath: true, to: &json)
    }
  }

  /// The largest files, each once even if it has several names.
  private func largest(in totals: TreeTotals, below numbers: [Int]) -> [Own] {
    var best: [Own] = []
    var search = LargestFolders(in: totals, below: numbers)
    for _ in 0..<Self.mostRead {
      let least = best.count < Self.mostLargest ? 0 : best[best.count - 1].amount
      guard let number = search.next(above: least) else { break }
      guard let folder = folder(number, in: totals) else { continue }
      for file in own(of: folder) where file.amount > least && isThere(file) {
        Self.add(file, to: &best)
      }
    }
    return best
  }

  private static func add(_ file: Own, to best: inout [Own]) {
    if file.storage.isKnown, file.facts.links > 1,
      let same = best.firstIndex(where: { $0.storage.identity == file.storage.identity })
    {
      if !file.precedes(best[same]) { return }
      best.remove(at: same)
    }
    let place = best.firstIndex { file.precedes($0) } ?? best.count
    if place >= mostLargest { return }
    best.insert(file, at: place)
    if best.count > mostLargest { best.removeLast() }
  }

  private func folder(_ number: Int, in totals: TreeTotals) -> WorldFolder? {
    let path = totals.path(of: number)
    var names = path.components[...]
    if renamedRoot != nil { names = [world.roots[0].label[...]] + names.dropFirst() }
    return world.folders(along: names, by: reader)?.last
  }

  /// Whether the new one of two states has a file.
  private func isThere(_ file: Own) -> Bool { difference(of: file)?.change != .removed }

  private func difference(of file: Own) -> NodeDifference? {
    guard let changes else { return nil }
    let folder = changes.number(of: file.folder.path.components)
    return changes.difference(ofFile: file.name.span, in: folder)
  }

  /// The files of a folder that are still there.
  private func own(of folder: WorldFolder) -> [Own] {
    let (facts, storage) = reader.measuredFacts(in: folder)
    return facts.indices.compactMap { index in
      if facts[index].status == .vanished { return nil }
      let amount = measure.amount(
        bytes: facts[index].status.hasSize ? facts[index].size : nil,
        allocated: storage[index].isKnown ? storage[index].allocated : nil)
      return Own(
        folder: folder, index: index, facts: facts[index], storage: storage[index],
        amount: amount ?? -1)
    }
  }

  private func putOwn(of folders: [WorldFolder], to json: inout JSONBuilder) {
    var files: [Own] = []
    for folder in folders { files += own(of: folder) }
    // Sorting is stable, and files are in the order of their names.
    files.sort { $0.amount > $1.amount }
    json.member("own", each: files.prefix(Self.mostEntries)) { file, json in
      put(file, tellsPath: folders.count > 1, to: &json)
    }
  }

  private func put(_ file: Own, tellsPath: Bool, to json: inout JSONBuilder) {
    json.object { json in
      let name = file.name
      if tellsPath { json.member("path", path: file.path) }
      json.member(name: name)
      let city = file.folder.city
      json.put(
        world.engine.placeFile(name.span, in: city).coordinate, digits: city.digits)
      json.member("minzoom", Int64(city.minzoom))
      if file.facts.status.hasSize { json.member("bytes", file.facts.size) }
      if file.storage.isKnown { json.member("allocated", file.storage.allocated) }
      if file.facts.status == .known { json.member("modified", file.facts.modified) }
      if let special = file.facts.kind.special { json.member("special", text: special.bytes) }
      json.put(FeatureParts(of: file.facts.kind, difference(of: file)))
    }
  }
}
