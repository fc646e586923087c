import GeoPath
import GeoScan

/// A folder of a union in which something is still to be read.
final class UnionFolder: KeptFolder {
  /// Which root it is in.
  let root: Int
  let sides: [Side]

  /// The folder as one of the states has it.
  struct Side: Sendable {
    /// nil if the state doesn't have it, or not its listing.
    var kept: (any KeptFolder)?
    var files = NameTable()
    var folders = NameTable()
    var marks: [UInt64] = []
  }

  init(root: Int, sides: [Side]) {
    self.root = root
    self.sides = sides
  }
}

extension FolderReference {
  /// What a reference to a folder of a union means in one of the states; nil if that doesn't have it.
  ///
  /// - Parameters:
  ///   - root: Which root of the union it is, or is in.
  func inState(_ state: Int, of source: UnionSource, root number: Int) -> FolderReference? {
    guard let side = source.sides[number][state] else { return nil }
    switch self {
    case .kept(let folder):
      return unsafe unsafeDowncast(folder, to: UnionFolder.self).sides[state].kept.map { .kept($0) }
    case .child(let parent, let path, let name, _, _):
      let folder = unsafe unsafeDowncast(parent, to: UnionFolder.self).sides[state]
      guard let kept = folder.kept, let index = folder.folders.index(of: name) else { return nil }
      // The path begins with the union's label, which need not be the state's.
      let place =
        side.label == source.labels[number]
        ? path : side.label + path.drop { $0 != .slash }
      return .child(
        of: kept, path: place, name: name,
        isLink: folder.folders.records[index].kind == .symlink,
        mark: index < folder.marks.count ? folder.marks[index] : nil)
    case .path(let root, let path, _):
      return .path(root: side, path: side.path(to: root.names(to: path)), mark: nil)
    }
  }

  /// The path on the map; nil if the folder is known by being kept alone.
  var path: [UInt8]? {
    switch self {
    case .kept: nil
    case .child(_, let path, _, _, _), .path(_, let path, _): path
    }
  }

  /// Whether it is a root itself, which has to be there.
  var isRoot: Bool {
    if case .path(let root, let path, _) = self { root.names(to: path).isEmpty } else { false }
  }
}
