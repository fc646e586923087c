import GeoCore
import GeoSystem
import GeoTree

/// The bytes of a list, which is read more than once. Bytes from a pipe are kept in a scratch file.
final class ListInput: JSONInput {
  /// The name for messages.
  let name: String
  /// The path, or `standard input`.
  let path: [UInt8]
  private let file: InputFile
  /// The bytes from a pipe.
  private var scratch: ScratchFile?
  /// The number of bytes, known after the first reading.
  private(set) var count: Int64?
  /// Called with the fraction of the list that is read, 0 to 1, or nil if its size is unknown; and
  /// with the offset.
  var listener: FileSystemScanner.PreparationListener?
  /// The number of readings so far. A list is read twice.
  private var readings = 0
  /// The first bytes from a pipe, if they were read ahead.
  private var ahead: [UInt8] = []
  /// Whether the bytes from a pipe are not kept, because they are read once.
  var isReadOnce = false

  static let block = 256 * 1024

  /// Opens a list.
  ///
  /// - Throws: ``ListError/unreadable(list:_:)``.
  init(opening source: ListSource) throws(ListError) {
    path = source.file ?? Array("standard input".utf8)
    name = TerminalText.escaped(path)
    do throws(Errno) {
      if let path = source.file {
        file = try InputFile(at: path)
      } else {
        file = try InputFile.standardInput()
      }
    } catch {
      throw .unreadable(list: name, error)
    }
  }

  /// The first bytes of the list; fewer than `count` only if the list is shorter, or these are enough.
  func beginning(
    _ count: Int, orFewerIf areEnough: ([UInt8]) -> Bool
  ) throws(ListError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(Errno) {
      while bytes.count < count {
        let left = count - bytes.count
        let found =
          if let start = file.start {
            try file.read(upTo: left, at: start + Int64(bytes.count), appendingTo: &bytes)
          } else {
            try file.read(upTo: left, appendingTo: &bytes)
          }
        if found == 0 || areEnough(bytes) { break }
      }
    } catch {
      throw .unreadable(list: name, error)
    }
    if file.start == nil { ahead = bytes }
    return bytes
  }

  /// Replaces the bytes of the list by those of a file, which are then read from its beginning.
  func replaceBytes(by file: ScratchFile) {
    scratch = file
    count = file.count
    readings = 0
    listener = nil
  }

  /// Why it could not be read to its end; nil without an error.
  private(set) var failure: ListError?

  /// Appends the next bytes from an offset, and keeps the error if that fails.
  ///
  /// - Returns: Whether there were any.
  package func read(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(UnreadableJSON) -> Bool {
    do throws(ListError) {
      return try readBlock(at: offset, appendingTo: &bytes)
    } catch {
      failure = error
      throw UnreadableJSON(error)
    }
  }

  /// Appends the next bytes from an offset. Until ``count`` is known, offsets must be consecutive.
  ///
  /// - Returns: Whether there were any.
  func readBlock(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    report(offset)
    if let count { return try readAgain(at: offset, of: count, appendingTo: &bytes) }
    let start = bytes.count
    let found: Int
    do throws(Errno) {
      if offset < Int64(ahead.count) {
        bytes.append(contentsOf: ahead[Int(offset)...])
        found = ahead.count - Int(offset)
      } else if let start = file.start {
        found = try file.read(upTo: Self.block, at: start + offset, appendingTo: &bytes)
      } else {
        found = try file.read(upTo: Self.block, appendingTo: &bytes)
      }
    } catch {
      throw .unreadable(list: name, error)
    }
    if found == 0 { count = offset }
    if file.start == nil, !isReadOnce { try keep(bytes.span.extracting(start..<bytes.count)) }
    return found > 0
  }

  /// Reports the progress.
  private func report(_ offset: Int64) {
    guard let listener else { return }
    if offset == 0 { readings += 1 }
    guard let all = count ?? file.size else { return listener(nil, offset) }
    let share = all > 0 ? min(1, Double(offset) / Double(all)) : 1
    listener((Double(min(readings, 2) - 1) + share) / 2, offset)
  }

  private func keep(_ bytes: Span<UInt8>) throws(ListError) {
    do throws(Errno) {
      if scratch == nil { scratch = try ScratchFile() }
      try scratch?.append(bytes)
    } catch {
      throw .noScratch(error)
    }
  }

  private func readAgain(
    at offset: Int64, of count: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    let room = Int(min(Int64(Self.block), count - offset))
    if room <= 0 { return false }
    let found: Int
    do throws(Errno) {
      if let scratch {
        found = try scratch.read(upTo: room, at: offset, appendingTo: &bytes)
      } else {
        found = try file.read(upTo: room, at: (file.start ?? 0) + offset, appendingTo: &bytes)
      }
    } catch {
      throw .unreadable(list: name, error)
    }
    if found == 0 { throw .changed(list: name) }
    return true
  }
}
