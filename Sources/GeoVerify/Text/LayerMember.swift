import GeoCore
import GeoFormats

/// The names of members of layers in a map.
enum LayerNames {
  /// Unknown: the map has no header.
  case any
  case some(Set<String>)

  func contain(_ name: String) -> Bool {
    switch self {
    case .any: Layer.isName(name) && !FeatureMember.isTaken(name)
    case .some(let names): names.contains(name)
    }
  }
}

struct LayerMember {
  enum Value {
    case number(Double, Int64?)
    case word([UInt8])
  }

  let name: String
  let value: Value
  let text: Range<Int>

  /// From after its colon; nil if the value is neither a number nor a text.
  init?(_ name: String, _ reader: inout LineScanner) {
    self.name = name
    let start = reader.position
    if reader.isAtString {
      guard let word = reader.string() else { return nil }
      value = .word(word)
      text = start..<reader.position
      return
    }
    text = reader.token()
    let number = String(decoding: reader[text], as: UTF8.self)
    // `Double` accepts more than JSON has, such as `inf`, `0x1p3` and `+1`.
    guard number.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x2E }),
      let double = Double(number), double.isFinite
    else { return nil }
    value = .number(double, Int64(number))
  }

  func isWritten(as text: ArraySlice<UInt8>) -> Bool {
    var buffer = OutputBuffer(capacity: 64)
    switch value {
    case .number(_, let whole?) where "\(whole)".utf8.elementsEqual(text): return true
    case .number(let number, _): buffer.append(decimal: number)
    case .word(let word):
      buffer.append("\"")
      buffer.append(json: word.span)
      buffer.append("\"")
    }
    return buffer.bytes.elementsEqual(text)
  }
}
