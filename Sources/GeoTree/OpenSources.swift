/// The reading sessions of some roots: one for each source.
package final class OpenSources: Sendable {
  package let roots: [ScanRoot]
  private let sessions: [any TreeSession]
  /// The index of the session of each root.
  private let numbers: [Int]

  package init(_ roots: [ScanRoot], _ options: FileSystemScanner.Options, readers: Int) {
    self.roots = roots
    var sources: [any TreeSource] = []
    numbers = roots.map { root in
      if let number = sources.firstIndex(where: { $0 === root.source }) { return number }
      sources.append(root.source)
      return sources.count - 1
    }
    sessions = sources.map { source in
      let session = source.session(options, readers: readers)
      return options.selection.isActive ? SelectingSession(session, options) : session
    }
  }

  package func session(ofRoot index: Int) -> any TreeSession { sessions[numbers[index]] }
  package func makeReaders() -> Readers { Readers(self) }

  /// The readers of one thread: one for each source, made on first use.
  package final class Readers {
    private let sources: OpenSources
    private var made: [(any FolderReader)?]

    fileprivate init(_ sources: OpenSources) {
      self.sources = sources
      made = Array(repeating: nil, count: sources.sessions.count)
    }

    package subscript(root: Int) -> any FolderReader {
      let number = sources.numbers[root]
      if let reader = made[number] { return reader }
      let reader = sources.sessions[number].makeReader()
      made[number] = reader
      return reader
    }

    package func list(_ path: [UInt8], root: Int, into listing: inout FolderListing) {
      self[root].list(
        .path(root: sources.roots[root], path: path, handle: nil), into: &listing)
    }

    /// Ends sequential sources after their last folder.
    func end() { for reader in made { reader?.end() } }

    /// Why a sequential source failed; nil if none did.
    var failure: (any Error)? { made.lazy.compactMap { $0?.failure }.first }

    /// Releases all readers and the folders they have open.
    package func close() { for index in made.indices { made[index] = nil } }
  }
}
