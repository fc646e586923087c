import GeoPath
import GeoProjection

extension World {
  /// A node that was found by its path.
  package struct Found {
    /// The folders from the root on, each in the one before; the last holds the node, or is it.
    package var ancestors: [WorldFolder]
    /// Which of the last one's files it is; nil if it is that folder itself.
    package var file: Int?
    fileprivate var way: FolderWay

    /// The folder itself, or the one that holds the file.
    package var folder: WorldFolder { ancestors[ancestors.count - 1] }

    /// Opens the last one.
    package var handle: FolderChain {
      var way = way
      return way.folder(atDepth: ancestors.count - 1)
    }
  }

  /// The node at a path; nil if there is none.
  ///
  /// Only listings of the folders on the way are read. Names are looked up in them, so that neither
  /// `..` nor a symbolic link leads anywhere.
  package func find(_ path: [UInt8]) -> Found? {
    let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let label = names.first, names.count <= Self.deepest,
      let root = roots.firstIndex(where: { $0.label.elementsEqual(label) })
    else { return nil }
    var way = FolderWay(chain(ofRoot: root), names)
    var folder = self.folder(
      at: roots[root].label, root: root, place: engine.roots[root], way.folder(atDepth: 0))
    var ancestors = [folder]
    ancestors.reserveCapacity(names.count)
    for depth in 1..<max(1, names.count) {
      let name = names[depth]
      if let index = folder.folders.index(of: name.span) {
        folder = child(index, of: folder, way.folder(atDepth: depth))
        ancestors.append(folder)
      } else if depth == names.count - 1, let index = folder.files.index(of: name.span) {
        return Found(ancestors: ancestors, file: index, way: way)
      } else {
        return nil
      }
    }
    return Found(ancestors: ancestors, file: nil, way: way)
  }
}

/// The folders on a path, put into a chain as far as one of them has to be opened.
private struct FolderWay {
  private let names: [ArraySlice<UInt8>]
  private var last: FolderChain
  private var depth = 0

  init(_ root: FolderChain, _ names: [ArraySlice<UInt8>]) {
    last = root
    self.names = names
  }

  /// - Parameter depth: Not less than at the call before.
  mutating func folder(atDepth depth: Int) -> FolderChain {
    while self.depth < depth {
      self.depth += 1
      last = last.child(Array(names[self.depth]))
    }
    return last
  }
}
