import GeoCore
import GeoFormats
import GeoSystem

protocol PageCodable {
  /// Writes all values to a page, or reads them from it, in the same order.
  mutating func code(_ page: inout PageCoder)
}

/// Writes the values of records, or reads them back. Values after the end are 0.
struct PageCoder {
  private(set) var bytes: [UInt8] = []
  private let isReading: Bool
  private var reader: ByteReader

  /// Begins to write.
  init() {
    (isReading, reader) = (false, ByteReader(0..<0))
    bytes.reserveCapacity(32)
  }

  init(reading bytes: [UInt8]) {
    (isReading, reader) = (true, ByteReader(0..<bytes.count))
    self.bytes = bytes
  }

  @inline(__always)
  mutating func code(_ number: inout UInt64) {
    if !isReading { return bytes.append(varint: number) }
    let bytes = bytes
    number = (try? reader.takeVarint(in: bytes.span)) ?? 0
  }

  /// Takes eight bytes for any number.
  mutating func code(word: inout UInt64) {
    if !isReading { return bytes.append(little: word) }
    let bytes = bytes
    word = (try? reader.takeLittle(UInt64.self, in: bytes.span)) ?? 0
  }

  mutating func code<Number: FixedWidthInteger & SignedInteger>(_ number: inout Number) {
    var bits = Int64(number).zigzag
    code(&bits)
    number = Number(truncatingIfNeeded: Int64(zigzag: bits))
  }

  mutating func code(_ number: inout Int128) {
    var high = Int64(truncatingIfNeeded: number >> 64)
    var low = UInt64(truncatingIfNeeded: number)
    code(&high)
    code(&low)
    number = Int128(high) << 64 | Int128(low)
  }

  mutating func code(_ number: inout Int64?) {
    var isKnown = number != nil
    code(&isKnown)
    var value = number ?? 0
    if isKnown { code(&value) }
    number = isKnown ? value : nil
  }

  mutating func code(_ flag: inout Bool) {
    var number: UInt64 = flag ? 1 : 0
    code(&number)
    flag = number == 1
  }

  /// An unknown raw value leaves the value as it is.
  mutating func code<Value: RawRepresentable<UInt8>>(_ value: inout Value) {
    var number = UInt64(value.rawValue)
    code(&number)
    value = Value(rawValue: UInt8(truncatingIfNeeded: number)) ?? value
  }

  mutating func code(_ range: inout Range<Int32>) {
    var (start, end) = (range.lowerBound, range.upperBound)
    code(&start)
    code(&end)
    range = start..<max(start, end)
  }
}

extension RecordSorter {
  mutating func add(_ record: some PageCodable, key: UInt64) throws(Errno) {
    var (record, page) = (record, PageCoder())
    record.code(&page)
    try add(content: page.bytes, key: key)
  }
}

extension RecordCursor {
  /// The current record, read into a blank one.
  mutating func record<Record: PageCodable>(_ blank: Record) -> Record {
    var (record, page) = (blank, PageCoder(reading: withContent { Array(copying: $0) }))
    record.code(&page)
    return record
  }
}

extension Int32: PageCodable {
  mutating func code(_ page: inout PageCoder) { page.code(&self) }
}
