import GeoCore
import TestSupport
import Testing

/// Merging several sorted runs.
@Suite struct RunMergeTests {
  /// A run in memory; equal numbers come in the order of the runs.
  private struct Run: SortedRun {
    let number: Int
    let values: [Int]
    var position = -1

    init(_ number: Int, _ values: [Int]) { (self.number, self.values) = (number, values) }

    var value: Int { values[position] }

    mutating func advance() -> Bool {
      position += 1
      return position < values.count
    }

    func precedes(_ other: Run) -> Bool { (value, number) < (other.value, other.number) }
  }

  @Test func mergingEqualsSorting() throws {
    let property = Property<[[Int]]>("merge of runs") { generator in
      (0..<generator.number(in: 0...12)).map { _ in
        (0..<generator.number(in: 0...20)).map { _ in generator.number(in: 0...40) }.sorted()
      }
    } shrink: { runs in
      runs.indices.map { index in
        var fewer = runs
        fewer.remove(at: index)
        return fewer
      }
    } fault: { runs in
      var merge = RunMerge(runs.enumerated().map { Run($0, $1) })
      var read: [[Int]] = []
      while merge.advance() { read.append([merge.first.value, merge.first.number]) }
      if merge.advance() { return "it goes on after its end" }
      let all = runs.enumerated().flatMap { number, run in run.map { [$0, number] } }
      let sorted = all.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
      return read == sorted ? nil : "\(read) in place of \(sorted)"
    }
    let found = try property.counterexample(cases: 300)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }
}
