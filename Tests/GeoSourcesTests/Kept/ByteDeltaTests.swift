import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Bytes come back from copies and literals.
@Suite struct ByteDeltaTests {
  private func edited(_ source: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var target = source
    for _ in 0..<generator.number(in: 0...20) where !target.isEmpty {
      let place = generator.number(in: 0...(target.count - 1))
      let end = min(target.count, place + generator.number(in: 0...12))
      let more = (0..<generator.number(in: 0...12)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      target.replaceSubrange(place..<end, with: more)
    }
    return target
  }

  @Test func editedBytesRoundTrip() throws {
    for seed in TestScale.seeds(100) {
      var generator = SeededGenerator(seed: seed)
      let count = generator.number(in: 0...5000)
      let source = (0..<count).map { _ in UInt8.random(in: 0...20, using: &generator) }
      let target = edited(source, &generator)
      let patch = ByteDelta.encode(target.span, from: source.span)
      let result = try ByteDelta.decode(
        patch.span, 0..<patch.count, from: source.span, length: target.count)
      #expect(result == target, "seed \(seed)")
      #expect(patch.count < 20 * 40 + 60 || target.count < 1000, "seed \(seed): \(patch.count)")
      // Damaged patches are refused, or give other bytes of the same length.
      var damaged = patch
      damaged[generator.number(in: 0...(damaged.count - 1))] ^=
        1 << UInt8(generator.number(in: 0...7))
      let other = try? ByteDelta.decode(
        damaged.span, 0..<damaged.count, from: source.span, length: target.count)
      #expect(other.map { $0.count == target.count } ?? true, "seed \(seed)")
    }
  }
}
