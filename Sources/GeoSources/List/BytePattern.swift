extension ArraySlice<UInt8> {
  /// Whether it begins as a pattern, in which `0` is any digit.
  func fits(_ pattern: [UInt8]) -> Bool {
    if count < pattern.count { return false }
    for index in pattern.indices {
      let (byte, wanted) = (self[startIndex + index], pattern[index])
      if wanted == UInt8(ascii: "0") ? !byte.isDigit : byte != wanted { return false }
    }
    return true
  }

  /// Without the carriage return of a line end as Windows has it.
  var withoutReturn: ArraySlice<UInt8> { last == 0x0D ? dropLast() : self }
}

extension UInt8 {
  var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
