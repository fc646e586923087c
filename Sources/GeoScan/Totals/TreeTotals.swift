import GeoPath

/// The totals of all folders of some trees, as a first pass found them.
///
/// Folders lie in the order of the tree, so that the sub-folders of one lie after it, each followed
/// by its own. A folder takes 40 bytes and its name.
public struct TreeTotals: Sendable {
  /// A folder's totals and where what is below it ends.
  struct Record: BitwiseCopyable, Sendable {
    /// −1 if it was not listed.
    var files: Int64
    /// −1 if it is not known.
    var bytes: Int64 = 0
    /// −1 if it is not known.
    var allocated: Int64 = 0
    /// Where its name ends in the arena, and the name of the next begins.
    let nameEnd: Int
    /// The first folder that is not below it.
    var end: Int
  }

  var records: [Record] = []
  var names: [UInt8] = []
  /// Of each folder, where a pass was asked for details: the Unix time of the last change below it.
  var newest: [Int64] = []
  /// And bytes of each class of files, folder by folder.
  var classBytes: [Int64] = []

  /// The number of a folder that the first pass did not meet.
  public static let missing = -1

  /// How many folders there are.
  public var count: Int { records.count }

  /// What is below a folder; nil if the first pass did not meet it or could not list it.
  public subscript(folder: Int) -> FolderTotals? {
    guard records.indices.contains(folder), records[folder].files >= 0 else { return nil }
    let record = records[folder]
    return FolderTotals(
      files: record.files, bytes: record.bytes < 0 ? nil : record.bytes,
      allocated: record.allocated < 0 ? nil : record.allocated)
  }

  /// The numbers of some of a folder's sub-folders.
  ///
  /// - Parameters:
  ///   - folder: The folder's number; nil for the roots.
  ///   - folders: Their names, sorted.
  /// - Returns: One number for each; ``missing`` where the first pass did not meet it.
  /// - Complexity: O(sub-folders), then and now.
  public func numbers(of folders: NameTable, in folder: Int?) -> [Int] {
    var next = 0
    var end = records.count
    if let folder {
      guard records.indices.contains(folder) else {
        return [Int](repeating: Self.missing, count: folders.count)
      }
      (next, end) = (folder + 1, records[folder].end)
    }
    return folders.records.map { record in
      let name = folders.bytes[record.range]
      while next < end {
        let known = self.name(of: next)
        if known.elementsEqual(name) {
          defer { next = records[next].end }
          return next
        }
        if name.lexicographicallyPrecedes(known) { break }
        next = records[next].end
      }
      return Self.missing
    }
  }

  private func name(of folder: Int) -> ArraySlice<UInt8> {
    names[(folder == 0 ? 0 : records[folder - 1].nameEnd)..<records[folder].nameEnd]
  }
}
