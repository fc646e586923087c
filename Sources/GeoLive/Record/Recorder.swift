import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// Records what happens in folders, until it is ended.
package final class Recorder: TreeObserver, TreeFilter {
  package enum End: Hashable, Sendable {
    /// By a request or a limit.
    case recorded
    /// The system reports no more changes.
    case failed(Errno)
    /// All roots are gone.
    case lost

    /// Nil if it didn't end early.
    package var failure: String? {
      switch self {
      case .recorded: nil
      case .failed(let reason): "the system reports no more changes: \(reason)"
      case .lost: "the watched folder is gone: it was removed or moved away"
      }
    }
  }

  package let configuration: Configuration
  package let inbox: EventInbox
  package let watcher: TreeWatcher
  package let world: World
  private let output: any RecorderOutput
  private let showsFolders: Bool
  private var maker: EventMaker
  private var memory = ThisProcess.MemoryReturn()
  package private(set) var events = 0
  package private(set) var isPaused = false
  private var isEnding = false
  private var nextSample: Int64?
  private var lastSample: Int64?
  /// The roots, folders of alert rules, and those added by ``sampleLargest(_:)``.
  package private(set) var sampled: [[UInt8]]
  private var alerts: AlertBoard
  /// With the Unix time in milliseconds.
  package var onAlert: ((RecordedAlert, Int64) -> Void)?

  package var onChange: ((TreeChange, GeoLocation) -> Void)?

  /// Of listings, for finding places.
  private static let cacheLimit = 8 << 20

  /// Throws `MapError` if the roots can't be mapped together, `Failure` if they can't be watched.
  package init(
    _ configuration: Configuration, start: Int64, recordedAt: Int64, to output: any RecorderOutput,
    through inbox: EventInbox = EventInbox()
  ) throws {
    self.configuration = configuration
    self.inbox = inbox
    alerts = AlertBoard(configuration.alerts, cooldown: configuration.cooldown)
    self.output = output
    maker = EventMaker(start: start, recordedAt: recordedAt)
    showsFolders = configuration.selection.showsFolders
    let roots = try WorldRoots(configuration.roots, configuration.layout).roots
    let notifier =
      try configuration.notifier ?? rethrowing(TreeWatcher.Notifier(), as: Failure.unwatchable)
    watcher = TreeWatcher(
      roots, by: notifier, staysOnFileSystem: configuration.staysOnFileSystem)
    let source = InMemorySource(watcher.tree, disk: roots)
    world = try World(
      roots: roots.map { root in
        var root = root
        root.source = source
        return root
      }, layout: configuration.layout, selection: configuration.selection,
      cacheLimit: Self.cacheLimit, readsDisk: false, trust: 0)
    sampled = world.roots.map(\.label)
    for rule in configuration.alerts where !sampled.contains(rule.path) {
      sampled.append(rule.path)
    }
    watcher.observer = self
    if configuration.selection.isActive { watcher.filter = self }
    watcher.ignored = configuration.ignored
  }

  deinit { inbox.end() }

  package func begin() throws(Failure) {
    try rethrowing(watcher.deliver(to: inbox)) {
      Failure.output("can't start a thread to watch with: \($0)", cause: $0)
    }
    watcher.start()
    if configuration.sampling != nil { nextSample = maker.start }
  }

  package func run() -> End {
    while true {
      let now = ThisProcess.nanoseconds
      let content = inbox.wait(until: nextDeadline(after: now))
      if !isEnding { watcher.process(content.pieces) }
      if content.hasLost { watcher.reportLoss() }
      // Changes before a request are recorded before it takes effect.
      for request in content.requests { handle(request) }
      let time = ThisProcess.nanoseconds
      watcher.tick(at: time)
      sample(at: time)
      evaluateAlerts(at: time)
      output.idle(at: time)
      if !content.pieces.isEmpty { memory.setDue() }
      memory.tick(at: time)
      if let failure = content.failure { return .failed(failure) }
      let isOver = configuration.duration.map { time - maker.start >= $0 } ?? false
      if isEnding { return .recorded }
      if watcher.lostRoots.count == configuration.roots.count {
        _ = finish(at: time)
        return .lost
      }
      if isAsked || isOver { return finish(at: time) }
    }
  }

  private var isAsked = false

  private func finish(at now: Int64) -> End {
    // The system's queue may still hold changes from before the end.
    inbox.gather()
    while !isEnding {
      let content = inbox.wait(until: now)
      if content.hasLost { watcher.reportLoss() }
      if content.pieces.isEmpty { break }
      if !isEnding { watcher.process(content.pieces) }
      if let last = content.pieces.last, last.since >= now { break }
    }
    let time = ThisProcess.nanoseconds
    watcher.finish(at: time)
    if configuration.sampling != nil, lastSample != time {
      nextSample = time
      sample(at: time)
    }
    output.idle(at: time)
    return .recorded
  }

  private func nextDeadline(after now: Int64) -> Int64 {
    // By then it is noticed that a root was moved away, which the system doesn't report.
    var next = now + 5_000_000_000
    let alert = alerts.isEmpty || isPaused ? nil : alerts.deadline
    for deadline in [watcher.deadline, nextSample, alert, outputDeadline].compactMap({ $0 }) {
      next = min(next, deadline)
    }
    if let duration = configuration.duration { next = min(next, maker.start + duration) }
    return next
  }

  /// When the output wants ``RecorderOutput/idle(at:)`` to be called.
  package var outputDeadline: Int64?

  private func handle(_ request: SignalPipe.Request) {
    let now = ThisProcess.nanoseconds
    switch request {
    case .end: isAsked = true
    case .toggle:
      // The pause event precedes the pause, and the resume event follows it.
      if isPaused {
        isPaused = false
        record(.resume, at: now)
      } else {
        record(.pause, at: now)
        isPaused = true
      }
    }
  }

  /// After the current step.
  package func end() { isEnding = true }

  package func record(_ body: RecordedEvent.Body, at time: Int64) {
    add(maker.event(body, at: time))
  }

  private func add(_ event: RecordedEvent) {
    if isPaused || isEnding { return }
    events += 1
    output.add(event, at: ThisProcess.nanoseconds)
    if let maximum = configuration.maximumEvents, events >= maximum { isEnding = true }
  }

  // MARK: Samples

  private func sample(at time: Int64) {
    guard let due = nextSample, let interval = configuration.sampling, time >= due else { return }
    // Counted from the last deadline, so that delays don't add up; missed samples are skipped.
    nextSample = due + ((time - due) / interval + 1) * interval
    lastSample = time
    for path in sampled {
      if let sample = sample(of: path) { record(.sample(sample), at: time) }
    }
  }

  /// The roots don't count.
  package func sampleLargest(_ maximum: Int) {
    for path in watcher.tree.largest(maximum) where !sampled.contains(path) { sampled.append(path) }
  }

  private func evaluateAlerts(at time: Int64) {
    if isPaused || alerts.isEmpty { return }
    let changed = alerts.evaluate(at: time) { path, needsFree in
      guard let sums = watcher.tree.sums(at: path) else { return nil }
      let totals = FolderTotals(
        files: Int64(sums.files), bytes: sums.knownBytes, allocated: sums.knownAllocated)
      let measure = configuration.measure ?? (totals.knowsRoom ? .allocated : .bytes)
      let size = measure.amount(bytes: totals.bytes, allocated: totals.allocated)
      return AlertBoard.Facts(
        size: size ?? 0, files: totals.files,
        free: needsFree ? watcher.freeBytes(at: path) : nil)
    }
    for alert in changed {
      record(.alert(alert), at: time)
      onAlert?(alert, maker.unixMilliseconds(of: time))
    }
  }

  /// Nil if the path is not a folder.
  package func sample(of path: [UInt8]) -> RecordedSample? {
    guard let sums = watcher.tree.sums(at: path) else { return nil }
    return RecordedSample(
      path: path, files: Int64(sums.files), folders: Int64(sums.folders),
      bytes: sums.knownBytes ?? 0, allocated: sums.knownAllocated ?? 0,
      free: watcher.freeBytes(at: path))
  }

  // MARK: Changes

  package func handle(_ change: TreeChange) {
    if isPaused || isEnding { return }
    if !configuration.recordsChanges || change.isFolder && !showsFolders { return }
    changes += 1
    guard let event = maker.event(change, in: world) else { return }
    if let location = event.location { onChange?(change, location) }
    add(event)
    if !alerts.isEmpty { alerts.count(change.path, at: change.time) }
  }

  /// Whether they were recorded or not.
  package private(set) var changes = 0

  package func handleLoss(since time: Int64) {
    let now = ThisProcess.nanoseconds
    let description = "changes were lost; what has changed is found by looking"
    record(.error(RecordedFault(.overflow, description)), at: now)
    record(.gap(since: maker.unixMilliseconds(of: time)), at: now)
  }

  // MARK: Filter

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
  package struct Configuration: Sendable {
    package var roots: [ScanRoot]
    package var layout = Layout.settled
    package var selection = Selection()
    /// Files that are treated as missing, and folders that are not entered.
    package var ignored: Set<FileSystem.Identity> = []
    /// In nanoseconds.
    package var sampling: Int64?
    /// If not, only samples and alerts are.
    package var recordsChanges = true
    /// In nanoseconds.
    package var duration: Int64?
    package var maximumEvents: Int?
    package var alerts: [AlertRule] = []
    /// Of sizes for alerts; nil for room on disk where it is known.
    package var measure: SizeMeasure?
    package var staysOnFileSystem = false
    /// Nil to create one.
    package var notifier: TreeWatcher.Notifier?
    /// Between two alerts of a rule, in nanoseconds.
    package var cooldown: Int64 = AlertRule.defaultCooldown

    package init(roots: [ScanRoot]) { self.roots = roots }
  }
}

extension Failure {
  fileprivate static func unwatchable(_ reason: Errno) -> Failure {
    let more =
      reason == .tooManyOpen
      ? "; to have more watchers: sysctl \(WatchLimit.watchers.setting(forMore: 1))" : ""
    return .output("can't watch folders here: \(reason)\(more)", cause: reason)
  }
}

package protocol RecorderOutput: AnyObject {
  func add(_ event: RecordedEvent, at time: Int64)

  /// Called after each batch of events, and at deadlines.
  func idle(at time: Int64)
}
