import GeoCore
import GeoSystem
import GeoTree

/// Converts the paths of a layer's source to paths of the map.
///
/// A path is relative to the only root, or begins with a root's label, or is absolute and lies below
/// a root. `.`, `..` and empty names are resolved by the text alone.
struct LayerPaths {
  private struct Root {
    let label: [UInt8]
    /// Absolute paths of its folder, without a slash at the end.
    let folders: [[UInt8]]
  }

  private let roots: [Root]
  private let listing: () -> FolderListing
  /// Whether paths that begin with the only root's label begin at that label; nil if unknown yet.
  private var countsFromLabel: Bool?

  init(_ roots: [ScanRoot], named: [ScanRoot]) {
    self.roots = zip(roots, named).map { root, named in
      var folders: [[UInt8]] = []
      let folder = Self.recorded(named) ?? named.directory
      let directory = named.names.reduce(folder) { $0.appending(component: $1) }
      if let path = Self.absolute(directory) { folders.append(path) }
      if !directory.contains(0), let path = try? ThisProcess.realPath(directory),
        let real = Self.absolute(path), !folders.contains(real)
      {
        folders.append(real)
      }
      return Root(label: root.label, folders: folders)
    }
    let first = roots.first
    listing = { first?.listing ?? FolderListing() }
  }

  /// The folder of a root where a snapshot was taken, or a list was made; nil of other roots, and if
  /// it isn't known from the top.
  private static func recorded(_ root: ScanRoot) -> [UInt8]? {
    guard let source = root.source as? SnapshotSource else { return nil }
    let folder = source.snapshot.header.roots[source.number].directory
    return folder.first == .slash ? folder : nil
  }

  /// An absolute path without `.`, `..`, doubled slashes and a slash at the end.
  static func absolute(_ path: [UInt8]) -> [UInt8]? {
    var whole = path
    if path.first != .slash {
      guard let folder = ThisProcess.workingDirectory else { return nil }
      whole = folder.appending(component: path)
    }
    var clean: [UInt8] = []
    append(whole.span, to: &clean, isAbsolute: true)
    return clean
  }

  /// Appends the names of a path, each after a slash; false if it leads above the place where it
  /// begins, or a name is not possible.
  @discardableResult
  private static func append(
    _ bytes: Span<UInt8>, to path: inout [UInt8], isAbsolute: Bool
  ) -> Bool {
    let start = path.count
    var begin = 0
    while begin < bytes.count {
      var end = begin
      var hasZero = false
      while end < bytes.count, bytes[end] != .slash {
        if bytes[end] == 0 { hasZero = true }
        end += 1
      }
      let name = bytes.extracting(begin..<end)
      begin = end + 1
      if hasZero || name.count > NameRecord.longestName { return false }
      if name.isEmpty { continue }
      if name[0] == dot, name.count == 1 { continue }
      if name[0] == dot, name.count == 2, name[1] == dot {
        if path.count > start {
          while path[path.count - 1] != .slash { path.removeLast() }
          path.removeLast()
        } else if !isAbsolute {
          return false
        }
        continue
      }
      path.append(.slash)
      path.append(copying: name)
    }
    return true
  }

  private static let dot = UInt8(ascii: ".")

  /// Sets the path on the map; false if it is not below a root. O(length · roots).
  mutating func resolve(_ text: Span<UInt8>, into path: inout [UInt8]) -> Bool {
    path.removeAll(keepingCapacity: true)
    if !text.isEmpty, text[0] == .slash {
      guard Self.append(text, to: &path, isAbsolute: true) else { return false }
      return cutFolder(of: &path)
    }
    if roots.count == 1 { path += roots[0].label }
    let start = path.count
    guard Self.append(text, to: &path, isAbsolute: false) else { return false }
    if roots.count == 1 {
      let names = path[start...].dropFirst()
      if names.isPath(atOrBelow: roots[0].label), isFromLabel() { path.removeSubrange(...start) }
      return true
    }
    if path.isEmpty { return false }
    path.removeFirst()
    let label = path.firstComponent
    return roots.contains { $0.label.elementsEqual(label) }
  }

  private func cutFolder(of path: inout [UInt8]) -> Bool {
    var best: (label: [UInt8], length: Int)?
    for root in roots {
      for folder in root.folders
      where path.isPath(atOrBelow: folder) && folder.count >= best?.length ?? 0 {
        best = (root.label, folder.count)
      }
    }
    guard let best else { return false }
    path.replaceSubrange(..<best.length, with: best.label)
    return true
  }

  /// Whether paths that begin with the only root's label begin at it: unless the root has an entry
  /// of that name.
  private mutating func isFromLabel() -> Bool {
    if let countsFromLabel { return countsFromLabel }
    let (label, listing) = (roots[0].label, listing())
    func has(_ names: NameTable) -> Bool {
      names.records.contains { names.bytes[$0.range].elementsEqual(label) }
    }
    let isFromLabel = !has(listing.files) && !has(listing.folders)
    countsFromLabel = isFromLabel
    return isFromLabel
  }
}
