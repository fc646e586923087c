import GeoCore
import GeoSystem
import GeoTrack

/// A file of tracks that is read.
struct TrackFile {
  /// The name, for messages.
  let shown: String
  let input: InputFile

  /// Opens a file; `-` is standard input.
  init(_ path: [UInt8]) throws(Failure) {
    let isStandard = path.elementsEqual("-".utf8)
    shown = isStandard ? "standard input" : "'\(TerminalText.escaped(path))'"
    do throws(Errno) {
      input = isStandard ? try InputFile.standardInput() : try InputFile(at: path)
    } catch {
      throw .usage("can't read \(shown): \(error)")
    }
  }

  /// Hands all of it to a sink.
  func read<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws(Failure) {
    do throws(TrackError) {
      var rest = TrackFileInput(input)
      var beginning: [UInt8] = []
      do throws(Errno) {
        _ = try rest.read(appendingTo: &beginning)
      } catch {
        throw TrackError.unreadable(error)
      }
      let whole = BegunTrackInput(beginning, followedBy: rest)
      if JSONTrackReader.isJSON(beginning) {
        var reader = JSONTrackReader(whole)
        try reader.read(into: &sink)
      } else {
        var reader = GPXReader(whole)
        try reader.read(into: &sink)
      }
    } catch {
      throw failure(error)
    }
  }

  /// Why it can't be used.
  func failure(_ error: TrackError) -> Failure {
    switch error {
    case .unreadable(let reason): .usage("can't read \(shown): \(reason)")
    case .malformed: .usage("can't use \(shown): \(error)")
    case .stopped: .output("\(error)")
    }
  }
}

/// The tool's output as one for tracks.
final class TrackFileOutput: TrackOutput {
  private let file: OutputFile
  /// Why no more can be written.
  private(set) var obstacle: OutputError?

  init(opening place: OutputPlace) throws(Failure) { file = try OutputFile(opening: place) }

  func write(_ bytes: Span<UInt8>) throws(TrackError) {
    do throws(OutputError) {
      try file.write(bytes)
    } catch {
      obstacle = error
      throw .stopped
    }
  }

  /// Does something that writes, and puts the output in its place when it is complete.
  ///
  /// - Throws: Why it isn't; a reader who has enough is no failure.
  func complete(_ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      file.discard()
      guard let obstacle else { throw error }
      return try Self.tell(obstacle)
    }
    do throws(OutputError) {
      try file.complete()
    } catch {
      file.discard()
      try Self.tell(error)
    }
  }

  private static func tell(_ error: OutputError) throws(Failure) {
    if case .failed(let failure) = error { throw failure }
  }
}
