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
