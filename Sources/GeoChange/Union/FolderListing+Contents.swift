import GeoCore
import GeoTree

extension FolderListing {
  /// Names what is in those sub-folders in which all states have the same.
  ///
  /// - Parameter sides: What the states list.
  /// - Complexity: O(sub-folders).
  mutating func joinContents(of sides: [FolderListing]) {
    guard states.allSatisfy({ $0.isThere && $0.outcome == .listed }) else { return }
    var next = [Int](repeating: 0, count: sides.count)
    contents.reserveCapacity(folders.count)
    for index in 0..<folders.count {
      var known: [ObjectID?] = []
      for (state, side) in sides.enumerated() {
        guard next[state] < side.folders.count,
          side.folders.order(of: next[state], against: index, of: folders) == 0
        else {
          known.append(nil)
          continue
        }
        known.append(side.contents[next[state]])
        next[state] += 1
      }
      contents.append(known.allSatisfy { $0 == known.first } ? known.first ?? nil : nil)
    }
  }
}
