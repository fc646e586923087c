import GeoCore
import GeoLive
import GeoSystem

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
