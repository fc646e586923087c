import GeoCore
import GeoTree
import GeoSystem

/// Reads a folder of a union: reads it in each state that has it, then merges the listings.
final class UnionReader: FolderReader {
  private let session: UnionSession
  private var sides: [UnionSide]
  private var root = 0
  private(set) var current: FileVersions
  private var folders = NameTable()
  /// Path and states of the last folder that no state could list.
  private var unlisted: (path: [UInt8], states: [FolderState])?

  init(_ session: UnionSession) {
    self.session = session
    sides = (0..<session.source.states).map { UnionSide($0, session) }
    current = FileVersions(states: session.source.states)
  }

  var versions: FileVersions? { current }

  private func setRoot(of folder: FolderReference) -> Bool {
    switch folder {
    case .kept(let kept), .child(let kept, _, _, _, _):
      root = unsafe unsafeDowncast(kept, to: UnionFolder.self).root
    case .path(let root, _, _):
      guard let number = session.source.number(of: root) else { return false }
      self.root = number
    }
    return true
  }

  // MARK: Entering folders

  func enter(_ folder: FolderReference) throws(Errno) {
    leave()
    guard setRoot(of: folder) else { throw .noEntry }
    var failure = Errno.noEntry
    var isIn = false
    for state in sides.indices {
      guard let reference = folder.inState(state, of: session.source, root: root) else { continue }
      do throws(Errno) {
        if case .kept(let kept) = folder {
          let side = unsafe unsafeDowncast(kept, to: UnionFolder.self).sides[state]
          try sides[state].enter(reference, as: side, root: root)
        } else {
          try sides[state].enterAndList(reference, root: root)
        }
        isIn = true
      } catch {
        failure = error
      }
    }
    if !isIn { throw failure }
  }

  func leave() { for state in sides.indices { sides[state].leave() } }

  func keep() -> any KeptFolder {
    UnionFolder(root: root, folders: folders, sides: sides.indices.map { sides[$0].keep() })
  }

  // MARK: Folders

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    leave()
    // Dropped first, so that the state that shares these arrays can reuse their memory.
    listing.files = NameTable()
    listing.folders = NameTable()
    folders = NameTable()
    listing.removeAll()
    unlisted = nil
    guard setRoot(of: folder) else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    for state in sides.indices {
      let reference = folder.inState(state, of: session.source, root: root)
      listing.states.append(
        sides[state].list(reference, root: root, mayBeMissing: !folder.isRoot))
    }
    join(&listing)
    if listing.outcome == .listed {
      joinNames(&listing)
    } else if let path = folder.path {
      unlisted = (path, listing.states)
    }
  }

  /// Merges the states of a folder: facts of the last state that has it, the best outcome, and the
  /// last failure.
  private func join(_ listing: inout FolderListing) {
    let present = listing.states.lazy.filter(\.isThere)
    let failed = present.filter { $0.failure != nil }
    if present.contains(where: { $0.outcome == .listed }) {
      listing.outcome = .listed
    } else if present.contains(where: { $0.outcome == .loop }) {
      listing.outcome = .loop
    }
    listing.facts = present.last?.facts
    listing.failure = failed.last?.failure ?? (present.isEmpty ? .unreadable(.noEntry) : nil)
    if failed.count < present.count, listing.failure?.meansGone ?? false {
      // The folder still exists in another state.
      listing.failure = .listed("vanished from one of the states while it was read")
    }
  }

  private func joinNames(_ listing: inout FolderListing) {
    var stamps: [ListingStamp?] = []
    var isStamped = session.options.hasStamp
    var leftOut = NameTable()
    var isFirst = true
    for state in sides.indices {
      guard listing.states[state].isThere else {
        stamps.append(nil)
        continue
      }
      // Accessed in place, as a copy would copy a dozen arrays.
      if isStamped {
        stamps.append(sides[state].listing.stamp)
        if stamps.last == .some(nil) { isStamped = false }
      }
      guard listing.states[state].outcome == .listed else { continue }
      joinNames(of: state, isFirst: isFirst, &listing)
      isFirst = false
      if sides[state].listing.leavesOutFiles > .none { listing.leavesOutFiles = .byFacts }
      if sides[state].listing.leftOut.isEmpty { continue }
      var names = NameTable()
      for entry in sides[state].listing.leftOut {
        names.append(from: sides[state].listing.folders, at: entry.index)
      }
      leftOut = NameTable.union(leftOut, names)
    }
    folders = listing.folders
    for index in 0..<leftOut.count {
      if let found = listing.folders.index(of: leftOut.name(at: index)) {
        listing.leftOut.append(LeftOutEntry(index: found, reason: nil))
      }
    }
    if isStamped { listing.stamp = ListingStamp(ofAll: stamps) }
    if sides.indices.allSatisfy({ !sides[$0].listing.contents.isEmpty }) {
      listing.joinContents(of: sides.map(\.listing))
    }
  }

  private func joinNames(of state: Int, isFirst: Bool, _ listing: inout FolderListing) {
    if isFirst {
      listing.files = sides[state].listing.files
      listing.folders = sides[state].listing.folders
    }
    if sides[state].share(files: listing.files, folders: listing.folders) { return }
    listing.files = NameTable.union(listing.files, sides[state].listing.files)
    listing.folders = NameTable.union(listing.folders, sides[state].listing.folders)
    for state in 0...state where listing.states[state].outcome == .listed {
      _ = sides[state].share(files: listing.files, folders: listing.folders)
    }
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    leave()
    listing.removeAll()
    guard setRoot(of: folder) else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    let before = unlisted.flatMap { $0.path == folder.path ? $0.states : nil }
    for state in sides.indices {
      let reference = folder.inState(state, of: session.source, root: root)
      var known = sides[state].inspect(reference, root: root)
      if let listed = before?[state], listed.isThere {
        known.failure = listed.failure ?? known.failure
        if listed.outcome == .loop { known.outcome = .loop }
      }
      listing.states.append(known)
    }
    join(&listing)
  }

  // MARK: Files

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    storage.removeAll(keepingCapacity: true)
    // The versions have the nanoseconds, as far as they are known.
    if session.options.asksForStorage, !session.options.asksForNanosecondsAlone {
      storage.append(contentsOf: repeatElement(.unknown, count: range.count))
    }
    // Moved out, so that the loop writes to a local variable.
    var versions = FileVersions(states: 0)
    swap(&versions, &current)
    defer { swap(&versions, &current) }
    versions.reset(files: range.count)
    for state in sides.indices {
      sides[state].readFacts(
        of: names, range, hiding: facts, into: &versions, storage: &storage, failures: &failures)
    }
    var facts = facts.mutableSpan
    for position in facts.indices where facts[position].status != .hidden {
      var isFound = false
      var isLeftOut = false
      for state in 0..<versions.states {
        let version = versions[position, state]
        guard version.isThere else { continue }
        if version.facts.status == .hidden { isLeftOut = true }
        // A file that vanished from one state is shown as in another.
        if version.facts.status != .vanished || !isFound { facts[position] = version.facts }
        isFound = true
      }
      if isLeftOut {
        // The reasons of the states may differ.
        facts[position].leaveOut(for: nil)
      } else if !isFound {
        facts[position].status = .vanished
        failures.append(
          FileSystem.Failure(index: range.lowerBound + position, reason: .noEntry))
      }
    }
    if failures.count > 1 {
      // In the order of names: by states, it would depend on how many files are read at once.
      failures = failures.enumerated().sorted {
        ($0.element.index, $0.offset) < ($1.element.index, $1.offset)
      }.map(\.element)
    }
  }

  var openFolder: Int32? { sides.lazy.reversed().compactMap { $0.reader?.openFolder }.first }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? {
    for side in sides.reversed() {
      if let bytes = try side.reader?.readFile(path, following: following, limit: limit) {
        return bytes
      }
    }
    return nil
  }
}

extension ScanFault.Reason {
  /// Whether the listed folder no longer exists, or is no longer a folder.
  var meansGone: Bool {
    switch self {
    case .vanished: true
    case .unreadable(let error):
      error == .noEntry || error == .notDirectory || error == .linkLoop
    case .listed: false
    }
  }
}
