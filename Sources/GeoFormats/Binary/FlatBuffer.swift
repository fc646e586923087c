/// Writes FlatBuffers (google.github.io/flatbuffers/internals): a table with all its contents.
///
/// The targets of a table follow it, so that offsets are positive and are set when the target is
/// written. Scalars and the doubles of vectors are aligned relative to the start of the bytes.
package enum FlatBuffer {
  /// A field of a table, in the order of the schema.
  package indirect enum Field {
    /// The schema's default, which takes no bytes.
    case absent
    case byte(UInt8)
    case short(UInt16)
    case int(Int32)
    case long(UInt64)
    case doubles([Double])
    case text([UInt8])
    case table([Field])
    case tables([[Field]])

    /// The number of bytes in the table itself; an offset takes four.
    fileprivate var size: Int {
      switch self {
      case .absent: 0
      case .byte: 1
      case .short: 2
      case .int, .doubles, .text, .table, .tables: 4
      case .long: 8
      }
    }
  }

  /// A buffer with a root table, after its length in four bytes.
  package static func sizePrefixed(_ root: [Field]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8)
    append(root, at: 4, to: &bytes)
    pad(&bytes, to: 8)
    set(bytes.count - 4, at: 0, in: &bytes)
    return bytes
  }

  /// Adds a table, and sets the offset at `place` to it.
  private static func append(_ fields: [Field], at place: Int, to bytes: inout [UInt8]) {
    // Larger fields first, so that each is aligned; the table begins with the offset of its layout.
    var offsets = [Int](repeating: 0, count: fields.count)
    var size = 4
    for width in [8, 4, 2, 1] {
      for (index, field) in fields.enumerated() where field.size == width {
        offsets[index] = size
        size += width
      }
    }
    pad(&bytes, to: 4)
    let layout = bytes.count
    append(4 + 2 * fields.count, width: 2, to: &bytes)
    append(size, width: 2, to: &bytes)
    for offset in offsets { append(offset, width: 2, to: &bytes) }
    while bytes.count % 8 != 4 { bytes.append(0) }
    let table = bytes.count
    set(table - place, at: place, in: &bytes)
    bytes += [UInt8](repeating: 0, count: size)
    set(table - layout, at: table, in: &bytes)
    for (field, offset) in zip(fields, offsets) {
      append(field, at: table + offset, to: &bytes)
    }
  }

  private static func append(_ field: Field, at place: Int, to bytes: inout [UInt8]) {
    switch field {
    case .absent: break
    case .byte(let number): bytes[place] = number
    case .short(let number): set(Int(number), width: 2, at: place, in: &bytes)
    case .int(let number): set(Int(number), at: place, in: &bytes)
    case .long(let number): set(Int(truncatingIfNeeded: number), width: 8, at: place, in: &bytes)
    case .table(let fields): append(fields, at: place, to: &bytes)
    case .doubles(let numbers):
      while bytes.count % 8 != 4 { bytes.append(0) }
      set(bytes.count - place, at: place, in: &bytes)
      append(numbers.count, width: 4, to: &bytes)
      for number in numbers {
        append(Int(truncatingIfNeeded: number.bitPattern), width: 8, to: &bytes)
      }
    case .text(let text):
      pad(&bytes, to: 4)
      set(bytes.count - place, at: place, in: &bytes)
      append(text.count, width: 4, to: &bytes)
      bytes += text + [0]
    case .tables(let tables):
      pad(&bytes, to: 4)
      let start = bytes.count
      set(start - place, at: place, in: &bytes)
      append(tables.count, width: 4, to: &bytes)
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, fields) in tables.enumerated() {
        append(fields, at: start + 4 + 4 * index, to: &bytes)
      }
    }
  }

  private static func pad(_ bytes: inout [UInt8], to alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  private static func append(_ number: Int, width: Int, to bytes: inout [UInt8]) {
    for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  private static func set(_ number: Int, width: Int = 4, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<width {
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }
}

/// Root labels as text.
enum PlainLabel {
  /// A label as UTF-8, with ill-formed bytes repaired.
  static func text(_ label: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: label.count * PlainText.expansion)
    var cursor = buffer.cursor(reserving: label.count * PlainText.expansion)
    _ = PlainText.put(label.span, to: &cursor)
    buffer.commit(cursor)
    return buffer.bytes
  }
}
