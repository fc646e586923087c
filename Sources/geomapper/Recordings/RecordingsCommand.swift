import GeoCore
import GeoFormats
import GeoLive
import GeoSystem

extension Command {
  static let recordings = Command(
    id: .recordings,
    summary: "List, rename, delete and export recordings.",
    usage: "recordings [ACTION] [OPTION]... [NAME]...",
    description: [
      "Manage the folder of recordings [~/.local/share/geomapper/recordings]. NAME is a "
        + "file in it. ACTION is one of these:",
      "list [the default]: show name, date, size, duration and number of events of each.",
      "info NAME...: show what each holds, and where it breaks off.",
      "rename NAME NEW: rename it; NEW must not exist.",
      "delete NAME...: delete them.",
      "export NAME: write it as JSON, CSV, GPX or GeoJSON; --all writes all of them into a folder.",
    ],
    examples: [
      "geomapper recordings list": "List all recordings.",
      "geomapper recordings export --format gpx -o log.gpx log.json":
        "Write the places as a track.",
    ],
    statuses: statuses(
      "Everything was done", incomplete: "A recording breaks off; the events before were used.",
      wrong: "a NAME that is not a recording"),
    rules: [
      .knownAction(on: "recordings"),
      .takes(...0, when: .action("list"), or: "recordings list takes no NAME"),
      .takes(1..., when: .action("info"), or: "recordings info needs a NAME"),
      .takes(1..., when: .action("delete"), or: "recordings delete needs a NAME"),
      .takes(2...2, when: .action("rename"), or: "recordings rename needs a NAME and a new one"),
      .takes(
        ...0, when: .action("export"), .option("all"),
        or: "recordings export takes a NAME or --all, not both"),
      .takes(
        1...1, when: .action("export"), unless: .option("all"),
        or: "recordings export needs one NAME, or --all"),
      .takes(1...1, when: .option("compare"), or: "--compare is for info of one recording"),
      .format,
    ],
    run: RecordingsCommand.run,
    formats: { action in
      let formats = RecordingsCommand.Action(rawValue: action)?.formats ?? []
      return (formats, formats.first)
    },
    actions: RecordingsCommand.Action.allCases.map(\.rawValue))
}

enum RecordingsCommand {
  enum Action: String, CaseIterable {
    case list
    case info
    case rename
    case delete
    case export

    var formats: [FileFormat] {
      switch self {
      case .list, .info: FileFormat.holding(.reports)
      case .export: FileFormat.holding(.events)
      case .rename, .delete: []
      }
    }
  }

  static func run(_ run: Run) throws(Failure) {
    let (action, names) = (run.action(or: Action.list), run.operands)
    let format = run.format
    switch action {
    case .list: try list(run, as: format)
    case .info: try RecordingInfo.run(names, run, as: format)
    case .rename:
      let folder = try RecordingPlace.open(run.low)
      try explaining(names[0].quoted) {
        try folder.rename(names[0], to: names[1])
      }
    case .delete:
      let folder = try RecordingPlace.open(run.low)
      for name in names {
        try explaining(name.quoted) { try folder.delete(name) }
      }
    case .export:
      if run.low.record.exportsAll { return try RecordingExport.runAll(run, as: format) }
      try RecordingExport.run(names[0], run, as: format)
    }
  }

  static func entries(of path: [UInt8], _ run: Run) throws(Failure) -> [RecordingFolder.Entry] {
    let folder = try RecordingPlace.open(run.low)
    var entries = try explaining(path.quoted) {
      try folder.list { done, all in
        if done == 0 { run.progress?.begin(of: all) }
        run.progress?.show(done, "file")
      }
    }
    entries.removeAll { entry in !run.low.record.tags.allSatisfy(entry.metadata.tags.contains) }
    return entries
  }

  private static func list(_ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    let low = run.low
    let path = try RecordingPlace.directory(low)
    // A missing default folder means that there are no recordings yet.
    let isThere = low.record.directory != nil || (try? FileSystem.rootFacts(path)) != nil
    let entries = isThere ? try entries(of: path, run) : []
    if format == .json {
      var json = JSONBuilder()
      json.array { json in
        for entry in entries { put(entry, to: &json) }
      }
      return try run.write(json.bytes + [10])
    }
    var text = ""
    for entry in entries {
      let duration = entry.metadata.duration.map { TimeSpan.text(seconds: $0) } ?? "?"
      let events = entry.metadata.eventCount.map { Quantity.count(Int($0), "event") } ?? "?"
      text +=
        padded(CivilTime.text(unixSeconds: entry.metadata.recordedAt / 1000), 22)
        + padded(Quantity.bytes(Int(entry.size)), 11) + padded(duration, 10)
        + padded(events, 16) + entry.name.shown
      if let name = entry.metadata.name { text += "  \(name.shown)" }
      let tags = entry.metadata.tags.map(\.shown)
      if !tags.isEmpty { text += "  [\(tags.joined(separator: ", "))]" }
      text += "\n"
    }
    if entries.isEmpty {
      text = "no recordings\(low.record.tags.isEmpty ? "" : " with these tags") in \(path.shown)\n"
    }
    try run.write(text)
  }

  private static func put(_ entry: RecordingFolder.Entry, to json: inout JSONBuilder) {
    json.object { json in
      json.member("file", text: entry.name)
      RecordingInfo.putTime("recordedAt", entry.metadata.recordedAt, to: &json)
      json.member("size", entry.size)
      json.member("duration", decimal: entry.metadata.duration)
      json.member("eventCount", entry.metadata.eventCount)
      if let name = entry.metadata.name { json.member("name", text: name) }
      if !entry.metadata.tags.isEmpty {
        json.member("tags", texts: entry.metadata.tags)
      }
    }
  }
}

/// `geomapper recordings export`: writes a recording in another format, or complete in its own.
private enum RecordingExport {
  static func run(_ name: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    try write(name, to: try run.place, run, format)
  }

  static func runAll(_ run: Run, as format: FileFormat) throws(Failure) {
    let folder = run.low.output ?? []
    try explaining("can't make the folder \(folder.quoted)", as: .output) {
      try FolderHandle.makeFolders(folder)
    }
    let ending = Array(".\(format)".utf8)
    for entry in try RecordingsCommand.entries(of: RecordingPlace.directory(run.low), run) {
      let name = Array(entry.name.dropLast(5)) + ending
      try write(entry.name, to: OutputPlace(folder.appending(component: name)), run, format)
    }
  }

  private static func write(
    _ name: [UInt8], to place: OutputPlace, _ run: Run, _ format: FileFormat
  ) throws(Failure) {
    let file = try RecordingFile.named(name, run.low)
    _ = try file.read()
    let progress = run.low.progressLine(beside: place)
    progress?.begin(
      run.low.record.exportsAll ? file.shown : "", reading: file.input,
      times: EventExport.readings(of: format))
    defer { progress?.clear() }
    var fault: Failure?
    let isWhole = try OutputFile.write(to: place) { (output) throws(Failure) in
      var obstacle: Failure?
      fault = try explaining("can't use \(file.shown)") {
        try EventExport(format).run(opening: file.reader) { bytes in
          if obstacle != nil { return }
          do throws(Failure) {
            try output.write(bytes)
          } catch {
            obstacle = error
          }
        }
      }
      if let obstacle { throw obstacle }
    }
    if isWhole { run.add(fault, endingEarly: file.shown) }
  }
}
