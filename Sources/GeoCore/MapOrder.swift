/// The order of paths on a map: a folder, its files in byte order of their names, its sub-folders in byte
/// order of theirs, each with all that is in it.
package enum MapOrder {
  /// Whether one folder's path stands before another's.
  ///
  /// - Complexity: O(length of the shorter path).
  package static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.lexicographicallyPrecedes(b) { x, y in
      // Names end at a slash, and the shorter of two stands first.
      (x == .slash ? 0 : Int(x) + 1) < (y == .slash ? 0 : Int(y) + 1)
    }
  }

  /// Whether one node stands before another one.
  ///
  /// - Complexity: O(length of both paths).
  package static func precedes(
    _ a: [UInt8], isFolder aIsFolder: Bool, _ b: [UInt8], isFolder bIsFolder: Bool
  ) -> Bool {
    if aIsFolder, bIsFolder { return precedes(a, b) }
    var index = 0
    let common = min(a.count, b.count)
    while index < common, a[index] == b[index] { index += 1 }
    if index == a.count, index == b.count { return false }
    if index == a.count, b[index] == .slash { return aIsFolder }
    if index == b.count, a[index] == .slash { return false }
    // Two entries of one folder are met: what differs are their names.
    let aIsFile = !aIsFolder && !a[index...].contains(.slash)
    let bIsFile = !bIsFolder && !b[index...].contains(.slash)
    return aIsFile == bIsFile ? precedes(a, b) : aIsFile
  }
}
