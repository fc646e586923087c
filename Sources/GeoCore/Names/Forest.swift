/// Numbered folders, each in another one or a root.
///
/// Trees that are kept in memory store their folders differently; this is what they share: how a
/// path comes from names, and how a folder is found.
package protocol Forest {
  /// The name of a folder, or a root's label.
  func name(of folder: Int) -> ArraySlice<UInt8>

  /// The number of a folder's parent; nil for a root.
  func parent(of folder: Int) -> Int?
}

extension Forest {
  /// The root's label, then names, joined by `/`.
  package func path(of folder: Int) -> [UInt8] {
    var names: [ArraySlice<UInt8>] = []
    var next: Int? = folder
    while let folder = next {
      names.append(name(of: folder))
      next = parent(of: folder)
    }
    return Array(names.reversed().joined(separator: [.slash]))
  }
}

/// A forest whose sub-folders are linked, in byte order of their names.
package protocol LinkedForest: Forest {
  /// The first sub-folder of a folder, or the first root; nil without one, or without the folder.
  func first(in folder: Int?) -> Int?

  /// The next sub-folder of the same folder; nil after the last.
  func next(after folder: Int) -> Int?
}

extension LinkedForest {
  package static var missing: Int { -1 }

  package func subfolders(of folder: Int?) -> [Int] {
    var numbers: [Int] = []
    var next = first(in: folder)
    while let number = next {
      numbers.append(number)
      next = self.next(after: number)
    }
    return numbers
  }

  /// The numbers of sub-folders (of the roots for nil) with the given names, which are sorted;
  /// ``missing`` for unknown ones. O(known sub-folders + names).
  package func numbers(of folders: NameTable, in folder: Int?) -> [Int] {
    var next = first(in: folder)
    return folders.records.map { record in
      let name = folders.bytes[record.range]
      while let number = next {
        let known = self.name(of: number)
        if known.elementsEqual(name) {
          next = self.next(after: number)
          return number
        }
        if name.lexicographicallyPrecedes(known) { break }
        next = self.next(after: number)
      }
      return Self.missing
    }
  }

  /// The number of the folder at a path of the root's label, then names; ``missing`` if unknown.
  /// O(sub-folders of all folders on the path).
  package func number(of names: [ArraySlice<UInt8>]) -> Int {
    var folder: Int?
    for name in names {
      let found = numbers(of: NameTable([Array(name)], kind: .directory), in: folder)[0]
      if found == Self.missing { return found }
      folder = found
    }
    return folder ?? Self.missing
  }
}
