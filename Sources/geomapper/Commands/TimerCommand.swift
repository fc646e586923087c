import GeoCore
import GeoLive
import GeoSystem
import GeoTree

/// `geomapper keep --every` and `--remove`: a timer that keeps the state of folders.
enum TimerCommand {
  static func run(_ run: Run) throws(Failure) {
    let timer = run.low.timer
    if timer.removes { return try remove(run) }
    let kept = try self.timer(run)
    if timer.installs { return try install(kept, run) }
    try run.write(try text(of: kept, for: .ofThisSystem))
  }

  private static func timer(_ run: Run) throws(Failure) -> KeptTimer {
    let request = try KeepCommand.request(run)
    let roots = request.roots
    _ = try KeepAlerts(run.low, of: roots)
    guard let program = ThisProcess.ownPath(calledAs: ThisProcess.arguments.first ?? []) else {
      throw .output("can't find the path of this program, which a timer needs")
    }
    let words = try run.low.timerWords(program: program, roots: roots)
    let folders = roots.map { $0.directory.shown }.joined(separator: ", ")
    let every = run.low.values(of: "every")?.last ?? []
    let milliseconds = run.low.timer.interval ?? 0
    return try explaining("no timer") {
      try KeptTimer(
        TimerName(of: roots.map(\.directory)), running: words,
        every: (milliseconds + 500) / 1000,
        summary: "Keep a state of \(folders) every \(every.shown)")
    }
  }

  static func text(of timer: KeptTimer, for manager: ServiceManager) throws(Failure) -> [UInt8] {
    let files = try explaining("no timer") { try timer.files(for: manager) }
    var text: [UInt8] = []
    for file in files {
      // A property list has to begin with its own first line.
      if manager == .systemd { text += Array("# \(file.name)\n".utf8) }
      text += file.bytes + [UInt8(ascii: "\n")]
    }
    do throws(Failure) {
      let line = try CronLine.line(of: timer)
      text += Array("# For cron, in place of these files:\n".utf8) + line
    } catch {
      text += Array("# No line for cron: \(error.message)".utf8)
    }
    return text + [UInt8(ascii: "\n")]
  }

  private static func install(_ timer: KeptTimer, _ run: Run) throws(Failure) {
    let place = try TimerPlace(.ofThisSystem, isOfSystem: run.low.timer.isOfSystem)
    if let failed = try TimerInstaller(timer.name, in: place).install(timer) {
      return report(failed, "the timer's files are in '\(place.shown)', but not enabled", run)
    }
    run.note("\(timer.summary): \(timer.name.unit(for: place.manager)) in '\(place.shown)'")
    if place.manager == .systemd, !place.isOfSystem {
      run.note("it runs while you are logged in; to run it always: loginctl enable-linger")
    }
  }

  private static func remove(_ run: Run) throws(Failure) {
    let operands = try SourceResolver(run.low).operands(run.low.operands)
    let folders = operands.map { realPath($0.path) }
    let place = try TimerPlace(.ofThisSystem, isOfSystem: run.low.timer.isOfSystem)
    let name = TimerName(of: folders)
    let unit = "\(name.unit(for: place.manager)) in '\(place.shown)'"
    let shown = folders.map(\.shown).joined(separator: ", ")
    switch try TimerInstaller(name, in: place).remove() {
    case .absent: run.note("no timer keeps \(shown): no \(unit)")
    case .removed(let failed?):
      report(failed, "the timer's files are deleted, but it may still run", run)
    case .removed(nil): run.note("removed the timer of \(shown): \(unit)")
    }
  }

  private static func report(_ failed: TimerInstaller.Failed, _ what: String, _ run: Run) {
    Messages.note("\(what): \(failed.reason)")
    Messages.note("run this to finish: \(failed.commands)")
    run.add(faults: 1)
  }

  /// The real path of a folder, which need not exist any more.
  private static func realPath(_ path: [UInt8]) -> [UInt8] {
    if let real = try? ThisProcess.realPath(path) { return real }
    var path = ThisProcess.absolutePath(path) ?? path
    while path.count > 1, path.last == .slash { path.removeLast() }
    guard let parent = path.parentPath else { return path }
    let above = realPath(parent.isEmpty ? [.slash] : Array(parent))
    return (above == [.slash] ? [] : above).appending(component: path.lastComponent)
  }
}

extension LowArguments {
  private static let timerOptions: Set = [
    "every", "install", "remove", "system", "output", "store",
  ]

  /// The command line of a timer: this one, with absolute paths.
  ///
  /// A timer runs in another folder, with another environment. So the store and the command of
  /// alerts are resolved now, too.
  func timerWords(program: [UInt8], roots: [ScanRoot]) throws(Failure) -> [[UInt8]] {
    var words = [program, Array("keep".utf8)]
    words.append(Array("--store=".utf8) + Self.absolute(try keptStore.folder))
    let options = Option.options(of: .keep)
    for typed in typed where !Self.timerOptions.contains(typed.name) {
      guard let option = options.first(where: { $0.name == typed.name }) else { continue }
      switch option.effect {
      case .rest, .help: continue
      case .flag: words.append(Array("--\(typed.name)".utf8))
      case .value:
        for value in typed.words {
          let value = try Self.lasting(value, of: option)
          words.append(Array("--\(typed.name)=".utf8) + value)
        }
      }
    }
    let operands = roots.map { root in
      root.label == RootArgument.label(ofRealPath: root.directory)
        ? root.directory : root.label + [UInt8(ascii: "=")] + root.directory
    }
    let isMarked = operands.contains { $0.first == UInt8(ascii: "-") }
    if isMarked {
      if record.command != nil {
        throw .usage("--exec can't be used in a timer with a LABEL that begins with '-'")
      }
      words.append(Array("--".utf8))
    }
    words += operands
    guard let command = record.command, let name = command.first else { return words }
    words += [Array("--exec".utf8), Self.program(name)] + command.dropFirst()
    return words
  }

  private static func lasting(_ value: [UInt8], of option: Option) throws(Failure) -> [UInt8] {
    switch option.placeholder {
    case "FILE", "DIR":
      if value == [UInt8(ascii: "-")] {
        throw .usage("--\(option.name) - can't be used in a timer, which has no standard input")
      }
      return absolute(value)
    case "WHEN":
      let time = try? GivenTime(parsing: value, mayBeFile: true)
      return time?.seconds == nil ? absolute(value) : value
    default: return value
    }
  }

  private static func program(_ name: [UInt8]) -> [UInt8] {
    ThisProcess.path(ofProgram: name) ?? (name.contains(.slash) ? absolute(name) : name)
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8] {
    ThisProcess.absolutePath(path) ?? path
  }
}
