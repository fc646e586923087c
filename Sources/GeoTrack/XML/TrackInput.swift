import GeoSystem

/// Where the bytes of a file come from, from its beginning to its end.
package protocol TrackInput {
  /// Adds the next bytes to others.
  ///
  /// - Returns: How many there were; 0 at the end.
  mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int
}

/// A file or a pipe, read in pieces of 256 KiB.
package struct TrackFileInput: TrackInput {
  private let file: InputFile

  /// What a file holds from where it stands.
  package init(_ file: InputFile) { self.file = file }

  package mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    try file.read(upTo: 256 << 10, appendingTo: &bytes)
  }
}

/// What was read already, and what follows it.
package struct BegunTrackInput: TrackInput {
  private var beginning: [UInt8]
  private var rest: any TrackInput

  package init(_ beginning: [UInt8], followedBy rest: any TrackInput) {
    (self.beginning, self.rest) = (beginning, rest)
  }

  package mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    if beginning.isEmpty { return try rest.read(appendingTo: &bytes) }
    defer { beginning = [] }
    bytes += beginning
    return beginning.count
  }
}

/// Bytes in memory.
package struct TrackBytesInput: TrackInput {
  private let bytes: [UInt8]
  private let piece: Int
  private var position = 0

  /// - Parameter piece: How many bytes a reading gives at most, above 0.
  package init(_ bytes: [UInt8], piece: Int = .max) {
    self.bytes = bytes
    self.piece = max(piece, 1)
  }

  package mutating func read(appendingTo others: inout [UInt8]) throws(Errno) -> Int {
    let count = min(piece, bytes.count - position)
    others.append(contentsOf: bytes[position..<(position + count)])
    position += count
    return count
  }
}
