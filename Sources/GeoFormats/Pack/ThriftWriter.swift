/// Writes Thrift structures in the compact protocol (thrift.apache.org,
/// thrift-compact-protocol.md).
///
/// Fields have to be written in ascending order of their numbers.
struct ThriftWriter {
  enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case int = 5
    case long = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private(set) var bytes: [UInt8] = []
  /// The number of the last field in the current structure.
  private var last: Int16 = 0

  static func structure(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    writer.element(body)
    return writer.bytes
  }

  private mutating func begin(_ field: Int16, _ kind: Kind) {
    let step = field - last
    last = field
    if 1...15 ~= step {
      bytes.append(UInt8(step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      bytes.append(zigzag: Int64(field))
    }
  }

  mutating func set(_ field: Int16, _ value: Bool) { begin(field, value ? .yes : .no) }

  mutating func set(_ field: Int16, int value: Int) { set(field, .int, value) }

  mutating func set(_ field: Int16, long value: Int) { set(field, .long, value) }

  private mutating func set(_ field: Int16, _ kind: Kind, _ value: Int) {
    begin(field, kind)
    element(value)
  }

  mutating func set(_ field: Int16, _ text: [UInt8]) {
    begin(field, .binary)
    element(text)
  }

  mutating func set(_ field: Int16, _ body: (inout ThriftWriter) -> Void) {
    begin(field, .structure)
    element(body)
  }

  /// Begins a list; `count` elements must follow.
  mutating func list(_ field: Int16, of kind: Kind, count: Int) {
    begin(field, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  mutating func element(_ value: Int) { bytes.append(zigzag: Int64(value)) }

  mutating func element(_ text: [UInt8]) {
    bytes.append(varint: UInt64(text.count))
    bytes += text
  }

  mutating func element(_ body: (inout ThriftWriter) -> Void) {
    let outer = last
    last = 0
    body(&self)
    bytes.append(0)
    last = outer
  }

  /// Adds an encoded structure as an element.
  mutating func element(written structure: [UInt8]) { bytes += structure }
}
