import GeoCore
import GeoLive
import GeoSystem

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
