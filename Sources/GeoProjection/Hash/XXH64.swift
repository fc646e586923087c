import GeoCore

/// The 64-bit hash that turns names into seeds.
///
/// XXH64 of the xxHash specification 0.2.0. It is not cryptographic: names that collide are easy to
/// construct. All sums and products wrap, as specified.
package enum XXH64 {
  /// The hash of some bytes.
  ///
  /// - Complexity: O(`bytes.count`), about 4 ns for a name of 20 bytes.
  @inline(__always)
  package static func hash(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
    let length = bytes.count
    var offset = 0
    var hash: UInt64
    if length >= 32 {
      hash = hashStripes(bytes, seed: seed, upTo: length & ~31)
      offset = length & ~31
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(truncatingIfNeeded: length)
    return finish(hash, bytes, from: offset)
  }

  /// Adds the bytes after the last full stripe of 32, then mixes the result.
  @inline(__always)
  fileprivate static func finish(
    _ start: UInt64, _ bytes: Span<UInt8>, from first: Int
  ) -> UInt64 {
    let length = bytes.count
    var (hash, offset) = (start, first)
    // Fewer than 32 bytes are left: the bits of the length say which portions follow.
    if length & 16 != 0 {
      hash = addWord(hash, bytes.loadWord(at: offset))
      hash = addWord(hash, bytes.loadWord(at: offset &+ 8))
      offset &+= 16
    }
    if length & 8 != 0 {
      hash = addWord(hash, bytes.loadWord(at: offset))
      offset &+= 8
    }
    if length & 4 != 0 {
      hash ^= UInt64(bytes.loadHalfWord(at: offset)) &* prime1
      hash = rotate(hash, 23) &* prime2 &+ prime3
      offset &+= 4
    }
    if length & 2 != 0 {
      hash = addByte(addByte(hash, bytes[offset]), bytes[offset &+ 1])
      offset &+= 2
    }
    if length & 1 != 0 {
      hash = addByte(hash, bytes[offset])
    }

    hash ^= hash >> 33
    hash &*= prime2
    hash ^= hash >> 29
    hash &*= prime3
    return hash ^ hash >> 32
  }

  /// Hashes stripes of 32 bytes in four lanes, then merges them.
  @inline(never)
  private static func hashStripes(_ bytes: Span<UInt8>, seed: UInt64, upTo end: Int) -> UInt64 {
    var lanes = Lanes(seed: seed)
    lanes.add(bytes, 0..<end)
    return lanes.merged
  }

  fileprivate struct Lanes: BitwiseCopyable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    @inline(__always)
    init(seed: UInt64) {
      a = seed &+ prime1 &+ prime2
      b = seed &+ prime2
      c = seed
      d = seed &- prime1
    }

    /// Adds bytes; their number must be a multiple of 32.
    @inline(__always)
    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      // The words are loaded unchecked, so the range is checked here once.
      let stripes = bytes.extracting(range)
      precondition(stripes.count & 31 == 0)
      var (a, b, c, d) = (a, b, c, d)
      var offset = 0
      while offset < stripes.count {
        a = unsafe round(a, stripes.loadWord(uncheckedAt: offset))
        b = unsafe round(b, stripes.loadWord(uncheckedAt: offset &+ 8))
        c = unsafe round(c, stripes.loadWord(uncheckedAt: offset &+ 16))
        d = unsafe round(d, stripes.loadWord(uncheckedAt: offset &+ 24))
        offset &+= 32
      }
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inline(__always)
    var merged: UInt64 {
      var hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
      hash = (hash ^ round(0, a)) &* prime1 &+ prime4
      hash = (hash ^ round(0, b)) &* prime1 &+ prime4
      hash = (hash ^ round(0, c)) &* prime1 &+ prime4
      return (hash ^ round(0, d)) &* prime1 &+ prime4
    }
  }

  @inline(__always)
  fileprivate static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  fileprivate static func addWord(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    rotate(hash ^ round(0, word), 27) &* prime1 &+ prime4
  }

  @inline(__always)
  fileprivate static func addByte(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    rotate(hash ^ UInt64(byte) &* prime5, 11) &* prime1
  }

  @inline(__always)
  fileprivate static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 &- bits)
  }

  @inline(__always) fileprivate static var prime1: UInt64 { 0x9E37_79B1_85EB_CA87 }
  @inline(__always) fileprivate static var prime2: UInt64 { 0xC2B2_AE3D_27D4_EB4F }
  @inline(__always) fileprivate static var prime3: UInt64 { 0x1656_67B1_9E37_79F9 }
  @inline(__always) fileprivate static var prime4: UInt64 { 0x85EB_CA77_C2B2_AE63 }
  @inline(__always) fileprivate static var prime5: UInt64 { 0x27D4_EB2F_1656_67C5 }
}

extension XXH64 {
  /// The hash of bytes that arrive in pieces.
  package struct Running: Sendable {
    private let seed: UInt64
    private var lanes: Lanes
    private var count: UInt64 = 0
    /// Bytes that are not hashed yet, fewer than 32.
    private var rest: [UInt8] = []

    package init(seed: UInt64 = 0) {
      self.seed = seed
      lanes = Lanes(seed: seed)
      rest.reserveCapacity(32)
    }

    package mutating func add(_ bytes: Span<UInt8>) {
      count &+= UInt64(bytes.count)
      var start = 0
      while !rest.isEmpty || bytes.count < 32, start < bytes.count {
        rest.append(bytes[start])
        start += 1
        if rest.count == 32 {
          let full = rest
          lanes.add(full.span, 0..<32)
          rest.removeAll(keepingCapacity: true)
          break
        }
      }
      let end = start + (bytes.count - start) & ~31
      lanes.add(bytes, start..<end)
      for index in end..<bytes.count { rest.append(bytes[index]) }
    }

    package var value: UInt64 {
      XXH64.finish((count < 32 ? seed &+ prime5 : lanes.merged) &+ count, rest.span, from: 0)
    }
  }
}

/// The generator that turns a seed into numbers.
///
/// SplitMix64 (Steele, Lea and Flood, 2014), with direct access to its i-th output.
package enum SplitMix64 {
  /// The `index`-th output, counted from 0, of the generator whose state starts at `seed`.
  ///
  /// Defined for every index; sums and products wrap, as specified.
  @inlinable
  package static func number(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    var z = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
