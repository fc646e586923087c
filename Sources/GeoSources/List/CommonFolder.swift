/// Finds the longest folder that all entries of a listing are in.
///
/// A folder with an entry of its own is in itself.
struct CommonFolder {
  /// Whether folders above the common one may have entries, as in a listing of restic.
  private let skipsAncestors: Bool
  private var names: [[UInt8]] = []
  /// The folder as the last entry that changed it has it, with a slash at its end.
  private var spelled: [UInt8] = []
  private var isAbsolute: Bool?
  /// Whether each entry so far is a folder that is in all before it.
  private var isChain = true

  init(skipsAncestors: Bool) { self.skipsAncestors = skipsAncestors }

  /// Ignores an entry whose path leads upwards. O(length of the folder) if the entry is in it.
  mutating func add(_ path: [UInt8], isFolder: Bool) {
    if isAbsolute != nil, !(skipsAncestors && isChain) {
      if names.isEmpty || path.starts(with: spelled) { return }
    }
    guard let first = path.first else { return }
    var found = path.split(separator: .slash).filter { !$0.elementsEqual(".".utf8) }
    if found.contains(where: { $0.elementsEqual("..".utf8) }) { return }
    if !isFolder { _ = found.popLast() }
    guard let isAbsolute else {
      isAbsolute = first == .slash
      names = found.map { Array($0) }
      isChain = isFolder
      spell(in: path)
      return
    }
    // Paths of the other kind are faults.
    if isAbsolute != (first == .slash) { return }
    let common = zip(names, found).prefix { $0.elementsEqual($1) }.count
    if skipsAncestors, isFolder {
      if common == found.count, !isChain { return }
      if common == names.count, isChain {
        names = found.map { Array($0) }
        spell(in: path)
        return
      }
    }
    isChain = false
    if common < names.count {
      names.removeSubrange(common...)
      spell(in: path)
    }
  }

  private mutating func spell(in path: [UInt8]) {
    var left = names.count
    var index = 0
    while left > 0, index < path.count {
      let end = path[index...].firstIndex(of: .slash) ?? path.count
      let name = path[index..<end]
      if !name.isEmpty, !name.elementsEqual(".".utf8) { left -= 1 }
      index = end + 1
    }
    spelled = Array(path.prefix(index))
    if spelled.last != .slash { spelled.append(.slash) }
  }

  /// `.` or `/` if there is no common one. Of what was backed up, the folder that has all of it
  /// counts, even if it has no entries but one folder.
  func path(of sources: [[UInt8]]) -> [UInt8] {
    var names = names
    if let first = sources.first?.split(separator: .slash) {
      // The source is absolute, and the paths of the entries may begin inside it.
      let source = sources.dropFirst().reduce(first[...]) { common, path in
        common.prefix(
          zip(common, path.split(separator: .slash)).prefix { $0.elementsEqual($1) }.count)
      }
      let count = (0...names.count).last { count in
        count <= source.count
          && names[..<count].elementsEqual(source.suffix(count)) { $0[...] == $1 }
      }
      if let count, count > 0 { names.removeSubrange(count...) }
    }
    let path = Array(names.joined(separator: [UInt8.slash]))
    if isAbsolute == true { return [.slash] + path }
    return path.isEmpty ? [UInt8(ascii: ".")] : path
  }
}
