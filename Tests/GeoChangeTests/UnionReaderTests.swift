import GeoCore
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoChange

/// A union returns for a folder what its states have there.
@Suite struct UnionReaderTests {
  /// States, and the order in which their folders are read.
  struct Case: Sendable {
    var states: [MemoryState]
    /// Whether sub-folders are opened through their parent folder, or by path.
    var isKept: Bool
  }

  @Test func foldersHaveTheEntriesOfAllStates() throws {
    for seed in TestScale.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let pair = StatePair.random(mayFail: true, using: &random)
      var states = [pair.old, pair.new]
      if random.chance(0.5) {
        states.append(StatePair.random(mayFail: true, using: &random).new)
      }
      let found = try fault(Case(states: states, isKept: random.chance(0.5)))
      #expect(found == nil, "seed \(seed)\n\(pair)")
    }
  }

  private func fault(_ union: Case) throws -> String? {
    let roots = UnionSource.roots(of: union.states.map { [MemorySource($0).root()] })
    let root = try #require(roots.first)
    var options = FileSystemScanner.Options()
    options.asksForStorage = true
    let reader = root.source.session(options, readers: 1).makeReader()
    var folders: [(path: String, kept: (any KeptFolder)?)] = [("", nil)]
    while let (path, kept) = folders.popLast() {
      let place = Array((path.isEmpty ? "r" : "r/\(path)").utf8)
      let name = Array((path.split(separator: "/").last ?? "r").utf8)
      var listing = FolderListing()
      if let kept {
        reader.list(
          .child(of: kept, path: place, name: name, isLink: false, handle: nil), into: &listing)
      } else {
        reader.list(.path(root: root, path: place, handle: nil), into: &listing)
      }
      if let fault = fault(in: listing, of: path, union.states) { return fault }
      guard listing.outcome == .listed else { continue }
      if let fault = fault(inFilesOf: listing, path, reader, union.states) { return fault }
      let holder = union.isKept ? reader.keep() : nil
      folders += (0..<listing.folders.count).map { index in
        let name = String(decoding: listing.folders.name(at: index), as: UTF8.self)
        return (path.isEmpty ? name : "\(path)/\(name)", holder)
      }
    }
    return nil
  }

  /// The fault in the names of a folder and their states.
  private func fault(
    in listing: FolderListing, of path: String, _ states: [MemoryState]
  ) -> String? {
    let open = states.filter { $0.isOpen(path) }
    func names(_ isWanted: (MemoryState.Entry) -> Bool) -> [[UInt8]] {
      Set(open.flatMap { $0.names(in: path) }.filter { isWanted($0.entry) }.map(\.name))
        .map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    func isFolder(_ entry: MemoryState.Entry) -> Bool { entry == .folder || entry == .closed }
    let files = (0..<listing.files.count).map { listing.files.name(at: $0) }
    let folders = (0..<listing.folders.count).map { listing.folders.name(at: $0) }
    if files != names({ !isFolder($0) }) { return "'\(path)' has the files \(files)" }
    if folders != names(isFolder) { return "'\(path)' has the folders \(folders)" }
    if listing.outcome != (open.isEmpty ? .unlisted : .listed) {
      return "'\(path)' is \(listing.outcome)"
    }
    // The failure to list a folder in one state is reported, unless that state lacks the folder.
    if (listing.failure != nil) != states.contains(where: { $0.entries[path] == .closed }) {
      return "'\(path)': \(String(describing: listing.failure))"
    }
    for (known, state) in zip(listing.states, states) {
      if known.isThere != state.hasFolder(path) { return "'\(path)' is there: \(known.isThere)" }
      if (known.outcome == .listed) != state.isOpen(path) {
        return "'\(path)' is \(known.outcome) in a state"
      }
      if known.isWhole, known.entries != state.names(in: path).count {
        return "'\(path)' has \(known.entries ?? -1) entries in a state"
      }
    }
    return nil
  }

  /// The fault in the facts about a folder's files, and in each state's facts.
  private func fault(
    inFilesOf listing: FolderListing, _ path: String, _ reader: any FolderReader,
    _ states: [MemoryState]
  ) -> String? {
    let range = 0..<listing.files.count
    var facts = range.map { index in
      EntryFacts(kind: listing.files.records[index].kind)
    }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    reader.readFacts(
      of: listing.files, range, into: &facts, storage: &storage, failures: &failures)
    guard let versions = reader.versions, versions.count == range.count else {
      return "'\(path)' has no versions"
    }
    for index in range {
      let name = String(decoding: listing.files.name(at: index), as: UTF8.self)
      let place = path.isEmpty ? name : "\(path)/\(name)"
      var last: MemoryState.Entry?
      for (number, state) in states.enumerated() {
        let entry = state.isOpen(path) ? state.entries[place] : nil
        let version = versions[index, number]
        switch entry {
        case .file(let kind, let size, let seconds, let nanoseconds)?:
          last = entry
          if !version.isThere || version.facts.status != .known || version.facts.kind != kind
            || version.facts.size != size || version.facts.modified != seconds
            || version.nanoseconds != nanoseconds
          {
            return "'\(place)' is \(version) in state \(number)"
          }
        case .unreadable?:
          last = entry
          if !version.isThere || version.facts.status != .unreadable {
            return "'\(place)' is readable in state \(number)"
          }
        case nil, .folder?, .closed?:
          if version.isThere { return "'\(place)' is there in state \(number)" }
        }
      }
      // A file in several states has the facts of the last one.
      if case .file(_, let size, _, _)? = last, facts[index].size != size {
        return "'\(place)' has \(facts[index].size) bytes"
      }
      if last == .unreadable, facts[index].status != .unreadable { return "'\(place)' is readable" }
    }
    return nil
  }
}
