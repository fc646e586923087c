import GeoChange
import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// Writes summaries as JSON: the sums of a folder or of the whole world, the lands in it by size,
/// its own files and the largest files below it.
package struct SummaryWriter {
  private let world: World
  private let known: Knowledge
  package let measure: SizeMeasure
  private let isCompared: Bool
  private let hasDisk: Bool
  private let reader: WorldReader
  private let files: LargestFiles
  private let layers: LayerAnswers

  package static let maximumEntries = 20_000
  /// Sites have the largest files below folders with at least this share of all bytes.
  private static let siteShare: Int64 = 20_000
  private static let block: Int64 = 4096

  /// - Parameters:
  ///   - measure: nil for room on disk if all roots know it.
  ///   - isCompared: Whether the differences of two states belong to a complete summary.
  ///   - hasDisk: Whether used and free space are included, if all roots are live.
  package init(
    _ world: World, totals: TreeTotals?, changes: ChangeTree? = nil, measure: SizeMeasure? = nil,
    isCompared: Bool = false, hasDisk: Bool = false
  ) {
    self.world = world
    known = Knowledge(totals, changes)
    let knowsRoom = totals?.knowsRoom ?? world.roots.allSatisfy(\.source.isLive)
    self.measure = measure ?? changes?.measure ?? (knowsRoom ? .allocated : .bytes)
    self.isCompared = isCompared
    self.hasDisk = hasDisk
    reader = world.reader()
    layers = LayerAnswers(of: world, totals)
    files = LargestFiles(in: world, by: self.measure, known)
  }

  package func answer() -> [UInt8] { answer(about: world.roots.indices.map { reader.root($0) }) }

  package func answer(about found: World.Found) -> [UInt8]? {
    found.file == nil ? answer(about: [found.folder]) : nil
  }

  private func answer(about folders: [WorldFolder]) -> [UInt8] {
    let numbers = folders.map { files.numbers(of: $0) }
    let totalNumbers = numbers.map(\.total)
    let own = folders.map { files.own(of: $0) }
    for (number, files) in zip(totalNumbers, own) { self.files.keep(files, of: number) }
    return JSONBuilder.object { json in
      if folders.count == 1 { json.member("path", path: folders[0].path) }
      json.member("roots", each: folders) { folder, json in json.value(text: folder.path) }
      let isWhole = known.totals.map { !$0.hasNamesOnly } ?? false
      json.member("complete", isWhole && (known.changes != nil || !isCompared))
      json.member("measure", text: Array(measure.rawValue.utf8))
      if hasDisk { putDisk(of: folders, to: &json) }
      putSums(of: totalNumbers, to: &json)
      layers.put(folders: totalNumbers, to: &json)
      putStates(of: numbers, to: &json)
      putLands(of: folders, numbers, to: &json)
      put(own: own, to: &json)
      // Before all sizes are known, none is the largest for certain.
      if !isWhole { return }
      json.member("largest", each: files.largest(below: totalNumbers)) { file, json in
        put(file, hasPath: true, to: &json)
      }
    }
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
    json.member("disk") { json in
      json.member("used", used)
      json.member("free", free)
    }
  }

  private func putSums(of numbers: [Int], to json: inout JSONBuilder) {
    guard let totals = known.totals else { return }
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

  private func putStates(of numbers: [Knowledge.Numbers], to json: inout JSONBuilder) {
    guard let changes = known.changes else { return }
    var both = StatePairSums()
    for number in numbers {
      guard let sums = changes.sums(ofFolder: number.change) else { return }
      both += sums
    }
    put(both, to: &json)
  }

  private func put(_ sums: StatePairSums, to json: inout JSONBuilder) {
    var parts = FeatureParts(of: .directory)
    parts.states = sums.totals(measure)
    json.put(parts)
  }

  // MARK: Lands

  private struct Land {
    let amount: Int64
    let parent: Int
    let index: Int
    let numbers: Knowledge.Numbers
  }

  private func putLands(
    of folders: [WorldFolder], _ numbers: [Knowledge.Numbers], to json: inout JSONBuilder
  ) {
    var lands: [Land] = []
    for (parent, folder) in folders.enumerated() {
      for (index, land) in known.numbers(of: folder.folders, in: numbers[parent]).enumerated() {
        lands.append(Land(amount: amount(land), parent: parent, index: index, numbers: land))
      }
    }
    lands.sort { a, b in
      a.amount != b.amount ? a.amount > b.amount : (a.parent, a.index) < (b.parent, b.index)
    }
    json.member("lands", each: lands.prefix(Self.maximumEntries)) { land, json in
      put(land, in: folders[land.parent], to: &json)
    }
  }

  /// The amount that orders lands; of two states the larger one.
  private func amount(_ land: Knowledge.Numbers) -> Int64 {
    let own = amount(ofTotals: land.total)
    let states = known.changes?.sums(ofFolder: land.change).map {
      max($0.old.bytes(measure) ?? 0, $0.new.bytes(measure) ?? 0)
    }
    return max(own ?? -1, states ?? -1)
  }

  private func put(_ land: Land, in folder: WorldFolder, to json: inout JSONBuilder) {
    let place = folder.places[land.index]
    let name = folder.folders.name(at: land.index)
    json.object { json in
      json.member("path", path: folder.path(of: name))
      json.member("name", text: name)
      var record = FeatureRecord(place)
      known.totals?.complete(&record, land.numbers.total)
      json.put([.kind, .id], of: record)
      json.put(FeatureParts(of: .directory, known.difference(of: land.numbers)))
      if let sums = known.changes?.sums(ofFolder: land.numbers.change) { put(sums, to: &json) }
      json.put([.bytes, .files, .newest, .type], of: record)
      layers.put(folder: land.numbers.total, to: &json)
      putMore(aboutFolder: land.index, of: folder, land.numbers.total, record, to: &json)
    }
  }

  func putMore(
    aboutFolder index: Int, of folder: WorldFolder, _ number: Int, _ record: FeatureRecord,
    to json: inout JSONBuilder
  ) {
    let place = folder.places[index]
    var record = record
    record.locate(at: world.engine.coordinate(of: place), digits: place.digits)
    json.put([.lon, .lat, .minzoom], of: record)
    guard known.totals != nil, number != TreeTotals.missing else { return }
    if record.totals == nil {
      record.isUnreadable = reader.child(index, of: folder).failure != nil
      json.put([.unreadable], of: record)
      return
    }
    json.put([.allocated], of: record)
    putLargest(in: number, of: { reader.child(index, of: folder) }, to: &json)
  }

  private func putLargest(
    in number: Int, of land: () -> WorldFolder, to json: inout JSONBuilder
  ) {
    guard let totals = known.totals else { return }
    // Totals include hidden folders.
    let children =
      !world.selection.isActive
      ? totals.subfolders(of: number) : totals.numbers(of: land().folders, in: number)
    var best: (number: Int, amount: Int64)?
    for child in children {
      guard let amount = amount(ofTotals: child), amount > best?.amount ?? 0 else { continue }
      best = (child, amount)
    }
    guard let best, let sums = totals[best.number] else { return }
    json.member("largest") { json in
      json.member(name: Array(totals.name(of: best.number)))
      json.member("bytes", sums.bytes)
      json.member("allocated", sums.allocated)
    }
  }

  // MARK: Sites

  /// Keeps the files that were read for the largest, as a site is written folder by folder in the
  /// order of the map.
  package func keepFiles() { files.keepsFiles = true }

  /// Adds the number of folders below a folder to its description in a site, and the largest files
  /// below it, unless it is too small, or has no sub-folders, so that its own files are all.
  func putMore(about folder: WorldFolder, to json: inout JSONBuilder) {
    let number = files.numbers(of: folder).total
    defer { files.forget(number) }
    guard let totals = known.totals, totals[number] != nil else { return }
    json.member("folders", Int64(totals.count(below: number)))
    guard !folder.folders.isEmpty, let amount = amount(ofTotals: number), amount > 0 else { return }
    let whole = totals.subfolders(of: nil).reduce(0) { sum, root in
      TreeTotals.sum(sum, self.amount(ofTotals: root) ?? 0)
    }
    if amount < whole / Self.siteShare { return }
    json.member("largest", each: files.largest(below: [number])) { file, json in
      put(file, hasPath: true, to: &json)
    }
  }

  private func amount(ofTotals number: Int) -> Int64? {
    known.totals?[number].flatMap { measure.amount(bytes: $0.bytes, allocated: $0.allocated) }
  }

  /// The room on disk of the files of a folder, as far as sites have it: nil where it is unknown or
  /// the size rounded up to blocks.
  func unusualRoom(ofFilesIn folder: WorldFolder) -> [Int64?] {
    if measure == .bytes { return [] }
    let (facts, storage) = reader.measuredFacts(in: folder)
    return facts.indices.map { index in
      let room = (facts[index].size &+ Self.block - 1) & ~(Self.block - 1)
      let isRounded = facts[index].status.hasSize && storage[index].allocated == room
      return storage[index].isKnown && !isRounded ? storage[index].allocated : nil
    }
  }

  // MARK: Files

  private func put(own: [[SizedFile]], to json: inout JSONBuilder) {
    // Sorting is stable, and files are in the order of their names.
    let sorted = own.joined().sorted { $0.amount > $1.amount }
    json.member("own", each: sorted.prefix(Self.maximumEntries)) { file, json in
      put(file, hasPath: own.count > 1, to: &json)
    }
  }

  private func put(_ file: SizedFile, hasPath: Bool, to json: inout JSONBuilder) {
    json.object { json in
      let name = file.name
      if hasPath { json.member("path", path: file.path) }
      json.member(name: name)
      let city = file.folder.city
      let place = world.engine.placeFile(name.span, in: city)
      var record = FeatureRecord(
        id: place.id, kind: .poi, depth: Int(file.folder.place.depth) + 1, minzoom: city.minzoom)
      record.set(file.facts)
      record.locate(at: place.coordinate, digits: city.digits)
      record.totals = FolderTotals(
        files: 1, bytes: record.size,
        allocated: file.storage.isKnown ? file.storage.allocated : nil)
      json.put([.lon, .lat, .minzoom, .bytes, .allocated, .modified, .special], of: record)
      json.put(files.parts(of: file))
      layers.put(file: file.index, of: file.folder, by: reader, to: &json)
    }
  }
}
