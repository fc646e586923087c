/// The order of a map: a folder, its files in byte order, its sub-folders in byte order of their
/// names, each with all that is in it.
enum MapOrder {
  /// Whether a node comes before another one.
  ///
  /// - Complexity: O(length of the shorter path).
  static func precedes(
    _ a: [UInt8], isFolder aIsFolder: Bool, _ b: [UInt8], isFolder bIsFolder: Bool
  ) -> Bool {
    let slash = UInt8(ascii: "/")
    var index = 0
    let common = min(a.count, b.count)
    while index < common, a[index] == b[index] { index += 1 }
    if index == a.count, index == b.count { return false }
    if index == a.count, b[index] == slash { return aIsFolder }
    if index == b.count, a[index] == slash { return false }
    // Two entries of one folder are met: what differs are their names.
    let aIsFile = !aIsFolder && !a[index...].contains(slash)
    let bIsFile = !bIsFolder && !b[index...].contains(slash)
    if aIsFile != bIsFile { return aIsFile }
    if index == a.count || a[index] == slash { return true }
    if index == b.count || b[index] == slash { return false }
    return a[index] < b[index]
  }
}
