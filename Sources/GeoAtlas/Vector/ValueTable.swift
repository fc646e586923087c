import GeoProjection

/// The values of a layer, each once, in the order in which they were added.
struct ValueTable {
  private(set) var bytes: [UInt8] = []
  private var starts: [Int] = [0]
  /// Open addressing: the index of a value plus 1, or 0.
  private var slots = [UInt32](repeating: 0, count: 256)

  private var count: Int { starts.count - 1 }

  mutating func index(ofText text: ArraySlice<UInt8>) -> UInt32 {
    bytes.append(field: 1, .bytes)
    bytes.append(text: text)
    return intern()
  }

  mutating func index(field: UInt8, _ number: UInt64) -> UInt32 {
    bytes.append(field: field, number: number)
    return intern()
  }

  mutating func index(ofDouble value: Double) -> UInt32 {
    bytes.append(field: 3, .eightBytes)
    bytes.append(little: value.bitPattern)
    return intern()
  }

  /// The index of the value at the end, which is removed if it is in the table already.
  private mutating func intern() -> UInt32 {
    let start = starts[count]
    let mask = slots.count - 1
    var slot = hash(start..<bytes.count) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      let other = starts[index]..<starts[index + 1]
      if other.count == bytes.count - start, bytes[other] == bytes[start...] {
        bytes.removeLast(bytes.count - start)
        return UInt32(index)
      }
      slot = (slot + 1) & mask
    }
    starts.append(bytes.count)
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { grow() }
    return UInt32(count - 1)
  }

  private func hash(_ range: Range<Int>) -> Int {
    Int(truncatingIfNeeded: XXH64.hash(bytes.span.extracting(range), seed: 0))
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 4)
    let mask = slots.count - 1
    for index in 0..<count {
      var slot = hash(starts[index]..<starts[index + 1]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  func write(to layer: inout [UInt8]) {
    for index in 0..<count {
      let value = bytes[starts[index]..<starts[index + 1]]
      layer.append(field: 4, .bytes)
      layer.append(varint: UInt64(value.count))
      layer.append(contentsOf: value)
    }
  }
}
