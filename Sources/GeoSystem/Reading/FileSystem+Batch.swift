import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An entry whose metadata could not be read.
public struct FactFailure: Sendable {
  /// The index of its name.
  public let index: Int
  /// The system's reason.
  public let reason: Errno
  /// The reason as text, if the source has one.
  public let words: String?

  /// Creates a failure.
  package init(index: Int, reason: Errno, words: String? = nil) {
    self.index = index
    self.reason = reason
    self.words = words
  }
}

extension FileSystem {
  /// An entry whose metadata could not be read.
  package typealias Failure = FactFailure

  /// Reads the metadata of a range of files.
  ///
  /// Facts with the status `hidden` are skipped. An entry that is gone or has become a folder gets
  /// the status `vanished`; one that can't be read, `unreadable`.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files.
  ///   - range: The range of the names to read.
  ///   - directory: The folder's descriptor.
  ///   - questions: Which metadata to read.
  ///   - facts: One for each name of `range`, in that order.
  ///   - storage: Replaced by one for each name of `range`, if requested.
  ///   - failures: Failures are appended in the order of the names, for vanished entries with
  ///     `noEntry`.
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
            if asksForLinks { facts[position].links = found.links }
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

extension FileSystem {
  /// The path of an open folder without links, from the kernel.
  package static func path(of directory: Int32) throws(Errno) -> [UInt8] {
    let link = Array("/proc/self/fd/\(directory)".utf8)
    var length = 0
    let path = try withCString(link) { (link) throws(Errno) in
      [UInt8](unsafeUninitializedCapacity: longestPath) { buffer, count in
        length = buffer.withMemoryRebound(to: CChar.self) { buffer in
          buffer.baseAddress.map { readlink(link, $0, longestPath) } ?? -1
        }
        count = max(0, length)
      }
    }
    if length < 0 { throw Errno(rawValue: errno) }
    // The kernel truncates longer paths, and marks those of deleted folders.
    if length == longestPath { throw .nameTooLong }
    if path.first != .slash || path.suffix(10).elementsEqual(" (deleted)".utf8) {
      throw .noEntry
    }
    return path
  }

  /// More than the longest path that the kernel returns.
  private static let longestPath = 8192

  /// The mount points of other file systems below a folder.
  ///
  /// - Parameter path: The folder's path, without links.
  package static func mounts(below path: [UInt8]) throws(Errno) -> [[UInt8]] {
    let root = path == [.slash] ? [] : path
    let table = try readInput(Array("/proc/self/mountinfo".utf8), limit: 64 << 20)
    return table.split(separator: 10).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 4 else { return nil }
      let mount = unescaped(fields[4])
      return mount.count > root.count + 1 && mount.starts(with: root)
        && mount[root.count] == .slash ? mount : nil
    }
  }

  /// Decodes a field of the table, which escapes some bytes as `\\` and three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }) {
        bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 &- 0x30) })
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
