import GeoFormats
import GeoCore
import GeoLive
import GeoSystem

/// A recording in a few words.
public struct RecordingInfo: Hashable, Sendable {
  /// The name of its file.
  public var fileName: String
  /// Bytes of the file.
  public var size: Int
  /// When it began: Unix time in milliseconds.
  public var recordedAt: Int64
  /// Seconds up to its last flush.
  public var duration: Double?
  /// Events up to its last flush.
  public var eventCount: Int?
  /// The name that it has inside.
  public var name: String?
  /// The words to find it by.
  public var tags: [String]
}

/// Looks after a folder of recordings.
public struct RecordingManager: Sendable {
  /// How a recording is exported: the part of the list of formats that holds events.
  public struct Format: RawRepresentable, Hashable, Sendable, CaseIterable {
    let file: FileFormat

    private init(_ file: FileFormat) { self.file = file }

    /// The format of a name; nil if there is none.
    public init?(rawValue: String) {
      guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = format
    }

    /// A recording again, whole if the file breaks off.
    public static let json = Format(.json)
    /// A table (RFC 4180).
    public static let csv = Format(.csv)
    /// GPX 1.1.
    public static let gpx = Format(.gpx)
    /// One GeoJSON `FeatureCollection` (RFC 7946).
    public static let geojson = Format(.geojson)

    /// All of them.
    public static let allCases = FileFormat.holding(.events).map { Format($0) }

    /// What the command line calls it.
    public var rawValue: String { file.rawValue }
  }

  /// The folder of recordings.
  public let directory: String

  /// A manager of a folder, which need not be there yet.
  public init(directory: String) { self.directory = directory }

  static func open(_ directory: String) throws(GeoLoggerError) -> RecordingFolder {
    do throws(Errno) {
      return try RecordingFolder(at: Array(directory.utf8))
    } catch {
      throw GeoLoggerError(
        kind: error == .noEntry ? .noRecording : .system,
        description: "can't open '\(directory)': \(error)")
    }
  }

  /// The recordings, in the byte order of their names; none if there is no folder yet.
  public func listRecordings() throws(GeoLoggerError) -> [RecordingInfo] {
    let folder: RecordingFolder
    do throws(GeoLoggerError) {
      folder = try Self.open(directory)
    } catch {
      if error.kind == .noRecording { return [] }
      throw error
    }
    let entries = try Self.call(directory) { () throws(RecordingFolder.Failure) in
      try folder.list()
    }
    return entries.map { entry in
      RecordingInfo(
        fileName: Self.text(entry.name), size: Int(clamping: entry.size),
        recordedAt: entry.metadata.recordedAt, duration: entry.metadata.duration,
        eventCount: entry.metadata.eventCount.map { Int(clamping: $0) },
        name: entry.metadata.name.map(Self.text), tags: entry.metadata.tags.map(Self.text))
    }
  }

  /// Removes a recording, and nothing else.
  ///
  /// - Parameter fileName: The name of its file: no path, and no link.
  public func deleteRecording(_ fileName: String) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    try Self.call(fileName) { () throws(RecordingFolder.Failure) in
      try folder.delete(Array(fileName.utf8))
    }
  }

  /// Gives a recording another name, which nobody may have.
  public func renameRecording(_ fileName: String, to other: String) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    try Self.call(fileName) { () throws(RecordingFolder.Failure) in
      try folder.rename(Array(fileName.utf8), to: Array(other.utf8))
    }
  }

  /// A recording in another format.
  ///
  /// - Parameter write: Takes the next bytes.
  /// - Throws: ``GeoLoggerError``; where the recording breaks off, after all before was written and
  ///   ended well.
  public func exportRecording(
    _ fileName: String, as format: Format, to write: ([UInt8]) -> Void
  ) throws(GeoLoggerError) {
    let folder = try Self.open(directory)
    let file = try Self.call(fileName) { () throws(RecordingFolder.Failure) in
      try folder.open(Array(fileName.utf8))
    }
    let fault: RecordingError?
    do throws(RecordingError) {
      fault = try EventExport(format.file).run(opening: { () throws(RecordingError) in
        try RecordingReader(RecordingInput(file))
      }) { bytes in
        write(Array(copying: bytes))
      }
    } catch {
      throw GeoLoggerError(kind: .corrupted, description: "'\(fileName)': \(error)")
    }
    if let fault {
      throw GeoLoggerError(kind: .corrupted, description: "'\(fileName)': \(fault)")
    }
  }

  private static func call<Value>(
    _ name: String, _ body: () throws(RecordingFolder.Failure) -> Value
  ) throws(GeoLoggerError) -> Value {
    do throws(RecordingFolder.Failure) {
      return try body()
    } catch {
      throw GeoLoggerError(error, name)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension GeoLoggerError {
  init(_ failure: RecordingFolder.Failure, _ name: String) {
    let kind: Kind =
      switch failure {
      case .badName, .notRegular: .noRecording
      case .system(let error): error == .noEntry ? .noRecording : .system
      case .recording: .corrupted
      }
    self.init(kind: kind, description: "'\(name)': \(failure)")
  }
}
