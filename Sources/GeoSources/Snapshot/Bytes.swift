import GeoTree

extension [UInt8] {
  /// Appends a difference, zigzag encoded: 0, −1, 1, −2, 2… as 0, 1, 2, 3, 4…
  @inline(__always)
  mutating func append(difference: Int64) {
    append(varint: difference.zigzag)
  }

  /// Appends a length, then the bytes.
  mutating func append(text: [UInt8]) {
    append(varint: UInt64(text.count))
    append(contentsOf: text)
  }

  /// Appends a number in little-endian order, in the size of its type.
  mutating func append<Number: FixedWidthInteger & UnsignedInteger>(little number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }
}

/// Why bytes of a snapshot can't be used, or a folder in it not be reached.
enum SnapshotDamage: Error, Equatable {
  /// A checksum is wrong, or bytes are missing.
  case changed
  /// The bytes violate the format, though their checksum may be right.
  case malformed
  /// The folder doesn't exist, or vanished while the snapshot was taken.
  case missing
  /// The selection left the folder out when the snapshot was taken.
  case leftOut

  var reason: ScanFault.Reason? {
    switch self {
    case .missing: .unreadable(.noEntry)
    case .leftOut: nil
    case .changed, .malformed: Snapshot.lost
    }
  }
}

/// A column of run-length encoded numbers.
struct RunWriter {
  private(set) var bytes: [UInt8] = []
  private var last: UInt64 = 0
  private var count: UInt64 = 0

  @inline(__always)
  mutating func add(_ number: UInt64) {
    if count > 0, number == last {
      count += 1
      return
    }
    flush()
    last = number
    count = 1
  }

  /// Adds a difference, zigzag encoded.
  @inline(__always)
  mutating func add(difference: Int64) {
    add(UInt64(bitPattern: difference << 1 ^ difference >> 63))
  }

  private mutating func flush() {
    if count == 0 { return }
    bytes.append(varint: last)
    bytes.append(varint: count)
    count = 0
  }

  /// The bytes of the finished column.
  var finished: [UInt8] {
    mutating get {
      flush()
      return bytes
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (last, count) = (0, 0)
  }
}

/// Reads a column of run-length encoded numbers.
struct RunReader {
  private var reader: ByteReader
  private var number: UInt64 = 0
  private var left: UInt64 = 0

  init(_ range: Range<Int> = 0..<0) { reader = ByteReader(range) }

  @inline(__always)
  mutating func take(in bytes: Span<UInt8>) throws(SnapshotDamage) -> UInt64 {
    if left == 0 {
      number = try reader.takeVarint(in: bytes)
      left = try reader.takeVarint(in: bytes)
      if left == 0 { throw .malformed }
    }
    left -= 1
    return number
  }

  /// Takes the next number and its repetitions, `limit` at most (at least one).
  @inline(__always)
  mutating func takeRun(
    upTo limit: Int, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> (number: UInt64, count: Int) {
    let number = try take(in: bytes)
    let more = Int(min(left, UInt64(limit - 1)))
    left -= UInt64(more)
    return (number, 1 + more)
  }

  /// Takes the next difference.
  @inline(__always)
  mutating func takeDifference(in bytes: Span<UInt8>) throws(SnapshotDamage) -> Int64 {
    let number = try take(in: bytes)
    return Int64(bitPattern: number >> 1 ^ (0 &- (number & 1)))
  }
}
