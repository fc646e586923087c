import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// Records what happens in folders, until it is told to end.
package final class Recorder: TreeObserver, TreeFilter {
  /// Why it ended.
  package enum End: Hashable, Sendable {
    /// It was told to, or had enough.
    case told
    /// The system tells nothing more.
    case failed(Errno)
  }

  package let configuration: Configuration
  /// What it is told comes through this.
  package let inbox: EventInbox
  package let watcher: any TreeWatching
  /// The same, if it keeps what is known of the trees.
  private let keeper: TreeWatcher?
  package let world: World
  private let output: any RecorderOutput
  private let showsFolders: Bool
  private var maker: EventMaker
  /// How many events there were.
  package private(set) var events = 0
  package private(set) var isPaused = false
  private var isEnding = false
  private var nextSample: Int64?
  private var lastSample: Int64?
  /// The folders that samples are taken of: the roots, and those with alerts.
  package private(set) var sampled: [[UInt8]]
  /// The rules that are looked at.
  private var alerts: AlertBoard
  /// Is told what has become of an alert, and when: Unix time in milliseconds.
  package var onAlert: ((RecordedAlert, Int64) -> Void)?

  /// How many bytes of listings are kept for places.
  private static let cacheLimit = 8 << 20

  /// A recorder that has not begun.
  ///
  /// - Throws: Why the roots can't be one world, or nothing can be watched.
  package init(
    _ configuration: Configuration, start: Int64, recordedAt: Int64, to output: any RecorderOutput,
    through inbox: EventInbox = EventInbox()
  ) throws(RecorderError) {
    self.configuration = configuration
    self.inbox = inbox
    alerts = AlertBoard(configuration.alerts, cooldown: configuration.cooldown)
    self.output = output
    maker = EventMaker(start: start, recordedAt: recordedAt)
    showsFolders = configuration.selection.showsFolders
    let roots = try Self.mapping { () throws(MapError) in
      try WorldRoots(configuration.roots, configuration.layout).roots
    }
    let source: any TreeSource
    do throws(Errno) {
      if configuration.repairs {
        let staysOnFileSystem = configuration.staysOnFileSystem
        let notifier: TreeWatcher.Notifier
        if let shared = configuration.notifier {
          notifier = shared
        } else {
          notifier = try TreeWatcher.Notifier(
            of: roots, by: configuration.way, staysOnFileSystem: staysOnFileSystem)
        }
        let made = TreeWatcher(roots, by: notifier, staysOnFileSystem: staysOnFileSystem)
        (watcher, keeper) = (made, made)
        source = InMemorySource(made.tree, disk: roots)
      } else {
        let made = try HandleWatcher(roots)
        (watcher, keeper) = (made, nil)
        source = made.source
      }
    } catch {
      throw .unwatchable(error)
    }
    world = try Self.mapping { () throws(MapError) in
      try World(
        roots: roots.map { root in
          var root = root
          root.source = source
          return root
        }, layout: configuration.layout, selection: configuration.selection,
        cacheLimit: Self.cacheLimit, readsDisk: false, trust: 0)
    }
    sampled = world.roots.map(\.label)
    for rule in configuration.alerts where !sampled.contains(rule.path) {
      sampled.append(rule.path)
    }
    watcher.observer = self
    if configuration.selection.isActive { keeper?.filter = self }
    watcher.ignored = configuration.ignored
  }

  private static func mapping<Value>(
    _ body: () throws(MapError) -> Value
  ) throws(RecorderError) -> Value {
    do throws(MapError) {
      return try body()
    } catch {
      throw .unmappable(error)
    }
  }

  /// Begins to watch, and reads all for the first time.
  package func begin() throws(RecorderError) {
    do throws(Errno) {
      try watcher.tell(inbox)
    } catch {
      throw .noThread(error)
    }
    watcher.start()
    if configuration.sampling != nil { nextSample = maker.start }
  }

  /// Records until it is told to end.
  package func run() -> End {
    while true {
      let now = ThisProcess.nanoseconds
      let content = inbox.wait(until: nextDeadline(after: now))
      for piece in content.pieces where !isEnding { watcher.process(piece) }
      if content.hasLost { watcher.noteLostPieces() }
      // What had happened before somebody asked for something is recorded.
      for request in content.requests { take(request) }
      let time = ThisProcess.nanoseconds
      watcher.tick(at: time)
      sample(at: time)
      lookAtAlerts(at: time)
      output.rest(at: time)
      if let failure = content.failure { return .failed(failure) }
      let isOver = configuration.duration.map { time - maker.start >= $0 } ?? false
      if isEnding { return .told }
      if isAsked || isOver { return finish(at: time) }
    }
  }

  /// Whether somebody wants it to end.
  private var isAsked = false

  /// What was put off is told, and the last samples are those of the end.
  private func finish(at now: Int64) -> End {
    // What happened up to now may still be in the system's queue.
    inbox.gather()
    while !isEnding {
      let content = inbox.wait(until: now)
      if content.hasLost { watcher.noteLostPieces() }
      if content.pieces.isEmpty { break }
      for piece in content.pieces where !isEnding { watcher.process(piece) }
      if let last = content.pieces.last, last.since >= now { break }
    }
    let time = ThisProcess.nanoseconds
    watcher.finish(at: time)
    if configuration.sampling != nil, lastSample != time {
      nextSample = time
      sample(at: time)
    }
    output.rest(at: time)
    return .told
  }

  private func nextDeadline(after now: Int64) -> Int64 {
    var next = now + 30_000_000_000
    let alert = alerts.isEmpty || isPaused ? nil : alerts.deadline
    for deadline in [watcher.deadline, nextSample, alert, outputDeadline].compactMap({ $0 }) {
      next = min(next, deadline)
    }
    if let duration = configuration.duration { next = min(next, maker.start + duration) }
    return next
  }

  /// When the output has something to do.
  package var outputDeadline: Int64?

  private func take(_ request: SignalPipe.Request) {
    let now = ThisProcess.nanoseconds
    switch request {
    case .end: isAsked = true
    case .toggle:
      // The event of a pause stands before it, that of going on after it.
      if isPaused {
        isPaused = false
        record(.resume, at: now)
      } else {
        record(.pause, at: now)
        isPaused = true
      }
    }
  }

  /// Ends it after what is going on.
  package func end() { isEnding = true }

  /// Adds an event of its own.
  package func record(_ body: RecordedEvent.Body, at time: Int64) {
    add(maker.event(body, at: time))
  }

  private func add(_ event: RecordedEvent) {
    if isPaused || isEnding { return }
    events += 1
    output.add(event, at: ThisProcess.nanoseconds)
    if let most = configuration.mostEvents, events >= most { isEnding = true }
  }

  // MARK: Samples

  private func sample(at time: Int64) {
    guard let due = nextSample, let interval = configuration.sampling, time >= due else { return }
    // From the beginning, so that nothing adds up; what was slept through is left out.
    nextSample = due + ((time - due) / interval + 1) * interval
    lastSample = time
    for path in sampled {
      if let sample = sample(of: path) { record(.sample(sample), at: time) }
    }
  }

  /// Has samples taken of the folders, too, that are the largest now.
  ///
  /// - Parameter most: How many of them, besides the roots.
  package func sampleLargest(_ most: Int) {
    guard let tree = keeper?.tree else { return }
    for path in tree.largest(most) where !sampled.contains(path) { sampled.append(path) }
  }

  private func lookAtAlerts(at time: Int64) {
    if isPaused || alerts.isEmpty { return }
    let told = alerts.look(at: time) { path, needsFree in
      guard let keeper, let sums = keeper.tree.sums(at: path) else { return nil }
      return AlertBoard.Facts(
        bytes: sums.knownBytes ?? 0, files: Int64(sums.files),
        free: needsFree ? keeper.freeBytes(at: path) : nil)
    }
    for alert in told {
      record(.alert(alert), at: time)
      onAlert?(alert, maker.unixMilliseconds(of: time))
    }
  }

  /// What is below a folder now; nil if there is none of that path.
  package func sample(of path: [UInt8]) -> RecordedSample? {
    guard let keeper, let sums = keeper.tree.sums(at: path) else { return nil }
    return RecordedSample(
      path: path, files: Int64(sums.files), folders: Int64(sums.folders),
      bytes: sums.knownBytes ?? 0, allocated: sums.knownAllocated ?? 0,
      free: keeper.freeBytes(at: path))
  }

  // MARK: What happens

  package func note(_ change: TreeChange) {
    if isPaused || isEnding { return }
    if !configuration.recordsChanges || change.isFolder && !showsFolders { return }
    changes += 1
    guard let event = maker.event(change, in: world) else { return }
    add(event)
    if !alerts.isEmpty { alerts.note(change.path, at: change.time) }
  }

  /// How many changes there were, recorded or not.
  package private(set) var changes = 0

  package func noteLoss(since time: Int64) {
    let now = ThisProcess.nanoseconds
    record(
      .error(
        RecordedFault(
          code: Int64(Errno.overflow.rawValue), domain: Array("errno".utf8),
          description: Array(
            (keeper == nil
              ? "changes were lost" : "changes were lost; what has changed is found by looking")
              .utf8))),
      at: now)
    record(.gap(since: maker.unixMilliseconds(of: time)), at: now)
  }

  // MARK: What is shown

  package func enters(_ path: [UInt8]) -> Bool {
    guard let above = path.parentPath else { return true }
    guard let parent = folder(at: Array(above)) else { return false }
    return parent.folders.contains(Array(path.lastComponent))
  }

  package func shownFiles(of path: [UInt8]) -> NameTable? { folder(at: path)?.files }

  private func folder(at path: [UInt8]) -> WorldFolder? {
    world.folders(along: path.components[...], by: world.reader())?.last
  }
}

extension Recorder {
  /// What is to be recorded.
  package struct Configuration: Sendable {
    /// Folders of this machine.
    package var roots: [ScanRoot]
    package var layout = Layout.settled
    package var selection = Selection()
    /// Files that are treated as not there, and folders that are not entered.
    package var ignored: Set<FileSystem.Identity> = []
    /// How often samples are taken, in nanoseconds; nil for never.
    package var sampling: Int64?
    /// Whether what changes is recorded; if not, samples and alerts are all.
    package var recordsChanges = true
    /// When it ends by itself, in nanoseconds after its beginning.
    package var duration: Int64?
    /// After how many events it ends by itself.
    package var mostEvents: Int?
    /// When somebody wants to be told.
    package var alerts: [AlertRule] = []
    /// Whether folders of another file system than their root's are not entered.
    package var staysOnFileSystem = false
    /// Whether what was lost is looked for; if not, nothing is kept of the trees, and there can be no
    /// samples, alerts and selection.
    package var repairs = true
    /// In which way changes are found out; nil for the best that there is here.
    package var way: WatchWay?
    /// Reports changes; nil for a watcher of the recorder's own.
    package var notifier: TreeWatcher.Notifier?
    /// How long an alert is not raised again, in nanoseconds.
    package var cooldown: Int64 = 600_000_000_000

    /// What happens in some folders.
    package init(roots: [ScanRoot]) { self.roots = roots }
  }
}

/// Why nothing can be recorded.
package enum RecorderError: Error {
  case unmappable(MapError)
  case unwatchable(Errno)
  case noThread(Errno)
}

/// Takes the events of a recording.
package protocol RecorderOutput: AnyObject {
  /// An event has happened.
  func add(_ event: RecordedEvent, at time: Int64)

  /// Nothing more has happened for now.
  func rest(at time: Int64)
}
