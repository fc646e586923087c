import GeoSystem
import Synchronization

/// Finds folders of a scan that don't answer, such as those of a dead server.
///
/// Each worker has a post, where it says which folder it reads.
final class StallWatch: Sendable {
  final class Post: Sendable {
    private let state = Mutex<(path: [UInt8], since: Int64)?>(nil)
    private let clock: @Sendable () -> Int64

    fileprivate init(_ clock: @escaping @Sendable () -> Int64) { self.clock = clock }

    /// Begins to read a folder, or to go on reading it.
    func enter(_ path: [UInt8]) { state.withLock { $0 = (path, clock()) } }
    func leave() { state.withLock { $0 = nil } }

    fileprivate var current: (path: [UInt8], since: Int64)? { state.withLock { $0 } }
  }

  /// After which time without an answer a folder is reported, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000
  /// The time between reports, in nanoseconds.
  private static let interval: Int64 = 1_000_000_000

  private let report: FileSystemScanner.StallListener
  private let posts = Mutex<[Post]>([])
  private let clock: @Sendable () -> Int64
  private let next: Atomic<Int64>

  /// - Parameter clock: The elapsed time since any fixed moment, in nanoseconds.
  init(
    clock: @escaping @Sendable () -> Int64 = { ThisProcess.nanoseconds },
    reportingTo report: @escaping FileSystemScanner.StallListener
  ) {
    (self.clock, self.report) = (clock, report)
    next = Atomic(clock() + Self.patience)
  }

  func makePost() -> Post {
    let post = Post(clock)
    posts.withLock { $0.append(post) }
    return post
  }

  /// Whether a check is due. Reading it takes no lock.
  func isDue(at now: Int64) -> Bool { now >= next.load(ordering: .relaxed) }

  /// Reports the folder that has not answered for longest, if any.
  func check() {
    let now = clock()
    if !isDue(at: now) { return }
    next.store(now + Self.interval, ordering: .relaxed)
    let places = posts.withLock { $0 }.compactMap(\.current)
    guard let longest = places.min(by: { $0.since < $1.since }),
      now - longest.since >= Self.patience
    else { return }
    report(longest.path, (now - longest.since) / 1_000_000_000)
  }
}
