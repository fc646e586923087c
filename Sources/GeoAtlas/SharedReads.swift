import GeoCore
import GeoSystem
import Synchronization

/// What one tile needs from its disk, read by several threads if calls are slow.
///
/// The tile's own thread reads by itself at first. Once that takes long, it leaves out what is still
/// unknown, and records it here. Several threads read that, and the tile is made again from what is
/// known, until nothing is missing. So a tile waits for the calls of its longest path, not for those
/// of all its folders one after the other.
///
/// It is for one thread.
final class SharedReads {
  /// How long the tile's own thread reads alone, in nanoseconds: longer than almost all tiles of a
  /// cached disk take.
  private static let patience: Int64 = 25_000_000
  private static let slice = 8
  private static let maximumThreads = 64

  private enum Piece: Sendable {
    case folder(FolderAddress)
    case files(WorldFolder, NameTable, Range<Int>)
  }

  private enum Result: Sendable {
    case folder(WorldFolder)
    case files(WorldFolder, Range<Int>, [EntryFacts])
  }

  private struct Files {
    var facts: [EntryFacts]
    var known = 0
  }

  private let world: World
  private let began = ThisProcess.nanoseconds
  /// Whether it reads nothing, so that the tile shows what is known.
  let readsNothing: Bool
  private var folders: [UInt64: WorldFolder] = [:]
  private var files: [UInt64: Files] = [:]
  private var missing: [Piece] = []

  init(_ world: World, readingNothing: Bool = false) {
    self.world = world
    readsNothing = readingNothing
  }

  var isComplete: Bool { missing.isEmpty }

  private var isLate: Bool {
    readsNothing || world.isLive && ThisProcess.nanoseconds - began > Self.patience
  }

  /// A folder; nil if it is still unknown and to be read by another thread.
  func folder(at address: FolderAddress, by reader: WorldReader) -> WorldFolder? {
    let (seed, place) = (address.place.seed, address.place)
    func isMeant(_ folder: WorldFolder) -> Bool {
      folder.place == place && folder.path == address.path
    }
    if let known = folders[seed], isMeant(known) { return known }
    if !isLate {
      folders[seed] = reader.folder(at: address)
    } else if let known = world.known(at: place), isMeant(known),
      readsNothing || known.stamp.wasChecked(since: began)
    {
      folders[seed] = known
    } else {
      missing.append(.folder(address))
      return nil
    }
    return folders[seed]
  }

  func facts(
    of names: NameTable, in folder: WorldFolder, by reader: WorldReader
  ) -> [EntryFacts] {
    let seed = folder.place.seed
    var files =
      self.files[seed]
      ?? Files(facts: names.records.map { EntryFacts(status: .unasked, kind: $0.kind) })
    while files.known < names.count, !isLate {
      let range = files.known..<min(names.count, files.known + Self.slice)
      files.facts.replaceSubrange(range, with: reader.facts(of: names, range, in: folder))
      files.known = range.upperBound
    }
    self.files[seed] = files
    for start in stride(from: files.known, to: names.count, by: Self.slice) {
      let range = start..<min(names.count, start + Self.slice)
      missing.append(.files(folder, names, range))
    }
    return files.facts
  }

  /// - Parameter isUnwanted: Called before each read; if it returns true, the rest is left out.
  func readMissing(isUnwanted: @escaping @Sendable () -> Bool) {
    let pieces = missing
    missing = []
    let work = Mutex((next: 0, results: [Result]()))
    let count = world.takeReadingThreads(min(pieces.count, Self.maximumThreads))
    let run: @Sendable () throws(Errno) -> Void = { [world] in
      // A folder that doesn't answer keeps only the threads that wait for it.
      defer { world.giveBackReadingThreads(1) }
      let reader = world.reader()
      while !isUnwanted() {
        let index = work.withLock { work in
          defer { work.next += 1 }
          return work.next
        }
        if index >= pieces.count { return }
        let result: Result =
          switch pieces[index] {
          case .folder(let address): .folder(reader.folder(at: address))
          case .files(let folder, let names, let range):
            .files(folder, range, reader.facts(of: names, range, in: folder))
          }
        work.withLock { $0.results.append(result) }
      }
    }
    let tasks = (1..<count).map { _ in BackgroundTask(run) }
    for task in tasks { task.begin() }
    try? run()
    for task in tasks { try? task.finish() }
    for result in work.withLock({ $0.results }) {
      switch result {
      case .folder(let folder): folders[folder.place.seed] = folder
      case .files(let folder, let range, let facts):
        files[folder.place.seed]?.facts.replaceSubrange(range, with: facts)
        files[folder.place.seed]?.known += range.count
      }
    }
  }
}
