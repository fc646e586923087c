import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoTree

extension Command {
  static let record = Command(
    id: .record,
    summary: "Record file changes as they happen.",
    usage: "record [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Record which files are created, changed, moved and deleted in folders, with times "
        + "and places on the map, until Ctrl-C. Without DIR the current folder is watched. "
        + "'geomapper replay' plays the recording.",
      "The file is saved every ten events or thirty seconds. It is always a new one "
        + "[geo_log_TIME.json in ~/.local/share/geomapper/recordings], and its changes are "
        + "not recorded. SIGUSR1 pauses and continues. To select by name, use --include GLOB.",
    ],
    examples: [
      "geomapper record ~": "Record changes in the home folder.",
      "geomapper record --for 2h --sample 60s /srv":
        "Record for two hours, with totals every minute.",
      "geomapper record -o - --exclude '.git/' . | jq .data.path": "Watch the events.",
    ],
    statuses: statuses(
      "Everything was recorded", incomplete: "Some folders could not be watched.",
      wrong: "a folder that does not exist, or a FILE that exists"),
    rules: [
      .refuses(
        when: .option("follow"),
        saying: "--follow can't be recorded: changes behind links can't be watched; give the "
          + "targets of links as DIRs, LABEL=DIR"),
      .noFolderInCommand,
    ],
    run: RecordCommand.run)
}

enum RecordCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let roots = try SourceResolver(low).roots(low.operands).checked
    try roots.expectLive { "nothing happens in \($0): only folders are recorded" }
    var configuration = Recorder.Configuration(roots: roots)
    configuration.layout = low.chosenLayout
    configuration.selection = try Selection(low)
    configuration.sampling = low.record.sampling.map { $0 * 1_000_000 }
    configuration.duration = low.record.duration.map { $0 * 1_000_000 }
    configuration.maximumEvents = low.record.events
    try ignoreRecordings(low, in: &configuration)
    configuration.alerts = try low.alertRules(of: configuration.roots)
    configuration.measure = low.measure
    configuration.staysOnFileSystem = low.map.scan.staysOnFileSystem
    if let cooldown = low.record.cooldown { configuration.cooldown = cooldown * 1_000_000 }

    let now = ThisProcess.unixNanoseconds
    let metadata = metadata(of: configuration, low, at: now)
    let sink: RecordingSink
    if let output = low.output, output.elementsEqual("-".utf8) {
      sink = try RecordingSink(streaming: metadata)
    } else {
      let (file, shown) = try open(low, seconds: now / 1_000_000_000)
      if let identity = try? file.identity() { configuration.ignored.insert(identity) }
      sink = RecordingSink(metadata, to: file, shown: shown)
    }
    try record(configuration, metadata, to: sink, run)
  }

  private static func ignoreRecordings(
    _ low: LowArguments, in configuration: inout Recorder.Configuration
  ) throws(Failure) {
    guard let directory = try? RecordingPlace.directory(low),
      let facts = try? FileSystem.rootFacts(directory)
    else { return }
    for root in configuration.roots {
      if (try? FileSystem.rootFacts(root.directory))?.identity == facts.identity {
        throw .wrong(root.directory, "is the folder of recordings, which is not recorded")
      }
    }
    configuration.ignored.insert(facts.identity)
  }

  private static func metadata(
    of configuration: Recorder.Configuration, _ low: LowArguments, at now: Int64
  ) -> RecordingMetadata {
    let (host, system) = ThisMachine.names
    var metadata = RecordingMetadata(
      recordedAt: now / 1_000_000, device: host, systemVersion: system)
    metadata.name = low.record.name
    metadata.tags = low.record.tags
    metadata.roots = configuration.roots.map(\.label)
    metadata.projection = Int64(GeoProjectionEngine.version)
    metadata.layout = Array(configuration.layout.rawValue.utf8)
    return metadata
  }

  /// Makes the file of the recording; it must not exist.
  private static func open(
    _ low: LowArguments, seconds: Int64
  ) throws(Failure) -> (file: KeptFile, shown: String) {
    guard let path = low.output else {
      let folder = try RecordingPlace.make(low)
      let directory = try RecordingPlace.directory(low)
      let (file, name) = try explaining("can't make a file in \(directory.quoted)", as: .output) {
        try folder.make(seconds: seconds)
      }
      return (file, directory.appending(component: name).shown)
    }
    let shown = path.shown
    do throws(Errno) {
      let (folder, name) = try FileTarget.split(path)
      return (try KeptFile(making: name, in: FolderHandle(at: folder)), shown)
    } catch {
      switch error {
      case .exists:
        throw .wrong(path, "is there already, and a recording replaces nothing: give another name")
      case .isDirectory: throw .folder(shown)
      case .noEntry: throw .missingParent(of: shown)
      default: throw .output("can't make '\(shown)': \(error)")
      }
    }
  }

  private static func record(
    _ configuration: Recorder.Configuration, _ metadata: RecordingMetadata, to sink: RecordingSink,
    _ run: Run
  ) throws(Failure) {
    let runner: AlertRunner?
    let recorder: Recorder
    let start = ThisProcess.nanoseconds
    do {
      runner = try run.low.record.command.map { command in
        try explaining("can't start a thread to run commands with", as: .output) {
          try AlertRunner(command)
        }
      }
      recorder = try Recorder(
        configuration, start: start, recordedAt: metadata.recordedAt, to: sink)
      try explaining("can't start a thread to watch with", as: .output) {
        try recorder.inbox.receive(from: try SignalPipe())
      }
      try recorder.begin()
    } catch {
      sink.abandon()
      throw Failure(error, "it was broken off")
    }
    sink.begin(recorder, start: start, showsState: !run.low.isQuiet)
    run.note(beginning(of: recorder, sink))
    let watcher = recorder.watcher
    if watcher.unwatched > 0 {
      let setting = WatchLimit.folders.setting(forMore: watcher.unwatched)
      Messages.note(
        "\(Quantity.count(watcher.unwatched, "folder")) can't be watched: the system has no more "
          + "watches; to have enough: sysctl \(setting)")
    }
    recorder.onAlert = { alert, time in
      Progress.wipe()
      alert.report(at: time)
      runner?.add(alert, timestamp: time)
    }
    let end = recorder.run()
    let outcome = sink.finish()
    runner?.finish()
    if let failure = end.failure { Messages.note(failure) }
    run.note(outcome.text)
    if let failure = outcome.failure { throw failure }
    if end.failure != nil { run.add(faults: 1) }
    run.add(faults: watcher.unwatched)
  }

  private static func beginning(of recorder: Recorder, _ sink: RecordingSink) -> String {
    let roots = recorder.world.roots
    let sums = roots.compactMap { recorder.sample(of: $0.label) }
    let folders = sums.reduce(roots.count) { $0 + Int($1.folders) }
    let files = sums.reduce(0) { $0 + Int($1.files) }
    let what =
      sums.isEmpty
      ? "what happens below \(Quantity.count(folders, "folder"))"
      : "\(Quantity.count(folders, "folder")) with \(Quantity.count(files, "file"))"
    let unreadable = recorder.watcher.unreadable
    return
      "recording \(what) to \(sink.shown); Ctrl-C ends it"
      + (unreadable > 0 ? "; \(Quantity.count(unreadable, "folder")) could not be read" : "")
  }
}
