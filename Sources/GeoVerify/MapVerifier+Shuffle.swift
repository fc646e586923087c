import GeoPath
import GeoProjection

extension MapVerifier {
  /// Lists each folder's sub-folders in another order and looks whether they stay where they are.
  ///
  /// Called between the two passes.
  ///
  /// - Parameter seed: Decides the order.
  /// - Returns: How many folders were listed.
  /// - Throws: The first folder that moved.
  public func checkShuffled(seed: UInt64) throws(MapFault) -> Int {
    guard let engine else { return 0 }
    var places: [FolderPlace] = []
    var children: [Int] = []
    var index: UInt64 = 0
    var count = 0
    for parent in tree.records.indices where tree[parent].children > 0 {
      let record = tree[parent]
      guard record.isPlaced, record.isComplete else { continue }
      children.removeAll(keepingCapacity: true)
      tree.forEachChild(of: parent) { children.append($0) }
      for last in stride(from: children.count - 1, to: 0, by: -1) {
        children.swapAt(last, Int(SplitMix64.number(seed, index) % UInt64(last + 1)))
        index += 1
      }
      var names = NameTable()
      for child in children { names.append(Array(tree.name(of: child)).span, kind: .directory) }
      engine.placeFolders(names, in: record.place, fileCount: record.files, into: &places)
      for (position, child) in children.enumerated() where tree[child].place != places[position] {
        throw MapFault(
          line: 0, path: path(of: child),
          reason: "it moves when its folder is listed in another order")
      }
      count += 1
    }
    return count
  }

  private func path(of index: Int) -> [UInt8] {
    var path: [UInt8] = []
    var next = index
    while next >= 0 {
      path = tree.name(of: next) + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + path
      next = Int(tree[next].parent)
    }
    return path
  }
}
