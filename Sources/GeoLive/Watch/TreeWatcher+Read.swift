import GeoCore
import GeoTree
import GeoSystem

extension TreeWatcher {
  package func start() {
    for root in 0..<Int32(clamping: roots.count) {
      read(below: root, reports: false, at: lastReport)
    }
    finder.leave()
    if unwatched == 0, filter == nil { shared?.beginWhole(roots.map(\.label)) }
  }

  /// Watches and reads a folder and everything below it. `isDeep`: known sub-folders, too; `isNew`:
  /// the folder itself is reported, too.
  func read(
    below folder: Int32, reports: Bool, isDeep: Bool = true, isNew: Bool = false, at time: Int64
  ) {
    var rest = [(folder: folder, isNew: isNew)]
    var listing = FolderListing()
    func announce(_ folder: Int32) {
      let (name, parent) = (tree[folder].name, tree[folder].parent)
      report(.created, name, in: parent, isFolder: true, at: time)
    }
    while let (next, isNew) = rest.popLast() {
      // The folder may have been removed with one that was read before.
      guard tree[next].isThere, tree[next].isEntered else { continue }
      recentReads.insert(next)
      let descriptor: Int32
      do throws(Errno) {
        descriptor = try finder.enter(next)
      } catch {
        unreadable += 1
        if isNew { announce(next) }
        // Its path may become known from later changes.
        if reports, error != .accessDenied { suspects.insert(next) }
        continue
      }
      if isPassedOver(next, descriptor) {
        tree.setEntered(false, of: next)
        continue
      }
      if isNew {
        if completeMove(to: next, descriptor, at: time) { continue }
        announce(next)
      }
      for other in watch(next, descriptor) where !isReally(other) { rest.append((other, false)) }
      // `isReally` may have moved the reader elsewhere.
      finder.list(next, into: &listing)
      if listing.outcome != .listed {
        unreadable += 1
        continue
      }
      takeIn(listing, of: next, reports: reports, isDeep: isDeep, at: time, newFolders: &rest)
    }
  }

  /// Whether a folder's watch is that of the folder now at its path.
  private func isReally(_ folder: Int32) -> Bool {
    guard let descriptor = try? finder.enter(folder),
      let number = try? watcher.watch(descriptor)
    else {
      suspects.insert(folder)
      return true
    }
    return number == tree[folder].watch
  }

  /// Schedules what was read below a moved folder to be checked: before the move was reported, its
  /// old path may already have led to another folder.
  ///
  /// O(folders below it), or O(recently read folders · depth) if that is less.
  func doubt(below folder: Int32) {
    var all = [folder]
    var index = 0
    while index < all.count, all.count <= recentReads.count {
      all += tree[all[index]].folders
      index += 1
    }
    let doubtful =
      index == all.count
      ? Set(all.lazy.filter(recentReads.contains))
      : recentReads.filter { tree[$0].isThere && tree.isAbove(folder, $0) }
    suspects.formUnion(doubtful)
    outdated.formUnion(doubtful)
  }

  /// Checks the suspects. No changes are arriving, so the disk shows the current state.
  func verify(at time: Int64) {
    let (all, outdated) = (suspects, outdated)
    suspects = []
    self.outdated = []
    finder.leave()
    for folder in all where tree[folder].isThere && tree[folder].isEntered {
      let descriptor: Int32
      do throws(Errno) {
        descriptor = try finder.enter(folder)
      } catch {
        if error == .accessDenied { continue }
        if tree[folder].parent < 0 {
          loseRoot(folder)
          continue
        }
        recentReads.insert(tree[folder].parent)
        remove(folder, reports: true, at: time)
        continue
      }
      guard let number = try? watcher.watch(descriptor) else { continue }
      if number != tree[folder].watch || !tree[folder].isListed {
        read(below: folder, reports: true, at: ThisProcess.nanoseconds)
      } else if outdated.contains(folder) {
        read(below: folder, reports: true, isDeep: false, at: ThisProcess.nanoseconds)
      }
    }
    lastDealt = ThisProcess.nanoseconds
    finder.leave()
  }

  private func takeIn(
    _ listing: FolderListing, of folder: Int32, reports: Bool, isDeep: Bool, at time: Int64,
    newFolders: inout [(folder: Int32, isNew: Bool)]
  ) {
    let (names, folders) = (listing.files, listing.folders)
    var files = readFacts(of: names)
    let isNew = reports && !tree[folder].isListed && !files.isEmpty
    let departed = isNew ? departedFiles() : [:]
    // Removals come first, while their surroundings are still known.
    if tree[folder].isListed {
      let present = Set(files.map(\.name))
      tree[folder].files.forEach { name, file in
        if present.contains(name) { return }
        if reports, file.isShown {
          report(.deleted, name, in: folder, isFolder: false, size: file.size, at: time)
        }
      }
      for child in tree[folder].folders where folders.index(of: tree[child].name) == nil {
        remove(child, reports: reports, at: time)
      }
    }
    var added: [Int32] = []
    for index in 0..<folders.count {
      let name = folders.name(at: index)
      if let child = tree.child(name, of: folder) {
        if isDeep { newFolders.append((child, false)) }
      } else {
        let child = tree.addFolder(name, in: folder)
        added.append(child)
        newFolders.append((child, reports))
      }
    }
    tree.setListed(true, of: folder)
    tree.touch(folder)
    var known: [[UInt8]: KnownFile] = [:]
    if reports { tree[folder].files.forEach { known[$0] = $1 } }
    tree.setFiles(of: folder, to: files)
    if let filter {
      let path = tree.path(of: folder)
      let shown = filter.shownFiles(of: path)
      for index in files.indices where shown?.contains(files[index].name) == false {
        files[index].file.isShown = false
      }
      tree.setFiles(of: folder, to: files)
      for child in added {
        tree.setEntered(filter.enters(tree.path(of: child)), of: child)
      }
    }
    if !reports { return }
    for (name, file) in files where file.isShown {
      if let old = known[name] {
        if old.stamp == file.stamp, old.size == file.size { continue }
        report(.modified, name, in: folder, isFolder: false, size: file.size, was: [old], at: time)
      } else {
        reportFound(name, file, in: folder, from: departed[file.inode], at: time)
      }
    }
  }

  private func readFacts(of names: NameTable) -> [(name: [UInt8], file: KnownFile)] {
    var facts = names.records.map { EntryFacts(kind: $0.kind) }
    if facts.isEmpty { return [] }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    finder.reader.readFacts(
      of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
    var files: [(name: [UInt8], file: KnownFile)] = []
    files.reserveCapacity(names.count)
    for index in 0..<names.count {
      guard facts[index].status != .vanished,
        let file = known(facts[index], storage[index])
      else { continue }
      files.append((names.name(at: index), file))
    }
    return files
  }

  /// Nil if it is ignored.
  func known(_ facts: EntryFacts, _ storage: FileStorage) -> KnownFile? {
    guard facts.status == .known else { return KnownFile(kind: facts.kind) }
    if ignored.contains(storage.identity) { return nil }
    // FNV-1a over the metadata that change with the file.
    var hash: UInt32 = 2_166_136_261
    func mix(_ number: UInt64) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        hash = (hash ^ UInt32(number >> shift & 0xFF)) &* 16_777_619
      }
    }
    mix(storage.identity.inode)
    mix(UInt64(bitPattern: facts.modified))
    mix(UInt64(storage.nanoseconds))
    mix(UInt64(storage.owner) << 32 | UInt64(storage.group))
    mix(UInt64(storage.links))
    return KnownFile(
      kind: facts.kind, size: facts.size, allocated: storage.allocated, stamp: hash,
      inode: UInt32(truncatingIfNeeded: storage.identity.inode))
  }

  /// Nil if it is gone or ignored.
  func facts(of name: [UInt8], in folder: Int32) -> (file: KnownFile?, isGone: Bool) {
    var found = currentFacts(of: name, in: folder)
    guard let filter, let file = found.file else { return found }
    tree.touch(folder)
    // The filter finds only files that are in the tree.
    if tree[folder].files.find(name) == nil { tree.setFile(name, in: folder, file) }
    found.file?.isShown = filter.shownFiles(of: tree.path(of: folder))?.contains(name) ?? true
    return found
  }

  /// Whether the filter shows it or not.
  func currentFacts(of name: [UInt8], in folder: Int32) -> (file: KnownFile?, isGone: Bool) {
    recentReads.insert(folder)
    if (try? finder.enter(folder)) == nil {
      suspects.insert(folder)
      outdated.insert(folder)
      return (nil, true)
    }
    var names = NameTable()
    names.append(name.span, kind: .unknown)
    var facts = [EntryFacts(kind: .unknown)]
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    finder.reader.readFacts(of: names, 0..<1, into: &facts, storage: &storage, failures: &failures)
    if facts[0].status == .vanished { return (nil, true) }
    return (known(facts[0], storage[0]), false)
  }

  package func freeBytes(at path: [UInt8]) -> Int64? {
    guard let folder = tree.folder(at: path) else { return nil }
    finder.leave()
    defer { finder.leave() }
    guard let number = try? finder.enter(folder) else { return nil }
    return try? FileSystem.freeBytes(at: number)
  }

  /// Further changes of the file are combined in the pause.
  func startPause(_ name: [UInt8], in folder: Int32, at time: Int64) {
    if recent.count < Self.maximumRecent {
      recent[RecentKey(folder: folder, name: name)] = Recent(time: time)
    }
  }

  // MARK: Losses

  package func reportLoss() {
    if lossTime == nil { observer?.handleLoss(since: lastReport) }
    lossTime = lossTime ?? ThisProcess.nanoseconds
  }

  /// When no changes arrive, or after some seconds that leave most of the time to new changes.
  var repairTime: Int64? {
    lossTime.map { min(lastDealt + Self.quietTime, $0 + Self.longestLoss + 4 * repairDuration) }
  }

  /// Minimum wait before a scan for lost changes while others arrive, in nanoseconds.
  private static let longestLoss: Int64 = 5_000_000_000

  func repair(at time: Int64) {
    lossTime = nil
    finder.leave()
    let start = ThisProcess.nanoseconds
    for root in 0..<Int32(clamping: roots.count) { read(below: root, reports: true, at: time) }
    finder.leave()
    lastDealt = ThisProcess.nanoseconds
    repairDuration = lastDealt - start
  }
}
