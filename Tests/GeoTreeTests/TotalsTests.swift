import GeoCore
import GeoSystem
import TestSupport
import Testing

@testable import GeoTree

/// The totals of a first pass, compared with sets of files.
@Suite struct TotalsTests {
  /// A tree as the folders of a first pass in its order, with numbers of files.
  struct Found: Sendable, CustomStringConvertible {
    /// The depth and files of each folder; depth −1 adds files to the folder before.
    var steps: [(depth: Int, shared: [UInt64], others: Int)] = []
    /// The steps after which a part ends.
    var ends: Set<Int> = []

    var description: String { steps.map { "\($0)" }.joined(separator: "\n") }
  }

  private static func size(of file: UInt64) -> Int64 { file == 0 ? .max : Int64(file * 7) }

  private static func generate(using generator: inout SeededGenerator) -> Found {
    var found = Found()
    var depth = 0
    for number in 0..<generator.number(in: 1...30) {
      if number > 0, generator.chance(0.2) {
        depth = -1
      } else {
        let last = found.steps.last { $0.depth >= 0 }?.depth ?? -1
        depth = number == 0 || generator.chance(0.1) ? 0 : generator.number(in: 1...(last + 1))
      }
      let shared = (0..<generator.number(in: 0...4)).map { _ in
        UInt64(generator.number(in: 0...6))
      }
      found.steps.append((depth, shared, generator.number(in: 0...3)))
      if generator.chance(0.3) { found.ends.insert(number) }
    }
    return found
  }

  /// The totals of the steps in parts, as visitors make them.
  private static func totals(of found: Found) -> TreeTotals {
    var builder = TotalsBuilder()
    var part = TotalsPart()
    for (number, step) in found.steps.enumerated() {
      if step.depth >= 0 { part.names += Array("\(number)".utf8) }
      part.shared += step.shared.map {
        TotalsPart.SharedFile(
          identity: FileSystem.Identity(device: 1, inode: $0), size: size(of: $0),
          allocated: Int64($0))
      }
      let sums = TreeSums(
        files: step.others, bytes: Int128(step.others), allocated: Int128(step.others * 512))
      part.steps.append(
        TotalsPart.Step(
          depth: Int32(step.depth), isListed: true, sums: sums, nameEnd: part.names.count,
          sharedEnd: part.shared.count, valuesEnd: 0))
      if found.ends.contains(number) {
        builder.add(part)
        part = TotalsPart()
      }
    }
    builder.add(part)
    return builder.finish()
  }

  private static func expected(of found: Found) -> [FolderTotals] {
    let folders = found.steps.indices.filter { found.steps[$0].depth >= 0 }
    return folders.map { start in
      var files: Set<UInt64> = []
      var others: Int64 = 0
      for index in start..<found.steps.count {
        let step = found.steps[index]
        if index > start, step.depth >= 0, step.depth <= found.steps[start].depth { break }
        files.formUnion(step.shared)
        others += Int64(step.others)
      }
      let bytes = files.reduce(Int128(others)) { $0 + Int128(size(of: $1)) }
      return FolderTotals(
        files: Int64(files.count) + others, bytes: Int64(clamping: bytes),
        allocated: files.reduce(others * 512) { $0 + Int64($1) })
    }
  }

  @Test func eachFileCountsOnceForEachFolder() throws {
    let property = Property<Found>(
      "totals", generate: { Self.generate(using: &$0) },
      shrink: { found in
        found.steps.indices.dropFirst().map { index in
          var less = found
          less.steps.remove(at: index)
          // A folder can be at most one level deeper than the folder before it.
          var last = 0
          for other in less.steps.indices where less.steps[other].depth >= 0 {
            less.steps[other].depth = min(less.steps[other].depth, other == 0 ? 0 : last + 1)
            last = less.steps[other].depth
          }
          return less
        }
      },
      fault: { found in
        let totals = Self.totals(of: found)
        let expected = Self.expected(of: found)
        let sums = (0..<totals.count).map { totals[$0] }
        return sums == expected ? nil : "\(sums) instead of \(expected)"
      })
    let counterexample = try property.counterexample(cases: 1000)
    #expect(counterexample == nil, "\(counterexample.map(\.description) ?? "")")
  }

  @Test func numbersFollowFromNames() {
    var found = Found()
    // Names are the numbers of the steps: 0/1/2, 0/3, 4.
    found.steps = [(0, [], 1), (1, [], 2), (2, [], 3), (1, [], 4), (0, [], 5)]
    let totals = Self.totals(of: found)
    func numbers(_ names: String..., in folder: Int?) -> [Int] {
      totals.numbers(of: NameTable(names.map { Array($0.utf8) }), in: folder)
    }
    #expect(numbers("0", "4", in: nil) == [0, 4])
    #expect(numbers("", "0", "1", "4", "5", in: nil) == [-1, 0, -1, 4, -1])
    #expect(numbers("1", "2", "3", in: 0) == [1, -1, 3])
    #expect(numbers("2", in: 1) == [2])
    #expect(numbers("2", in: 2) == [-1])
    #expect(numbers("2", in: TreeTotals.missing) == [-1])
    #expect(totals[TreeTotals.missing] == nil)
    #expect(totals[0]?.files == 10)
    #expect(totals[3]?.files == 4)
  }

  @Test func longAncestorChainsAreReleased() {
    var last: AncestorChain?
    for number in 0..<1_000_000 {
      last = AncestorChain(
        FileSystem.Identity(device: 1, inode: UInt64(number)), isLink: false, parent: last)
    }
    #expect(last?.isLoop == false)
    #expect(last?.links.count == 999_999)
    last = nil
  }
}
