import GeoCore
import GeoLive
import GeoSystem

/// Where the files of timers are, and the program that manages them.
struct TimerPlace {
  let manager: ServiceManager
  let isOfSystem: Bool
  let folder: [UInt8]
  var control: [UInt8]

  var shown: String { folder.shown }

  /// Root has no timers of his own.
  init(
    _ manager: ServiceManager, isOfSystem: Bool, isRoot: Bool = ThisProcess.isRoot
  ) throws(Failure) {
    if isRoot != isOfSystem {
      throw .usage(
        isRoot
          ? "root has no timers of a user: give --system for a timer of the system"
          : "--system needs root: run it with sudo")
    }
    let folder: [UInt8]
    switch (manager, isOfSystem) {
    case (.systemd, true): folder = Array("/etc/systemd/system".utf8)
    case (.launchd, true): folder = Array("/Library/LaunchDaemons".utf8)
    case (.systemd, false):
      folder = try UserFolder.settings.base(or: "set HOME") + Array("/systemd/user".utf8)
    case (.launchd, false):
      guard let home = ThisProcess.environment("HOME"), home.first == .slash else {
        throw .usage("HOME is not set, and timers are in its folder: set it")
      }
      folder = home + Array("/Library/LaunchAgents".utf8)
    }
    self.init(manager, isOfSystem: isOfSystem, folder: folder)
  }

  init(_ manager: ServiceManager, isOfSystem: Bool, folder: [UInt8]) {
    self.manager = manager
    self.isOfSystem = isOfSystem
    self.folder = folder
    control = Array((manager == .systemd ? "systemctl" : "launchctl").utf8)
  }

  // MARK: Commands

  fileprivate func enabling(_ name: TimerName) -> [ManagerCommand] {
    switch manager {
    case .systemd: [systemctl("daemon-reload"), systemctl("enable", "--now", name.unit)]
    case .launchd:
      // An agent that is loaded already has to go first.
      [
        ManagerCommand(words: stopping(name), isOptional: true),
        ManagerCommand(
          words: [
            control, Array("bootstrap".utf8), Array(domain.utf8),
            folder.appending(component: Array(name.fileNames(for: .launchd)[0].utf8)),
          ]),
      ]
    }
  }

  /// Commands that stop a timer, before its files are deleted and after that.
  fileprivate func disabling(
    _ name: TimerName
  ) -> (before: [ManagerCommand], after: [ManagerCommand]) {
    switch manager {
    case .systemd: ([systemctl("disable", "--now", name.unit)], [systemctl("daemon-reload")])
    // Of an agent that isn't loaded it says 3 or 113.
    case .launchd: ([ManagerCommand(words: stopping(name), harmless: [3, 113])], [])
    }
  }

  private func systemctl(_ words: String...) -> ManagerCommand {
    ManagerCommand(
      words: [control] + ((isOfSystem ? [] : ["--user"]) + words).map { Array($0.utf8) })
  }

  private func stopping(_ name: TimerName) -> [[UInt8]] {
    [control, Array("bootout".utf8), Array("\(domain)/\(name.label)".utf8)]
  }

  private var domain: String { isOfSystem ? "system" : "gui/\(ThisProcess.user)" }
}

private struct ManagerCommand {
  let words: [[UInt8]]
  /// Whether the next commands are run even if it fails.
  var isOptional = false
  /// Exit statuses that are no failure.
  var harmless: Set<Int32> = []

  /// The time limit, in milliseconds.
  private static let patience: Int64 = 60_000

  var shown: String {
    let words = words.map { ShellText.isPlain($0) ? $0 : ShellText.quoted($0) }
    return TerminalText.escaped(Array(words.joined(separator: [0x20])))
  }

  /// Returns why it failed; nil if it didn't.
  func run() -> String? {
    do throws(Errno) {
      let messages = try ScratchFile()
      var program = BoundedProgram(words, for: Self.patience)
      program.messages = messages
      program.endsWithThis = true
      switch try program.run() {
      case .ended(0): return nil
      case .ended(let status):
        if isOptional || harmless.contains(status) { return nil }
        let line = Array(messages.beginning(4096).prefix { $0 != 0x0A })
        let reason = line.isEmpty ? "status \(status)" : line.shown
        return "'\(shown)' failed: \(reason)"
      case .killed(let signal): return "'\(shown)' was ended by signal \(signal)"
      case .late: return "'\(shown)' took more than a minute, and was ended"
      }
    } catch {
      return "can't run '\(shown)': \(error)"
    }
  }
}

/// Writes and deletes the files of a timer, and informs the service manager.
///
/// Files without the signature of the timer are never changed.
struct TimerInstaller {
  private let name: TimerName
  private let place: TimerPlace

  struct Failed: Equatable {
    let reason: String
    /// The commands that are still to be run, as a shell reads them.
    let commands: String
  }

  enum Removal: Equatable {
    case absent
    case removed(Failed?)
  }

  private static let largest = 1 << 20

  init(_ name: TimerName, in place: TimerPlace) {
    self.name = name
    self.place = place
  }

  /// Returns what could not be run; the files are there.
  func install(_ timer: KeptTimer) throws(Failure) -> Failed? {
    let files = try explaining("no timer") { try timer.files(for: place.manager) }
    let old = try present()
    try explaining("can't make the folder '\(place.shown)'", as: .output) {
      try FolderHandle.makeFolders(place.folder)
    }
    var written: [String] = []
    do throws(Failure) {
      for file in files {
        try OutputFile.write(file.bytes, to: OutputPlace(path(file.name)))
        written.append(file.name)
      }
    } catch {
      if let folder = try? FolderHandle(at: place.folder) {
        for file in written where !old.contains(file) { try? folder.remove(Array(file.utf8)) }
      }
      throw error
    }
    return run(place.enabling(name))
  }

  func remove() throws(Failure) -> Removal {
    let files = try present()
    if files.isEmpty { return .absent }
    let commands = place.disabling(name)
    let failed = run(commands.before)
    try explaining("can't delete the timer in '\(place.shown)'", as: .output) {
      let folder = try FolderHandle(at: place.folder)
      for file in files { try folder.remove(Array(file.utf8)) }
    }
    if let failed {
      let after = commands.after.map { " && " + $0.shown }.joined()
      return .removed(Failed(reason: failed.reason, commands: failed.commands + after))
    }
    return .removed(run(commands.after))
  }

  /// The timer's files that exist; refuses those that are not its own.
  private func present() throws(Failure) -> [String] {
    var found: [String] = []
    for file in name.fileNames(for: place.manager) {
      let path = path(file)
      let bytes: [UInt8]?
      do throws(Errno) {
        bytes = try FileSystem.readFile(path, following: false, limit: Self.largest)
      } catch .noEntry {
        continue
      } catch {
        if error != .linkLoop, error != .fileTooLarge {
          throw .usage("can't read \(path.quoted): \(error)")
        }
        bytes = nil
      }
      guard let bytes, name.signs(bytes) else {
        throw .wrong(path, "was not made by '\(Tool.name) keep': rename or remove it first")
      }
      found.append(file)
    }
    return found
  }

  private func path(_ file: String) -> [UInt8] {
    place.folder.appending(component: Array(file.utf8))
  }

  private func run(_ commands: [ManagerCommand]) -> Failed? {
    for (index, command) in commands.enumerated() {
      if let reason = command.run() {
        return Failed(
          reason: reason, commands: commands[index...].map(\.shown).joined(separator: " && "))
      }
    }
    return nil
  }
}
