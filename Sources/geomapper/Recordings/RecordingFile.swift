import GeoCore
import GeoFormats
import GeoLive
import GeoSystem
import GeoTrack

/// A file that ought to be a recording.
struct RecordingFile {
  /// The name, for messages.
  let shown: String
  private let input: InputFile

  /// Opens the file at a path; `-` is standard input. One that isn't there is looked for in the folder
  /// of recordings, if it is called by its name alone.
  init(_ path: [UInt8], _ low: LowArguments) throws(Failure) {
    let isStandard = path.elementsEqual("-".utf8)
    shown = isStandard ? "standard input" : "'\(TerminalText.escaped(path))'"
    do throws(Errno) {
      input = isStandard ? try InputFile.standardInput() : try InputFile(at: path)
    } catch {
      if error == .noEntry, RecordingName.isValid(path),
        let folder = try? RecordingPlace.open(low), let file = try? folder.open(path)
      {
        input = file
        return
      }
      throw .usage("can't read \(shown): \(error)")
    }
  }

  /// Takes over an open file.
  init(_ input: InputFile, shown: String) {
    self.input = input
    self.shown = shown
  }

  /// Reads it from its beginning, up to the metadata.
  func reader() throws(RecordingError) -> RecordingReader {
    try RecordingReader(RecordingInput(input))
  }

  /// Has a line show how far it is read.
  ///
  /// - Parameter times: How often all of it is.
  func show(in progress: Progress?, as part: String = "", times: Int = 1) {
    progress?.begin(part, reading: input, times: times)
  }

  /// All of it, as it stands in its file.
  ///
  /// - Parameter limit: How many bytes it may have.
  func bytes(limit: Int) throws(Failure) -> [UInt8] {
    guard var place = input.start else {
      throw .usage("\(shown) can't be read again: give a file")
    }
    var bytes: [UInt8] = []
    do throws(Errno) {
      while true {
        let count = try input.read(upTo: 1 << 20, at: place, appendingTo: &bytes)
        if count == 0 { return bytes }
        place += Int64(count)
        if bytes.count > limit {
          throw Errno.fileTooLarge
        }
      }
    } catch {
      throw .usage("can't read \(shown): \(error)")
    }
  }

  /// The same, for whoever gives up if it is no recording.
  func read() throws(Failure) -> RecordingReader {
    do throws(RecordingError) {
      return try reader()
    } catch {
      throw .usage("can't use \(shown): \(error)")
    }
  }
}

/// Where recordings are.
enum RecordingPlace {

  /// The folder of recordings: as it was given, or the user's own for data.
  static func directory(_ low: LowArguments) throws(Failure) -> [UInt8] {
    if let directory = low.record.directory { return directory }
    let tail = Array("/geomapper/recordings".utf8)
    // A relative path in this variable counts as none (XDG base directories).
    if let data = ThisProcess.environment("XDG_DATA_HOME"), data.first == .slash {
      return data + tail
    }
    guard let home = ThisProcess.environment("HOME"), !home.isEmpty else {
      throw .usage("neither XDG_DATA_HOME nor HOME is set: give the folder with --directory DIR")
    }
    return home + Array("/.local/share".utf8) + tail
  }

  /// Opens the folder of recordings.
  static func open(_ low: LowArguments) throws(Failure) -> RecordingFolder {
    let path = try directory(low)
    do throws(Errno) {
      return try RecordingFolder(at: path)
    } catch {
      throw .usage("can't open the folder of recordings, '\(TerminalText.escaped(path))': \(error)")
    }
  }

  /// Makes the folder of recordings if it isn't there.
  static func make(_ low: LowArguments) throws(Failure) -> RecordingFolder {
    let path = try directory(low)
    do throws(Errno) {
      try FolderHandle.makeFolders(path)
      return try RecordingFolder(at: path)
    } catch {
      throw .output(
        "can't make the folder of recordings, '\(TerminalText.escaped(path))': \(error); give "
          + "another one with --directory DIR, or a file with --output FILE")
    }
  }
}

/// `geomapper recordings export`: a recording in another format, or in its own, whole.
enum RecordingExport {
  static func run(_ name: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    try run(name, to: try low.place, low)
  }

  /// Exports all recordings with the tags that were given, each into a file of a folder.
  static func runAll(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let folder = low.output ?? []
    do throws(Errno) {
      try FolderHandle.makeFolders(folder)
    } catch {
      throw .output("can't make the folder '\(TerminalText.escaped(folder))': \(error)")
    }
    let place = try RecordingPlace.directory(low)
    let entries = try RecordingsCommand.list(place, low)
    let ending = Array(".\(low.format ?? .json)".utf8)
    var status = ExitStatus.success
    for entry in entries where low.record.tags.allSatisfy(entry.metadata.tags.contains) {
      let name = Array(entry.name.dropLast(5)) + ending
      let target = try OutputPlace(folder.appending(component: name))
      if try run(entry.name, to: target, low) == .incomplete { status = .incomplete }
    }
    return status
  }

  private static func run(
    _ name: [UInt8], to place: OutputPlace, _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let input = try RecordingsCommand.call(name) { (folder) throws(RecordingFolder.Failure) in
      try folder.open(name)
    }(try RecordingPlace.open(low))
    let file = RecordingFile(input, shown: "'\(TerminalText.escaped(name))'")
    _ = try file.read()
    let progress = low.progressLine(beside: place)
    let format = low.format ?? .json
    file.show(
      in: progress, as: low.record.exportsAll ? file.shown : "",
      times: EventExport.readings(of: format))
    defer { progress?.clear() }
    let output = try OutputFile(opening: place)
    var obstacle: OutputError?
    let fault: RecordingError?
    do throws(RecordingError) {
      fault = try EventExport(format).run(opening: { () throws(RecordingError) in
        try file.reader()
      }) { bytes in
        if obstacle != nil { return }
        do throws(OutputError) {
          try output.write(bytes)
        } catch {
          obstacle = error
        }
      }
    } catch {
      output.discard()
      throw .usage("can't use \(file.shown): \(error)")
    }
    do throws(OutputError) {
      if let obstacle { throw obstacle }
      try output.complete()
    } catch {
      output.discard()
      if case .failed(let failure) = error { throw failure }
      return .success
    }
    guard let fault else { return .success }
    Messages.note("\(file.shown) breaks off: \(fault)")
    return .incomplete
  }
}

/// The places of a recording as a track, written while it is played.
final class PlayedTrack {
  private let output: Passage
  private var writer: GPXTrackWriter

  /// Hands bytes on, and remembers why they were refused.
  private final class Passage: TrackOutput {
    let file: OutputFile
    var obstacle: OutputError?

    init(_ file: OutputFile) { self.file = file }

    func write(_ bytes: Span<UInt8>) throws(TrackError) {
      do throws(OutputError) {
        try file.write(bytes)
      } catch {
        obstacle = error
        throw .stopped
      }
    }
  }

  init(_ file: OutputFile) {
    output = Passage(file)
    writer = GPXTrackWriter(output)
  }

  func begin(_ metadata: RecordingMetadata) throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.begin(metadata, &writer) }
  }

  func add(_ event: RecordedEvent) throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.add(event, to: &writer) }
  }

  func flush() throws(OutputError) {
    try call { (writer) throws(TrackError) in try writer.flush() }
  }

  func finish() throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.end(&writer) }
  }

  private func call(
    _ body: (inout GPXTrackWriter) throws(TrackError) -> Void
  ) throws(OutputError) {
    do throws(TrackError) {
      try body(&writer)
    } catch {
      throw output.obstacle ?? .failed(.output("\(error)"))
    }
  }
}
