#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a planned tree on disk, each entry relative to its folder's descriptor.
struct TreeMaker {
  /// An entry of the current folder.
  private struct Entry {
    var name: Int
    var size: Int
    /// The index of the folder in the plan, or −1.
    var folder: Int32
    var isLink: Bool
    var time: timespec
  }

  let plan: TreePlan
  let isShuffled: Bool
  /// Whether files get sizes (as holes), or are empty, which is faster.
  let hasSizes: Bool
  /// The numbers of folders, files and bytes made so far.
  private(set) var (folders, files, bytes) = (0, 0, 0)
  private var namer = Namer()
  private var entries: [Entry] = []

  init(plan: TreePlan, isShuffled: Bool, hasSizes: Bool) {
    self.plan = plan
    self.isShuffled = isShuffled
    self.hasSizes = hasSizes
  }

  /// Makes the tree in an empty or new folder.
  mutating func make(at path: String) throws(Failure) {
    if mkdir(path, 0o755) != 0, errno != EEXIST { throw Failure(call: "mkdir", path) }
    let descriptor = retry { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Failure(call: "open", path) }
    guard try Self.isEmpty(path) else {
      close(descriptor)
      throw Failure("\(path) is not empty: nothing was made")
    }
    try fill(0, descriptor)
  }

  /// Whether a folder has no entries.
  static func isEmpty(_ path: String) throws(Failure) -> Bool {
    guard let stream = opendir(path) else { throw Failure(call: "opendir", path) }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix(3).map { $0 } }
      if name[0] != 46 || (name[1] != 0 && (name[1] != 46 || name[2] != 0)) { return false }
    }
    return true
  }

  /// Makes the contents of a folder, at any depth, and closes its descriptor.
  ///
  /// A folder's own entries come first, then its time is set, then its sub-folders are filled. The
  /// last one is filled after the folder was closed, so that a chain needs no stack.
  private mutating func fill(_ first: Int, _ opened: Int32) throws(Failure) {
    var descriptor = opened
    var folder = first
    while true {
      folders += 1
      let children = try addEntries(of: folder, descriptor)
      for (position, child) in children.enumerated() {
        let next = retry {
          openat(descriptor, child.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        let isLast = position == children.count - 1
        if isLast { close(descriptor) }
        guard next >= 0 else { throw Failure(call: "openat", "folder \(child.folder)") }
        if isLast {
          (folder, descriptor) = (child.folder, next)
        } else {
          try fill(child.folder, next)
        }
      }
      if children.isEmpty {
        close(descriptor)
        return
      }
    }
  }

  private struct Child {
    var folder: Int
    var name: [CChar]
  }

  /// Makes all entries of a folder, and returns its sub-folders that have contents.
  private mutating func addEntries(
    of index: Int, _ descriptor: Int32
  ) throws(Failure) -> [Child] {
    let folder = plan.folders[index]
    var random = Random(seed: plan.seed &+ 1, part: index)
    describeEntries(of: folder, random: &random)
    let ownTime = Self.time(random: &random)
    if isShuffled {
      var order = Random(seed: plan.seed &+ 2, part: index)
      order.shuffle(&entries)
    }
    var children: [Child] = []
    for entry in entries {
      let end = namer.bytes[entry.name...].firstIndex(of: 0) ?? entry.name
      if entry.folder < 0 {
        files += 1
        bytes += entry.size
      }
      let isMade = namer.bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return false }
        return add(
          entry, name: (base + entry.name).assumingMemoryBound(to: CChar.self), to: descriptor)
      }
      guard isMade else {
        let name = String(decoding: namer.bytes[entry.name..<end], as: UTF8.self)
        throw Failure(call: "make", name)
      }
      guard entry.folder >= 0 else { continue }
      if plan.isEmpty(Int(entry.folder)) {
        folders += 1
      } else {
        children.append(
          Child(
            folder: Int(entry.folder),
            name: namer.bytes[entry.name...end].map { CChar(bitPattern: $0) }))
      }
    }
    let times = [ownTime, ownTime]
    futimens(descriptor, times)
    return children
  }

  /// Plans the names, sizes and times of a folder's entries.
  private mutating func describeEntries(of folder: TreePlan.Folder, random: inout Random) {
    let files = Int(folder.files)
    entries.removeAll(keepingCapacity: true)
    namer.removeAll(expecting: files + Int(folder.childCount))
    for child in folder.children {
      let fixed = Int(plan.folders[child].fixedName)
      let name: Int
      if fixed >= 0, let named = folder.style.named {
        name = namer.add(fixed: named.names[fixed])
      } else {
        name = namer.addFolder(
          plan.folders[child].style, number: child - Int(folder.firstChild), random: &random)
      }
      entries.append(
        Entry(
          name: name, size: 0, folder: Int32(child), isLink: false,
          time: Self.time(random: &random)))
    }
    let sizes = folder.style.sizes
    for number in 0..<files {
      let name = namer.addFile(folder.style, number: number, random: &random)
      let drawn = random.powerOfTwo(around: sizes.middle, spread: sizes.spread)
      let isEmpty = random.oneIn(60) || !hasSizes
      let isLink = random.oneIn(150) && hasSizes
      entries.append(
        Entry(
          name: name, size: isEmpty || isLink ? 0 : min(drawn, 1 << 34), folder: -1,
          isLink: isLink, time: Self.time(random: &random)))
    }
  }

  /// Makes one entry; a folder with contents gets its time later.
  private func add(_ entry: Entry, name: UnsafePointer<CChar>, to descriptor: Int32) -> Bool {
    if entry.folder >= 0, !plan.isEmpty(Int(entry.folder)) {
      return mkdirat(descriptor, name, 0o755) == 0
    }
    return withUnsafePointer(to: (entry.time, entry.time)) { pointer in
      pointer.withMemoryRebound(to: timespec.self, capacity: 2) { times in
        if entry.folder >= 0 {
          mkdirat(descriptor, name, 0o755) == 0
            && utimensat(descriptor, name, times, AT_SYMLINK_NOFOLLOW) == 0
        } else if entry.isLink {
          symlinkat("../\(entry.name)", descriptor, name) == 0
            && utimensat(descriptor, name, times, AT_SYMLINK_NOFOLLOW) == 0
        } else {
          Self.addFile(entry.size, name, to: descriptor, times)
        }
      }
    }
  }

  private static func addFile(
    _ size: Int, _ name: UnsafePointer<CChar>, to descriptor: Int32,
    _ times: UnsafePointer<timespec>
  ) -> Bool {
    let file = retry {
      openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    guard file >= 0 else { return false }
    defer { close(file) }
    if size > 0, ftruncate(file, off_t(size)) != 0 { return false }
    return futimens(file, times) == 0
  }

  /// A random time between 2007 and 2026; later times are more likely.
  private static func time(random: inout Random) -> timespec {
    let age = random.unit()
    let seconds = 1_780_000_000 - Int(age * age * 600_000_000)
    return timespec(tv_sec: seconds, tv_nsec: random.below(1_000_000_000))
  }
}

/// Repeats a call while signals interrupt it.
private func retry(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
