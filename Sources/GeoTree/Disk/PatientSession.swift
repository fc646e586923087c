import GeoCore
import GeoSystem
import Synchronization

/// A reading session of a disk that treats folders as unreadable whose server doesn't answer.
///
/// Each reader makes its calls on a thread of its own, which is left behind with a call that doesn't
/// return in time.
final class PatientSession: TreeSession {
  fileprivate let disk: DiskSession
  /// How long to wait for one call, in nanoseconds.
  fileprivate let patience: Int64
  /// Folders whose files are given up, kept so that their identifiers stay theirs.
  private let lost = Mutex<[ObjectIdentifier: any KeptFolder]>([:])

  init(_ disk: DiskSession, patience: Int64) { (self.disk, self.patience) = (disk, patience) }

  func makeReader() -> any FolderReader { PatientReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    let disk = disk
    return Self.asking(patience) { disk.stamp(of: folder) } ?? nil
  }

  /// Makes one call; nil if it doesn't return in time, or no thread can be started.
  static func asking<Value>(_ patience: Int64, _ call: @escaping () -> Value) -> Value? {
    guard let thread = try? CallThread() else { return nil }
    let result = Answer<Value>()
    let isAnswered = thread.run(patience: patience) { result.value = call() }
    thread.end()
    return isAnswered ? result.value : nil
  }

  fileprivate var reason: String { "no answer within \(patience / 1_000_000_000) s" }

  fileprivate func giveUp(_ folder: any KeptFolder) {
    lost.withLock { $0[ObjectIdentifier(folder)] = folder }
  }

  fileprivate func hasGivenUp(_ folder: any KeptFolder) -> Bool {
    lost.withLock { $0[ObjectIdentifier(folder)] != nil }
  }

  /// The answer to a call, which only one thread uses at a time.
  fileprivate final class Answer<Value> {
    var value: Value?
  }
}

private final class PatientReader: WrappingReader {
  private let session: PatientSession
  private var disk: DiskReader
  private var thread: CallThread?
  /// The path of the folder that was given up last.
  private var lostPath: [UInt8]?
  private var entered: (any KeptFolder)?
  /// Whether the files of the current folder are given up.
  private var isLost = false

  var inner: any FolderReader { disk }

  init(_ session: PatientSession) {
    self.session = session
    disk = DiskReader(session.disk)
  }

  deinit { thread?.end() }

  /// Makes calls; nil if one of them isn't answered in time.
  private func ask<Value>(_ body: @escaping (DiskReader, CallThread) -> Value) -> Value? {
    let result = PatientSession.Answer<Value>()
    guard let thread = thread ?? (try? CallThread()) else { return nil }
    self.thread = thread
    let disk = disk
    if thread.run(patience: session.patience, { result.value = body(disk, thread) }) {
      return result.value
    }
    self.thread = nil
    return nil
  }

  /// The same for calls that change the current folder: the reader is left behind, too.
  private func move<Value>(
    to folder: FolderReference, _ body: @escaping (DiskReader, CallThread) -> Value
  ) -> Value? {
    (entered, isLost) = (nil, false)
    if let value = ask(body) { return value }
    disk = DiskReader(session.disk)
    lostPath = folder.path
    return nil
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    let found = move(to: folder) { disk, thread in
      var listing = FolderListing()
      disk.answered = { _ = thread.answer() }
      disk.list(folder, into: &listing)
      disk.answered = nil
      return listing
    }
    set(found, into: &listing)
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    // It has just not answered.
    if let path = folder.path, path == lostPath { return set(nil, into: &listing) }
    let found = move(to: folder) { disk, _ in
      var listing = FolderListing()
      disk.inspect(folder, into: &listing)
      return listing
    }
    set(found, into: &listing)
  }

  private func set(_ found: FolderListing?, into listing: inout FolderListing) {
    listing.removeAll()
    if let found { listing = found } else { listing.failure = .listed(session.reason) }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    if case .kept(let kept) = folder, session.hasGivenUp(kept) {
      (entered, isLost) = (kept, true)
      return
    }
    let result = move(to: folder) { (disk, _) in
      Result { () throws(Errno) in try disk.enter(folder) }
    }
    if case .kept(let kept) = folder {
      (entered, isLost) = (kept, result == nil)
      if isLost { session.giveUp(kept) }
    } else if result == nil {
      throw .timedOut
    }
    try result?.get()
  }

  func keep() -> any KeptFolder {
    let isLost = isLost
    let folder = inner.keep()
    if isLost { session.giveUp(folder) }
    (self.isLost, entered) = (false, nil)
    return folder
  }

  func leave() {
    (isLost, entered) = (false, nil)
    inner.leave()
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    let asked = facts
    let found = isLost ? nil : ask { disk, thread in Self.read(names, range, asked, disk, thread) }
    if let found {
      (facts, storage) = (found.facts, found.storage)
      failures += found.failures
      return
    }
    isLost = true
    if let entered { session.giveUp(entered) }
    storage.removeAll(keepingCapacity: true)
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      facts[position].status = .unreadable
      failures.append(FactFailure(index: index, reason: .timedOut, words: session.reason))
    }
  }

  private typealias Facts = (facts: [EntryFacts], storage: [FileStorage], failures: [FactFailure])

  /// Reads the facts of some files, a few at once, so that each few have their own time.
  private static func read(
    _ names: NameTable, _ range: Range<Int>, _ asked: [EntryFacts], _ disk: DiskReader,
    _ thread: CallThread
  ) -> Facts {
    var all: Facts = ([], [], [])
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let part = start..<min(range.upperBound, start + 8)
      var facts = Array(asked[(start - range.lowerBound)..<(part.upperBound - range.lowerBound)])
      var storage: [FileStorage] = []
      disk.readFacts(of: names, part, into: &facts, storage: &storage, failures: &all.failures)
      all.facts += facts
      all.storage += storage
      // The reader belongs to another thread again once this one is left behind.
      if !thread.answer() { break }
    }
    return all
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? {
    let result = ask { (disk, _) -> Result<[UInt8]?, Errno> in
      Result { () throws(Errno) in
        try disk.readFile(path, following: following, limit: limit)
      }
    }
    guard let result else { throw .timedOut }
    return try result.get()
  }
}

extension FolderReference {
  /// The path on the map; nil for a kept folder.
  fileprivate var path: [UInt8]? {
    switch self {
    case .path(_, let path, _), .child(_, let path, _, _, _): path
    case .kept: nil
    }
  }
}
