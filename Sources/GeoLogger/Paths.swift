import Foundation
import GeoSystem

// Files as URLs, and times as `Date` and `Duration`, where the rest takes paths and numbers.

extension URL {
  /// The path of a file URL; the text of another URL, which names no file.
  fileprivate var pathText: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension GeoLocation {
  /// Makes a location.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, clamped to −90 to 90.
  ///   - longitude: Degrees east, clamped to −180 to 180.
  ///   - date: The time, rounded to milliseconds.
  public init(latitude: Double, longitude: Double, date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    self.init(
      latitude: latitude, longitude: longitude,
      timestamp: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }

  /// The time.
  public var date: Date { Date(timeIntervalSince1970: Double(timestamp) / 1000) }
}

extension FileSystemSource {
  /// Makes a source that watches folders.
  ///
  /// - Parameter folders: The labels of the folders on the map, and the folders.
  public init(_ folders: [(label: String, folder: URL)]) {
    self.init(folders.map { (label: $0.label, path: $0.folder.pathText) })
  }

  /// Makes a source that watches one folder, labelled by its name.
  public init(_ folder: URL) {
    let name = folder.standardizedFileURL.lastPathComponent
    self.init([(label: name == "/" || name.isEmpty ? "root" : name, path: folder.pathText)])
  }
}

extension GeoLoggerConfiguration {
  /// Makes a configuration with a folder of recordings.
  public init(
    mode: GeoLoggerMode = .passthrough, directory: URL, replaySpeedMultiplier: Double = 1,
    replayFileName: String? = nil, loopReplay: Bool = false
  ) {
    self.init(
      mode: mode, directory: directory.pathText, replaySpeedMultiplier: replaySpeedMultiplier,
      replayFileName: replayFileName, loopReplay: loopReplay)
  }
}

extension RecordingSession {
  /// Starts a recording in a folder, which is created if missing.
  ///
  /// - Parameters:
  ///   - directory: The folder of recordings.
  ///   - name: The name given in the recording itself.
  ///   - clock: The clock for the times of events.
  /// - Throws: ``GeoLoggerError`` if the file can't be created.
  public convenience init(
    directory: URL, name: String? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(directory: directory.pathText, name: name, clock: clock)
  }
}

extension ReplaySession {
  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - fileName: The name of its file, not a path.
  ///   - directory: The folder of recordings.
  ///   - speedMultiplier: The speed relative to the recording; above 0.
  ///   - loops: Whether the replay starts again at its end.
  ///   - clock: The clock for the timing.
  /// - Throws: ``GeoLoggerError`` if the speed is invalid, or the file is missing or not a
  ///   recording.
  public init(
    fileName: String, directory: URL, speedMultiplier: Double = 1, loops: Bool = false,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(
      fileName: fileName, directory: directory.pathText, speedMultiplier: speedMultiplier,
      loops: loops, clock: clock)
  }
}

extension RecordingManager {
  /// Makes a manager of a folder, which may be missing.
  public init(directory: URL) { self.init(directory: directory.pathText) }

  /// Exports a recording into a file, which is replaced only on success. If the recording breaks
  /// off, everything before the break is written.
  ///
  /// - Throws: ``GeoLoggerError``, also after a recording that breaks off.
  public func exportRecording(
    _ fileName: String, as format: Format, to url: URL
  ) throws(GeoLoggerError) {
    let path = url.pathText
    var stop: Errno?
    var damage: GeoLoggerError?
    var count = 0
    do throws(Errno) {
      let draft = try FileDraft(Array(path.utf8))
      do throws(GeoLoggerError) {
        try exportRecording(fileName, as: format) { bytes in
          count += bytes.count
          if stop != nil { return }
          do throws(Errno) { try draft.write(bytes.span) } catch { stop = error }
        }
      } catch {
        damage = error
      }
      if let stop { throw stop }
      if damage == nil || damage?.kind == .corrupted && count > 0 { try draft.complete() }
    } catch {
      throw GeoLoggerError(kind: .system, description: "can't write '\(path)': \(error)")
    }
    if let damage { throw damage }
  }
}

extension RecordingInfo {
  /// The start.
  public var date: Date { Date(timeIntervalSince1970: Double(recordedAt) / 1000) }

  /// How long it is, up to the last flush; nil if unknown.
  public var length: Duration? { duration.map { .seconds($0) } }
}
