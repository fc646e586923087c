import GeoFormats
import GeoCore
import GeoLive
import GeoSystem

/// `geomapper recordings`: what is done with the folder of recordings.
enum RecordingsCommand {
  /// What is done with recordings.
  enum Action: String, CaseIterable {
    case list
    case info
    case rename
    case delete
    case export

    /// What it makes.
    var formats: [FileFormat] {
      switch self {
      case .list, .info: FileFormat.holding(.reports)
      case .export: FileFormat.holding(.events)
      case .rename, .delete: []
      }
    }
  }

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let word = low.operands.first ?? Array("list".utf8)
    let action: Action = try ActionWord.parse(word, doneWith: "recordings")
    let names = Array(low.operands.dropFirst())
    try check(action, names, low)
    var low = low
    if !action.formats.isEmpty {
      low.format = try low.format(
        among: action.formats, usual: action == .export ? .json : .text)
    }
    switch action {
    case .list: return try list(low)
    case .info: return try RecordingInfo.run(names, low)
    case .rename:
      try call(names[0]) { (folder) throws(RecordingFolder.Failure) in
        try folder.rename(names[0], to: names[1])
      }(try RecordingPlace.open(low))
    case .delete:
      let folder = try RecordingPlace.open(low)
      for name in names {
        try call(name) { (folder) throws(RecordingFolder.Failure) in try folder.delete(name) }(
          folder)
      }
    case .export:
      if low.record.exportsAll { return try RecordingExport.runAll(low) }
      return try RecordingExport.run(names[0], low)
    }
    return .success
  }

  /// Looks whether names and options go with an action.
  private static func check(
    _ action: Action, _ names: [[UInt8]], _ low: LowArguments
  ) throws(Failure) {
    switch action {
    case .list: if !names.isEmpty { throw .usage("recordings list takes no NAME") }
    case .info, .delete:
      if names.isEmpty { throw .usage("recordings \(action) needs a NAME") }
    case .rename:
      if names.count != 2 { throw .usage("recordings rename needs a NAME and a new one") }
    case .export:
      if low.record.exportsAll, !names.isEmpty {
        throw .usage("recordings export takes a NAME or --all, not both")
      }
      if !low.record.exportsAll, names.count != 1 {
        throw .usage("recordings export needs one NAME, or --all")
      }
    }
    if low.record.compared != nil, names.count != 1 {
      throw .usage("--compare is for info of one recording")
    }
    guard let format = low.format, !action.formats.contains(format) else { return }
    throw .usage("recordings \(action) can't be written as \(format)")
  }

  /// Does something with a recording of the folder, and says in words why it can't be done.
  static func call<Value>(
    _ name: [UInt8], _ body: @escaping (RecordingFolder) throws(RecordingFolder.Failure) -> Value
  ) -> (RecordingFolder) throws(Failure) -> Value {
    { (folder) throws(Failure) in
      do throws(RecordingFolder.Failure) {
        return try body(folder)
      } catch {
        throw .usage("'\(TerminalText.escaped(name))': \(error)")
      }
    }
  }

  /// The recordings of the folder.
  ///
  /// - Parameter path: The folder, for messages.
  static func list(
    _ path: [UInt8], _ low: LowArguments
  ) throws(Failure) -> [RecordingFolder.Entry] {
    let progress = low.progressLine()
    defer { progress?.clear() }
    return try call(path) { (folder) throws(RecordingFolder.Failure) in
      try folder.list { done, all in
        if done == 0 { progress?.begin(of: all) }
        progress?.show(done, "file")
      }
    }(try RecordingPlace.open(low))
  }

  private static func list(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try low.place
    let path = try RecordingPlace.directory(low)
    var entries: [RecordingFolder.Entry] = []
    // Nothing was recorded yet where there is no folder, unless somebody named one.
    if low.record.directory != nil || (try? FileSystem.rootFacts(path)) != nil {
      entries = try list(path, low)
    }
    // All of the tags that were given.
    entries.removeAll { entry in !low.record.tags.allSatisfy(entry.metadata.tags.contains) }
    if low.format == .json {
      var json = JSONBuilder()
      json.array { json in
        for entry in entries { put(entry, to: &json) }
      }
      try OutputFile.write(json.bytes + [10], to: place)
      return .success
    }
    var text = ""
    for entry in entries {
      let duration = entry.metadata.duration.map { TimeSpan.text(seconds: $0) } ?? "?"
      let events = entry.metadata.eventCount.map { Quantity.count(Int($0), "event") } ?? "?"
      text +=
        padded(CivilTime.text(unixSeconds: entry.metadata.recordedAt / 1000), 22)
        + padded(Quantity.bytes(Int(entry.size)), 11) + padded(duration, 10)
        + padded(events, 16) + TerminalText.escaped(entry.name)
      if let name = entry.metadata.name { text += "  \(TerminalText.escaped(name))" }
      let tags = entry.metadata.tags.map { TerminalText.escaped($0) }
      if !tags.isEmpty { text += "  [\(tags.joined(separator: ", "))]" }
      text += "\n"
    }
    if entries.isEmpty, !low.record.tags.isEmpty {
      text = "no recordings with these tags in \(TerminalText.escaped(path))\n"
    } else if entries.isEmpty {
      text = "no recordings in \(TerminalText.escaped(path))\n"
    }
    try OutputFile.write(Array(text.utf8), to: place)
    return .success
  }

  private static func put(_ entry: RecordingFolder.Entry, to json: inout JSONBuilder) {
    json.object { json in
      json.member("file", text: entry.name)
      RecordingInfo.putTime("recordedAt", entry.metadata.recordedAt, to: &json)
      json.member("size", entry.size)
      if let duration = entry.metadata.duration {
        json.key("duration")
        json.value(duration)
      }
      if let count = entry.metadata.eventCount { json.member("eventCount", count) }
      if let name = entry.metadata.name { json.member("name", text: name) }
      if !entry.metadata.tags.isEmpty {
        json.key("tags")
        json.array { json in for tag in entry.metadata.tags { json.value(text: tag) } }
      }
    }
  }
}
