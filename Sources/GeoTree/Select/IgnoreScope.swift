import GeoCore

/// What git's rules say in a folder: those of its work tree's files, from the outermost on.
public final class IgnoreScope: Sendable {
  private struct Level: Sendable {
    let rules: RuleList
    /// How many bytes of an entry's path lead to the folder that the rules are about.
    let base: Int
  }

  /// The path from the work tree's top to the root: empty, or with a `/` at its end.
  let above: [UInt8]
  /// Whether the folder itself is ignored, and with it all that is in it.
  public let isIgnored: Bool
  private let levels: [Level]

  private init(above: [UInt8], isIgnored: Bool, levels: [Level]) {
    self.above = above
    self.isIgnored = isIgnored
    self.levels = levels
  }

  /// A scope without rules.
  ///
  /// - Parameter above: The path from the work tree's top to the root; empty if the root is the top
  ///   or in no work tree.
  public convenience init(above: [UInt8] = []) {
    self.init(
      above: above.isEmpty ? [] : above + [.slash], isIgnored: false, levels: [])
  }

  /// The scope of a folder that is ignored, in which nothing else counts.
  public var ignored: IgnoreScope { IgnoreScope(above: above, isIgnored: true, levels: []) }

  /// The scope without its rules: another work tree begins.
  public var empty: IgnoreScope { IgnoreScope(above: above, isIgnored: false, levels: []) }

  /// The scope with more rules, which count before all others.
  ///
  /// - Parameters:
  ///   - file: The bytes of a file such as `.gitignore`.
  ///   - base: The path of the folder that the rules are about, relative to the work tree's top
  ///     that is above the root, if one is; empty for the top itself.
  /// - Complexity: O(bytes + scopes above).
  public func adding(_ file: [UInt8], at base: [UInt8]) -> IgnoreScope {
    adding(RuleList(ignoreFile: file), base: base.isEmpty ? 0 : base.count + 1)
  }

  /// The scope with the rules of a folder below the root.
  ///
  /// - Parameter path: The folder's path, beginning with the root's label.
  public func adding(_ file: [UInt8], below path: [UInt8]) -> IgnoreScope {
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

  /// Whether git ignores a folder on the way from the work tree's top to the root.
  ///
  /// - Parameter path: Its path from the top.
  public func ignores(folderAt path: [UInt8]) -> Bool {
    let last = path.lastComponent
    let name = NameTable([Array(last)], kind: .directory)
    var way = EntryPath()
    way.enter(above: Array(path[..<last.startIndex]), [])
    let arena = name.bytes.span
    let entry = CandidateName(name.records[0], in: arena, isFolder: true)
    return ignores(entry, in: arena, path: &way)
  }
}
