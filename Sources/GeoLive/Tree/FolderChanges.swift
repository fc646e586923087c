import GeoSystem

extension LiveTree {
  package struct FolderChange: Sendable {
    package var path: [UInt8]
    /// Names of files that were added, removed or changed; nil if any may have been.
    package var names: Set<[UInt8]>? = []
    /// All changes since this time are included; on the clock of ``ThisProcess/nanoseconds``.
    package var since = Int64.max
    /// Names of new sub-folders, which may have replaced others.
    package var others: Set<[UInt8]> = []
    package var isDeep = false

    package init(
      path: [UInt8], names: Set<[UInt8]>? = [], others: Set<[UInt8]> = [], isDeep: Bool = false
    ) {
      (self.path, self.names, self.others, self.isDeep) = (path, names, others, isDeep)
    }

    /// In the entry's folder, and in its former folder.
    static func all(of change: TreeChange) -> [Self] {
      guard let folder = change.path.parentPath, !(change.isFolder && change.what == .attributes)
      else { return [Self(path: change.path, names: nil)] }
      let name = Array(change.path.lastComponent)
      let isNew = change.isFolder && [.created, .moved].contains(change.what)
      var all = [Self(path: Array(folder), names: [name], others: isNew ? [name] : [])]
      if let from = change.from, let folder = from.parentPath {
        all.append(Self(path: Array(folder), names: [Array(from.lastComponent)]))
      }
      return all
    }

    /// Maximum number of names; with more, any file may have changed.
    static let maximumNames = 4096
    /// With more new sub-folders, everything below the folder is read.
    private static let maximumOthers = 10_000

    mutating func formUnion(_ other: FolderChange) {
      names = other.names.flatMap { names?.union($0) }
      since = max(since, other.since)
      others.formUnion(other.others)
      isDeep = isDeep || other.isDeep || others.count > Self.maximumOthers
      if isDeep { others = [] }
      if isDeep || names.map({ $0.count > Self.maximumNames }) == true { names = nil }
    }
  }
}

/// Folders that have changed and are to be read again.
struct StaleFolders {
  private struct Stale {
    var change: LiveTree.FolderChange
    let reported = ThisProcess.nanoseconds
  }

  private var folders: [[UInt8]: Stale] = [:]
  /// On the clock of ``ThisProcess/nanoseconds``.
  private(set) var dropped: Int64 = 0

  /// Maximum number of folders; with more, all are dropped.
  private static let maximum = 20_000

  var isEmpty: Bool { folders.isEmpty }

  /// 0 without changes.
  var firstReport: Int64 { folders.values.map(\.reported).min() ?? 0 }

  mutating func add(_ change: LiveTree.FolderChange) {
    if folders.count >= Self.maximum { return drop() }
    folders[change.path, default: Stale(change: change)].change.formUnion(change)
  }

  mutating func drop() {
    folders = [:]
    recordLoss()
  }

  mutating func recordLoss() { dropped = ThisProcess.nanoseconds }

  mutating func take() -> [[UInt8]: LiveTree.FolderChange] {
    defer { folders = [:] }
    return folders.mapValues { stale in
      var change = stale.change
      change.since = max(change.since, dropped)
      return change
    }
  }

  /// Together with one of its ancestors.
  static func isRead(_ path: [UInt8], with stale: [[UInt8]: LiveTree.FolderChange]) -> Bool {
    path.indices.contains { index in
      guard path[index] == .slash, let above = stale[Array(path[..<index])] else {
        return false
      }
      return above.isDeep || above.others.contains(Array(path[(index + 1)...].firstComponent))
    }
  }
}
