import GeoCore
import GeoFormats
import GeoLive
import GeoSystem
import GeoTrack

/// A file that ought to be a recording.
struct RecordingFile {
  private let file: GivenFile
  /// The name, for messages.
  var shown: String { file.shown }
  var input: InputFile { file.input }

  /// Opens the file at a path; `-` is standard input. One that isn't there is looked for in the folder
  /// of recordings, if it is called by its name alone.
  init(_ path: [UInt8], _ low: LowArguments) throws(Failure) {
    file = try GivenFile(path) {
      RecordingName.isValid(path) ? try? Self.named(path, low).input : nil
    }
  }

  /// Opens a file of the folder of recordings.
  static func named(_ name: [UInt8], _ low: LowArguments) throws(Failure) -> RecordingFile {
    try RecordingFile(name, in: RecordingPlace.open(low))
  }

  /// Opens a file of a folder.
  init(_ name: [UInt8], in folder: RecordingFolder) throws(Failure) {
    let shown = "'\(TerminalText.escaped(name))'"
    file = GivenFile(try explaining(shown) { try folder.open(name) }, shown: shown)
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
    return try explaining("can't read \(shown)") {
      var bytes: [UInt8] = []
      while true {
        let count = try input.read(upTo: 1 << 20, at: place, appendingTo: &bytes)
        if count == 0 { return bytes }
        place += Int64(count)
        if bytes.count > limit { throw Errno.fileTooLarge }
      }
    }
  }

  /// The same, where there is nothing to do if it is no recording.
  func read() throws(Failure) -> RecordingReader {
    try explaining("can't use \(shown)") { try reader() }
  }
}

/// Where recordings are.
enum RecordingPlace {

  /// The folder of recordings: as it was given, or the user's own for data.
  static func directory(_ low: LowArguments) throws(Failure) -> [UInt8] {
    if let directory = low.record.directory { return directory }
    return try UserFolder.data.path(of: "recordings", or: "give the folder with --directory DIR")
  }

  /// Opens the folder of recordings.
  static func open(_ low: LowArguments) throws(Failure) -> RecordingFolder {
    let path = try directory(low)
    return try explaining("can't open the folder of recordings, '\(TerminalText.escaped(path))'") {
      try RecordingFolder(at: path)
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
  static func run(_ name: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    try write(name, to: try run.place, run, format)
  }

  /// Exports all recordings with the tags that were given, each into a file of a folder.
  static func runAll(_ run: Run, as format: FileFormat) throws(Failure) {
    let folder = run.low.output ?? []
    try explaining("can't make the folder '\(TerminalText.escaped(folder))'", as: .output) {
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
    file.show(
      in: progress, as: run.low.record.exportsAll ? file.shown : "",
      times: EventExport.readings(of: format))
    defer { progress?.clear() }
    var fault: RecordingError?
    let isWhole = try OutputFile.write(to: place) { (output) throws(OutputError) in
      var obstacle: OutputError?
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
        throw .failed(.usage("can't use \(file.shown): \(error)"))
      }
      if let obstacle { throw obstacle }
    }
    if isWhole { run.add(fault, endingEarly: file.shown) }
  }
}

/// The places of a recording as a track, written while it is played.
final class PlayedTrack {
  private let output: TrackFileOutput
  private var writer: GPXTrackWriter

  init(_ file: OutputFile) {
    output = TrackFileOutput(file)
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
