import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// Joins the parts of a comparison in the order of the map.
struct ChangeTreeBuilder {
  private var tree: ChangeTree
  private var moves: Moves
  /// Bytes of memory that the sorting of moves has reserved from the tree's lists.
  private var sorting = 0
  private var way: [Int32] = []
  private let comparison: Comparison
  /// Whether a state can't know room on disk.
  private let lacksRoom: Bool
  private var rooms = (old: RoomSeen(), new: RoomSeen())
  /// Whether folders were skipped whose files were not read since.
  private var hasSkipped = false
  /// The files of the current root that may have several names, in each state.
  private var linked = (old: LinkedNames(), new: LinkedNames())
  private var skipped: [ObjectID] = []

  /// All roots of a union have one source.
  init(_ comparison: Comparison, of roots: [ScanRoot]) {
    self.comparison = comparison
    lacksRoom = roots.first?.source.knowledge == .objects
    tree = ChangeTree(
      PageStore(limit: comparison.memory, makeFile: comparison.makeFile), roots.map(\.label))
    moves = Moves(tree)
  }

  var counted: (folders: Int, files: Int) { tree.counted }

  mutating func add(_ part: ComparePart) throws(Errno) {
    let fileOffset = Int32(tree.files.count)
    let childOffset = Int32(tree.children.count)
    for name in part.children { try tree.children.append(try keep(name, of: part)) }
    for var candidate in part.candidates {
      candidate.number += fileOffset
      try moves.add(candidate)
    }
    if moves.usedMemory - sorting >= 1 << 16 { try leave(memory: moves.usedMemory) }
    try moves.add(unmoved: part.unmoved)
    skipped += part.skipped
    if !part.skipped.isEmpty { hasSkipped = true }
    rooms.old += part.rooms.old
    rooms.new += part.rooms.new
    tree.excluded += part.excluded
    tree.counted.folders += part.counts.folders
    tree.counted.files += part.counts.files

    var (fileStart, linkedStart, childStart) = (0, 0, childOffset)
    for step in part.steps {
      let files = fileStart..<step.fileEnd
      fileStart = step.fileEnd
      let range = (fileOffset + Int32(files.lowerBound))..<(fileOffset + Int32(files.upperBound))
      if step.depth < 0 {
        guard let last = way.last else { continue }
        try addMore(step, range, to: Int(last))
      } else {
        let children = childStart..<(childOffset + Int32(step.childEnd))
        childStart = children.upperBound
        try begin(step, range, children)
      }
      for index in files {
        var file = part.files[index]
        file.name = try keep(file.name, of: part)
        file.folder = way.last ?? 0
        try tree.files.append(file)
      }
      for var name in part.linked[linkedStart..<step.linkedEnd] {
        if name.file >= 0 { name.file += fileOffset }
        try add(name)
      }
      linkedStart = step.linkedEnd
    }
  }

  /// Takes back what a further name of a file has counted in the folders that have another one.
  private mutating func add(_ name: LinkedName) throws(Errno) {
    guard let here = way.last else { return }
    if let file = name.old {
      try uncount(linked.old.add(file.identity, in: here, name), file, isOld: true, name, in: here)
    }
    if let file = name.new {
      try uncount(linked.new.add(file.identity, in: here, name), file, isOld: false, name, in: here)
    }
  }

  private mutating func uncount(
    _ known: (before: Int32?, uncounted: Int32), _ file: LinkedName.Version, isOld: Bool,
    _ name: LinkedName, in here: Int32
  ) throws(Errno) {
    if known.uncounted >= 0 { try tree.files.update(Int(known.uncounted)) { $0.isCounted = false } }
    // The innermost folder that has both names.
    guard let before = known.before, let folder = way.last(where: { $0 <= before }) else { return }
    if comparison.keepsSums {
      try tree.sums.update(Int(folder)) { sums in
        if isOld { sums.old.subtract(file) } else { sums.new.subtract(file) }
      }
    }
    if !name.isCompared { return }
    let sign: Int128 = isOld ? 1 : -1
    let repeated = before == here ? \FolderGrowth.Own.repeatedHere : \.repeatedBelow
    try updateGrowth(of: Int(folder)) { growth in
      growth.apparent[keyPath: repeated] += sign * Int128(file.size)
      growth.allocated[keyPath: repeated] += sign * Int128(file.allocated)
    }
  }

  private mutating func updateGrowth(
    of folder: Int, _ body: (inout FolderGrowth) -> Void
  ) throws(Errno) {
    let number = Int(tree.folders[folder].growth)
    if number >= 0 { return try tree.growths.update(number, body) }
    var growth = FolderGrowth()
    body(&growth)
    let added = Int32(tree.growths.count)
    try tree.growths.append(growth)
    try tree.folders.update(folder) { $0.growth = added }
  }

  private mutating func add(
    _ growth: (apparent: Growth, allocated: Growth), to folder: Int
  ) throws(Errno) {
    if growth.apparent.isZero, growth.allocated.isZero { return }
    try updateGrowth(of: folder) { record in
      record.apparent.names += growth.apparent
      record.allocated.names += growth.allocated
    }
  }

  /// Returns `skipped` and forgets them; empty if no file may have moved and the measure is known.
  mutating func takePassedOver() -> [ObjectID] {
    defer { skipped = [] }
    let isMeasured =
      comparison.measure != nil || lacksRoom || rooms.old.isDecided && rooms.new.isDecided
    return moves.mayPair || !isMeasured ? skipped : []
  }

  /// Adds the files in skipped folders, none of which moved.
  mutating func add(unmoved digests: [UInt64], _ seen: RoomSeen) throws(Errno) {
    rooms.old += seen
    rooms.new += seen
    hasSkipped = false
    if moves.mayPair { try moves.add(unmoved: digests) }
  }

  private mutating func keep(
    _ name: PagedName, of part: ComparePart
  ) throws(Errno) -> PagedName {
    try tree.names.append(
      part.names.span.extracting(name.place..<(name.place + Int(name.length))))
  }

  private mutating func addMore(
    _ step: ComparePart.Step, _ files: Range<Int32>, to folder: Int
  ) throws(Errno) {
    try tree.folders.update(folder) { folder in
      folder.files = folder.files.lowerBound..<files.upperBound
      folder.below += step.own
    }
    try add(step.growth, to: folder)
    if comparison.keepsSums { try tree.sums.update(folder) { $0 += step.sums } }
  }

  private mutating func begin(
    _ step: ComparePart.Step, _ files: Range<Int32>, _ children: Range<Int32>
  ) throws(Errno) {
    try end(to: Int(step.depth))
    // No folder contains names of two roots.
    if step.depth == 0 {
      linked.old.removeAll()
      linked.new.removeAll()
    }
    try tree.folders.append(
      ChangeTree.Folder(
        parent: way.last ?? -1, number: step.number, end: 0, depth: step.depth,
        known: step.folder, files: files, children: children, below: step.own))
    if comparison.keepsSums { try tree.sums.append(step.sums) }
    way.append(Int32(tree.folders.count - 1))
    try add(step.growth, to: tree.folders.count - 1)
  }

  private mutating func end(to depth: Int) throws(Errno) {
    let end = Int32(tree.folders.count)
    while way.count > depth, let ended = way.popLast() {
      try tree.folders.update(Int(ended)) { $0.end = end }
    }
  }

  mutating func finish() throws(Errno) -> ChangeTree {
    try end(to: 0)
    linked = (LinkedNames(), LinkedNames())
    let knowsRoom =
      !lacksRoom && rooms.old.knowsRoom(isWhole: !hasSkipped)
      && rooms.new.knowsRoom(isWhole: !hasSkipped)
    tree.measure = comparison.measure ?? (knowsRoom ? .allocated : .bytes)
    if moves.mayPair {
      try leave(memory: moves.memoryOfPairs)
      // Memory that the scan's threads have freed can hold the pairs.
      ThisProcess.returnMemory()
    }
    // Moved out, so that its memory is freed as soon as it is consumed.
    var found = Moves(tree)
    swap(&found, &moves)
    let partners = try found.partners(in: tree)
    var cursor = partners.cursor()
    while try cursor.advance() { try join(Int(cursor.key), cursor.record(0)) }
    try leave(memory: 0)
    if let since = comparison.since { try leaveOut(before: since) }
    try addUp()
    if let failure = tree.failure { throw failure }
    return tree
  }

  /// Reserves memory for the sorting of moves, and shrinks the lists to the rest.
  private mutating func leave(memory: Int) throws(Errno) {
    tree.store.hold(memory - sorting)
    sorting = memory
    try tree.spill()
  }

  private mutating func join(_ number: Int, _ partner: Int32) throws(Errno) {
    let isOld = tree.files[number].change == .removed
    try tree.files.update(number) { file in
      file.change = isOld ? .left : .moved
      file.partner = partner
    }
    try tree.folders.update(Int(tree.files[number].folder)) { folder in
      if isOld {
        folder.below.counts.removed -= 1
      } else {
        folder.below.counts.added -= 1
        folder.below.counts.moved += 1
      }
    }
  }

  private mutating func addUp() throws(Errno) {
    for index in tree.folders.indices.reversed() {
      let folder = tree.folders[index]
      let differs = folder.files.contains { tree.files[Int($0)].change != .none }
      let holds = folder.holds || differs
      if differs, !folder.holds { try tree.folders.update(index) { $0.holds = true } }
      if holds || folder.known.change != .none { tree.isEmpty = false }
      let growth = try addUpGrowth(of: index)
      guard folder.parent >= 0 else {
        tree.total += folder.below
        continue
      }
      let parent = Int(folder.parent)
      try tree.folders.update(parent) { parent in
        parent.below += folder.below
        if holds || folder.known.change != .none { parent.holds = true }
      }
      if let growth { try updateGrowth(of: parent) { $0.all += growth } }
      if comparison.keepsSums {
        let sums = tree.sums[index]
        try tree.sums.update(parent) { $0 += sums }
      }
    }
  }

  /// Totals the growth of a folder whose sub-folders are done; nil if no size differs.
  private mutating func addUpGrowth(of folder: Int) throws(Errno) -> Growth? {
    let number = Int(tree.folders[folder].growth)
    if number < 0 { return nil }
    let measure = tree.measure
    try tree.growths.update(number) { $0.addUp(measure) }
    return tree.growths[number].all
  }
}

extension ChangeTreeBuilder {
  /// Drops changes whose time in the new state is before `since`. Removed entries have no time
  /// there and stay.
  private mutating func leaveOut(before since: Int64) throws(Errno) {
    for number in tree.files.indices {
      let file = tree.files[number]
      guard file.change == .added || file.change == .changed || file.change == .moved,
        file.facts.status == .known, file.facts.modified < since
      else { continue }
      try subtractGrowth(of: file)
      try tree.files.update(number) { file in
        file.change = .none
        file.partner = -1
      }
      var own = ChangesBelow()
      own.counts.add(file.change)
      own.bytes = file.facts.size
      if file.change == .changed {
        own.bytes = file.was.status.hasSize ? file.facts.size.subtracting(file.was.size) : nil
      }
      try subtract(own, from: file.folder)
      guard file.partner >= 0 else { continue }
      let old = tree.files[Int(file.partner)]
      try subtractGrowth(of: old)
      try tree.files.update(Int(file.partner)) { file in
        file.change = .none
        file.partner = -1
        // A map of all nodes must not show the file at its old place.
        file.facts.status = .vanished
      }
      own = ChangesBelow()
      own.bytes = -old.facts.size
      try subtract(own, from: old.folder)
    }
    for index in tree.folders.indices {
      let known = tree.folders[index].known
      if known.change == .added, let modified = known.modified, modified < since {
        try tree.folders.update(index) { $0.known.change = .none }
      }
    }
  }

  private mutating func subtractGrowth(of file: ComparedFile) throws(Errno) {
    try updateGrowth(of: Int(file.folder)) { record in
      record.apparent.names.subtract(Int128(file.growth(.bytes)))
      record.allocated.names.subtract(Int128(file.growth(.allocated)))
    }
  }

  private mutating func subtract(_ own: ChangesBelow, from folder: Int32) throws(Errno) {
    try tree.folders.update(Int(folder)) { folder in
      folder.below.counts.added -= own.counts.added
      folder.below.counts.changed -= own.counts.changed
      folder.below.counts.moved -= own.counts.moved
      folder.below.bytes = folder.below.bytes.flatMap { before in
        own.bytes.flatMap { before.subtracting($0) }
      }
    }
  }
}

extension Int64 {
  /// The difference; nil on overflow.
  fileprivate func subtracting(_ other: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? nil : difference
  }
}
