import GeoFormats
import GeoCore
import GeoTree
import GeoSystem

/// Puts the parts of a comparison together, in the order of the map.
struct ChangeTreeBuilder {
  private var tree: ChangeTree
  private var moves: Moves
  /// How many bytes of memory the sorting of moves has taken from the tree's lists.
  private var sorting = 0
  /// The folders on the way to the one at hand.
  private var way: [Int32] = []
  private let keepsSums: Bool
  private let since: Int64?
  /// What names all that is in folders that were passed over.
  private var passedOver: [ObjectID] = []

  init(labels: [[UInt8]], _ options: Comparison.Keeping) {
    tree = ChangeTree(PageStore(limit: options.memory, makeFile: options.makeFile))
    tree.labels = labels
    moves = Moves(tree)
    keepsSums = options.keepsSums
    since = options.since
  }

  /// How much was compared so far.
  var counted: (folders: Int, files: Int) { tree.counted }

  /// Takes account of the next part.
  ///
  /// - Throws: Why there is no scratch file for what memory has no room for.
  mutating func add(_ part: ComparePart) throws(Errno) {
    let fileOffset = Int32(tree.files.count)
    let childOffset = Int32(tree.children.count)
    for name in part.children { try tree.children.append(try keep(name, of: part)) }
    for candidate in part.candidates {
      try moves.add(candidate, number: candidate.file + fileOffset)
    }
    if moves.room - sorting >= 1 << 16 { try leave(room: moves.room) }
    try moves.add(unmoved: part.unmoved)
    passedOver += part.passedOver
    tree.excluded += part.excluded
    tree.counted.folders += part.counts.folders
    tree.counted.files += part.counts.files

    var (fileStart, childStart) = (0, childOffset)
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
    }
  }

  /// What names all that is in folders that were passed over, once: nothing if what is in them decides
  /// nothing.
  mutating func takePassedOver() -> [ObjectID] {
    defer { passedOver = [] }
    return moves.mayPair ? passedOver : []
  }

  /// Takes account of files that are where they were, in folders that were passed over.
  mutating func add(unmoved digests: [UInt64]) throws(Errno) { try moves.add(unmoved: digests) }

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
    if keepsSums { try tree.sums.update(folder) { $0 += step.sums } }
  }

  private mutating func begin(
    _ step: ComparePart.Step, _ files: Range<Int32>, _ children: Range<Int32>
  ) throws(Errno) {
    try end(to: Int(step.depth))
    try tree.folders.append(
      ChangeTree.Folder(
        parent: way.last ?? -1, number: step.number, end: 0, depth: step.depth,
        known: step.folder, files: files, children: children, below: step.own))
    if keepsSums { try tree.sums.append(step.sums) }
    way.append(Int32(tree.folders.count - 1))
  }

  /// Ends folders until so many are on the way.
  private mutating func end(to depth: Int) throws(Errno) {
    let end = Int32(tree.folders.count)
    while way.count > depth, let ended = way.popLast() {
      try tree.folders.update(Int(ended)) { $0.end = end }
    }
  }

  /// Finds what moved, leaves out what wasn't asked for, and adds up what differs below each folder.
  ///
  /// - Throws: Why there is no scratch file, or why it can't be read.
  mutating func finish() throws(Errno) -> ChangeTree {
    try end(to: 0)
    if moves.mayPair {
      try leave(room: moves.roomOfPairs)
      // What the threads that have compared have left is room for pairs.
      ThisProcess.returnMemory()
    }
    // Taken out, so that nothing of it is kept beside what it becomes.
    var found = Moves(tree)
    swap(&found, &moves)
    let partners = try found.partners(in: tree)
    var cursor = partners.cursor()
    while try cursor.advance() {
      let partner = cursor.withContent { content in
        var reader = PageReader(content)
        return reader.takeInt32()
      }
      try join(Int(cursor.key), partner)
    }
    try leave(room: 0)
    if let since { try leaveOut(before: since) }
    try addUp()
    if let failure = tree.failure { throw failure }
    return tree
  }

  /// Leaves room to the sorting of moves; the lists have what is left of theirs.
  private mutating func leave(room: Int) throws(Errno) {
    tree.share(room - sorting)
    sorting = room
    try tree.makeRoom()
  }

  /// Makes one half of a file that moved of a removed or an added one.
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

  /// Adds up what differs below each folder.
  private mutating func addUp() throws(Errno) {
    for index in tree.folders.indices.reversed() {
      let folder = tree.folders[index]
      let differs = folder.files.contains { tree.files[Int($0)].change != .none }
      let holds = folder.holds || differs
      if differs, !folder.holds { try tree.folders.update(index) { $0.holds = true } }
      if holds || folder.known.change != .none { tree.isEmpty = false }
      guard folder.parent >= 0 else {
        tree.total += folder.below
        continue
      }
      let parent = Int(folder.parent)
      try tree.folders.update(parent) { parent in
        parent.below += folder.below
        if holds || folder.known.change != .none { parent.holds = true }
      }
      if keepsSums {
        let sums = tree.sums[index]
        try tree.sums.update(parent) { $0 += sums }
      }
    }
  }
}

extension ChangeTreeBuilder {
  /// Has what the new state knows to be older than a time count as no difference. What is gone has no time
  /// in it, and stays.
  private mutating func leaveOut(before since: Int64) throws(Errno) {
    for number in tree.files.indices {
      let file = tree.files[number]
      guard file.change == .added || file.change == .changed || file.change == .moved,
        file.facts.status == .known, file.facts.modified < since
      else { continue }
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
      try take(own, from: file.folder)
      guard file.partner >= 0 else { continue }
      let old = tree.files[Int(file.partner)]
      try tree.files.update(Int(file.partner)) { file in
        file.change = .none
        file.partner = -1
        // With all nodes it is not shown where it is no more.
        file.facts.status = .vanished
      }
      own = ChangesBelow()
      own.bytes = -old.facts.size
      try take(own, from: old.folder)
    }
    for index in tree.folders.indices {
      let known = tree.folders[index].known
      if known.change == .added, let modified = known.modified, modified < since {
        try tree.folders.update(index) { $0.known.change = .none }
      }
    }
  }

  private mutating func take(_ own: ChangesBelow, from folder: Int32) throws(Errno) {
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
  /// The difference; nil if 64 bits have no room for it.
  fileprivate func subtracting(_ other: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? nil : difference
  }
}
