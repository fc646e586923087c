import GeoCore
import GeoLive
import GeoSystem

struct RecordingFile {
  let file: GivenFile
  var shown: String { file.shown }
  var input: InputFile { file.input }

  /// Opens the file at a path; `-` is standard input.
  ///
  /// A plain name that doesn't exist is looked up in the folder of recordings.
  init(_ path: [UInt8], _ low: LowArguments) throws(Failure) {
    file = try GivenFile(path) {
      RecordingName.isValid(path) ? try? Self.named(path, low).input : nil
    }
  }

  /// Opens a file in the folder of recordings, or at a path, which has a `/`.
  static func named(_ name: [UInt8], _ low: LowArguments) throws(Failure) -> RecordingFile {
    if name.contains(.slash) { return try RecordingFile(name, low) }
    return try RecordingFile(name, in: RecordingPlace.open(low))
  }

  init(_ name: [UInt8], in folder: RecordingFolder) throws(Failure) {
    let input = try explaining(name.quoted) { try folder.open(name) }
    file = GivenFile(shown: name.quoted, input: input)
  }

  func reader() throws(Failure) -> RecordingReader {
    try RecordingReader(RecordingInput(input))
  }

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

  func read() throws(Failure) -> RecordingReader {
    try explaining("can't use \(shown)") { try reader() }
  }
}

enum RecordingPlace {
  /// The path of the folder of recordings: as given, or in the user's data folder.
  static func directory(_ low: LowArguments) throws(Failure) -> [UInt8] {
    if let directory = low.record.directory { return directory }
    return try UserFolder.data.path(of: "recordings", or: "give the folder with --directory DIR")
  }

  static func open(_ low: LowArguments) throws(Failure) -> RecordingFolder {
    let path = try directory(low)
    return try explaining("can't open the folder of recordings, \(path.quoted)") {
      try RecordingFolder(at: path)
    }
  }

  static func make(_ low: LowArguments) throws(Failure) -> RecordingFolder {
    let path = try directory(low)
    do throws(Errno) {
      try FolderHandle.makeFolders(path)
      return try RecordingFolder(at: path)
    } catch {
      throw .output(
        "can't make the folder of recordings, \(path.quoted): \(error); give "
          + "another one with --directory DIR, or a file with --output FILE")
    }
  }
}
