import GeoCore
import GeoSystem

extension TreeWatcher {
  /// Processes a piece of changes.
  ///
  /// - Parameter piece: Raw changes of the system.
  package func process(_ piece: EventInbox.Piece) {
    let reported = watcher.changes(in: piece.records[...])
    defer {
      lastReport = piece.time
      if held.isEmpty { recentReads.drop(until: piece.since, now: ThisProcess.nanoseconds) }
    }
    if reported.isEmpty, held.isEmpty { return }
    finder.leave()
    apply(
      held.release(with: reported, reportedAt: piece.time, now: ThisProcess.nanoseconds),
      at: piece.time)
    lastDealt = ThisProcess.nanoseconds
  }

  /// Processes all changes that wait.
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
          move(change.name, from: folder, to: targets.remove(at: index), arrival, at: time)
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

  private func addFolder(_ name: [UInt8], in folder: Int32, at time: Int64) {
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
    // Whether the folder is ignored is only known after entering it.
    read(below: child, announcing: (name, folder), at: time)
  }

  /// Reads a new folder, after reporting it.
  private func read(
    below child: Int32, announcing entry: (name: [UInt8], folder: Int32), at time: Int64
  ) {
    if !ignored.isEmpty || staysOnFileSystem,
      let descriptor = try? finder.enter(child),
      isPassedOver(child, descriptor)
    {
      return tree.setEntered(false, of: child)
    }
    report(.created, entry.name, in: entry.folder, isFolder: true, at: time)
    read(below: child, reports: true, at: time)
  }

  /// Handles the end of a watch: the folder was removed, or its file system unmounted.
  private func forget(_ watch: Int32) {
    for folder in folders(of: watch) {
      tree.setWatch(-1, of: folder)
      // Nothing else would report the end of a root.
      if tree[folder].parent < 0 {
        shared?.endWhole()
        for child in tree[folder].folders { remove(child, reports: true, at: lastReport) }
        tree.setFiles(of: folder, to: [])
        tree.setListed(false, of: folder)
        observer?.handle(
          TreeChange(
            what: .deleted, path: tree.path(of: folder), isFolder: true, time: lastReport))
      }
    }
    watched[watch] = nil
    twins[watch] = nil
  }

  // MARK: Files

  private func addFile(_ name: [UInt8], in folder: Int32, at time: Int64) {
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
      old == nil ? .created : .modified, name, in: folder, isFolder: false, size: size, was: old,
      at: time)
    startPause(name, in: folder, at: time)
  }

  private func removeFile(_ name: [UInt8], of folder: Int32, at time: Int64) {
    guard let file = tree[folder].files.find(name) else { return }
    if file.isShown {
      report(.deleted, name, in: folder, isFolder: false, size: file.size, at: time)
    }
    tree.removeFile(name, of: folder)
    recent[RecentKey(folder: folder, name: name)] = nil
    heat(folder)
  }

  /// Updates a changed file and reports the change.
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
    report(what, name, in: folder, isFolder: false, size: file.size, was: old, at: time)
    startPause(name, in: folder, at: time)
  }

  private func heat(_ folder: Int32) {
    if tree[folder].files.isUnpacked { hot.insert(folder) }
  }

  // MARK: Renaming

  private func move(
    _ name: [UInt8], from folder: Int32, to target: Int32, _ arrival: FolderWatcher.Change,
    at time: Int64
  ) {
    let from = tree.path(of: folder).appending(component: name)
    if arrival.isFolder {
      guard let child = tree.child(name, of: folder) else {
        return addFolder(arrival.name, in: target, at: time)
      }
      if child == target || tree.isAbove(child, target) {
        // The tree is newer than the changes.
        lossTime = lossTime ?? ThisProcess.nanoseconds
        return remove(child, reports: true, at: time)
      }
      finder.leave()
      if let replaced = tree.child(arrival.name, of: target), replaced != child {
        // Only an empty folder can be replaced. So the known contents are outdated, or the two
        // folders were swapped.
        let isEmpty = tree[replaced].folders.isEmpty && tree[replaced].files.count == 0
        if !isEmpty { readAgain(folder, target) }
        remove(replaced, reports: !isEmpty, at: time)
      }
      removeFile(arrival.name, of: target, at: time)
      tree.detach(child)
      tree.attach(child, to: target, as: arrival.name)
      doubt(below: child)
      if let filter { tree.setEntered(filter.enters(tree.path(of: child)), of: child) }
      if !tree[child].isEntered { return }
      report(.moved, arrival.name, in: target, isFolder: true, from: from, at: time)
      if !check(child, at: time) { readAgain(folder, target) }
    } else {
      // It is a folder now, which was already found or will be where this file was.
      if tree.child(arrival.name, of: target) != nil {
        readAgain(folder, target)
        return removeFile(name, of: folder, at: time)
      }
      let old = tree[folder].files.find(name)
      tree.removeFile(name, of: folder)
      recent[RecentKey(folder: folder, name: name)] = nil
      guard let old else { return addFile(arrival.name, in: target, at: time) }
      var file = facts(of: arrival.name, in: target).file ?? old
      if filter == nil { file.isShown = old.isShown }
      tree.setFile(arrival.name, in: target, file)
      heat(target)
      if file.isShown {
        report(
          old.isShown ? .moved : .created, arrival.name, in: target, isFolder: false,
          size: file.size, was: old.isShown ? old : nil, from: old.isShown ? from : nil, at: time)
        startPause(arrival.name, in: target, at: time)
      } else if old.isShown {
        report(.deleted, name, in: folder, isFolder: false, size: old.size, at: time)
      }
    }
  }

  private func leave(_ name: [UInt8], _ folder: Int32, isFolder: Bool, at time: Int64) {
    if isFolder {
      if let child = tree.child(name, of: folder) { remove(child, reports: true, at: time) }
    } else {
      removeFile(name, of: folder, at: time)
    }
  }

  /// Schedules folders to be listed again when no changes arrive, as their entries may have been
  /// swapped.
  private func readAgain(_ folders: Int32...) {
    suspects.formUnion(folders)
    outdated.formUnion(folders)
  }

  /// Checks that a moved folder is the known one; if not, reads it again.
  private func check(_ folder: Int32, at time: Int64) -> Bool {
    guard let descriptor = try? finder.enter(folder),
      let number = try? watcher.watch(descriptor)
    else {
      suspects.insert(folder)
      return false
    }
    if number == tree[folder].watch, tree[folder].isListed { return true }
    read(below: folder, reports: true, at: time)
    return false
  }
}
