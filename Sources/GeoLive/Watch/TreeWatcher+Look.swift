import GeoCore
import GeoTree
import GeoSystem

extension TreeWatcher {
  /// Reads all trees for the first time.
  package func start() {
    for root in 0..<Int32(clamping: roots.count) { look(below: root, tells: false, at: lastTold) }
    finder.leave()
  }

  /// Watches and lists a folder and all below it, and takes in what is new, other or gone.
  ///
  /// - Parameters:
  ///   - tells: Whether what is found is told of.
  ///   - isDeep: Whether sub-folders that are known already are looked at as well.
  func look(below folder: Int32, tells: Bool, isDeep: Bool = true, at time: Int64) {
    var rest = [folder]
    var listing = FolderListing()
    while let next = rest.popLast() {
      // What was to be looked at may have gone with a folder that was looked at before.
      guard tree[next].isThere, tree[next].isEntered else { continue }
      looks.note(next)
      let descriptor: Int32
      do throws(Errno) {
        descriptor = try finder.enter(next, atPlace: true)
      } catch {
        unreadable += 1
        // Where it is to be looked for may be known soon.
        if tells, error != .accessDenied { suspects.insert(next) }
        continue
      }
      if isPassedOver(next, descriptor) {
        tree.setEntered(false, of: next)
        continue
      }
      for other in watch(next, descriptor) where !isReally(other) { rest.append(other) }
      // The reader was elsewhere meanwhile.
      finder.list(next, into: &listing)
      if listing.outcome != .listed {
        unreadable += 1
        continue
      }
      takeIn(listing, of: next, tells: tells, isDeep: isDeep, at: time, newFolders: &rest)
    }
  }

  /// Whether a folder's watch is that of what is at its path now.
  private func isReally(_ folder: Int32) -> Bool {
    guard let descriptor = try? finder.enter(folder, atPlace: true),
      let number = try? watcher.watch(descriptor)
    else {
      suspects.insert(folder)
      return true
    }
    return number == tree[folder].watch
  }

  /// Takes back what was seen below a folder that is told to be elsewhere: it may have been seen in another one,
  /// which had come to its place before it was told.
  ///
  /// - Complexity: O(folders below it), or O(folders that were looked at · depth) where they are fewer.
  func doubt(below folder: Int32) {
    var all = [folder]
    var index = 0
    while index < all.count, all.count <= looks.count {
      all += tree[all[index]].folders
      index += 1
    }
    let doubtful =
      index == all.count
      ? Set(all.lazy.filter(looks.contains))
      : looks.filter { tree[$0].isThere && tree.isAbove(folder, $0) }
    suspects.formUnion(doubtful)
    outdated.formUnion(doubtful)
  }

  /// Looks at suspects: nothing more is being told, so what is on the disk is what counts.
  func verify(at time: Int64) {
    let (all, outdated) = (suspects, outdated)
    suspects = []
    self.outdated = []
    finder.leave()
    for folder in all where tree[folder].isThere && tree[folder].isEntered {
      let descriptor: Int32
      do throws(Errno) {
        descriptor = try finder.enter(folder, atPlace: true)
      } catch {
        if error == .accessDenied || tree[folder].parent < 0 { continue }
        looks.note(tree[folder].parent)
        remove(folder, tells: true, at: time)
        continue
      }
      guard let number = try? watcher.watch(descriptor) else { continue }
      if number != tree[folder].watch || !tree[folder].isListed {
        look(below: folder, tells: true, at: ThisProcess.nanoseconds)
      } else if outdated.contains(folder) {
        look(below: folder, tells: true, isDeep: false, at: ThisProcess.nanoseconds)
      }
    }
    lastDealt = ThisProcess.nanoseconds
    finder.leave()
  }

  private func takeIn(
    _ listing: FolderListing, of folder: Int32, tells: Bool, isDeep: Bool, at time: Int64,
    newFolders: inout [Int32]
  ) {
    let (names, folders) = (listing.files, listing.folders)
    var files = readFacts(of: names)
    // First what is gone, while all around it is known as it was.
    if tree[folder].isListed {
      let present = Set(files.map(\.name))
      tree[folder].files.forEach { name, file in
        if present.contains(name) { return }
        if tells, file.isShown {
          tell(.deleted, name, in: folder, isFolder: false, size: file.size, at: time)
        }
      }
      for child in tree[folder].folders where folders.index(of: tree[child].name) == nil {
        remove(child, tells: tells, at: time)
      }
    }
    var added: [Int32] = []
    for index in 0..<folders.count {
      let name = folders.name(at: index)
      if let child = tree.child(name, of: folder) {
        if isDeep { newFolders.append(child) }
      } else {
        let child = tree.addFolder(name, in: folder)
        added.append(child)
        newFolders.append(child)
      }
    }
    tree.setListed(true, of: folder)
    tree.touch(folder)
    var known: [[UInt8]: KnownFile] = [:]
    if tells { tree[folder].files.forEach { known[$0] = $1 } }
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
    if !tells { return }
    for (name, file) in files where file.isShown {
      if let old = known[name] {
        if old.stamp == file.stamp, old.size == file.size { continue }
        tell(.modified, name, in: folder, isFolder: false, size: file.size, at: time)
      } else {
        tell(.created, name, in: folder, isFolder: false, size: file.size, at: time)
        note(name, in: folder, at: time)
      }
    }
    for child in added where tree[child].isEntered {
      tell(.created, tree[child].name, in: folder, isFolder: true, at: time)
    }
  }

  /// What is known of files of the folder that the reader has listed.
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

  /// What is kept of a file; nil if it is to be treated as not there.
  func known(_ facts: EntryFacts, _ storage: FileStorage) -> KnownFile? {
    guard facts.status == .known else { return KnownFile(kind: facts.kind) }
    if ignored.contains(storage.identity) { return nil }
    // FNV-1a over what tells one state of a file from another.
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
      kind: facts.kind, size: facts.size, allocated: storage.allocated, stamp: hash)
  }

  /// What a file is now; nil if it is gone, or is to be treated as not there.
  func facts(of name: [UInt8], in folder: Int32) -> (file: KnownFile?, isGone: Bool) {
    looks.note(folder)
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
    guard var file = known(facts[0], storage[0]) else { return (nil, false) }
    if let filter {
      tree.touch(folder)
      // It has to be known for the filter to find it.
      if tree[folder].files.find(name) == nil { tree.setFile(name, in: folder, file) }
      file.isShown = filter.shownFiles(of: tree.path(of: folder))?.contains(name) ?? true
    }
    return (file, false)
  }

  /// Bytes that are left in the file system of a folder; nil if that can't be told.
  package func freeBytes(at path: [UInt8]) -> Int64? {
    guard let folder = tree.folder(at: path) else { return nil }
    finder.leave()
    defer { finder.leave() }
    guard let number = try? finder.enter(folder) else { return nil }
    return try? FileSystem.freeBytes(at: number)
  }

  /// Has changes of a file that follow at once told together.
  func note(_ name: [UInt8], in folder: Int32, at time: Int64) {
    if recent.count < Self.mostRecent {
      recent[RecentKey(folder: folder, name: name)] = Recent(time: time)
    }
  }

  // MARK: Losses

  /// Notes that changes were lost.
  func noteLoss() {
    if lossTime == nil { observer?.noteLoss(since: lastTold) }
    lossTime = lossTime ?? ThisProcess.nanoseconds
  }

  /// Changes were thrown away before they came here.
  package func noteLostPieces() { noteLoss() }

  /// When what was lost is to be looked for: once all is quiet, or after some seconds, most of which are
  /// left to what comes in; nil if nothing was lost.
  var repairTime: Int64? {
    lossTime.map { min(lastDealt + Self.rest, $0 + Self.longestLoss + 4 * repairDuration) }
  }

  /// For how long changes that were lost wait at least while others come in, in nanoseconds.
  private static let longestLoss: Int64 = 5_000_000_000

  /// Looks at all folders, and tells what has happened to them while changes were lost.
  func repair(at time: Int64) {
    lossTime = nil
    finder.leave()
    let start = ThisProcess.nanoseconds
    for root in 0..<Int32(clamping: roots.count) { look(below: root, tells: true, at: time) }
    finder.leave()
    lastDealt = ThisProcess.nanoseconds
    repairDuration = lastDealt - start
  }
}
