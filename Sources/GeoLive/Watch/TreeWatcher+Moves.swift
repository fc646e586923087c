import GeoCore
import GeoSystem

extension TreeWatcher {
  func move(
    _ name: [UInt8], from folder: Int32, to target: Int32, as new: [UInt8], isFolder: Bool,
    at time: Int64
  ) {
    let from = tree.path(of: folder).appending(component: name)
    if isFolder {
      guard let child = tree.child(name, of: folder) else {
        return addFolder(new, in: target, at: time)
      }
      if child == target || tree.isAbove(child, target) {
        // The tree is newer than the changes.
        lossTime = lossTime ?? ThisProcess.nanoseconds
        return remove(child, reports: true, at: time)
      }
      finder.leave()
      if let replaced = tree.child(new, of: target), replaced != child {
        // Only an empty folder can be replaced. So the known contents are outdated, or the two
        // folders were swapped.
        let isEmpty = tree[replaced].folders.isEmpty && tree[replaced].files.count == 0
        if !isEmpty { readAgain(folder, target) }
        remove(replaced, reports: !isEmpty, at: time)
      }
      removeFile(new, of: target, at: time)
      tree.detach(child)
      tree.attach(child, to: target, as: new)
      doubt(below: child)
      if let filter { tree.setEntered(filter.enters(tree.path(of: child)), of: child) }
      if !tree[child].isEntered { return }
      report(.moved, new, in: target, isFolder: true, from: from, at: time)
      if !check(child, at: time) { readAgain(folder, target) }
    } else {
      // It is a folder now, which was already found or will be where this file was.
      if tree.child(new, of: target) != nil {
        readAgain(folder, target)
        return removeFile(name, of: folder, at: time)
      }
      let old = tree[folder].files.find(name)
      let replaced = tree[target].files.find(new)
      tree.removeFile(name, of: folder)
      recent[RecentKey(folder: folder, name: name)] = nil
      guard let old else { return addFile(new, in: target, at: time) }
      var file = facts(of: new, in: target).file ?? old
      if filter == nil { file.isShown = old.isShown }
      // The two may have been exchanged.
      if replaced != nil, currentFacts(of: name, in: folder).file != nil { readAgain(folder) }
      // What was at both paths.
      let before = [old, replaced].compactMap { $0 }.filter(\.isShown)
      tree.setFile(new, in: target, file)
      if file.isShown {
        report(
          old.isShown ? .moved : before.isEmpty ? .created : .modified, new, in: target,
          isFolder: false, size: file.size, was: before, from: old.isShown ? from : nil, at: time)
        startPause(new, in: target, at: time)
      } else {
        if old.isShown {
          report(.deleted, name, in: folder, isFolder: false, size: old.size, at: time)
        }
        if let replaced, replaced.isShown {
          report(.deleted, new, in: target, isFolder: false, size: replaced.size, at: time)
        }
      }
      heat(target)
    }
  }

  func leave(_ name: [UInt8], _ folder: Int32, isFolder: Bool, at time: Int64) {
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

  // MARK: Moves to folders that were not watched

  // The arrival of what is moved to a new folder isn't reported if the folder was not yet watched.

  /// Known files that were moved away by changes that are not processed yet, by their inodes.
  func departedFiles() -> [UInt32: RecentKey] {
    lookAhead()
    var files: [UInt32: RecentKey] = [:]
    for departure in pending.departures where !departure.isFolder {
      for folder in folders(of: departure.folder) where tree[folder].isThere {
        guard let file = tree[folder].files.find(departure.name), file.inode != 0 else { continue }
        files[file.inode] = RecentKey(folder: folder, name: departure.name)
      }
    }
    return files
  }

  /// As moved, if it left another folder.
  func reportFound(
    _ name: [UInt8], _ file: KnownFile, in folder: Int32, from origin: RecentKey?, at time: Int64
  ) {
    if let origin, let old = tree[origin.folder].files.find(origin.name), old.kind == file.kind,
      old.isShown
    {
      let from = tree.path(of: origin.folder).appending(component: origin.name)
      tree.removeFile(origin.name, of: origin.folder)
      recent[origin] = nil
      report(
        .moved, name, in: folder, isFolder: false, size: file.size, was: [old], from: from, at: time
      )
    } else {
      report(.created, name, in: folder, isFolder: false, size: file.size, at: time)
    }
    startPause(name, in: folder, at: time)
  }

  /// Moves a known folder to the place of a new one that is the same folder; false if it is
  /// unknown.
  func completeMove(to new: Int32, _ descriptor: Int32, at time: Int64) -> Bool {
    guard let number = try? watcher.watch(descriptor), watched[number] != nil else { return false }
    lookAhead()
    let departures = pending.departures.filter(\.isFolder)
    let old = folders(of: number).first { folder in
      departures.contains {
        $0.name == tree[folder].name && folders(of: $0.folder).contains(tree[folder].parent)
      }
    }
    guard let old, !tree.isAbove(old, new) else { return false }
    let (name, parent) = (tree[new].name, tree[new].parent)
    tree.detach(new)
    tree.discard(new) { unlink($0, from: $1) }
    move(
      tree[old].name, from: tree[old].parent, to: parent, as: name, isFolder: true, at: time)
    return true
  }

  /// To find what has left other folders.
  private func lookAhead() {
    if let inbox, !pending.isFull { pending.add(inbox.takeMore(), by: watcher) }
  }
}
