import GeoSources
import GeoSystem
import GeoTree

/// How many entries a scan will read, about.
struct ExpectedEntries {
  let count: Int
  /// What says so, such as `the state of 2026-11-27T08:00:00Z`.
  let basis: String

  /// The entries of folders on a disk: those of their newest kept state, else the inodes in use if
  /// the folders are whole file systems; nil if neither is known, or options leave entries out.
  init?(of roots: [ScanRoot], _ low: LowArguments) {
    guard !low.selects, !roots.isEmpty,
      roots.allSatisfy({ $0.source is DiskSource && $0.names.isEmpty && $0.isEntered })
    else { return nil }
    if let state = Self.newest(of: roots, low) {
      count = Int(clamping: state.files + state.folders)
      basis = "the state of \(state.timeText)"
      return
    }
    var inodes = 0
    for root in roots {
      guard let count = FileSystem.entries(ofWhole: root.directory) else { return nil }
      inodes += count
    }
    (count, basis) = (inodes, "the inodes of the file system")
  }

  private static func newest(of roots: [ScanRoot], _ low: LowArguments) -> KeptState? {
    let paths = Set(roots.compactMap { try? ThisProcess.realPath($0.directory) })
    let machine = ThisMachine.identity
    let states = try? low.keptStore.states().filter { state in
      state.machine == machine && Set(state.roots.map(\.directory)) == paths
    }
    return states?.max { $0.number < $1.number }
  }
}
