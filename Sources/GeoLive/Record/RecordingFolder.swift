import GeoCore
import GeoFormats
import GeoSystem

package struct RecordingFolder: Sendable {
  private let folder: FolderHandle

  package struct Entry: Sendable {
    package var name: [UInt8]
    package var size: Int64
    package var metadata: RecordingMetadata
  }

  package init(at path: [UInt8]) throws(Errno) { folder = try FolderHandle(at: path) }

  /// In the byte order of their names; other files are skipped. `progress` is called before each
  /// file.
  package func list(
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(Errno) -> [Entry] {
    let names = try folder.fileNames()
    var entries: [Entry] = []
    for index in 0..<names.count {
      progress(index, names.count)
      let name = names.name(at: index)
      guard name.count > 5, name.suffix(5).elementsEqual(".json".utf8),
        let size = try? size(of: name), let reader = try? read(name)
      else { continue }
      entries.append(Entry(name: name, size: size, metadata: reader.metadata))
    }
    return entries
  }

  /// It must be a regular file of the folder.
  package func open(_ name: [UInt8]) throws(Failure) -> InputFile {
    _ = try size(of: name)
    return try rethrowing(folder.openRegular(name), as: Failure.unreadable)
  }

  package func read(_ name: [UInt8]) throws(Failure) -> RecordingReader {
    try RecordingReader(RecordingInput(try open(name)))
  }

  package func size(of name: [UInt8]) throws(Failure) -> Int64 {
    try Self.check(name)
    let facts = try rethrowing(folder.facts(of: name, following: false), as: Failure.unreadable)
    if facts.kind != .regular { throw .usage("not a regular file") }
    return facts.size
  }

  private static func check(_ name: [UInt8]) throws(Failure) {
    if RecordingName.isValid(name) { return }
    throw .usage("a recording is called by the name of its file alone: no '/', no '.' and no '..'")
  }

  package func delete(_ name: [UInt8]) throws(Failure) {
    // Only recordings may be removed, so the file is checked first.
    _ = try read(name)
    try rethrowing(folder.remove(name), as: Failure.unreadable)
  }

  /// The new name must not exist.
  package func rename(_ name: [UInt8], to other: [UInt8]) throws(Failure) {
    _ = try size(of: name)
    try Self.check(other)
    try rethrowing(folder.rename(name, toNew: other), as: Failure.unreadable)
  }

  /// `seconds` is Unix time.
  package func make(seconds: Int64) throws(Errno) -> (file: KeptFile, name: [UInt8]) {
    for number in 1...1000 {
      let name = RecordingName.of(seconds: seconds, number: number)
      do throws(Errno) {
        return (try KeptFile(making: name, in: folder), name)
      } catch {
        if error != .exists { throw error }
      }
    }
    throw .exists
  }
}

/// From a file or a pipe, read once from its beginning.
package final class RecordingInput: JSONInput {
  private let file: InputFile
  private(set) var failure: Errno?

  private static let block = 64 << 10

  /// Begins at the file's current offset.
  package init(_ file: InputFile) { self.file = file }

  package func read(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(JSONReader.Failure) -> Bool {
    do throws(Errno) {
      if let start = file.start {
        return try file.read(upTo: Self.block, at: start + offset, appendingTo: &bytes) > 0
      }
      return try file.read(upTo: Self.block, appendingTo: &bytes) > 0
    } catch {
      failure = error
      throw .unreadable(reason: error.description)
    }
  }
}

package enum RecordingName {
  /// `geo_log_YYYY-MM-DD_HH-MM-SS.json` in UTC, for the years 1 to 9999; further recordings of the
  /// same second get `-2`, `-3` and so on before the extension.
  package static func of(seconds: Int64, number: Int) -> [UInt8] {
    let time = Array(CivilTime.text(unixSeconds: seconds).utf8.prefix(19)).map { byte in
      byte == UInt8(ascii: "T")
        ? UInt8(ascii: "_") : byte == UInt8(ascii: ":") ? UInt8(ascii: "-") : byte
    }
    return Array("geo_log_".utf8) + time + Array((number > 1 ? "-\(number).json" : ".json").utf8)
  }

  package static func isValid(_ name: [UInt8]) -> Bool {
    EntryName.isValid(name) && name.count <= 255
  }
}
