import GeoSystem
import Synchronization

/// Watches some folders of this machine, and reports that something changed in them (Linux only).
///
/// All calls return at once: folders are opened on threads of the project.
final class FolderWatch: Sendable {
  private struct State {
    /// With the watcher's numbers.
    var numbers: [[UInt8]: Int32] = [:]
    /// Counts the calls of ``watch(_:)``.
    var call = 0
    var hasEnded = false
  }

  private let watcher: FolderWatcher
  private let state = Mutex(State())
  private let onChange: @Sendable () -> Void

  /// A user can have a limited number of watches.
  static let maximumFolders = 4096

  /// `onChange` is called on any thread after changes in watched folders, and once for folders that
  /// are watched anew, as they may have changed before.
  init(onChange: @escaping @Sendable () -> Void) throws(Errno) {
    watcher = try FolderWatcher()
    self.onChange = onChange
    try WorkerThread.start { [watcher, weak self] in
      while let changes = try? watcher.next() {
        guard let self else { return }
        if changes.contains(where: isFromOutside) { onChange() }
      }
    }
  }

  deinit { watcher.end() }

  /// Whether a change is anything but the answer to ``FolderWatcher/forget(_:)``.
  private func isFromOutside(_ change: FolderWatcher.Change) -> Bool {
    !change.isForgotten || state.withLock { $0.numbers.values.contains(change.folder) }
  }

  /// Watches no other folders, and those that are at the paths now, even if others were there
  /// before.
  func watch(_ folders: [[UInt8]]) {
    let call = state.withLock { (state) -> Int in
      state.call += 1
      return state.call
    }
    try? WorkerThread.start { [self] in change(to: folders, call) }
  }

  private func change(to folders: [[UInt8]], _ call: Int) {
    let hasNew = state.withLock { state in
      if state.call != call || state.hasEnded { return false }
      var numbers: [[UInt8]: Int32] = [:]
      for folder in Set(folders.prefix(Self.maximumFolders)) {
        guard let open = try? FileSystem.openRoot(folder) else { continue }
        numbers[folder] = try? watcher.watch(open.rawValue)
      }
      let before = state.numbers
      state.numbers = numbers
      for number in Set(before.values).subtracting(numbers.values) { watcher.forget(number) }
      return numbers.contains { before[$0] != $1 }
    }
    if hasNew { onChange() }
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    watcher.end()
  }
}
