import GeoCore
import GeoSystem

/// The sources of some roots while they are read, each once.
package final class OpenSources: Sendable {
  package let roots: [ScanRoot]
  private let sessions: [any TreeSession]
  /// Which of the sessions each root is read in.
  private let numbers: [Int]

  /// Begins to read.
  ///
  /// - Parameter readers: How many threads there will be at once that read.
  package init(_ roots: [ScanRoot], _ options: FileSystemScanner.Options, readers: Int) {
    self.roots = roots
    var sources: [any TreeSource] = []
    numbers = roots.map { root in
      if let number = sources.firstIndex(where: { $0 === root.source }) { return number }
      sources.append(root.source)
      return sources.count - 1
    }
    sessions = sources.map { $0.session(options, readers: readers) }
  }

  /// The session that a root is read in.
  package func session(ofRoot index: Int) -> any TreeSession { sessions[numbers[index]] }

  /// What one thread reads with.
  package func makeReaders() -> Readers { Readers(self) }

  /// The readers of one thread: one for each source, made when it is needed.
  package final class Readers {
    private let sources: OpenSources
    private var made: [(any FolderReader)?]

    fileprivate init(_ sources: OpenSources) {
      self.sources = sources
      made = Array(repeating: nil, count: sources.sessions.count)
    }

    /// The reader of a root's source.
    package subscript(root: Int) -> any FolderReader {
      let number = sources.numbers[root]
      if let reader = made[number] { return reader }
      let reader = sources.sessions[number].makeReader()
      made[number] = reader
      return reader
    }

    /// Lists a folder by its path on the map.
    ///
    /// - Parameters:
    ///   - root: Which root it is, or is in.
    ///   - listing: Replaced by what there is.
    package func list(_ path: [UInt8], root: Int, into listing: inout FolderListing) {
      self[root].list(
        .path(root: sources.roots[root], path: path, mark: nil), into: &listing)
    }

    /// Ends the reading of sequential sources.
    func end() { for reader in made { reader?.end() } }

    /// Why a sequential source can't be read any further.
    var failure: (any Error)? { made.lazy.compactMap { $0?.failure }.first }

    /// Lets go of all readers, and of what they have open.
    package func close() { for index in made.indices { made[index] = nil } }
  }
}

extension ScanRoot {
  /// What is in the folder itself, by the names alone.
  package var listing: FolderListing {
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    var listing = FolderListing()
    OpenSources([self], options, readers: 1).makeReaders().list(label, root: 0, into: &listing)
    return listing
  }
}

/// What sources share that have the facts of their files at hand.
extension FolderReader {
  /// Tells what is known of some files, as ``readFacts(of:_:into:storage:failures:)`` has to: one after the
  /// other, in the order of their names.
  ///
  /// - Parameters:
  ///   - asksForStorage: Whether storage is asked for; nothing is known of it.
  ///   - unreadable: Why files can't be read whose facts say so; nil if there are none.
  ///   - known: Tells what is known of the file of an index and a name, with facts as the listing gave them;
  ///     false if there is no such file.
  package func tell(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure], asksForStorage: Bool,
    unreadable: String? = nil, _ known: (Int, Span<UInt8>, inout EntryFacts) -> Bool
  ) {
    storage.removeAll(keepingCapacity: true)
    if asksForStorage {
      storage.append(contentsOf: repeatElement(.unknown, count: range.count))
    }
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      let name = names.bytes.span.extracting(names.records[index].range)
      if known(index, name, &facts[position]) {
        if let unreadable, facts[position].status == .unreadable {
          failures.append(
            FileSystem.Failure(index: index, reason: .inputOutput, words: unreadable))
        }
        continue
      }
      facts[position].status = .vanished
      failures.append(FileSystem.Failure(index: index, reason: .noEntry))
    }
  }
}
