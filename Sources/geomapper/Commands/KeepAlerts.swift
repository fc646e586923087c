import GeoCore
import GeoLive
import GeoSources
import GeoSystem
import GeoTree

/// The alerts of `geomapper keep`.
///
/// They are evaluated when the new state is in the store, so no failure of theirs harms it.
struct KeepAlerts {
  private let rules: [AlertRule]
  /// Nanoseconds.
  private let cooldown: Int64
  private let command: AlertCommand?

  init?(_ low: LowArguments, of roots: [ScanRoot]) throws(Failure) {
    rules = try low.alertRules(of: roots)
    if let rule = rules.first(where: { !StateAlerts.knows($0.quantity) }) {
      throw .usage(
        "the alert \(rule.text.quoted) can't be used here: states have no "
          + "\(rule.quantity.rawValue); use '\(Tool.name) record', or bytes, files, free or growth")
    }
    cooldown = low.record.cooldown.map { $0 * 1_000_000 } ?? AlertRule.defaultCooldown
    command = low.record.command.map { AlertCommand(words: $0) }
    measure = low.measure
    if rules.isEmpty { return nil }
  }

  /// Raises and clears alerts, and runs the command for each.
  ///
  /// The last state may be thinned out by now; the trees of both are nil if they are not open.
  func evaluate(
    _ state: KeptState, since last: KeptState?, _ trees: (old: Snapshot, new: Snapshot)?,
    in store: KeptStore, _ run: Run
  ) {
    run.reportingFailure("the alerts can't be evaluated") {
      let new = if let trees { trees.new } else { try wording { try store.open(state) } }
      let values = try values(of: state, new, since: last, trees?.old, run)
      for alert in try remember(values, of: state, since: last, in: store, run) {
        let time = state.unixNanoseconds / 1_000_000
        alert.report(at: time)
        guard let command else { continue }
        if !command.run(AlertCommand.variables(of: alert, timestamp: time)) { run.add(faults: 1) }
      }
    }
  }

  // MARK: Values

  private struct Values {
    var now: [[UInt8]: AlertBoard.Facts] = [:]
    /// Sizes in the state before; none if they are unknown.
    var before: [[UInt8]: Int64] = [:]
  }

  private let measure: SizeMeasure?

  private func values(
    of state: KeptState, _ new: Snapshot, since last: KeptState?, _ old: Snapshot?, _ run: Run
  ) throws(Failure) -> Values {
    var values = Values()
    let growing = Set(rules.filter { $0.quantity == .growth }.map(\.path))
    for path in Set(rules.map(\.path)) {
      guard let folder = Self.folder(path, of: new.scanRoots()),
        let (totals, unread) = try totals(of: folder, run)
      else { continue }
      var before: FolderTotals?
      if let old, growing.contains(path) {
        if let folder = Self.folder(path, of: old.scanRoots(labelledAs: state)) {
          // What can be read in one state only hasn't grown.
          let known = try self.totals(of: folder, run)
          if known?.unread == unread { before = known?.totals }
        } else if last?.isIncomplete == false {
          // A folder that is new has grown from nothing.
          before = FolderTotals(files: 0, bytes: 0, allocated: 0)
        }
      }
      let knowsRoom = totals.knowsRoom && before?.knowsRoom ?? true
      let measure = measure ?? (knowsRoom ? .allocated : .bytes)
      guard let size = measure.amount(bytes: totals.bytes, allocated: totals.allocated) else {
        continue
      }
      values.now[path] = AlertBoard.Facts(
        size: size, files: totals.files, free: state.free(at: path), isPartial: !unread.isEmpty)
      values.before[path] = before.flatMap {
        measure.amount(bytes: $0.bytes, allocated: $0.allocated)
      }
    }
    return values
  }

  private static func folder(_ path: [UInt8], of roots: [ScanRoot]) -> ScanRoot? {
    let label = path.firstComponent
    guard let root = roots.first(where: { $0.label.elementsEqual(label) })?.below(path),
      (try? root.check()) != nil
    else { return nil }
    return root
  }

  /// The totals of a folder, and what could not be read below it; nil if that is the folder.
  private func totals(
    of folder: ScanRoot, _ run: Run
  ) throws(Failure) -> (totals: FolderTotals, unread: Set<[UInt8]>)? {
    let options = run.low.map.scan
    return try onMainThread("the sums can't be read") {
      var unread: Set<[UInt8]> = []
      let all = try await TreeTotals.all(of: [folder], options: options) { faults in
        for fault in faults where fault.reason != .vanished { unread.insert(fault.rawPath) }
      }
      guard let totals = all.subfolders(of: nil).first.flatMap({ all[$0] }) else { return nil }
      return (totals, unread)
    }
  }

  // MARK: Memory

  /// The file in the store that remembers what was raised.
  private static let file = Array("alerts".utf8)

  private func remember(
    _ values: Values, of state: KeptState, since last: KeptState?, in store: KeptStore, _ run: Run
  ) throws(Failure) -> [RecordedAlert] {
    let time = state.unixNanoseconds
    let locked = try wording { try store.locked() }
    var alerts = StateAlerts(
      rules, cooldown: cooldown, after: try memory(of: state, in: locked, run), at: time)
    let changed = alerts.evaluate(
      at: time, since: last?.unixNanoseconds, facts: { values.now[$0] },
      earlier: { values.before[$0] })
    run.reportingFailure("the alerts may be raised again") {
      try locked.write(alerts.remembered.text, asFile: Self.file)
    }
    return changed
  }

  private func memory(
    of state: KeptState, in store: LockedStore, _ run: Run
  ) throws(Failure) -> AlertMemory {
    let scope = ([state.machine] + state.key.directories).joined(separator: [0])
    let text = try wording { try store.contents(of: Self.file, limit: AlertMemory.largest) }
    let known = text.flatMap { text in
      run.reportingFailure("alerts may be raised again, as those raised are not known") {
        try AlertMemory(of: Array(scope), parsing: text)
      }
    }
    return known ?? AlertMemory(of: Array(scope))
  }
}

extension KeptState {
  /// The beginning of its scan in Unix nanoseconds.
  fileprivate var unixNanoseconds: Int64 {
    seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(nanoseconds)
  }

  /// The free bytes of the file system of a folder: at the time of the state for a root, and now for
  /// other folders, which may be on file systems of their own.
  fileprivate func free(at path: [UInt8]) -> Int64? {
    let label = path.firstComponent
    guard let root = roots.first(where: { $0.label.elementsEqual(label) }) else { return nil }
    if path.count == label.count { return root.free }
    return try? FileSystem.freeBytes(of: root.directory + path[label.endIndex...])
  }
}
