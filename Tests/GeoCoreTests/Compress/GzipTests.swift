import Foundation
import GeoCore
import TestSupport
import Testing

/// Another program unpacks what was packed here, unchanged.
@Suite struct GzipTests {
  private static let efforts: [Deflater.Effort] = [
    .thorough, .wordy, .hasty, .swift, .stored,
  ]

  /// Unpacks with `gzip`, which verifies the checksum and the length.
  private func unpacked(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> [UInt8] {
    try folder.makeFile(bytes: Array("packed.gz".utf8), bytes)
    let outcome = try Subprocess(
      "/bin/sh", ["-c", "gzip -dc packed.gz"].map { Array($0.utf8) }, in: folder.path
    ).finish()
    #expect(outcome.status == 0, "\(outcome.errorText)")
    return outcome.output
  }

  @Test func inputsRoundTrip() throws {
    let folder = try TemporaryFolder()
    let property = Property<[UInt8]>("gzip") { generator in
      let length = generator.number(in: 0...(generator.chance(0.2) ? 200_000 : 600))
      let letters = generator.number(in: 1...256)
      var bytes: [UInt8] = []
      while bytes.count < length {
        if !bytes.isEmpty, generator.chance(0.4) {
          // A repetition, from near or far.
          let distance = generator.number(in: 1...min(bytes.count, 70_000))
          let start = bytes.count - distance
          for step in 0..<generator.number(in: 1...400) { bytes.append(bytes[start + step]) }
        } else {
          for _ in 0..<generator.number(in: 1...300) {
            // Some letters are much rarer than others: long codes.
            let letter = generator.number(in: 0...(letters - 1))
            bytes.append(UInt8(generator.chance(0.7) ? letter / 16 : letter))
          }
        }
      }
      return bytes
    } shrink: { bytes in
      bytes.count < 2
        ? [] : [Array(bytes.prefix(bytes.count / 2)), Array(bytes.dropFirst(bytes.count / 2))]
    } fault: { bytes in
      // Members one after the other in the same buffer, which gzip reads as one file.
      var packer = GzipPacker()
      let packed = Self.efforts.flatMap { effort in
        packer.effort = effort
        return packer.pack(bytes)
      }
      let all = Self.efforts.flatMap { _ in bytes }
      return try unpacked(packed, in: folder) == all ? nil : "other bytes come out"
    }
    let found = try property.counterexample(cases: 40)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }

  @Test func rarestSymbolsGetNoLongerCodesThanAllowed() throws {
    // Frequencies like Fibonacci's numbers make the deepest trees.
    var (bytes, a, b) = ([UInt8](), 1, 1)
    for letter in 0..<22 as Range<UInt8> {
      // No letter twice in a row, so that no three bytes repeat.
      bytes += (0..<a).flatMap { [letter, UInt8(truncatingIfNeeded: 100 + $0 % 97)] }
      (a, b) = (b, a + b)
    }
    let folder = try TemporaryFolder()
    #expect(try unpacked(Gzip.compress(bytes), in: folder) == bytes)
  }

  @Test func sizeIsNearThatOfGzip() throws {
    let folder = try TemporaryFolder()
    var text = ""
    var generator = SeededGenerator(seed: 7)
    for number in 0..<8000 {
      text += "usr/share/part-\(generator.number(in: 0...40))/file \(number).txt,"
      text += "\(generator.next() >> 40)\n"
    }
    try folder.makeFile("text", text)
    let other = try Subprocess(
      "/bin/sh", ["-c", "gzip -6 -nc text"].map { Array($0.utf8) }, in: folder.path
    ).finish().output
    let own = Gzip.compress(Array(text.utf8))
    #expect(own.count * 100 < other.count * 115, "\(own.count) against \(other.count)")
    // This effort searches less than an eighth as far.
    var packer = GzipPacker(effort: .wordy)
    let wordy = packer.pack(Array(text.utf8))
    #expect(wordy.count * 100 < other.count * 110, "\(wordy.count) against \(other.count)")
  }
}
