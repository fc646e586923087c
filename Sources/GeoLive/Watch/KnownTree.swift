import GeoCore
import GeoTree

/// The known folders and files of some roots, with the totals of each folder.
///
/// It doesn't read the disk; a watcher updates it. A folder keeps its number until it is removed,
/// even if it moves.
package final class KnownTree: Forest {
  struct Folder {
    /// Number of the parent folder; −1 for a root, and for a detached folder.
    var parent: Int32
    /// The system's number of the watched folder; −1 if it is not watched.
    var watch: Int32 = -1
    /// Whether the folder is entered; if not, only its name is known.
    var isEntered = true
    /// Whether its entries are known.
    var isListed = false
    var isThere = true
    /// Set from a counter of the whole tree with every change that affects places in the folder, so
    /// that no two listings have the same version.
    var version: UInt64 = 0
    var name: [UInt8]
    var files = FileSet()
    /// Numbers of the sub-folders, in the byte order of their names.
    var folders: [Int32] = []
    /// Hard links count once for each name.
    var sums = TreeSums()
  }

  private(set) var folders: [Folder] = []
  private var free: [Int32] = []
  private var versions: UInt64 = 0

  /// The roots get the numbers 0, 1 and so on.
  package init(labels: [[UInt8]]) {
    for label in labels { folders.append(Folder(parent: -1, name: label)) }
    rootCount = Int32(clamping: labels.count)
  }

  let rootCount: Int32

  package var folderCount: Int { folders.count - free.count }

  subscript(folder: Int32) -> Folder { folders[Int(folder)] }

  // MARK: Paths

  package func name(of folder: Int) -> ArraySlice<UInt8> { folders[folder].name[...] }

  package func parent(of folder: Int) -> Int? {
    folders[folder].parent < 0 ? nil : Int(folders[folder].parent)
  }

  package func path(of folder: Int32) -> [UInt8] { path(of: Int(folder)) }

  func root(of folder: Int32) -> Int32 {
    var root = folder
    while self[root].parent >= 0 { root = self[root].parent }
    return root
  }

  func isAbove(_ folder: Int32, _ other: Int32) -> Bool {
    var next = other
    while next >= 0 {
      if next == folder { return true }
      next = self[next].parent
    }
    return false
  }

  func child(_ name: some Collection<UInt8>, of folder: Int32) -> Int32? {
    let (index, isThere) = place(of: name, in: folder)
    return isThere ? self[folder].folders[index] : nil
  }

  /// O(bytes of the path) if the last lookup found an ancestor and nothing has changed since, as
  /// when walking down a path.
  package func folder(at path: [UInt8]) -> Int32? {
    if let last = found, last.version == versions, path.count > last.path.count,
      path[last.path.count] == .slash, path.starts(with: last.path)
    {
      return folder(path[(last.path.count + 1)...], below: last.folder, path)
    }
    let label = path.firstComponent
    guard let root = (0..<rootCount).first(where: { self[$0].name.elementsEqual(label) }) else {
      return nil
    }
    return folder(path.dropFirst(label.count + 1), below: root, path)
  }

  private func folder(_ names: ArraySlice<UInt8>, below start: Int32, _ path: [UInt8]) -> Int32? {
    var folder = start
    for name in names.split(separator: .slash) {
      guard let next = child(name, of: folder) else { return nil }
      folder = next
    }
    found = (path, folder, versions)
    return folder
  }

  /// The result of the last lookup, and the tree's version at that time.
  private var found: (path: [UInt8], folder: Int32, version: UInt64)?

  private func place(
    of name: some Collection<UInt8>, in folder: Int32
  ) -> (index: Int, isThere: Bool) {
    var (low, high) = (0, self[folder].folders.count)
    while low < high {
      let middle = (low + high) / 2
      let other = self[self[folder].folders[middle]].name
      if other.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    let isThere =
      low < self[folder].folders.count
      && self[self[folder].folders[low]].name.elementsEqual(name)
    return (low, isThere)
  }

  package func sums(at path: [UInt8]) -> TreeSums? { folder(at: path).map { self[$0].sums } }

  /// The paths of the folders with the largest totals of bytes, in descending order, without roots.
  package func largest(_ maximum: Int) -> [[UInt8]] {
    let all = folders.indices.filter {
      folders[$0].isThere && folders[$0].isEntered && folders[$0].parent >= 0
    }
    // Ties are broken by number, so that the result is deterministic.
    let sorted = all.sorted {
      (folders[$1].sums.bytes, $0) < (folders[$0].sums.bytes, $1)
    }
    return sorted.prefix(maximum).map { path(of: Int32(clamping: $0)) }
  }

  // MARK: Changes

  func touch(_ folder: Int32) {
    versions += 1
    folders[Int(folder)].version = versions
  }

  func addFolder(_ name: [UInt8], in parent: Int32) -> Int32 {
    var new = Folder(parent: -1, name: name)
    versions += 1
    new.version = versions
    let number: Int32
    if let used = free.popLast() {
      number = used
      folders[Int(used)] = new
    } else {
      number = Int32(clamping: folders.count)
      folders.append(new)
    }
    attach(number, to: parent, as: name)
    return number
  }

  func attach(_ folder: Int32, to parent: Int32, as name: [UInt8]) {
    folders[Int(folder)].name = name
    let (index, _) = place(of: name, in: parent)
    folders[Int(folder)].parent = parent
    folders[Int(parent)].folders.insert(folder, at: index)
    add(whole(folder), above: parent)
    touch(parent)
  }

  /// What a folder with its contents adds to the totals of its parent.
  private func whole(_ folder: Int32) -> TreeSums {
    var sums = self[folder].sums
    if self[folder].isEntered { sums.folders += 1 }
    return sums
  }

  /// With its contents.
  func detach(_ folder: Int32) {
    let parent = self[folder].parent
    if parent < 0 { return }
    let (index, isThere) = place(of: self[folder].name, in: parent)
    if isThere { folders[Int(parent)].folders.remove(at: index) }
    folders[Int(folder)].parent = -1
    add(TreeSums() - whole(folder), above: parent)
    touch(parent)
  }

  /// Removes a detached folder with its contents. `forget` is called with each watched folder and
  /// its watch.
  func discard(_ folder: Int32, forgetting forget: (Int32, Int32) -> Void) {
    var rest = [folder]
    while let next = rest.popLast() {
      rest += self[next].folders
      if self[next].watch >= 0 { forget(next, self[next].watch) }
      folders[Int(next)] = Folder(parent: -1, isThere: false, name: [])
      free.append(next)
    }
  }

  func setFile(_ name: [UInt8], in folder: Int32, _ file: KnownFile) {
    var sums = TreeSums(file)
    if let old = self[folder].files.find(name) { sums -= TreeSums(old) }
    folders[Int(folder)].files.set(name, file)
    add(sums, above: folder)
  }

  @discardableResult
  func removeFile(_ name: [UInt8], of folder: Int32) -> KnownFile? {
    guard let old = folders[Int(folder)].files.remove(name) else { return nil }
    add(TreeSums() - TreeSums(old), above: folder)
    return old
  }

  func setFiles(of folder: Int32, to files: [(name: [UInt8], file: KnownFile)]) {
    var sums = TreeSums()
    self[folder].files.forEach { sums -= TreeSums($1) }
    for (_, file) in files { sums += TreeSums(file) }
    folders[Int(folder)].files.replace(by: files)
    add(sums, above: folder)
  }

  func pack(_ folder: Int32) { folders[Int(folder)].files.pack() }

  func setWatch(_ watch: Int32, of folder: Int32) { folders[Int(folder)].watch = watch }

  func setEntered(_ isEntered: Bool, of folder: Int32) {
    if self[folder].isEntered == isEntered { return }
    let before = whole(folder)
    folders[Int(folder)].isEntered = isEntered
    add(whole(folder) - before, above: self[folder].parent)
  }

  func setListed(_ isListed: Bool, of folder: Int32) {
    folders[Int(folder)].isListed = isListed
  }

  private func add(_ sums: TreeSums, above folder: Int32) {
    if sums == TreeSums() { return }
    var next = folder
    while next >= 0 {
      folders[Int(next)].sums += sums
      next = self[next].parent
    }
  }
}
