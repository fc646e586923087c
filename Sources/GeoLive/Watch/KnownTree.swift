import GeoCore
import GeoTree

/// The folders and files of some roots as they are known, with what is below each folder added up.
///
/// It knows no disk: whoever watches one tells it what has happened. A folder has a number as long as it
/// is there, wherever it is moved.
package final class KnownTree {
  /// A folder.
  struct Folder {
    /// The number of the folder that it is in; −1 of a root, and of one that is on the move.
    var parent: Int32
    /// The number by which the system tells of it; −1 if it doesn't.
    var watch: Int32 = -1
    /// Whether it is entered; if not, only its name is known.
    var isEntered = true
    /// Whether its listing is known.
    var isListed = false
    /// Whether the number is in use.
    var isThere = true
    /// Counts up with every change of what is in it, over all folders, so that no two listings have the
    /// same.
    var version: UInt64 = 0
    /// A root's label, or the name.
    var name: [UInt8]
    var files = FileSet()
    /// The numbers of the sub-folders, in the byte order of their names.
    var folders: [Int32] = []
    /// What is below it, each name of a file counted.
    var sums = TreeSums()
  }

  private(set) var folders: [Folder] = []
  private var free: [Int32] = []
  private var versions: UInt64 = 0

  /// A tree of some roots, whose numbers are 0, 1 and so on.
  package init(labels: [[UInt8]]) {
    for label in labels { folders.append(Folder(parent: -1, name: label)) }
    rootCount = Int32(clamping: labels.count)
  }

  /// How many roots there are.
  let rootCount: Int32

  /// How many folders are known.
  package var folderCount: Int { folders.count - free.count }

  subscript(folder: Int32) -> Folder { folders[Int(folder)] }

  // MARK: Paths

  /// The label of the root and the names that lead to a folder, joined by `/`.
  package func path(of folder: Int32) -> [UInt8] {
    var names: [[UInt8]] = []
    var next = folder
    while next >= 0 {
      names.append(self[next].name)
      next = self[next].parent
    }
    return Array(names.reversed().joined(separator: [.slash]))
  }

  /// The root that a folder is below, or is.
  func root(of folder: Int32) -> Int32 {
    var root = folder
    while self[root].parent >= 0 { root = self[root].parent }
    return root
  }

  /// Whether a folder is another one, or one that it is in.
  func isAbove(_ folder: Int32, _ other: Int32) -> Bool {
    var next = other
    while next >= 0 {
      if next == folder { return true }
      next = self[next].parent
    }
    return false
  }

  /// The number of a sub-folder; nil if there is none of that name.
  func child(_ name: some Collection<UInt8>, of folder: Int32) -> Int32? {
    let (index, isThere) = place(of: name, in: folder)
    return isThere ? self[folder].folders[index] : nil
  }

  /// The number of the folder at a path; nil if there is none.
  ///
  /// - Complexity: O(bytes of the path) if the folder that it is in was asked for before it, as by who goes
  ///   down to it, and nothing has changed since.
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

  /// The folder that was found last, and how many changes there were then.
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

  /// What is below the folder at a path; nil if there is none.
  package func sums(at path: [UInt8]) -> TreeSums? { folder(at: path).map { self[$0].sums } }

  /// The paths of the folders with the most bytes below them, the largest first, without the roots.
  ///
  /// - Complexity: O(n log n).
  package func largest(_ most: Int) -> [[UInt8]] {
    let all = folders.indices.filter {
      folders[$0].isThere && folders[$0].isEntered && folders[$0].parent >= 0
    }
    // Of folders that are as large the one with the lower number, so that the result is always the same.
    let sorted = all.sorted {
      (folders[$1].sums.bytes, $0) < (folders[$0].sums.bytes, $1)
    }
    return sorted.prefix(most).map { path(of: Int32(clamping: $0)) }
  }

  // MARK: Changes

  /// Notes that the sub-folders of a folder, or what else decides about places in it, have changed.
  func touch(_ folder: Int32) {
    versions += 1
    folders[Int(folder)].version = versions
  }

  /// Takes in a sub-folder of which nothing is known yet.
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

  /// Puts a folder that is nowhere into another one.
  func attach(_ folder: Int32, to parent: Int32, as name: [UInt8]) {
    folders[Int(folder)].name = name
    let (index, _) = place(of: name, in: parent)
    folders[Int(folder)].parent = parent
    folders[Int(parent)].folders.insert(folder, at: index)
    add(whole(folder), above: parent)
    touch(parent)
  }

  /// What a folder with all that is in it adds to the one that it is in.
  private func whole(_ folder: Int32) -> TreeSums {
    var sums = self[folder].sums
    if self[folder].isEntered { sums.folders += 1 }
    return sums
  }

  /// Takes a folder out of the one that it is in; what is in it stays with it.
  func detach(_ folder: Int32) {
    let parent = self[folder].parent
    if parent < 0 { return }
    let (index, isThere) = place(of: self[folder].name, in: parent)
    if isThere { folders[Int(parent)].folders.remove(at: index) }
    folders[Int(folder)].parent = -1
    add(TreeSums() - whole(folder), above: parent)
    touch(parent)
  }

  /// Forgets a folder that was taken out, and all that is in it.
  ///
  /// - Parameter forget: Told the watch of each that has one.
  func discard(_ folder: Int32, forgetting forget: (Int32, Int32) -> Void) {
    var rest = [folder]
    while let next = rest.popLast() {
      rest += self[next].folders
      if self[next].watch >= 0 { forget(next, self[next].watch) }
      folders[Int(next)] = Folder(parent: -1, isThere: false, name: [])
      free.append(next)
    }
  }

  /// Takes in a file, or what is known of it by now.
  func setFile(_ name: [UInt8], in folder: Int32, _ file: KnownFile) {
    var sums = TreeSums(file)
    if let old = self[folder].files.find(name) { sums -= TreeSums(old) }
    folders[Int(folder)].files.set(name, file)
    add(sums, above: folder)
  }

  /// Forgets a file.
  @discardableResult
  func removeFile(_ name: [UInt8], of folder: Int32) -> KnownFile? {
    guard let old = folders[Int(folder)].files.remove(name) else { return nil }
    add(TreeSums() - TreeSums(old), above: folder)
    return old
  }

  /// Replaces all files of a folder.
  func setFiles(of folder: Int32, to files: [(name: [UInt8], file: KnownFile)]) {
    var sums = TreeSums()
    self[folder].files.forEach { sums -= TreeSums($1) }
    for (_, file) in files { sums += TreeSums(file) }
    folders[Int(folder)].files.replace(by: files)
    add(sums, above: folder)
  }

  /// Packs the files of a folder in which nothing happens any more.
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
