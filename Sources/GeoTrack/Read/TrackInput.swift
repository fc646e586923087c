import GeoSystem

/// A source of a file's bytes, read from beginning to end.
package protocol TrackInput {
  /// Appends the next bytes, and returns their number; 0 at the end.
  mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int

  mutating func rewind(isLast: Bool)
}

/// A file or a pipe, read in pieces of 256 KiB. What is read of a pipe is kept until the last time.
package final class TrackFileInput: TrackInput {
  private let file: InputFile
  private var position = 0
  private var kept: [UInt8] = []
  private var isLast = false

  package init(_ file: InputFile) { self.file = file }

  package func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    let maximum = 256 << 10
    let count: Int
    if let start = file.start {
      count = try file.read(upTo: maximum, at: start + Int64(position), appendingTo: &bytes)
    } else if position < kept.count {
      count = min(maximum, kept.count - position)
      bytes += kept[position..<(position + count)]
    } else {
      count = try file.read(upTo: maximum, appendingTo: &bytes)
      if isLast { kept = [] } else { kept += bytes.suffix(count) }
    }
    position += count
    return count
  }

  package func rewind(isLast: Bool) {
    position = 0
    self.isLast = isLast
  }
}
