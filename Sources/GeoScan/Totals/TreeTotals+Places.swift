import GeoPath

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
    guard self[folder] != nil, newest.indices.contains(folder) else { return nil }
    let classes = classBytes.count / max(1, newest.count)
    return FolderDetails(
      newest: newest[folder] == .min ? nil : newest[folder],
      bytes: Array(classBytes[(folder * classes)..<((folder + 1) * classes)]))
  }

  /// The names of a folder's sub-folders in the order of the tree, which is that of their bytes, and
  /// their numbers.
  ///
  /// - Parameter folder: The folder's number; nil for the roots.
  /// - Complexity: O(sub-folders).
  public func folders(in folder: Int?) -> (names: NameTable, numbers: [Int]) {
    var names = NameTable()
    var numbers: [Int] = []
    var next = 0
    var end = records.count
    if let folder {
      guard records.indices.contains(folder) else { return (names, numbers) }
      (next, end) = (folder + 1, records[folder].end)
    }
    while next < end {
      let range = nameStart(of: next)..<records[next].nameEnd
      names.append(self.names.span.extracting(range), kind: .directory)
      numbers.append(next)
      next = records[next].end
    }
    return (names, numbers)
  }

  /// How many folders are below a folder.
  public func count(below folder: Int) -> Int {
    records.indices.contains(folder) ? records[folder].end - folder - 1 : 0
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

  /// Puts what was found below one folder in the place of what was known of it.
  ///
  /// The folders that it is in change by the difference; files with names here and elsewhere are
  /// counted in them as before, until all is read again.
  ///
  /// - Parameters:
  ///   - folder: The folder's number.
  ///   - part: A pass over that folder alone, of the same classes.
  /// - Complexity: O(folders).
  public mutating func replace(_ folder: Int, by part: TreeTotals) {
    guard records.indices.contains(folder), part.count > 0,
      newest.isEmpty == part.newest.isEmpty
    else { return }
    let (old, end) = (records[folder], records[folder].end)
    let shift = part.count - (end - folder)
    let (start, oldNameEnd) = (nameStart(of: folder), nameStart(of: end))
    let nameShift =
      part.names.count - (oldNameEnd - start) + (old.nameEnd - start)
      - part.records[0].nameEnd
    // The name of the first stays: a pass over one folder calls it by its whole path.
    let kept = Array(names[start..<old.nameEnd])
    let added = kept + part.names[part.records[0].nameEnd...]
    names.replaceSubrange(start..<oldNameEnd, with: added)
    let offset = start + kept.count - part.records[0].nameEnd
    let moved = part.records.map { record in
      record.moved(by: folder, nameEnd: record.nameEnd + offset)
    }
    let rest = records[end...].map { record in
      record.moved(by: shift, nameEnd: record.nameEnd + nameShift)
    }
    records.replaceSubrange(folder..., with: moved + rest)
    let classes = classBytes.count / max(1, newest.count)
    let oldClasses =
      classes > 0 ? Array(classBytes[(folder * classes)..<((folder + 1) * classes)]) : []
    if !newest.isEmpty {
      newest.replaceSubrange(folder..<end, with: part.newest)
      classBytes.replaceSubrange((folder * classes)..<(end * classes), with: part.classBytes)
    }
    for above in 0..<folder where records[above].end >= end {
      records[above].end += shift
      if records[above].files < 0 { continue }
      let now = records[folder]
      records[above].files += max(0, now.files) - max(0, old.files)
      records[above].bytes = Self.changed(records[above].bytes, from: old.bytes, to: now.bytes)
      records[above].allocated = Self.changed(
        records[above].allocated, from: old.allocated, to: now.allocated)
      if newest.isEmpty { continue }
      newest[above] = max(newest[above], newest[folder])
      for index in 0..<classes {
        let change = classBytes[folder * classes + index] - oldClasses[index]
        classBytes[above * classes + index] = Self.sum(
          classBytes[above * classes + index], change)
      }
    }
  }

  /// A sum after one of what it consists of has changed; −1 stands for what is not known.
  private static func changed(_ sum: Int64, from old: Int64, to now: Int64) -> Int64 {
    sum < 0 || old < 0 || now < 0 ? -1 : Self.sum(sum, now - old)
  }

  /// A sum that stays where numbers end.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : sum
  }

  private func nameStart(of folder: Int) -> Int {
    folder == 0 ? 0 : records[folder - 1].nameEnd
  }
}

extension TreeTotals.Record {
  /// The same folder at another place.
  fileprivate func moved(by shift: Int, nameEnd: Int) -> Self {
    Self(
      files: files, bytes: bytes, allocated: allocated, nameEnd: nameEnd, end: end + shift)
  }
}
