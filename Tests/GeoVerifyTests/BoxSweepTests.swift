import TestSupport
import Testing

@testable import GeoVerify

/// The sweep finds the same pairs as comparing all boxes with each other.
@Suite struct BoxSweepTests {
  private func box(_ generator: inout SeededGenerator, _ room: Int, _ size: Int) -> ExactBox {
    let (west, south) = (generator.number(in: 0...room), generator.number(in: 0...room))
    return ExactBox(
      west: Int64(west), east: Int64(west + generator.number(in: 0...size)), south: Int64(south),
      north: Int64(south + generator.number(in: 0...size)))
  }

  @Test func findsAllMeetingBoxes() throws {
    let property = Property("boxes") { generator -> [ExactBox] in
      // In a small space, many boxes only touch or are equal.
      let (room, size) = (generator.number(in: 1...40), generator.number(in: 0...12))
      return (0..<generator.number(in: 0...50)).map { _ in self.box(&generator, room, size) }
    } fault: { boxes in
      var expected: Set<[Int]> = []
      for a in boxes.indices {
        for b in boxes.indices where a < b && boxes[a].meets(boxes[b]) { expected.insert([a, b]) }
      }
      var found: Set<[Int]> = []
      var isDoubled = false
      var left: Set<Int> = []
      var isLate = false
      try BoxSweep(boxes).run(
        meet: { a, b in
          if !found.insert([a, b].sorted()).inserted { isDoubled = true }
          if left.contains(a) || left.contains(b) { isLate = true }
        }, leave: { left.insert($0) })
      if isDoubled { return "a pair is reported twice" }
      if isLate { return "one that was left is reported" }
      return found == expected ? nil : "found \(found.count) pairs of \(expected.count)"
    }
    #expect(try property.counterexample(cases: 400) == nil)
  }
}
