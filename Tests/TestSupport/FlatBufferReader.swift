/// Reads FlatBuffers by the rules of the format, without code of the writer.
public struct FlatBufferReader {
  private let bytes: [UInt8]
  /// Where the length prefix of the buffer is.
  private let start: Int

  /// A buffer with a length prefix.
  public init(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    self.start = start
  }

  /// The value of the length prefix.
  public var length: Int { Int(number(at: start, width: 4)) }

  /// The root table.
  public var root: Table {
    Table(reader: self, place: start + 4 + Int(number(at: start + 4, width: 4)))
  }

  fileprivate func number(at place: Int, width: Int) -> UInt64 {
    (0..<width).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  /// A table; fields are identified by their number in the schema.
  public struct Table {
    fileprivate let reader: FlatBufferReader
    /// Where it is.
    public let place: Int

    /// Where a field is; nil if it is absent.
    public func place(_ field: Int) -> Int? {
      let back = Int32(truncatingIfNeeded: reader.number(at: place, width: 4))
      let layout = place - Int(back)
      guard 4 + 2 * field < Int(reader.number(at: layout, width: 2)) else { return nil }
      let offset = Int(reader.number(at: layout + 4 + 2 * field, width: 2))
      return offset == 0 ? nil : place + offset
    }

    private func number(_ field: Int, width: Int) -> UInt64? {
      place(field).map { reader.number(at: $0, width: width) }
    }

    /// A field of one byte.
    public func byte(_ field: Int) -> UInt8? { number(field, width: 1).map { UInt8($0) } }
    /// A field of two bytes.
    public func short(_ field: Int) -> UInt16? { number(field, width: 2).map { UInt16($0) } }
    /// A field of four bytes.
    public func int(_ field: Int) -> Int32? {
      number(field, width: 4).map { Int32(truncatingIfNeeded: $0) }
    }
    /// A field of eight bytes.
    public func long(_ field: Int) -> UInt64? { number(field, width: 8) }

    /// Where the target of an offset is: a vector's length, or a table.
    public func vector(_ field: Int) -> Int? {
      place(field).map { $0 + Int(reader.number(at: $0, width: 4)) }
    }

    /// A vector of bytes.
    public func bytes(_ field: Int) -> [UInt8]? {
      vector(field).map { start in
        let count = Int(reader.number(at: start, width: 4))
        return Array(reader.bytes[(start + 4)..<(start + 4 + count)])
      }
    }

    /// A string that ends with a zero byte.
    public func text(_ field: Int) -> String? {
      guard let text = bytes(field), let start = vector(field),
        reader.bytes[start + 4 + text.count] == 0
      else { return nil }
      return String(decoding: text, as: UTF8.self)
    }

    /// A vector of doubles.
    public func doubles(_ field: Int) -> [Double]? {
      vector(field).map { start in
        (0..<Int(reader.number(at: start, width: 4))).map {
          Double(bitPattern: reader.number(at: start + 4 + 8 * $0, width: 8))
        }
      }
    }

    /// A table.
    public func table(_ field: Int) -> Table? {
      vector(field).map { Table(reader: reader, place: $0) }
    }

    /// A vector of tables.
    public func tables(_ field: Int) -> [Table] {
      guard let start = vector(field) else { return [] }
      return (0..<Int(reader.number(at: start, width: 4))).map { index in
        let at = start + 4 + 4 * index
        return Table(reader: reader, place: at + Int(reader.number(at: at, width: 4)))
      }
    }
  }
}
