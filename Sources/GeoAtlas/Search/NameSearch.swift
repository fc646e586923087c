import GeoCore
import GeoProjection
import GeoTree

/// Looks for names in a world, the shallowest folders first, one folder a step.
///
/// What waits to be looked at is bounded: beyond that each folder is looked at with all that is in
/// it before the next one, which leaves nothing out and needs room for the folders on one path alone.
///
/// Whoever searches decides how long: after each ``step()`` there may be something to take.
package struct NameSearch {
  private let match: NameMatch
  private let limit: Int
  /// Which hits come first; nil for those that fit best.
  private let order: MatchOrder?
  /// Whether files are asked for their sizes and times.
  private let asksForFacts: Bool
  private let world: World
  private let reader: WorldReader
  /// The best hits so far, the best first.
  private var hits: [Candidate] = []
  /// The sub-folders of folders that were looked at, in the order in which they were.
  private var waiting: [Siblings] = []
  /// Which of ``waiting`` is next; those before it are done.
  private var position = 0
  /// How many of ``waiting`` are there breadth first, none deeper than the next; those after them are
  /// looked at before them, the last one first.
  private var breadthCount = 1
  /// Bytes of ``waiting``.
  package private(set) var waitingBytes = 0
  /// Bytes that may wait before what came last is looked at first.
  private let waitingLimit: Int

  /// How many folders were looked at.
  package private(set) var folders = 0
  /// How many files were.
  package private(set) var files = 0
  /// The path of the folder that was looked at last.
  package private(set) var place: [UInt8] = []
  /// Whether nothing was left out that was to be looked at.
  package private(set) var isComplete = true

  private struct Candidate {
    var hit: NameHit
    var isTaken = false
  }

  /// Sub-folders of one folder, or the roots. There may be very many: their paths are put together
  /// when their turn comes.
  private struct Siblings {
    /// The folder that they are in; nil for the roots.
    var parent: (path: [UInt8], root: Int, ways: WorldFolder.Ways)?
    var names: NameTable
    var places: [FolderPlace]
    var next = 0

    /// Bytes of memory.
    var cost: Int {
      256 + (parent?.path.count ?? 0) + names.bytes.count
        + places.count
        * (MemoryLayout<FolderPlace>.stride + MemoryLayout<NameRecord>.stride
          + MemoryLayout<UInt64>.stride)
    }
  }

  /// A search for what fits best.
  ///
  /// - Parameters:
  ///   - match: What is looked for.
  ///   - limit: How many hits are wanted.
  ///   - order: Which of them come first; nil for those that fit best, of which some are known before all has been
  ///     looked at.
  ///   - asksForFacts: Whether hits that are files know their sizes and times of change, whatever the order.
  ///   - waitingLimit: Bytes of what waits to be looked at, beyond which it goes depth first.
  package init(
    for match: NameMatch, limit: Int, first order: MatchOrder? = nil, asksForFacts: Bool = false,
    in world: World, waitingLimit: Int = 32 << 20
  ) {
    self.match = match
    self.limit = limit
    self.order = order
    self.asksForFacts = asksForFacts || order != nil && order != .name
    self.world = world
    reader = world.reader()
    self.waitingLimit = waitingLimit
    let roots = Siblings(
      parent: nil, names: NameTable(world.roots.map(\.label), kind: .directory),
      places: world.engine.roots)
    waiting = [roots]
    waitingBytes = roots.cost
  }

  /// Looks into the next folder; false if there is none, or if none could hold a better hit than
  /// those there are.
  package mutating func step() -> Bool {
    guard position < waiting.count, !isSettled else { return false }
    let goesDepthFirst = waiting.count > breadthCount || waitingBytes > waitingLimit
    let current = goesDepthFirst ? waiting.count - 1 : position
    let siblings = waiting[current]
    if siblings.next < siblings.names.count {
      waiting[current].next += 1
      if let children = look(into: siblings) {
        waitingBytes += children.cost
        waiting.append(children)
        if !goesDepthFirst { breadthCount += 1 }
      }
    } else {
      waitingBytes -= siblings.cost
      leave(current)
    }
    return true
  }

  /// Forgets siblings that were looked at, the first or the last.
  private mutating func leave(_ index: Int) {
    if index == waiting.count - 1 {
      waiting.removeLast()
      breadthCount = min(breadthCount, waiting.count)
      return
    }
    waiting[index] = Siblings(parent: nil, names: NameTable(), places: [])
    position += 1
    if position > 4096, position * 2 > waiting.count {
      waiting.removeFirst(position)
      breadthCount -= position
      position = 0
    }
  }

  /// Hits that were not taken yet; better ones may follow. The best come first.
  package mutating func takeNew() -> [NameHit] { take(upTo: hits.count) }

  /// Hits that were not taken yet and that none can follow that is better, the best first.
  ///
  /// Whoever takes no others has all of them in their order.
  package mutating func takeRanked() -> [NameHit] {
    if order != nil { return position < waiting.count ? [] : takeNew() }
    return take(upTo: hits.firstIndex { $0.hit.score < bestToCome } ?? hits.count)
  }

  private mutating func take(upTo end: Int) -> [NameHit] {
    var taken: [NameHit] = []
    for index in 0..<end where !hits[index].isTaken {
      hits[index].isTaken = true
      taken.append(hits[index].hit)
    }
    return taken
  }

  /// The best score that what has not been looked at could have.
  private var bestToCome: Int {
    guard position < waiting.count else { return .min }
    // A root may be a hit itself. What else waits lies as deep, or deeper.
    guard waiting[position].parent != nil, let place = waiting[position].places.first else {
      return NameMatch.best(atDepth: 0)
    }
    return NameMatch.best(atDepth: Int(place.depth) + 1)
  }

  /// Whether no hit to come can displace one of those there are.
  private var isSettled: Bool {
    guard hits.count >= limit, order == nil || limit == 0 else { return false }
    guard let last = hits.last else { return true }
    return last.hit.score >= bestToCome
  }

  /// Looks into the next one of some siblings.
  ///
  /// - Returns: The folders in it; nil if there are none.
  private mutating func look(into siblings: Siblings) -> Siblings? {
    let index = siblings.next
    let name = siblings.names.name(at: index)
    let path = siblings.parent.map { $0.path.appending(component: name) } ?? name
    let root = siblings.parent?.root ?? index
    let ways = siblings.parent?.ways
    let folder = reader.folder(
      at: path, root: root, place: siblings.places[index], mark: ways?.mark(of: index),
      above: ways == nil ? reader.scope(aroundRoot: index) : ways?.scope(of: index),
      keeps: world.hasRoom)
    folders += 1
    files += folder.files.count
    place = path
    if folder.failure != nil { isComplete = false }
    look(in: folder)
    if folder.folders.isEmpty { return nil }
    return Siblings(
      parent: (path, root, folder.ways), names: folder.folders, places: folder.places)
  }

  private mutating func look(in folder: WorldFolder) {
    // All words but the last may be in the path above.
    let above = folder.path.lowercased
    let left = match.others.filter { !$0.fits(path: above) }
    let depth = Int(folder.place.depth)
    let engine = world.engine
    let source = asksForFacts ? reader : nil
    let showsFolders = world.visibility.showsFolders
    if depth == 0, showsFolders {
      // A root is in no folder: its own name counts as that of a hit in itself.
      if let score = match.score(above, left: match.others, depth: 0, isFile: false) {
        add(score) {
          NameHit(
            folder.place, at: folder.path, score: score, modified: folder.modified, by: engine)
        }
      }
    } else if showsFolders, order != nil {
      // What a folder is sorted by is known when it has been read.
      let outer = Array(above.parentPath ?? [])
      let left = match.others.filter { !$0.fits(path: outer) }
      if let score = match.score(
        Array(above.lastComponent), left: left, depth: depth, isFile: false)
      {
        add(score) {
          NameHit(
            folder.place, at: folder.path, score: score, modified: folder.modified, by: engine)
        }
      }
    }
    for (table, isFile) in [(folder.folders, false), (folder.files, true)]
    where isFile || showsFolders && order == nil {
      for index in 0..<table.count {
        let span = table.bytes.span.extracting(table.records[index].range)
        guard match.mayFit(span) else { continue }
        let name = table.name(at: index)
        guard
          let score = match.score(name.lowercased, left: left, depth: depth + 1, isFile: isFile)
        else { continue }
        add(score) {
          isFile
            ? NameHit(
              file: name, in: folder, score: score, facts: source?.facts(ofFile: index, in: folder),
              by: engine)
            : NameHit(folder.places[index], at: folder.path(of: name), score: score, by: engine)
        }
      }
    }
  }

  private mutating func add(_ score: Int, _ hit: () -> NameHit) {
    if order == nil, hits.count >= limit, let last = hits.last, last.hit.score >= score { return }
    let hit = hit()
    // After those of the same score: what was found first stands higher up in the tree.
    var low = 0
    var high = hits.count
    while low < high {
      let middle = (low + high) / 2
      let other = hits[middle].hit
      let isBefore = order.map { $0.puts(hit, before: other) ?? false } ?? (other.score < score)
      if isBefore { high = middle } else { low = middle + 1 }
    }
    if low == limit { return }
    hits.insert(Candidate(hit: hit), at: low)
    if hits.count > limit { hits.removeLast() }
  }
}

/// What a search looks for, and how well a name fits.
package struct NameMatch: Sendable {
  /// One of the words.
  enum Word: Sendable {
    /// What has to occur in a name, in small letters; not empty.
    case text([UInt8])
    /// What a whole name has to match.
    case glob(NameGlob)

    /// Reads a word; what is not a proper glob is text.
    init(_ word: [UInt8]) {
      if NameGlob.isMeant(by: word), let glob = try? NameGlob(word) {
        self = .glob(glob)
      } else {
        self = .text(word)
      }
    }

    /// Whether it is in a path, whose names are looked at one by one.
    ///
    /// - Parameter path: In small letters.
    func fits(path: [UInt8]) -> Bool {
      switch self {
      case .text(let term): NameMatch.occurs(term, in: path)
      case .glob(let glob):
        path.components.contains { glob.matches(path.span.extracting($0.indices)) }
      }
    }
  }

  /// What the name has to fit.
  let word: Word
  /// What the name or the path above has to fit.
  let others: [Word]

  /// The longest query, in bytes.
  package static let longestQuery = 256

  /// A match of words, the last of which is to be in the name.
  ///
  /// - Parameter query: Words that are separated by blanks or slashes; capitals of ASCII don't
  ///   matter. One with `*`, `?` or `[` is a glob that a whole name has to match.
  /// - Returns: nil if there is no word, or the query is longer than ``longestQuery``.
  package init?(_ query: [UInt8]) {
    if query.count > Self.longestQuery { return nil }
    let words = query.lowercased.split { $0 == 0x20 || $0 == .slash }
    guard let term = words.last else { return nil }
    word = Word(Array(term))
    others = words.dropLast().map { Word(Array($0)) }
  }

  /// How well a name fits: 100 if it is the word, 90 if it is up to the ending, 80 if it begins with
  /// it, 60 if a word in it does, 40 if it holds it, 100 if it matches a glob; 5 more for a folder, and less
  /// for what lies deep or is long.
  ///
  /// - Parameters:
  ///   - name: The name in small letters.
  ///   - left: Those of ``others`` that the path above does not hold.
  ///   - depth: The node's depth.
  /// - Returns: nil if it doesn't fit.
  func score(_ name: [UInt8], left: [Word], depth: Int, isFile: Bool) -> Int? {
    let score: Int
    switch word {
    case .glob(let glob): score = glob.matches(name.span) ? 100 : 0
    case .text(let term): score = Self.fit(term, in: name)
    }
    if score == 0 { return nil }
    for other in left where !other.fits(path: name) { return nil }
    return score - min(depth, 20) + (isFile ? 0 : 5)
  }

  /// How well a name fits a text, less for a long name; 0 if it doesn't.
  private static func fit(_ term: [UInt8], in name: [UInt8]) -> Int {
    guard let place = Self.first(term, in: name[...]) else { return 0 }
    var score: Int
    if name.count == term.count {
      score = 100
    } else if place == 0, name[term.count] == UInt8(ascii: "."),
      !name[(term.count + 1)...].contains(UInt8(ascii: "."))
    {
      score = 90
    } else if place == 0 {
      score = 80
    } else {
      score = 40
      var next: Int? = place
      while let start = next {
        if !Self.isWordByte(name[start - 1]) { score = 60 }
        next = Self.first(term, in: name[(start + 1)...])
      }
    }
    return score - min((name.count - term.count) / 8, 10)
  }

  /// The best score that a node at this depth or below can have.
  static func best(atDepth depth: Int) -> Int { 105 - min(depth, 20) }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  static func occurs(_ term: [UInt8], in text: [UInt8]) -> Bool {
    first(term, in: text[...]) != nil
  }

  /// Where a term begins for the first time.
  private static func first(_ term: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= term.count else { return nil }
    for start in text.startIndex...(text.endIndex - term.count)
    where text[start] == term[0] && text[start..<(start + term.count)].elementsEqual(term) {
      return start
    }
    return nil
  }

  /// Whether a name may fit: the first and cheapest look, without a copy.
  func mayFit(_ name: Span<UInt8>) -> Bool {
    switch word {
    case .text(let term): Self.mayOccur(term, in: name)
    case .glob(let glob): glob.matches(name)
    }
  }

  private static func mayOccur(_ term: [UInt8], in name: Span<UInt8>) -> Bool {
    if name.count < term.count { return false }
    let first = term[0]
    for start in 0...(name.count - term.count) {
      let byte = name[start]
      guard byte == first || ((0x41...0x5A).contains(byte) && byte | 0x20 == first) else {
        continue
      }
      var step = 1
      while step < term.count {
        let other = name[start + step]
        let small = (0x41...0x5A).contains(other) ? other | 0x20 : other
        if small != term[step] { break }
        step += 1
      }
      if step == term.count { return true }
    }
    return false
  }
}
