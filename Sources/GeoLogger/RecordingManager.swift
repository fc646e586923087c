import Foundation
import GeoCore
import GeoFormats
import GeoLive
import GeoSystem

/// Information about a recording.
public struct RecordingInfo: Hashable, Sendable {
  /// The file name.
  public var fileName: String
  /// The size of the file in bytes.
  public var size: Int
  /// The start, as Unix time in milliseconds.
  public var recordedAt: Int64
  /// The duration up to the last flush, in seconds; nil if unknown.
  public var duration: Double?
  /// The number of events up to the last flush; nil if unknown.
  public var eventCount: Int?
  /// The name given in the recording itself.
  public var name: String?
  /// The tags given in the recording.
  public var tags: [String]

  /// The start.
  public var date: Date { Date(timeIntervalSince1970: Double(recordedAt) / 1000) }

  /// How long it is, up to the last flush; nil if unknown.
  public var length: Duration? { duration.map { .seconds($0) } }
}

/// Lists, exports, renames and deletes the recordings of a folder.
public struct RecordingManager: Sendable {
  /// An export format of recordings: those of the file formats that hold events.
  public struct Format: RawRepresentable, Hashable, Sendable, CaseIterable {
    let file: FileFormat

    private init(_ file: FileFormat) { self.file = file }

    /// Makes the format with a name; nil if the name is unknown.
    public init?(rawValue: String) {
      guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = format
    }

    /// The recording format itself; exporting repairs a file that breaks off.
    public static let json = Format(.json)
    /// CSV (RFC 4180).
    public static let csv = Format(.csv)
    /// GPX 1.1.
    public static let gpx = Format(.gpx)
    /// One GeoJSON `FeatureCollection` (RFC 7946).
    public static let geojson = Format(.geojson)

    /// All export formats.
    public static let allCases = FileFormat.holding(.events).map { Format($0) }

    /// The format's name on the command line.
    public var rawValue: String { file.rawValue }
  }

  /// The folder of recordings.
  public let directory: String

  /// Makes a manager of a folder, which may be missing.
  public init(directory: URL) { self.directory = directory.pathText }

  static func open(_ directory: String) throws(GeoLoggerError) -> RecordingFolder {
    do throws(Errno) {
      return try RecordingFolder(at: Array(directory.utf8))
    } catch {
      throw GeoLoggerError(
        kind: error == .noEntry ? .noRecording : .system,
        description: "can't open '\(directory)': \(error)")
    }
  }

  /// Lists the recordings by the bytes of their names; empty if the folder is missing.
  public func listRecordings() throws(GeoLoggerError) -> [RecordingInfo] {
    let folder: RecordingFolder
    do throws(GeoLoggerError) {
      folder = try Self.open(directory)
    } catch {
      if error.kind == .noRecording { return [] }
      throw error
    }
    let entries = try rethrowing(folder.list()) {
      GeoLoggerError(.unreadable($0), directory)
    }
    return entries.map { entry in
      RecordingInfo(
        fileName: Self.text(entry.name), size: Int(clamping: entry.size),
        recordedAt: entry.metadata.recordedAt, duration: entry.metadata.duration,
        eventCount: entry.metadata.eventCount.map { Int(clamping: $0) },
        name: entry.metadata.name.map(Self.text), tags: entry.metadata.tags.map(Self.text))
    }
  }

  /// Deletes a recording; other files are refused.
  ///
  /// - Parameter fileName: The name of its file, not a path or a link.
  public func deleteRecording(_ fileName: String) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    try rethrowing(folder.delete(Array(fileName.utf8))) { (failure: Failure) in
      GeoLoggerError(failure, fileName)
    }
  }

  /// Renames a recording; fails if the new name is in use.
  public func renameRecording(_ fileName: String, to other: String) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    try rethrowing(folder.rename(Array(fileName.utf8), to: Array(other.utf8))) {
      (failure: Failure) in GeoLoggerError(failure, fileName)
    }
  }

  /// Exports a recording.
  ///
  /// - Parameters:
  ///   - fileName: The name of its file, not a path or a link.
  ///   - format: The format of the export.
  ///   - write: Called with consecutive parts of the output.
  /// - Throws: ``GeoLoggerError``. If the recording breaks off, it is thrown after everything
  ///   before the break was written as a complete file.
  public func exportRecording(
    _ fileName: String, as format: Format, to write: ([UInt8]) -> Void
  ) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    let fault: Failure?
    do throws(Failure) {
      let file = try folder.open(Array(fileName.utf8))
      fault = try EventExport(format.file).run(opening: { () throws(Failure) in
        try RecordingReader(RecordingInput(file))
      }) { bytes in
        write(Array(copying: bytes))
      }
    } catch {
      throw GeoLoggerError(error, fileName)
    }
    if let fault { throw GeoLoggerError(fault, fileName) }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension GeoLoggerError {
  /// The name is that of the file or folder.
  init(_ failure: Failure, _ name: String) {
    let kind: Kind =
      switch failure.group {
      case .usage: .noRecording
      case .damage: .corrupted
      default: failure.cause as? Errno == .noEntry ? .noRecording : .system
      }
    self.init(kind: kind, description: "'\(name)': \(failure)")
  }
}

extension RecordingManager {
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
