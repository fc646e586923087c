import GeoCore
import GeoTree

extension ListWorker {
  /// Reads the list for the first time: finds all folders and what it says of them, and what is
  /// wrong with it.
  ///
  /// - Returns: Whether all that is no folder stands in the order of the map already, and no path
  ///   twice.
  func readFolders() throws -> Bool {
    var parser = Parser(input, source)
    var resolver = PathResolver(prefix)
    var check = OrderCheck()
    var entry = ListedEntry()
    var number = 0
    while true {
      let step = try parser.next(into: &entry, faults: &listFaults)
      if !listFaults.isEmpty { try reportListFaults() }
      if step == .end { break }
      if step == .fault { continue }
      number += 1
      try pause(after: number, at: entry.position)
      switch resolver.resolve(&entry, in: &table, makes: true) {
      case .nowhere(let fault): try report(entry.position, text(of: fault, in: entry.path))
      case .lost: throw ListError.tooLarge(list: input.name)
      case .folder(let folder):
        if entry.facts.kind == .directory || entry.facts.flags.contains(.unsure) {
          try note(folder, entry)
        } else {
          let reason = folder == 0 ? "it is what is mapped" : "a slash ends its path"
          try report(
            entry.position, "\(shown(entry.path)) is no folder by its type, but \(reason)")
        }
      case .entry(let parent, let name):
        if entry.facts.kind == .directory {
          let bytes = entry.path.span.extracting(name)
          guard let folder = table.make(bytes, in: parent) else {
            throw ListError.tooLarge(list: input.name)
          }
          try note(folder, entry)
        } else {
          check.add(entry.path.span.extracting(name), in: parent, table)
        }
      }
    }
    return check.isOrdered
  }

  private func reportListFaults() throws {
    let found = listFaults
    listFaults.removeAll()
    for fault in found { try report(fault.position, fault.reason) }
  }

  /// Keeps what the list says of a folder.
  private func note(_ folder: Int, _ entry: ListedEntry) throws {
    if entry.facts.flags.contains(.unsure) { return }
    var flags = FolderTable.Flags.listed
    if entry.facts.flags.contains(.dated) { flags.insert(.dated) }
    if entry.facts.flags.contains(.unreadable) { flags.insert(.unreadable) }
    if entry.facts.flags.contains(.unlisted) { flags.insert(.unlisted) }
    let known = table.flags[folder]
    if !known.contains(.listed) {
      table.flags[folder] = flags
      table.modified[folder] = entry.facts.modified
    } else if known.subtracting(.disputed) != flags
      || table.modified[folder] != entry.facts.modified
    {
      table.flags[folder].insert(.disputed)
      try report(
        entry.position, "\(shown(entry.path)) was listed before, with another time of change")
    }
  }

  private func text(of fault: PathFault, in path: [UInt8]) -> String {
    switch fault {
    case .empty: "it is empty"
    case .outside: "\(shown(path)) is not below \(shown(root.prefix))"
    case .parent: "\(shown(path)) leads upwards by '..'"
    case .longName: "a name in it is longer than \(NameRecord.longestName) bytes"
    case .zero: "\(shown(path)) holds a zero byte"
    }
  }
}

/// Looks whether entries come in the order of the map, no two with the same path.
private struct OrderCheck {
  private(set) var isOrdered = true
  private var folder = -1
  private var name: [UInt8] = []
  /// The folders below the root that lead to the entry at hand. Their numbers ascend, as each was
  /// made before those in it.
  private var folders: [Int] = []
  /// Those that lead to the next entry and not to the one at hand, the deepest first.
  private var next: [Int] = []

  mutating func add(_ name: Span<UInt8>, in folder: Int, _ table: FolderTable) {
    if !isOrdered { return }
    if folder == self.folder {
      isOrdered = Self.orders(self.name.span, before: name)
    } else {
      let common = climb(from: folder, table)
      if self.folder >= 0 { isOrdered = nextFollows(common, table) }
      folders.removeSubrange(common...)
      folders.append(contentsOf: next.reversed())
      self.folder = folder
    }
    self.name.removeAll(keepingCapacity: true)
    for index in 0..<name.count { self.name.append(name[index]) }
  }

  /// Goes up from a folder to one that leads to the entry at hand.
  ///
  /// - Returns: How many folders both have in common.
  /// - Complexity: O(d log n) for d folders that are left behind; in a list that is in order each is
  ///   left once.
  private mutating func climb(from folder: Int, _ table: FolderTable) -> Int {
    next.removeAll(keepingCapacity: true)
    var folder = folder
    while folder > 0 {
      var low = 0
      var high = folders.count
      while low < high {
        let middle = (low + high) / 2
        if folders[middle] < folder { low = middle + 1 } else { high = middle }
      }
      if low < folders.count, folders[low] == folder { return low + 1 }
      next.append(folder)
      folder = Int(table.parents[folder])
    }
    return 0
  }

  /// Whether the next folder comes later than the last one, which is another.
  private func nextFollows(_ common: Int, _ table: FolderTable) -> Bool {
    // A folder's files come before the folders in it.
    if common == folders.count { return true }
    guard let other = next.last else { return false }
    let names = table.arena.span
    return names.orders(table.name(of: folders[common]), before: table.name(of: other))
  }

  private static func orders(_ a: Span<UInt8>, before b: Span<UInt8>) -> Bool {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index]
    }
    return a.count < b.count
  }
}
