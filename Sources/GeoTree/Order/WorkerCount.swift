import GeoSystem

/// How many workers a scan begins with, and how many it can have.
struct WorkerCount: Sendable {
  /// How many are active at first.
  let first: Int
  /// How many there can be.
  let maximum: Int
  /// How many processors they keep busy if calls don't wait.
  let processors: Int
  /// Whether one more is started, which looks for folders that don't answer.
  var isWatched = false

  /// The number of reading threads beyond which more measured slower on cached folders.
  private static var usefulIfCached: Int { 8 }
  /// The number of reading threads beyond which a server that takes 5 ms for a call was not faster.
  private static var usefulIfWaiting: Int { 128 }

  init(fixed count: Int, processors: Int = FileSystem.processors) {
    (first, maximum, self.processors) = (count, count, processors)
  }

  /// A number that grows while calls wait.
  init(_ first: Int, upTo maximum: Int) {
    (self.first, self.maximum, processors) = (first, max(first, maximum), first)
  }

  /// The number of workers for some roots; `threads` is nil for as many as the storage can use.
  init(_ threads: Int?, for roots: [ScanRoot]) {
    let limit = FileSystem.descriptorLimit
    // Each worker needs up to three descriptors.
    let allowed = max(1, (limit - 16) / 4)
    if roots.contains(where: \.source.isSequential) {
      self.init(fixed: 1)
    } else if let threads {
      self.init(fixed: min(max(1, threads), allowed))
    } else {
      // Half of the descriptors stay for folders that are open. Sources other than disks are read
      // from memory or from one file.
      let isLive = roots.contains(where: \.source.isLive)
      self.init(
        min(FileSystem.processors, Self.usefulIfCached, allowed),
        upTo: isLive ? min(Self.usefulIfWaiting, (limit / 2 - 16) / 3) : 1)
    }
  }

  /// Whether no workers are added to those that are started at first.
  var isFixed: Bool { maximum == first }

  /// How many are started at first: if their number can grow, or folders don't answer, one of them
  /// watches that.
  var started: Int { isFixed && !isWatched ? first : first + 1 }

  /// The number of files that a worker visits at once, small enough that their output seldom exceeds
  /// a buffer.
  static var largestSlice: Int { 256 }

  /// The number of files that a worker visits at once if each takes long.
  static var smallestSlice: Int { 8 }

  /// The number of files that a worker visits at once: fewer if many workers wait for calls, so that
  /// they can share one folder.
  func slice(for workers: Int) -> Int {
    let share = Self.largestSlice * Self.usefulIfCached / max(workers, Self.usefulIfCached)
    return max(Self.smallestSlice, share)
  }

  /// Whether the calls that listed a folder waited, by the nanoseconds that they took.
  func isSlow(_ entries: Int, after elapsed: Int64) -> Bool {
    elapsed > 500_000 + Int64(entries) * 2_000
  }

  /// Whether some workers are more than a cached disk can use.
  func isMany(_ workers: Int) -> Bool { workers > max(processors, Self.usefulIfCached) }

  /// How far to read ahead, in bytes of the visitors' output.
  func headroom(for workers: Int) -> Int {
    1024 * 1024 + min(workers, Self.usefulIfCached) * 512 * 1024
      + max(workers - Self.usefulIfCached, 0) * 32 * 1024
  }
}
