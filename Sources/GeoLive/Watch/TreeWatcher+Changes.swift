import GeoCore
import GeoSystem

extension TreeWatcher {
  package func process(_ pieces: [EventInbox.Piece]) {
    pending.add(pieces, by: watcher)
    while let batch = pending.next() { process(batch) }
  }

  private func process(_ batch: PendingChanges.Batch) {
    defer {
      lastReport = batch.time
      if held.isEmpty { recentReads.drop(until: batch.since, now: ThisProcess.nanoseconds) }
    }
    if batch.changes.isEmpty, held.isEmpty { return }
    finder.leave()
    apply(
      held.release(with: batch.changes, reportedAt: batch.time, now: ThisProcess.nanoseconds),
      at: batch.time)
    lastDealt = ThisProcess.nanoseconds
  }

  func applyHeld() {
    apply(held.releaseAll(), at: max(held.since, lastReport))
    lastDealt = ThisProcess.nanoseconds
  }

  private func apply(_ changes: [FolderWatcher.Change], at time: Int64) {
    var arrivals: [UInt32: FolderWatcher.Change] = [:]
    for change in changes where change.what == .added && change.cookie != 0 {
      arrivals[change.cookie] = change
    }
    var departures: Set<UInt32> = []
    for change in changes {
      if change.isOverflow {
        reportLoss()
        continue
      }
      if change.isForgotten {
        forget(change.folder)
        continue
      }
      pending.finish(change)
      // The parent reports changes of the folder itself.
      if change.name.isEmpty { continue }
      if change.cookie != 0, change.what == .added, departures.contains(change.cookie) { continue }
      // A copy, as folders may be removed in the loop.
      let all = folders(of: change.folder)
      let arrival = change.what == .removed && !all.isEmpty ? arrivals[change.cookie] : nil
      if arrival != nil { departures.insert(change.cookie) }
      guard let arrival else {
        for folder in all where tree[folder].isThere { apply(change, in: folder, at: time) }
        continue
      }
      // Folders with the same watch are each paired with one target, below the same root if
      // possible.
      var targets = folders(of: arrival.folder)
      for folder in all where tree[folder].isThere {
        targets.removeAll { !tree[$0].isThere }
        let root = tree.root(of: folder)
        let index = targets.firstIndex { tree.root(of: $0) == root } ?? targets.indices.first
        if let index {
          move(
            change.name, from: folder, to: targets.remove(at: index), as: arrival.name,
            isFolder: arrival.isFolder, at: time)
        } else {
          leave(change.name, folder, isFolder: arrival.isFolder, at: time)
        }
      }
      for target in targets where tree[target].isThere { apply(arrival, in: target, at: time) }
    }
  }

  private func apply(_ change: FolderWatcher.Change, in folder: Int32, at time: Int64) {
    switch (change.what, change.isFolder) {
    case (.added, true): addFolder(change.name, in: folder, at: time)
    case (.added, false): addFile(change.name, in: folder, at: time)
    case (.removed, true):
      if let child = tree.child(change.name, of: folder) { remove(child, reports: true, at: time) }
    case (.removed, false): removeFile(change.name, of: folder, at: time)
    case (.modified, true):
      guard let child = tree.child(change.name, of: folder), tree[child].isEntered,
        !change.isContent
      else { return }
      // The folder may have become readable.
      if !tree[child].isListed { read(below: child, reports: true, at: time) }
      report(.attributes, change.name, in: folder, isFolder: true, at: time)
    case (.modified, false):
      updateFile(change.name, in: folder, change.isContent ? .modified : .attributes, at: time)
    }
  }

  // MARK: Folders

  func addFolder(_ name: [UInt8], in folder: Int32, at time: Int64) {
    removeFile(name, of: folder, at: time)
    if let child = tree.child(name, of: folder) {
      if !tree[child].isEntered { return }
      guard let descriptor = try? finder.enter(child),
        let number = try? watcher.watch(descriptor)
      else {
        suspects.insert(child)
        return
      }
      // A scan has already found it.
      if number == tree[child].watch { return }
      if watched[number] == nil { watcher.forget(number) }
      remove(child, reports: true, at: time)
    }
    let child = tree.addFolder(name, in: folder)
    if let filter { tree.setEntered(filter.enters(tree.path(of: child)), of: child) }
    if !tree[child].isEntered { return }
    read(below: child, reports: true, isNew: true, at: time)
  }

  /// Handles the end of a watch: the folder was removed, or its file system unmounted.
  private func forget(_ watch: Int32) {
    for folder in folders(of: watch) {
      tree.setWatch(-1, of: folder)
      // Nothing else would report the end of a root.
      if tree[folder].parent < 0 { loseRoot(folder) }
    }
    watched[watch] = nil
    twins[watch] = nil
  }

  func loseRoot(_ root: Int32) {
    guard lostRoots.insert(root).inserted else { return }
    shared?.endWhole()
    if tree[root].watch >= 0 { unlink(root, from: tree[root].watch) }
    reportRemoval(of: root, at: lastReport)
    for child in tree[root].folders { remove(child, reports: false, at: lastReport) }
    tree.setFiles(of: root, to: [])
    tree.setListed(false, of: root)
    observer?.handle(
      TreeChange(what: .deleted, path: tree.path(of: root), isFolder: true, time: lastReport))
  }

  /// Looks for roots that were moved away, which the system doesn't report.
  func checkRoots() {
    for root in 0..<Int32(clamping: roots.count) where tree[root].watch >= 0 {
      do throws(Errno) {
        let found = try FileSystem.openRoot(roots[Int(root)].directory)
        if try watcher.watch(found.rawValue) == tree[root].watch { continue }
        loseRoot(root)
      } catch {
        if error == .noEntry || error == .notDirectory { loseRoot(root) }
      }
    }
  }

  // MARK: Files

  func addFile(_ name: [UInt8], in folder: Int32, at time: Int64) {
    // It is a folder now, which will be reported or was already found.
    if tree.child(name, of: folder) != nil { return }
    let old = tree[folder].files.find(name)
    let (found, isGone) = facts(of: name, in: folder)
    if found == nil, !isGone { return }
    let file = found ?? old ?? KnownFile(kind: .unknown)
    if let old, old.stamp == file.stamp, old.size == file.size { return }
    tree.setFile(name, in: folder, file)
    heat(folder)
    if !file.isShown { return }
    let size = found.map { $0.kind == .unknown ? nil : $0.size } ?? nil
    report(
      old == nil ? .created : .modified, name, in: folder, isFolder: false, size: size,
      was: old.map { [$0] }, at: time)
    startPause(name, in: folder, at: time)
  }

  func removeFile(_ name: [UInt8], of folder: Int32, at time: Int64) {
    guard let file = tree[folder].files.find(name) else { return }
    if file.isShown {
      report(.deleted, name, in: folder, isFolder: false, size: file.size, at: time)
    }
    tree.removeFile(name, of: folder)
    recent[RecentKey(folder: folder, name: name)] = nil
    heat(folder)
  }

  func updateFile(_ name: [UInt8], in folder: Int32, _ what: TreeChange.What, at time: Int64) {
    guard let old = tree[folder].files.find(name) else { return }
    let key = RecentKey(folder: folder, name: name)
    if let entry = recent[key], time - entry.time < Self.pause {
      recent[key]?.pending = entry.pending == .modified ? .modified : what
      // The current state is read and reported when the pause is over.
      return
    }
    guard let file = facts(of: name, in: folder).file else { return }
    // The stamp doesn't include permissions, so all changes of attributes are reported.
    if what == .modified, old.stamp == file.stamp, old.size == file.size { return }
    tree.setFile(name, in: folder, file)
    heat(folder)
    if !file.isShown { return }
    report(what, name, in: folder, isFolder: false, size: file.size, was: [old], at: time)
    startPause(name, in: folder, at: time)
  }

  func heat(_ folder: Int32) {
    if tree[folder].files.isUnpacked { hot.insert(folder) }
  }
}
