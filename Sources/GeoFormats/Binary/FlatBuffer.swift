import GeoCore

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
    for number in [4 + 2 * fields.count, size] + offsets {
      bytes.append(little: UInt16(truncatingIfNeeded: number))
    }
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
    case .short(let number): bytes.overwrite(little: number, at: place)
    case .int(let number): bytes.overwrite(little: number, at: place)
    case .long(let number): bytes.overwrite(little: number, at: place)
    case .table(let fields): append(fields, at: place, to: &bytes)
    case .doubles(let numbers):
      while bytes.count % 8 != 4 { bytes.append(0) }
      set(bytes.count - place, at: place, in: &bytes)
      bytes.append(little: UInt32(truncatingIfNeeded: numbers.count))
      for number in numbers { bytes.append(little: number.bitPattern) }
    case .text(let text):
      pad(&bytes, to: 4)
      set(bytes.count - place, at: place, in: &bytes)
      bytes.append(little: UInt32(truncatingIfNeeded: text.count))
      bytes += text + [0]
    case .tables(let tables):
      pad(&bytes, to: 4)
      let start = bytes.count
      set(start - place, at: place, in: &bytes)
      bytes.append(little: UInt32(truncatingIfNeeded: tables.count))
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, fields) in tables.enumerated() {
        append(fields, at: start + 4 + 4 * index, to: &bytes)
      }
    }
  }

  private static func pad(_ bytes: inout [UInt8], to alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  private static func set(_ offset: Int, at place: Int, in bytes: inout [UInt8]) {
    bytes.overwrite(little: UInt32(truncatingIfNeeded: offset), at: place)
  }
}

extension [UInt8] {
  /// The bytes as UTF-8, with ill-formed ones repaired.
  var repairedUTF8: [UInt8] { Array(String(decoding: self, as: UTF8.self).utf8) }
}
