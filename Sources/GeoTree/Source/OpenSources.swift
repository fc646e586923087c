import GeoCore
import GeoSystem

/// The reading sessions of some roots: one for each source.
package final class OpenSources: Sendable {
  package let roots: [ScanRoot]
  private let sessions: [any TreeSession]
  /// The index of the session of each root.
  private let numbers: [Int]

  /// Starts the sessions.
  ///
  /// - Parameter readers: The number of threads that read at once.
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

  /// The session of a root.
  package func session(ofRoot index: Int) -> any TreeSession { sessions[numbers[index]] }

  /// Makes the readers of one thread.
  package func makeReaders() -> Readers { Readers(self) }

  /// The readers of one thread: one for each source, made on first use.
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
    ///   - root: The index of its root.
    ///   - listing: Replaced by the result.
    package func list(_ path: [UInt8], root: Int, into listing: inout FolderListing) {
      self[root].list(
        .path(root: sources.roots[root], path: path, mark: nil), into: &listing)
    }

    /// Ends sequential sources after their last folder.
    func end() { for reader in made { reader?.end() } }

    /// Why a sequential source failed; nil if none did.
    var failure: (any Error)? { made.lazy.compactMap { $0?.failure }.first }

    /// Releases all readers and the folders they have open.
    package func close() { for index in made.indices { made[index] = nil } }
  }
}

extension ScanRoot {
  /// The listing of the root folder itself, without metadata.
  package var listing: FolderListing {
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    var listing = FolderListing()
    OpenSources([self], options, readers: 1).makeReaders().list(label, root: 0, into: &listing)
    return listing
  }
}

/// Shared by sources whose files' facts are in memory.
extension FolderReader {
  /// Implements ``readFacts(of:_:into:storage:failures:)`` by a function that is called for one
  /// file after another, in the order of their names.
  ///
  /// - Parameters:
  ///   - asksForStorage: Whether storage is requested; it is set to unknown.
  ///   - unreadable: Why files with the status `unreadable` can't be read; nil if all can be read.
  ///   - known: Updates the facts of the file with an index and a name; returns false if the file
  ///     doesn't exist.
  package func fillFacts(
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
