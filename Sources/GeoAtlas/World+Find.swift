import GeoCore
import GeoProjection
import GeoTree
import GeoSystem

extension World {
  /// A node that was found by its path.
  package struct Found {
    /// The folders from the root on, each in the one before; the last holds the node, or is it.
    package var ancestors: [WorldFolder]
    /// Which of the last one's files it is; nil if it is that folder itself.
    package var file: Int?
    /// Reads on from there.
    package let reader: WorldReader

    /// The folder itself, or the one that holds the file.
    package var folder: WorldFolder { ancestors[ancestors.count - 1] }
  }

  /// The node at a path; nil if there is none.
  ///
  /// Only listings of the folders on the way are read. Names are looked up in them, so that neither
  /// `..` nor a symbolic link leads anywhere.
  package func find(_ path: [UInt8]) -> Found? {
    let names = path.components
    let reader = reader()
    guard names.count <= Self.deepest,
      var ancestors = folders(along: names.count > 1 ? names.dropLast() : names[...], by: reader)
    else { return nil }
    if names.count > 1 {
      let name = names[names.count - 1]
      let parent = ancestors[ancestors.count - 1]
      if let index = parent.folders.index(of: name.span) {
        ancestors.append(reader.child(index, of: parent))
      } else if let index = parent.files.index(of: name.span) {
        return Found(ancestors: ancestors, file: index, reader: reader)
      } else {
        return nil
      }
    }
    // Where only files are shown, folders are on the way to them alone.
    return visibility.showsFolders ? Found(ancestors: ancestors, file: nil, reader: reader) : nil
  }

  /// The folders that names lead through, from a root on; nil if one of them isn't there.
  ///
  /// - Parameter names: A root's label and names of folders, each in the one before.
  package func folders(
    along names: ArraySlice<ArraySlice<UInt8>>, by reader: WorldReader
  ) -> [WorldFolder]? {
    guard let label = names.first,
      let root = roots.firstIndex(where: { $0.label.elementsEqual(label) })
    else { return nil }
    var folders = [reader.root(root)]
    folders.reserveCapacity(names.count + 1)
    for name in names.dropFirst() {
      let parent = folders[folders.count - 1]
      guard let index = parent.folders.index(of: name.span) else { return nil }
      folders.append(reader.child(index, of: parent))
    }
    return folders
  }

  /// Tells of every folder, each before what is in it, those of one folder in the order of their names.
  ///
  /// The listings on the way are in memory, and those that the world keeps anyway.
  package func forEachFolder<Failure: Error>(
    _ body: (Found) throws(Failure) -> Void
  ) throws(Failure) {
    let reader = reader()
    for root in roots.indices {
      var stack = [(folder: reader.root(root), next: 0)]
      try body(Found(ancestors: stack.map(\.folder), file: nil, reader: reader))
      while let (folder, next) = stack.last {
        guard next < folder.places.count, stack.count < Self.deepest else {
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        stack.append((reader.child(next, of: folder), 0))
        try body(Found(ancestors: stack.map(\.folder), file: nil, reader: reader))
      }
    }
  }

  /// Where a node is on this machine, as an absolute path; nil if that can't be told.
  ///
  /// - Parameter state: The roots of the state that is meant, in a world of several.
  package func file(of found: Found, in state: [ScanRoot]? = nil) -> [UInt8]? {
    let root = roots[found.folder.root]
    if let state {
      // A single root may have another label in the union.
      let own = state.count == 1 ? state.first : state.first { $0.label == root.label }
      return own.flatMap { file(of: found, at: $0) }
    }
    return file(of: found, at: root)
  }

  private func file(of found: Found, at root: ScanRoot) -> [UInt8]? {
    guard root.source is DiskSource else { return nil }
    var path = root.directory
    if path.first != .slash {
      guard let start = ThisProcess.workingDirectory else { return nil }
      path = start.appending(component: path)
    }
    while path.count > 1, path.last == .slash { path.removeLast() }
    for name in root.names { path.append(component: name) }
    path += found.folder.path.dropFirst(roots[found.folder.root].label.count)
    if let file = found.file { path.append(component: found.folder.files.name(at: file)) }
    return path
  }
}
