import GeoCore
import GeoTree
import GeoSystem

struct UnionSide {
  private let state: Int
  private let session: UnionSession
  private var readers: [(any FolderReader)?]
  /// The reader that is in the current folder.
  private(set) var reader: (any FolderReader)?
  private var knowledge = ContentKnowledge.seconds
  private(set) var listing = FolderListing()
  private var shared = SharedNames()
  /// Why the folder could not be entered again.
  private var lost: Errno?

  /// For each file read, its position among the requested files of the union; −1 for files that
  /// weren't requested. Empty if the positions are the same.
  private var positions: [Int] = []
  private var facts: [EntryFacts] = []
  private var storage: [FileStorage] = []
  private var failures: [FileSystem.Failure] = []
  private var objects: [ObjectID?] = []

  init(_ state: Int, _ session: UnionSession) {
    self.state = state
    self.session = session
    readers = Array(repeating: nil, count: session.sessions.count)
  }

  private mutating func reader(_ root: Int) -> (any FolderReader)? {
    guard let number = session.numbers[root][state] else { return nil }
    knowledge = session.knowledge[number]
    if let reader = readers[number] { return reader }
    let reader = session.sessions[number].makeReader()
    readers[number] = reader
    return reader
  }

  mutating func enter(
    _ folder: FolderReference, as kept: UnionFolder.Side, root: Int
  ) throws(Errno) {
    listing.removeAll()
    listing.files = kept.files
    shared = SharedNames(files: kept.shared.files)
    do throws(Errno) {
      let reader = reader(root)
      try reader?.enter(folder)
      self.reader = reader
    } catch {
      lost = error
      throw error
    }
  }

  mutating func enterAndList(_ folder: FolderReference, root: Int) throws(Errno) {
    let known = list(folder, root: root, mayBeMissing: true)
    guard known.outcome != .listed else { return }
    if case .unreadable(let reason) = known.failure { throw reason }
    throw .noEntry
  }

  mutating func leave() {
    reader?.leave()
    reader = nil
    lost = nil
  }

  mutating func keep() -> UnionFolder.Side {
    guard let reader else { return UnionFolder.Side() }
    self.reader = nil
    var side = UnionFolder.Side(kept: reader.keep(), shared: shared)
    // Swapped out, so that the next listing doesn't copy the arrays.
    swap(&side.handles, &listing.handles)
    if !shared.folders { swap(&side.folders, &listing.folders) }
    if !shared.files { swap(&side.files, &listing.files) }
    return side
  }

  /// - Parameter mayBeMissing: Whether a folder given by path, without a listing of its parent, may
  ///   be missing without a fault.
  mutating func list(
    _ folder: FolderReference?, root: Int, mayBeMissing: Bool
  ) -> FolderState {
    guard let folder, let reader = reader(root) else { return FolderState() }
    shared = SharedNames()
    reader.list(folder, into: &listing)
    listing.dropInvalid()
    if case .path = folder, mayBeMissing, listing.outcome == .unlisted,
      listing.failure?.meansGone ?? false
    {
      return FolderState()
    }
    var known = found
    if listing.outcome == .listed {
      known.entries = listing.files.count + listing.folders.count
      self.reader = reader
    }
    return known
  }

  mutating func inspect(_ folder: FolderReference?, root: Int) -> FolderState {
    guard let folder, let reader = reader(root) else { return FolderState() }
    reader.inspect(folder, into: &listing)
    return found
  }

  private var found: FolderState {
    var known = FolderState()
    known.isThere = true
    (known.outcome, known.failure, known.facts) = (listing.outcome, listing.failure, listing.facts)
    return known
  }

  /// Returns whether both tables equal the union's.
  mutating func share(files: NameTable, folders: NameTable) -> Bool {
    shared.files = listing.files.isSame(as: files)
    shared.folders = listing.folders.isSame(as: folders)
    return shared.files && shared.folders
  }

  /// Reads the metadata of those of some sorted names of the union that the state has. Names whose
  /// entry in `hidden` has that status are skipped; `target` gets the storage, unless it is empty.
  mutating func readFacts(
    of names: NameTable, _ range: Range<Int>, hiding hidden: [EntryFacts],
    into versions: inout FileVersions, storage target: inout [FileStorage],
    failures found: inout [FileSystem.Failure]
  ) {
    guard reader != nil || lost != nil, !range.isEmpty else { return }
    facts.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    if shared.files {
      facts += hidden
      read(names, range, &found, from: range.lowerBound)
    } else {
      let files = listing.files
      let own = ask(for: files, names, range, hiding: hidden)
      read(files, own, &found, from: range.lowerBound)
    }
    if !target.isEmpty { setStorage(versions, hidden, &target) }
    if storage.count != facts.count { storage.removeAll(keepingCapacity: true) }
    versions.set(
      facts, storage, hasNanoseconds: knowledge == .nanoseconds, objects, of: state, at: positions,
      hiding: hidden)
  }

  /// Reports the storage of the files, except of vanished ones that an earlier state still has.
  private func setStorage(
    _ versions: FileVersions, _ hidden: [EntryFacts], _ target: inout [FileStorage]
  ) {
    for offset in facts.indices {
      guard let position = position(offset), hidden[position].status != .hidden,
        facts[offset].status != .vanished
          || !(0..<state).contains(where: { versions[position, $0].isThere })
      else { continue }
      target[position] = offset < storage.count ? storage[offset] : .unknown
    }
  }

  /// The position of a file that was read among the requested ones; nil if it wasn't requested.
  private func position(_ offset: Int) -> Int? {
    if positions.isEmpty { return offset }
    return positions[offset] < 0 ? nil : positions[offset]
  }

  /// Fills `facts` and `positions` for the union's files that the state has. Returns the range of
  /// its files that contains them, possibly with others in between.
  private mutating func ask(
    for files: NameTable, _ names: NameTable, _ range: Range<Int>, hiding hidden: [EntryFacts]
  ) -> Range<Int> {
    let start = files.lowerBound(of: range.lowerBound, of: names)
    var next = range.lowerBound
    var index = start
    while index < files.count, next < range.upperBound {
      let order = files.order(of: index, against: next, of: names)
      if order > 0 {
        next += 1
        continue
      }
      var known = EntryFacts(kind: files.records[index].kind)
      if order < 0 {
        // The union's range doesn't include this file.
        known.status = .hidden
        positions.append(-1)
      } else {
        known.status = hidden[next - range.lowerBound].status == .hidden ? .hidden : .unasked
        positions.append(next - range.lowerBound)
        next += 1
      }
      facts.append(known)
      index += 1
    }
    return start..<index
  }

  private mutating func read(
    _ files: NameTable, _ own: Range<Int>, _ found: inout [FileSystem.Failure], from start: Int
  ) {
    storage.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    guard let reader else {
      for offset in facts.indices where facts[offset].status != .hidden {
        guard let position = position(offset) else { continue }
        facts[offset].status = .unreadable
        found.append(FileSystem.Failure(index: start + position, reason: lost ?? .noEntry))
      }
      return
    }
    if own.isEmpty { return }
    reader.readValidFacts(
      of: files, own, into: &facts, storage: &storage, failures: &failures, asksForStorage: false)
    for failure in failures {
      guard let position = position(failure.index - own.lowerBound) else { continue }
      found.append(
        FileSystem.Failure(
          index: start + position, reason: failure.reason, words: failure.words))
    }
    failures.removeAll(keepingCapacity: true)
    if knowledge == .objects { reader.readObjects(of: files, own, into: &objects) }
    if objects.count != own.count { objects.removeAll() }
  }
}
