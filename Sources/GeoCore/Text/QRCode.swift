/// A QR code (ISO/IEC 18004) of some bytes, of versions 1 to 10, for addresses on a terminal.
package struct QRCode: Sendable {
  /// Checking codewords of a block, by version from 1 on (level L: about 7 % of a code may be damaged).
  private static let checking = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18]
  /// Blocks, by version from 1 on.
  private static let blocks = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4]

  /// The number of modules on a side.
  package let side: Int
  /// The modules, row by row: true is dark.
  private var isDark: [Bool]
  /// Whether a module belongs to a pattern, and not to the data.
  private var isFixed: [Bool]

  /// Makes the smallest code of some bytes; nil if they don't fit into version 10.
  ///
  /// - Parameter mask: 0 to 7; nil for the one with the lowest penalty.
  package init?(_ bytes: [UInt8], mask: Int? = nil) {
    let fitting = (1...10).first { version in
      Self.headBits(version) + bytes.count * 8 <= Self.capacity(version) * 8
    }
    guard let version = fitting else { return nil }
    side = 17 + 4 * version
    isDark = Array(repeating: false, count: side * side)
    isFixed = isDark
    drawPatterns(version)
    place(Self.codewords(of: bytes, version))
    let unmasked = self
    func penalty(_ mask: Int) -> Int {
      var code = unmasked
      code.apply(mask)
      return code.penalty
    }
    func best() -> Int { (0..<8).map { ($0, penalty($0)) }.min { $0.1 < $1.1 }?.0 ?? 0 }
    apply(mask ?? best())
  }

  /// Whether a module is dark; false outside the code.
  package subscript(x: Int, y: Int) -> Bool {
    x >= 0 && y >= 0 && x < side && y < side && isDark[y * side + x]
  }

  /// Lines of half blocks, two rows of modules each, with a margin. Blocks are the light modules,
  /// for light text on a dark ground.
  package func halfBlocks() -> [String] {
    let margin = 4
    return stride(from: -margin, to: side + margin, by: 2).map { y in
      var line = ""
      for x in -margin..<(side + margin) {
        let isLower = y + 1 < side + margin && !self[x, y + 1]
        line += self[x, y] ? (isLower ? "▄" : " ") : (isLower ? "█" : "▀")
      }
      return line
    }
  }
}

// MARK: Codewords

extension QRCode {
  /// The bits before the data: the mode and the number of bytes.
  private static func headBits(_ version: Int) -> Int { 4 + (version < 10 ? 8 : 16) }

  private static func codewords(_ version: Int) -> Int {
    var modules = (16 * version + 128) * version + 64
    if version > 1 {
      let count = version / 7 + 2
      modules -= (25 * count - 10) * count - 55
    }
    if version > 6 { modules -= 36 }
    return modules / 8
  }

  /// The number of codewords for the data.
  private static func capacity(_ version: Int) -> Int {
    codewords(version) - checking[version - 1] * blocks[version - 1]
  }

  /// The data with padding and checking codewords, as blocks interleaved.
  private static func codewords(of bytes: [UInt8], _ version: Int) -> [UInt8] {
    let (checking, blocks) = (checking[version - 1], blocks[version - 1])
    let (all, capacity) = (codewords(version), capacity(version))
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    put(0b0100, 4)
    put(bytes.count, headBits(version) - 4)
    for byte in bytes { put(Int(byte), 8) }
    put(0, min(4, capacity * 8 - bits.count))
    put(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var padding: UInt8 = 0xEC
    while data.count < capacity {
      data.append(padding)
      padding ^= 0xEC ^ 0x11
    }
    let generator = ReedSolomon.generator(checking)
    var parts: [(data: ArraySlice<UInt8>, check: [UInt8])] = []
    var start = 0
    for block in 0..<blocks {
      // The last blocks are longer by one if the codewords can't be divided.
      let length = all / blocks - checking + (block < blocks - all % blocks ? 0 : 1)
      let codewords = data[start..<(start + length)]
      parts.append((codewords, ReedSolomon.remainder(of: codewords, generator)))
      start += length
    }
    var result: [UInt8] = []
    for index in 0...(all / blocks - checking) {
      for (codewords, _) in parts where index < codewords.count {
        result.append(codewords[codewords.startIndex + index])
      }
    }
    for index in 0..<checking { for (_, check) in parts { result.append(check[index]) } }
    return result
  }
}

/// Arithmetic of Reed and Solomon's codes with bytes, as QR codes use it.
private enum ReedSolomon {
  static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      product ^= Int(b >> UInt8(bit) & 1) * Int(a)
    }
    return UInt8(product)
  }

  /// The coefficients after the first of the product of x − 2ⁱ for each i below a degree.
  static func generator(_ degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree)
    result[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        result[index] = multiply(result[index], root)
        if index + 1 < degree { result[index] ^= result[index + 1] }
      }
      root = multiply(root, 2)
    }
    return result
  }

  static func remainder(of data: ArraySlice<UInt8>, _ generator: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for index in generator.indices { result[index] ^= multiply(generator[index], factor) }
    }
    return result
  }
}

// MARK: Modules

extension QRCode {
  private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
    isDark[y * side + x] = dark
    isFixed[y * side + x] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for index in 0..<side {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
      for dy in -4...4 {
        for dx in -4...4 where (0..<side).contains(x + dx) && (0..<side).contains(y + dy) {
          let far = max(abs(dx), abs(dy))
          set(x + dx, y + dy, far != 2 && far != 4)
        }
      }
    }
    let places = Self.alignment(version, side)
    for y in places {
      // Three corners have a larger pattern.
      for x in places where ![[6, 6], [6, side - 7], [side - 7, 6]].contains([x, y]) {
        for dy in -2...2 { for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
      }
    }
    drawFormat(0)
    if version > 6 {
      var rest = version
      for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
      let bits = version << 12 | rest
      for index in 0..<18 {
        let (a, b) = (side - 11 + index % 3, index / 3)
        set(a, b, bits >> index & 1 == 1)
        set(b, a, bits >> index & 1 == 1)
      }
    }
  }

  /// The places of alignment patterns, in both directions.
  private static func alignment(_ version: Int, _ side: Int) -> [Int] {
    if version == 1 { return [] }
    let count = version / 7 + 2
    let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<(count - 1)).reversed().map { side - 7 - $0 * step }
  }

  /// Draws the level and the mask twice.
  private mutating func drawFormat(_ value: Int) {
    var rest = value
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (value << 10 | rest) ^ 0x5412
    for index in 0..<15 {
      let dark = bits >> index & 1 == 1
      switch index {
      case 0...5: set(8, index, dark)
      case 6: set(8, 7, dark)
      case 7: set(8, 8, dark)
      case 8: set(7, 8, dark)
      default: set(14 - index, 8, dark)
      }
      if index < 8 { set(side - 1 - index, 8, dark) } else { set(8, side - 15 + index, dark) }
    }
    set(8, side - 8, true)
  }

  /// Places the codewords in pairs of columns, from the right, up and down in turn.
  private mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var right = side - 1
    while right > 0 {
      if right == 6 { right = 5 }
      for step in 0..<side {
        let y = (right + 1) & 2 == 0 ? side - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * side + x] && index < codewords.count * 8 {
          isDark[y * side + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
          index += 1
        }
      }
      right -= 2
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<side {
      for x in 0..<side where !isFixed[y * side + x] {
        let isFlipped =
          switch mask {
          case 0: (x + y) % 2 == 0
          case 1: y % 2 == 0
          case 2: x % 3 == 0
          case 3: (x + y) % 3 == 0
          case 4: (x / 3 + y / 2) % 2 == 0
          case 5: x * y % 2 + x * y % 3 == 0
          case 6: (x * y % 2 + x * y % 3) % 2 == 0
          default: ((x + y) % 2 + x * y % 3) % 2 == 0
          }
        if isFlipped { isDark[y * side + x].toggle() }
      }
    }
    drawFormat(0b01 << 3 | mask)
  }

  /// How hard the code is to read, by the rules of the standard.
  private var penalty: Int {
    var sum = 0
    let eye: [[Bool]] = [
      [true, false, true, true, true, false, true, false, false, false, false],
      [false, false, false, false, true, false, true, true, true, false, true],
    ]
    for isColumn in [false, true] {
      for line in 0..<side {
        let row = (0..<side).map { isColumn ? self[line, $0] : self[$0, line] }
        var run = 0
        for index in 0..<side {
          run = index > 0 && row[index] == row[index - 1] ? run + 1 : 1
          if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
          if index + 11 <= side, eye.contains(Array(row[index..<(index + 11)])) { sum += 40 }
        }
      }
    }
    for y in 1..<side {
      for x in 1..<side
      where self[x, y] == self[x - 1, y] && self[x, y] == self[x, y - 1]
        && self[x, y] == self[x - 1, y - 1]
      { sum += 3 }
    }
    let dark = isDark.count { $0 }
    return sum + abs(dark * 20 - side * side * 10) / (side * side) * 10
  }
}
