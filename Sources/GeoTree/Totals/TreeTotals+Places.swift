import GeoCore

/// What is known of files below a folder besides how many and how large they are.
public struct FolderDetails: Sendable, Hashable {
  /// Unix time of the last change of any of them; nil if there is none whose time is known.
  public var newest: Int64?
  /// Bytes of each class, a file of several names once.
  public var bytes: [Int64]

  /// The class with the most bytes; nil if there are no bytes.
  public var largestClass: Int? {
    guard let most = bytes.max(), most > 0 else { return nil }
    return bytes.firstIndex(of: most)
  }
}

extension TreeTotals {
  /// What else is known of what is below a folder; nil where the pass was not asked for it.
  public func details(of folder: Int) -> FolderDetails? {
    guard classes > 0, self[folder] != nil else { return nil }
    return FolderDetails(
      newest: newest[folder] == .min ? nil : newest[folder],
      bytes: (0..<classes).map { classBytes[folder * classes + $0] })
  }

  /// The names of a folder's sub-folders in the order of the tree, which is that of their bytes, and
  /// their numbers.
  ///
  /// - Parameter folder: The folder's number; nil for the roots.
  /// - Complexity: O(sub-folders).
  public func folders(in folder: Int?) -> (names: NameTable, numbers: [Int]) {
    var names = NameTable()
    let numbers = subfolders(of: folder)
    for number in numbers {
      let start = records[number].nameStart
      names.append(
        self.names.span.extracting(start..<(start + Int(records[number].nameLength))),
        kind: .directory)
    }
    return (names, numbers)
  }

  /// The numbers of a folder's sub-folders, or of the roots, in the order of the tree.
  func subfolders(of folder: Int?) -> [Int] {
    var numbers: [Int] = []
    var next = first(in: folder)
    while next >= 0 {
      numbers.append(next)
      next = Int(records[next].next)
    }
    return numbers
  }

  /// How many folders are below a folder.
  public func count(below folder: Int) -> Int {
    isThere(folder) ? Int(records[folder].below) : 0
  }

  /// The number of the folder at a path.
  ///
  /// - Parameter names: The root's label, then names.
  /// - Returns: ``missing`` if the pass did not meet it.
  /// - Complexity: O(sub-folders of all folders on the way).
  public func number(of names: [ArraySlice<UInt8>]) -> Int {
    var folder: Int?
    for name in names {
      let table = NameTable([Array(name)], kind: .directory)
      let found = numbers(of: table, in: folder)[0]
      if found == Self.missing { return found }
      folder = found
    }
    return folder ?? Self.missing
  }
}
