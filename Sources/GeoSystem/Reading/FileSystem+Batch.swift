import GeoCore

/// An entry whose metadata could not be read.
public struct FactFailure: Sendable {
  /// The index of its name.
  public let index: Int
  /// The system's reason.
  public let reason: Errno
  /// The reason as text, if the source has one.
  public let words: String?

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - index: The index of the name in the listing.
  ///   - reason: The system's reason; `noEntry` for an entry that is gone.
  ///   - words: The reason as text, for sources that are not on a disk.
  public init(index: Int, reason: Errno, words: String? = nil) {
    self.index = index
    self.reason = reason
    self.words = words
  }
}

extension FileSystem {
  package typealias Failure = FactFailure

  /// Reads the metadata of a range of files.
  ///
  /// Facts with the status `hidden` are skipped. An entry that is gone or has become a folder gets
  /// the status `vanished`; one that can't be read, `unreadable`.
  ///
  /// `facts` has one for each name of `range`. If storage is requested, one for each replaces
  /// `storage`. Failures are appended in the order of the names, with `noEntry` for vanished entries.
  package static func readFacts(
    of names: NameTable, _ range: Range<Int>, in directory: Int32, _ questions: EntryQuestions,
    into facts: inout [EntryFacts], storage: inout [FileStorage], failures: inout [Failure]
  ) {
    let (readsMetadata, method) = (questions.readsMetadata, questions.method)
    let (follows, asksForStorage) = (questions.followsLinks, questions.asksForStorage)
    let asksForLinks = questions.countsLinks || asksForStorage
    storage.removeAll(keepingCapacity: true)
    if asksForStorage { storage.append(contentsOf: repeatElement(.unknown, count: range.count)) }
    names.bytes.withUnsafeBufferPointer { arena in
      arena.withMemoryRebound(to: CChar.self) { text in
        for (position, index) in range.enumerated() {
          let record = names.records[index]
          if facts[position].status == .hidden { continue }
          facts[position].kind = record.kind
          if !readsMetadata && record.kind != .unknown {
            facts[position].status = .unasked
            continue
          }
          // Each name in the arena ends with a zero.
          guard let name = text.baseAddress?.advanced(by: record.offset) else { continue }
          do throws(Errno) {
            let found =
              follows
              ? try followed(name, in: directory, storage: asksForLinks, method: method)
              : try lookUp(name, in: directory, storage: asksForLinks, method: method)
            if found.kind == .directory { throw .noEntry }
            if record.kind == .unknown || follows { facts[position].kind = found.kind }
            if asksForLinks { facts[position].links = found.storage.links }
            if asksForStorage { storage[position] = found.storage }
            facts[position].size = found.size
            facts[position].modified = found.modified
            facts[position].status = readsMetadata ? .known : .unasked
          } catch {
            facts[position].status = error == .noEntry ? .vanished : .unreadable
            failures.append(Failure(index: index, reason: error))
          }
        }
      }
    }
  }

  /// The facts about a link's target, or about the link if it is broken.
  static func followed(
    _ name: UnsafePointer<CChar>, in directory: Int32, storage: Bool = false,
    method: ReadingMethod
  ) throws(Errno) -> Facts {
    do throws(Errno) {
      return try lookUp(name, in: directory, following: true, storage: storage, method: method)
    } catch {
      if !error.meansBrokenLink { throw error }
      return try lookUp(name, in: directory, storage: storage, method: method)
    }
  }
}
