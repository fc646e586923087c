/// Paths as bytes: names with a slash between each two. A path of the map begins with a label, one of a
/// disk may begin with a slash.

extension UInt8 {
  /// What stands between the names of a path.
  @inlinable package static var slash: UInt8 { 0x2F }
}

extension Collection<UInt8> {
  /// Its names; between two slashes, before the first and after the last is one, if only an empty one.
  ///
  /// - Complexity: O(n).
  @inlinable package var components: [SubSequence] {
    split(separator: .slash, omittingEmptySubsequences: false)
  }

  /// What stands before its first slash: of a path of the map, the label.
  ///
  /// - Complexity: O(length of the component).
  @inlinable package var firstComponent: SubSequence { prefix { $0 != .slash } }

  /// How many slashes are in it: of a path of the map, the depth.
  ///
  /// - Complexity: O(n).
  @inlinable package var slashCount: Int { count { $0 == .slash } }
}

extension BidirectionalCollection<UInt8> {
  /// What stands after its last slash, or all of it.
  ///
  /// - Complexity: O(length of the component).
  @inlinable package var lastComponent: SubSequence {
    self[(lastIndex(of: .slash).map { index(after: $0) } ?? startIndex)...]
  }

  /// What stands before its last slash; nil if there is none.
  ///
  /// - Complexity: O(length of the last component).
  @inlinable package var parentPath: SubSequence? { lastIndex(of: .slash).map { self[..<$0] } }
}

extension RandomAccessCollection<UInt8> {
  /// Whether it is the path of a folder, or of something in it at any depth.
  ///
  /// - Parameter folder: A path without a slash at its end.
  /// - Complexity: O(length of the folder's path).
  @inlinable package func isPath(atOrBelow folder: some RandomAccessCollection<UInt8>) -> Bool {
    if count < folder.count || !starts(with: folder) { return false }
    return count == folder.count || self[index(startIndex, offsetBy: folder.count)] == .slash
  }
}

extension [UInt8] {
  /// Adds a slash and a name.
  ///
  /// - Complexity: O(length of the name) on average.
  @inlinable package mutating func append(component name: some Collection<UInt8>) {
    append(.slash)
    append(contentsOf: name)
  }

  /// The path of something in the folder that has this one.
  ///
  /// - Complexity: O(length of both).
  @inlinable package func appending(component name: some Collection<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(count + 1 + name.count)
    path += self
    path.append(component: name)
    return path
  }
}
