import GeoProjection
import TestSupport
import Testing

/// The hash of bytes in pieces is the hash of the whole.
@Suite struct RunningHashTests {
  @Test func piecesDoNotMatter() throws {
    let property = Property("a running hash") { generator in
      (0..<generator.number(in: 0...6)).map { _ in
        (0..<generator.number(in: 0...100)).map { _ in UInt8.random(in: 0...255, using: &generator)
        }
      }
    } fault: { pieces in
      for seed in [UInt64(0), 0x9E37_79B9] {
        var hash = XXH64.Running(seed: seed)
        var all: [UInt8] = []
        for piece in pieces {
          hash.add(piece.span)
          all += piece
          if hash.value != XXH64.hash(all.span, seed: seed) { return "after \(all.count) bytes" }
        }
      }
      return nil
    }
    #expect(try property.counterexample(cases: 500) == nil)
  }
}
