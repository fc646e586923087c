/// The names that roots have on a map.
public enum RootLabel {
  /// Looks whether some folders can stand on one map: each label can be a name, no two are alike,
  /// and no path is empty or holds a zero.
  ///
  /// - Throws: What is wrong with the first of them that is at fault.
  /// - Complexity: O(n) hashes.
  public static func validate(
    _ roots: some Sequence<(label: [UInt8], directory: [UInt8])>
  ) throws(RootError) {
    var seen: [[UInt8]: [UInt8]] = [:]
    for (label, directory) in roots {
      if !EntryName.isValid(label) { throw .refusedLabel(label, directory: directory) }
      if directory.isEmpty { throw .noDirectory(label: label) }
      if directory.contains(0) { throw .refusedDirectory(directory) }
      if let first = seen.updateValue(directory, forKey: label) {
        throw .doubledLabel(label, first: first, second: directory)
      }
    }
  }
}
