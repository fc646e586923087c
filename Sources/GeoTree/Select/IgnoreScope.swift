import GeoCore

/// The `.gitignore` rules that apply in a folder, outermost first.
package final class IgnoreScope: Sendable {
  private struct Level: Sendable {
    let rules: RuleList
    /// The length of the path prefix up to the rules' folder.
    let base: Int
  }

  /// The path from the top of the work tree to the root: empty, or ending with `/`.
  let above: [UInt8]
  /// Whether the folder itself is ignored, and so all its contents.
  package let isIgnored: Bool
  private let levels: [Level]

  private init(above: [UInt8], isIgnored: Bool, levels: [Level]) {
    self.above = above
    self.isIgnored = isIgnored
    self.levels = levels
  }

  /// `above` is the path from the top of the work tree to the root; empty if the root is the top or in
  /// no work tree.
  package convenience init(above: [UInt8] = []) {
    self.init(
      above: above.isEmpty ? [] : above + [.slash], isIgnored: false, levels: [])
  }

  package var ignored: IgnoreScope { IgnoreScope(above: above, isIgnored: true, levels: []) }

  /// The scope without its rules, for the top of another work tree.
  package var empty: IgnoreScope { IgnoreScope(above: above, isIgnored: false, levels: []) }

  /// The scope with the rules of a file such as `.gitignore`, which take precedence over the others.
  /// `base` is the path of its folder from the top of the root's work tree.
  package func adding(_ file: [UInt8], at base: [UInt8]) -> IgnoreScope {
    adding(RuleList(ignoreFile: file), base: base.isEmpty ? 0 : base.count + 1)
  }

  /// The same with a folder at or below the root, by its path on the map.
  package func adding(_ file: [UInt8], below path: [UInt8]) -> IgnoreScope {
    let rest = path.firstIndex(of: .slash).map { path.count - $0 } ?? 0
    return adding(RuleList(ignoreFile: file), base: above.count + rest)
  }

  private func adding(_ rules: RuleList, base: Int) -> IgnoreScope {
    if rules.isEmpty { return self }
    return IgnoreScope(
      above: above, isIgnored: isIgnored, levels: levels + [Level(rules: rules, base: base)])
  }

  /// Whether git ignores an entry of the folder; `.git` itself counts as ignored.
  func ignores(_ entry: CandidateName, in arena: Span<UInt8>, path: inout EntryPath) -> Bool {
    if entry.isGit || isIgnored { return true }
    var index = levels.count - 1
    while index >= 0 {
      let level = levels[index]
      if let keeps = level.rules.keeps(entry, in: arena, path: &path, base: level.base) {
        return !keeps
      }
      index -= 1
    }
    return false
  }

  /// Whether git ignores a folder between the top of the work tree and the root, by its path from the
  /// top.
  package func ignores(folderAt path: [UInt8]) -> Bool {
    let last = path.lastComponent
    let name = NameTable([Array(last)], kind: .directory)
    var way = EntryPath()
    way.enter(above: Array(path[..<last.startIndex]), [])
    let arena = name.bytes.span
    let entry = CandidateName(name.records[0], in: arena, isFolder: true)
    return ignores(entry, in: arena, path: &way)
  }
}
