import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Reads all entries of a list, and its errors.
func read<Parser: ListParser>(
  _ parser: Parser.Type, _ bytes: [UInt8], _ format: ListFormat, zero: Bool = false
) throws -> (entries: [ListedEntry], faults: [ListFault]) {
  let file = try ListFile(bytes)
  var source = ListSource(file: file.path)
  source.format = format
  source.isZeroSeparated = zero
  var parser = Parser(try ListInput(opening: source), source)
  var entries: [ListedEntry] = []
  var faults: [ListFault] = []
  var entry = ListedEntry()
  while true {
    let step = try parser.next(into: &entry, faults: &faults)
    if step == .end { break }
    if step == .entry { entries.append(entry) }
  }
  return (entries, faults)
}

private func find(_ text: String) throws -> (entries: [ListedEntry], faults: [ListFault]) {
  try read(RecordParser<FindSyntax>.self, Array(text.utf8), .find)
}

@Suite struct ParserTests {
  @Test func lines() throws {
    let (entries, faults) = try read(
      RecordParser<LineSyntax>.self, Array("a\n\nb/\r\nc".utf8), .lines)
    #expect(entries.map { String(decoding: $0.path, as: UTF8.self) } == ["a", "", "b/\r", "c"])
    #expect(entries.map(\.position) == [1, 2, 3, 4])
    #expect(faults.isEmpty)
    let zeros = try read(RecordParser<LineSyntax>.self, [97, 10, 0, 255, 0], .lines, zero: true)
    #expect(zeros.entries.map(\.path) == [[97, 10], [255]])
    #expect(try read(RecordParser<LineSyntax>.self, [], .lines).entries.isEmpty)
  }

  @Test func recordsAreFoundAcrossBlocks() throws {
    let lengths = [0, 1, 7, 8, 9, 300_000, 5, 262_143, 262_144, 3]
    var bytes: [UInt8] = []
    for (index, length) in lengths.enumerated() {
      bytes += [UInt8](repeating: UInt8(48 + index), count: length) + [10]
    }
    let (entries, _) = try read(RecordParser<LineSyntax>.self, bytes, .lines)
    #expect(entries.map(\.path.count) == lengths)
    for (index, entry) in entries.enumerated() {
      #expect(entry.path.allSatisfy { $0 == UInt8(48 + index) })
    }
  }

  @Test func longRecordsAreLeftOut() throws {
    let long = [UInt8](repeating: 120, count: ListInput.block * 2 + 5)
    let file = try ListFile([97, 10] + long + [10, 98, 10] + long)
    var reader = RecordReader(
      try ListInput(opening: ListSource(file: file.path)), separator: 10, longest: 1000)
    var outcomes: [RecordReader.Outcome] = []
    repeat { outcomes.append(try reader.advance()) } while outcomes.last != .end
    #expect(outcomes == [.record, .tooLong, .record, .tooLong, .end])
    #expect(reader.count == 4)
  }

  @Test func parsesEntriesOfFind() throws {
    let (entries, faults) = try find(
      "9223372036854775807 -2.5000000000 f ./a b\n\0"
        + "4096 1795237513.2011345060 d .\0" + "0 7 U x\0" + "1 2,5 l  y\0")
    #expect(faults.isEmpty)
    #expect(
      entries.map { String(decoding: $0.path, as: UTF8.self) } == ["./a b\n", ".", "x", " y"])
    #expect(entries.map(\.facts.size) == [.max, 4096, 0, 1])
    #expect(entries.map(\.facts.modified) == [-2, 1_795_237_513, 7, 2])
    #expect(entries.map(\.facts.kind) == [.regular, .directory, .unknown, .symlink])
  }

  @Test(arguments: [
    "", "x", "-1 2 f a", "1", "1  2 f a", "1 2", "1 2. f a", "1 x f a", "1 2 q a", "1 2 f",
    "1 2 fa", "9223372036854775808 2 f a", "1 9223372036854775808 f a", "1 - f a", "1 2 N a",
  ])
  func malformedEntriesOfFindAreFaults(text: String) throws {
    let (entries, faults) = try find("1 2 f good\0\(text)\0001 2 f good\0")
    #expect(entries.map(\.position) == [1, 3])
    #expect(faults.map(\.position) == [2])
  }

  @Test func truncatedListsAreReported() throws {
    let (entries, faults) = try find("1 2 f a\0001 2 f b")
    #expect(entries.count == 1)
    #expect(faults.map(\.position) == [2])
    #expect(try find("1 2 f a\n1 2 f b\n").faults.count == 1)
  }
}
