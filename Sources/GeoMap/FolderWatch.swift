import GeoSystem
import Synchronization

/// Watches some folders of this machine, and reports that something changed in them (Linux only).
///
/// All calls return at once: folders are opened on threads of the project.
final class FolderWatch: Sendable {
  private struct State {
    /// The watched folders, and the watcher's numbers of them.
    var numbers: [[UInt8]: Int32] = [:]
    /// The number of the last call of ``watch(_:)``.
    var call = 0
    var hasEnded = false
  }

  private let watcher: FolderWatcher
  private let state = Mutex(State())
  private let onChange: @Sendable () -> Void

  /// The most folders that are watched; a user can have a limited number of watches.
  static let mostFolders = 4096

  /// Creates a watch of no folders.
  ///
  /// - Parameter onChange: Called on any thread after changes in watched folders, and once for
  ///   folders that are watched anew, as they may have changed before.
  /// - Throws: The reason why this system or user can't watch folders.
  init(onChange: @escaping @Sendable () -> Void) throws(Errno) {
    watcher = try FolderWatcher()
    self.onChange = onChange
    try WorkerThread.start { [watcher, weak self] in
      while let changes = try? watcher.next() {
        guard let self, !state.withLock({ $0.hasEnded }) else { return }
        if changes.contains(where: { !$0.isForgotten }) { onChange() }
      }
    }
  }

  /// Watches these folders and no others.
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
      let wanted = Set(folders.prefix(Self.mostFolders))
      for (folder, number) in state.numbers where !wanted.contains(folder) {
        watcher.forget(number)
        state.numbers[folder] = nil
      }
      var hasNew = false
      for folder in wanted where state.numbers[folder] == nil {
        guard let open = try? FileSystem.openRoot(folder),
          let number = try? watcher.watch(open.rawValue)
        else { continue }
        state.numbers[folder] = number
        hasNew = true
      }
      return hasNew
    }
    if hasNew { onChange() }
  }

  /// Ends the watch.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      // The last changes, that folders are forgotten, wake the thread.
      for number in state.numbers.values { watcher.forget(number) }
      state.numbers = [:]
    }
  }
}
