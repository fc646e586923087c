import GeoPath

extension FileSystem {
  /// An entry whose metadata could not be read.
  public struct Failure: Sendable {
    /// Which of the names.
    public let index: Int
    /// Why.
    public let reason: Errno
  }

  /// Asks for the metadata of a run of files.
  ///
  /// Facts whose status is `hidden` are left alone. What has gone, or has become a folder, gets the
  /// status `vanished`; what can't be read, `unreadable`.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files.
  ///   - range: Which of them.
  ///   - directory: The folder.
  ///   - readsMetadata: If not, only files of unknown kind are looked at.
  ///   - facts: One for each name of `range`, in that order.
  ///   - failures: Gets what failed, in the order of the names; a vanished one with `noEntry`.
  public static func readFacts(
    of names: NameTable, _ range: Range<Int>, in directory: Int32, readsMetadata: Bool,
    method: ReadingMethod, into facts: inout [EntryFacts], failures: inout [Failure]
  ) {
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
          // Each name in the arena has a zero behind it.
          guard let name = text.baseAddress?.advanced(by: record.offset) else { continue }
          do throws(Errno) {
            let found = try lookUp(name, in: directory, method: method)
            if found.kind == .directory { throw .noEntry }
            if record.kind == .unknown { facts[position].kind = found.kind }
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
}
