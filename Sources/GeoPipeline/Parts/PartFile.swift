import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem

/// A file with a part of a map, read from its first feature to its last.
struct PartFile {
  let file: [UInt8]
  let header: PartHeader
  let trailer: PartTrailer
  /// Where the features begin, in bytes.
  private let start: Int
  /// Where the checksum begins, in bytes.
  private let end: Int
  private let size: Int
  private let checksum: [UInt8]
  private var sum = XXH64.Running()
  /// Bytes of features read so far.
  private(set) var position = 0
  /// Marks passed so far.
  private(set) var marksPassed = 0

  /// How many bytes are read at once.
  static let stretch = 1 << 20
  /// The maximum length of a header or a trailer.
  private static let longest = 1 << 30

  /// Reads the header and the trailer.
  init(_ file: [UInt8]) throws(JoinError) {
    self.file = file
    let input = try Self.open(file)
    size = input.size
    let head = try Self.line(of: input, file, fromEnd: false)
    let tail = try Self.line(of: input, file, fromEnd: true)
    let sealStart = tail.count - PartTrailer.sealLength
    do throws(ShardManifestError) {
      header = try PartHeader(text: head)
      guard head.count + tail.count <= size, sealStart > 0 else { throw .cutShort }
      trailer = try PartTrailer(text: tail[..<sealStart])
      let writer = FeatureWriter(format: header.format)
      let ending = trailer.bytes > 0 ? writer.separator.suffix(1).count : 0
      guard head.count + trailer.bytes + ending + tail.count == size,
        trailer.bytes == 0 || trailer.marks.first?.offset == 0
      else { throw .changed }
    } catch {
      throw .refused(file: file, error)
    }
    start = head.count
    end = size - PartTrailer.sealLength
    checksum = Array(tail[sealStart...])
    sum.take(head.span)
  }

  /// Reads features up to the next mark or to the end.
  ///
  /// - Parameter body: Called with consecutive bytes.
  mutating func pass(_ body: (Span<UInt8>) throws -> Void) throws {
    marksPassed += 1
    let next =
      marksPassed < trailer.marks.count ? trailer.marks[marksPassed].offset : trailer.bytes
    if position == next { return }
    let input = try Self.open(file)
    var bytes: [UInt8] = []
    while position < next {
      try read(min(Self.stretch, next - position), at: start + position, of: input, &bytes)
      position += bytes.count
      try body(bytes.span)
    }
  }

  /// Compares the checksum, after all features were read.
  mutating func finish() throws(JoinError) {
    let input = try Self.open(file)
    var bytes: [UInt8] = []
    try read(end - start - trailer.bytes, at: start + trailer.bytes, of: input, &bytes)
    if PartTrailer.checksum(sum.value) != checksum { throw .refused(file: file, .changed) }
  }

  /// Reads the whole part and compares its checksum.
  func verify() throws {
    var copy = self
    while copy.marksPassed < trailer.marks.count { try copy.pass { _ in } }
    try copy.finish()
  }

  private mutating func read(
    _ count: Int, at offset: Int, of input: borrowing ReadableFile, _ bytes: inout [UInt8]
  ) throws(JoinError) {
    do throws(Errno) {
      try input.read(count, at: offset, into: &bytes)
    } catch {
      throw .unreadable(file: file, error)
    }
    if bytes.count < count || input.size != size { throw .refused(file: file, .changed) }
    sum.take(bytes.span)
  }

  private static func open(_ file: [UInt8]) throws(JoinError) -> ReadableFile {
    do throws(Errno) {
      if let input = try ReadableFile.open(file) { return input }
    } catch {
      throw .unreadable(file: file, error)
    }
    throw .notRegular(file: file)
  }

  /// The first or the last line of a file with its end; the whole file if it has no line end.
  private static func line(
    of input: borrowing ReadableFile, _ file: [UInt8], fromEnd: Bool
  ) throws(JoinError) -> [UInt8] {
    let lineEnd = UInt8(ascii: "\n")
    var bytes: [UInt8] = []
    var count = 64 * 1024
    while true {
      count = min(count, input.size)
      do throws(Errno) {
        try input.read(count, at: fromEnd ? input.size - count : 0, into: &bytes)
      } catch {
        throw .unreadable(file: file, error)
      }
      if fromEnd {
        if let cut = bytes.dropLast().lastIndex(of: lineEnd) { return Array(bytes[(cut + 1)...]) }
      } else if let cut = bytes.firstIndex(of: lineEnd) {
        return Array(bytes[...cut])
      }
      if count == input.size { return bytes }
      if count >= longest { throw .refused(file: file, .foreign) }
      count *= 4
    }
  }
}
