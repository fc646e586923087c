import GeoCore

/// Folders that form one part of a tree.
///
/// A listed folder belongs to the part with everything in it. A listed folder inside another listed
/// folder is left out again, one inside that belongs to it again, and so on. As a file, a list has
/// the path of each folder, ended by a zero byte: the root's label, then names, joined by `/`.
package struct FolderList: Sendable, Hashable {
  /// The paths, in byte order of their names.
  package let paths: [[UInt8]]

  /// The maximum number of names in a path.
  package static let maximumDepth = 512

  /// A list of paths, in any order; `name` stands for it in messages.
  package init(
    _ paths: [[UInt8]], called name: @autoclosure () -> String = "a list"
  ) throws(Failure) {
    if paths.isEmpty {
      throw .usage("\(name()) names no folder; 'geomapper split' writes lists")
    }
    for path in paths {
      let names = path.components
      if names.isEmpty || names.count > Self.maximumDepth || !names.allSatisfy(EntryName.isValid) {
        throw .usage(
          "\(name()) has '\(TerminalText.escaped(path))', which is not a path on the map")
      }
    }
    let sorted = paths.sorted { MapOrder.precedes($0, $1) }
    for (path, next) in zip(sorted, sorted.dropFirst()) where path == next {
      throw .usage("\(name()) has '\(TerminalText.escaped(path))' twice")
    }
    self.paths = sorted
  }

  package init(
    parsing bytes: [UInt8], called name: @autoclosure () -> String = "a list"
  ) throws(Failure) {
    guard bytes.last ?? 0 == 0 else {
      throw .usage("\(name()) is not a list of folders; 'geomapper split' writes them")
    }
    let paths = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    try self.init(bytes.isEmpty ? [] : paths.map { Array($0) }, called: name())
  }

  /// The paths of the folders that belong to the part although the folder above them doesn't.
  package var beginnings: [[UInt8]] {
    let listed = Set(paths)
    return paths.filter { path in
      var above = 0
      var rest = path.parentPath
      while let folder = rest {
        if listed.contains(Array(folder)) { above += 1 }
        rest = folder.parentPath
      }
      return above % 2 == 0
    }
  }

  /// The labels of the roots that it has folders of.
  package var labels: Set<[UInt8]> { Set(paths.map { Array($0.firstComponent) }) }
  package var bytes: [UInt8] { paths.flatMap { $0 + [0] } }
}

/// The folders of several lists as one tree: which of the lists has a folder.
package final class ListedFolders: Sendable {
  /// The indices of the lists that have this folder, ascending.
  package let owners: [Int]
  /// The folders below it that lists name, and those on the way to them, by name.
  package let folders: [[UInt8]: ListedFolders]

  private init(owners: [Int], folders: [[UInt8]: ListedFolders]) {
    self.owners = owners
    self.folders = folders
  }

  /// The virtual folder above all roots.
  package convenience init(_ lists: [FolderList]) {
    let paths = lists.enumerated().flatMap { index, list in
      list.paths.map { (names: $0.components[...], list: index) }
    }
    self.init(paths, above: [])
  }

  private convenience init(
    _ paths: [(names: ArraySlice<ArraySlice<UInt8>>, list: Int)], above: Set<Int>
  ) {
    let owners = above.symmetricDifference(paths.lazy.filter(\.names.isEmpty).map(\.list))
    let below = Dictionary(grouping: paths.filter { !$0.names.isEmpty }) {
      Array($0.names.first ?? [])
    }
    self.init(
      owners: owners.sorted(),
      folders: below.mapValues { paths in
        ListedFolders(paths.map { ($0.names.dropFirst(), $0.list) }, above: owners)
      })
  }
}
