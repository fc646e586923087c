import GeoCore
import TestSupport
import Testing

/// Data packed by other programs is unpacked correctly, and arbitrary bytes do no harm.
@Suite struct InflateTests {
  /// The DEFLATE stream of a gzip file without a name.
  private func stream(_ file: [UInt8]) -> [UInt8] { Array(file[10...]) }

  private func random(_ generator: inout SeededGenerator) -> [UInt8] {
    let letters = generator.number(in: 1...256)
    let length = generator.number(in: 0...(generator.chance(0.2) ? 200_000 : 600))
    var bytes: [UInt8] = []
    while bytes.count < length {
      if !bytes.isEmpty, generator.chance(0.4) {
        let start = bytes.count - generator.number(in: 1...min(bytes.count, 40_000))
        for step in 0..<generator.number(in: 1...400) { bytes.append(bytes[start + step]) }
      } else {
        for _ in 0..<generator.number(in: 1...300) {
          bytes.append(UInt8(generator.number(in: 0...(letters - 1))))
        }
      }
    }
    return bytes
  }

  @Test func ownAndForeignStreamsRoundTrip() throws {
    let folder = try TemporaryFolder()
    let property = Property<[UInt8]>("inflate") { generator in
      random(&generator)
    } fault: { bytes in
      var inflater = Inflater()
      var result: [UInt8] = []
      try inflater.inflate(stream(Gzip.compress(bytes)), limit: bytes.count, into: &result)
      if result != bytes { return "other bytes come out of what was packed here" }
      try folder.makeFile(bytes: Array("plain".utf8), bytes)
      for level in ["-1", "-9"] {
        let packed = try Subprocess(
          "/bin/sh", ["-c", "gzip -nc \(level) plain"].map { Array($0.utf8) }, in: folder.path
        ).finish().output
        try inflater.inflate(stream(packed), limit: bytes.count, into: &result)
        if result != bytes { return "other bytes come out of what gzip \(level) packed" }
      }
      return nil
    }
    let found = try property.counterexample(cases: 30)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }

  @Test func storedBlocksAreRead() throws {
    var inflater = Inflater()
    var result: [UInt8] = []
    try inflater.inflate(
      [0, 2, 0, 0xFD, 0xFF, 7, 8, 1, 1, 0, 0xFE, 0xFF, 9], limit: 3, into: &result)
    #expect(result == [7, 8, 9])
    #expect(throws: Inflater.Failure.malformed) {
      try inflater.inflate([1, 2, 0, 0xFD, 0xFE, 7, 8], limit: 9, into: &result)
    }
  }

  @Test func outputIsLimited() throws {
    var inflater = Inflater()
    var result: [UInt8] = []
    let packed = stream(Gzip.compress([UInt8](repeating: 1, count: 100_000)))
    #expect(throws: Inflater.Failure.tooLong) {
      try inflater.inflate(packed, limit: 99_999, into: &result)
    }
    #expect(result.count < 100_000)
    try inflater.inflate(packed, limit: 100_000, into: &result) { _ in 10 }
    #expect(result.count >= 10)
    #expect(result.count < 1000)
  }

  @Test func impossibleCodesAreRefused() {
    var inflater = Inflater()
    var result: [UInt8] = []
    // An undefined block type, no bytes, a repetition before any output, and an invalid header of
    // codes.
    for bytes in [[7], [], [0x03 | 0x08, 0xFF, 0xFF, 0xFF], [5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]
      as [[UInt8]]
    {
      #expect(throws: Inflater.Failure.self) {
        try inflater.inflate(bytes, limit: 1000, into: &result)
      }
    }
  }

  @Test func damagedStreamsEnd() throws {
    let property = Property<[UInt8]>("damaged streams") { generator in
      var bytes = stream(Gzip.compress(random(&generator)))
      for _ in 0..<generator.number(in: 1...4) where !bytes.isEmpty {
        let index = generator.number(in: 0...(bytes.count - 1))
        if generator.chance(0.3) {
          bytes.removeSubrange(index...)
        } else {
          bytes[index] = UInt8(generator.number(in: 0...255))
        }
      }
      return bytes
    } fault: { bytes in
      var inflater = Inflater()
      var result: [UInt8] = []
      try? inflater.inflate(bytes, limit: 250_000, into: &result)
      return result.count > 250_000 ? "\(result.count) bytes come out" : nil
    }
    let found = try property.counterexample(cases: 200)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }
}
