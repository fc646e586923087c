import GeoCore
import GeoTree

/// A line of `git ls-tree -z -r -t -l`: `MODE TYPE OBJECT SIZE<TAB>PATH`, SIZE being `-` for what has none.
struct GitTreeLine {
  let object: ObjectID
  /// Whether it is a folder of this repository.
  let isTree: Bool
  let size: Int64?
  /// Where the path lies.
  let path: Range<Int>

  /// - Parameter line: Without the zero byte.
  /// - Returns: nil if it is none.
  init?(_ line: Span<UInt8>) {
    var tab = 0
    while tab < line.count, line[tab] != 9 { tab += 1 }
    guard tab + 1 < line.count, line[0] != 0x20 else { return nil }
    let fields = line.extracting(0..<tab).fields
    guard fields.count == 4 else { return nil }
    let mode = line.extracting(fields[0])
    guard mode.count == 6, [0o04, 0o10, 0o12, 0o16].contains(mode.octal >> 12),
      let object = line.extracting(fields[2]).object(mode: mode.octal)
    else { return nil }
    self.object = object
    isTree = line.extracting(fields[1]).isTree
    size = line.extracting(fields[3]).number
    path = (tab + 1)..<line.count
  }
}

extension Span<UInt8> {
  /// The stretches between spaces.
  fileprivate var fields: [Range<Int>] {
    var fields: [Range<Int>] = []
    var start = 0
    for index in 0...count where index == count || self[index] == 0x20 {
      if index > start { fields.append(start..<index) }
      start = index + 1
    }
    return fields
  }

  /// A decimal number; nil if it is none.
  fileprivate var number: Int64? {
    var number: Int64 = 0
    for index in 0..<count {
      guard (0x30...0x39).contains(self[index]), number < Int64.max / 10 else { return nil }
      number = number * 10 + Int64(self[index] - 0x30)
    }
    return isEmpty ? nil : number
  }

  /// The beginning of an object's name in hex digits; nil if it is none.
  fileprivate func object(mode: UInt32) -> ObjectID? {
    guard count >= 32 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<32 {
      let digit: UInt8
      switch self[index] {
      case 0x30...0x39: digit = self[index] - 0x30
      case 0x61...0x66: digit = self[index] - 0x61 + 10
      default: return nil
      }
      words.high = words.high << 4 | words.low >> 60
      words.low = words.low << 4 | UInt64(digit)
    }
    return ObjectID(high: words.high, low: words.low, mode: mode)
  }

  fileprivate var isTree: Bool { count == 4 && self[0] == 0x74 && self[1] == 0x72 }
}
