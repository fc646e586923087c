import GeoCore

/// Applies a selection to listings, one at a time. Each thread has its own selector.
package final class Selector {
  package struct FolderVerdict: Sendable, Equatable {
    /// Why the folder is left out with all its contents; nil if it is kept.
    package let reason: ExclusionReason?
    /// Whether git ignores the folder although it is kept.
    package let isIgnored: Bool

    package init(reason: ExclusionReason?, isIgnored: Bool) {
      self.reason = reason
      self.isIgnored = isIgnored
    }
  }

  private enum Step {
    case globs(RuleList)
    case hidden
    case gitignore
  }

  private let selection: Selection
  private let steps: [Step]
  private let looksAtNames: Bool

  // Buffer, reused.
  private var path = EntryPath()

  package init(_ selection: Selection) {
    self.selection = selection
    steps = selection.rules.map { rule in
      switch rule {
      case .globs(let rules): .globs(RuleList(rules))
      case .hidden: .hidden
      case .gitignore: .gitignore
      }
    }
    looksAtNames =
      !selection.rules.isEmpty || !selection.names.isEmpty || selection.kinds != nil
  }

  /// Decides which sub-folders of a folder are left out.
  /// O(names · rules that the end of a name doesn't exclude).
  package func judgeFolders(
    _ names: NameTable, in path: [UInt8], scope: IgnoreScope?,
    into verdicts: inout [FolderVerdict]
  ) {
    verdicts.removeAll(keepingCapacity: true)
    self.path.enter(above: scope?.above ?? [], path)
    let arena = names.bytes.span
    for index in 0..<names.count {
      let entry = CandidateName(names.records[index], in: arena, isFolder: true)
      let ruling = rule(entry, in: arena, scope: scope)
      let isIgnored =
        ruling.isKept && selection.usesGitignore
        && scope?.ignores(entry, in: arena, path: &self.path) ?? false
      verdicts.append(FolderVerdict(reason: ruling.reason, isIgnored: isIgnored))
    }
  }

  /// Leaves out files that their names or kinds exclude.
  /// Skips hidden ones.
  package func selectFiles(
    _ names: NameTable, _ range: Range<Int>, in path: [UInt8], scope: IgnoreScope?,
    facts: inout [EntryFacts]
  ) {
    if !looksAtNames { return }
    self.path.enter(above: scope?.above ?? [], path)
    let arena = names.bytes.span
    let records = names.records.span
    for position in facts.indices where facts[position].status != .hidden {
      let record = records[range.lowerBound + position]
      let entry = CandidateName(record, in: arena, isFolder: false)
      if let reason = reason(for: entry, record.kind, in: arena, scope: scope) {
        facts[position].leaveOut(for: reason)
      }
    }
  }

  /// Leaves out files that their metadata excludes.
  package func selectByMetadata(_ facts: inout [EntryFacts]) {
    if !selection.needsMetadata { return }
    for position in facts.indices {
      switch facts[position].status {
      case .hidden, .vanished: continue
      case .known, .sized, .unasked, .unreadable: break
      }
      if let reason = reason(for: facts[position]) {
        facts[position].leaveOut(for: reason)
      }
    }
  }

  private enum Ruling {
    case none
    case kept
    case leftOut(ExclusionReason)

    var isKept: Bool { if case .kept = self { true } else { false } }

    var reason: ExclusionReason? {
      if case .leftOut(let reason) = self { reason } else { nil }
    }
  }

  @inline(__always)
  private func rule(
    _ entry: CandidateName, in arena: Span<UInt8>, scope: IgnoreScope?
  ) -> Ruling {
    var index = steps.count - 1
    while index >= 0 {
      switch steps[index] {
      case .globs(let list):
        if let keeps = list.keeps(entry, in: arena, path: &path, base: scope?.above.count ?? 0) {
          return keeps ? .kept : .leftOut(.pattern)
        }
      case .hidden:
        if entry.isHidden { return .leftOut(.hidden) }
      case .gitignore:
        if scope?.ignores(entry, in: arena, path: &path) ?? entry.isGit {
          return .leftOut(.gitignore)
        }
      }
      index -= 1
    }
    return .none
  }

  @inline(__always)
  private func reason(
    for file: CandidateName, _ kind: EntryKind, in arena: Span<UInt8>, scope: IgnoreScope?
  ) -> ExclusionReason? {
    switch rule(file, in: arena, scope: scope) {
    case .leftOut(let reason): return reason
    case .none: if selection.needsInclusion { return .pattern }
    case .kept: break
    }
    if let kinds = selection.kinds, !kinds.contains(kind) { return .type }
    if !selection.names.isEmpty {
      let name = arena.extracting(file.range)
      if !selection.names.contains(where: { $0.matches(name) }) { return .name }
    }
    return nil
  }

  private func reason(for facts: EntryFacts) -> ExclusionReason? {
    let isKnown = facts.status == .known
    if !selection.sizes.isEmpty {
      if !isKnown && facts.status != .sized
        || !selection.sizes.allSatisfy({ $0.holds(for: facts.size) })
      {
        return .size
      }
    }
    if let newer = selection.newer, !isKnown || facts.modified <= newer { return .newer }
    if let older = selection.older, !isKnown || facts.modified >= older { return .older }
    return nil
  }
}
