import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Tables with values of layers.
@Suite struct TableTests {
  /// A table, and how it is written.
  struct Written: Sendable, CustomStringConvertible {
    var records: [[[UInt8]]]
    var isQuoted = true
    var hasReturns = false
    var isTerminated = true

    var description: String { "\(records) \(hasReturns) \(isTerminated)" }

    var bytes: [UInt8] {
      let end: [UInt8] = hasReturns ? [0x0D, 0x0A] : [0x0A]
      let lines = records.map { record in
        Array(record.map(field).joined(separator: [isQuoted ? UInt8(ascii: ",") : 0x09]))
      }
      return Array(lines.joined(separator: end)) + (isTerminated ? end : [])
    }

    private func field(_ bytes: [UInt8]) -> [UInt8] {
      if !isQuoted { return bytes }
      let quote = UInt8(ascii: "\"")
      if !bytes.contains(where: { [quote, 0x2C, 0x0A, 0x0D].contains($0) }), bytes.count % 2 == 0 {
        return bytes
      }
      return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    static func random(using generator: inout SeededGenerator) -> Written {
      let isQuoted = generator.chance(0.7)
      let alphabet = Array((isQuoted ? "ab\",\n\r\t\u{0}\u{FF}" : "ab\",\u{0}\u{FF}").utf8)
      let width = generator.number(in: 1...4)
      // Some are longer than a block of reading.
      let length = generator.chance(0.1) ? 20_000 : 6
      var written = Written(
        records: (0..<generator.number(in: 1...40)).map { _ in
          (0..<width).map { _ in
            (0..<generator.number(in: 0...length)).map { _ in
              alphabet.randomElement(using: &generator) ?? 0
            }
          }
        })
      written.isQuoted = isQuoted
      written.hasReturns = generator.chance(0.3)
      written.isTerminated = generator.chance(0.8)
      return written
    }

    var smaller: [Written] {
      var all: [Written] = []
      for index in records.indices where records.count > 1 {
        var written = self
        written.records.remove(at: index)
        all.append(written)
      }
      for (row, record) in records.enumerated() {
        for (column, field) in record.enumerated() where !field.isEmpty {
          var written = self
          written.records[row][column] = Array(field.prefix(field.count / 2))
          all.append(written)
        }
      }
      return all
    }
  }

  private static func records(_ bytes: [UInt8], tabs: Bool) throws -> [[[UInt8]]] {
    let file = try ListFile(bytes)
    var table = TableReader(
      try ListInput(opening: ListSource(file: file.path)),
      separator: tabs ? 0x09 : UInt8(ascii: ","))
    var records: [[[UInt8]]] = []
    while try table.advance() { records.append(table.fields.indices.map { Array(table[$0]) }) }
    return records
  }

  @Test func recordsAreReadAsTheyWereWritten() throws {
    let property = Property<Written>(
      "table", generate: Written.random(using:), shrink: \.smaller
    ) { written in
      // An empty line is no record.
      let expected = written.records.filter { $0 != [[]] }
      let found = try Self.records(written.bytes, tabs: !written.isQuoted)
      return found == expected ? nil : "read as \(found)"
    }
    #expect(try property.counterexample(cases: 400) == nil)
  }

  @Test func columnsAreLayers() throws {
    let made = try LayerCase()
    try made.folder.makeFile(
      "x.csv", "\u{FEFF}n,path,\"w\"\r\n1,a,x\r\n,b,\"y \"\"z\"\"\"\r\n\r\n2.5,\"c,d\"," + "\r\n")
    let layers = try made.open("@x.csv")
    #expect(layers.shapes == ["n:sum", "w:share"])
    #expect(layers.values("r/a") == "1.0 x")
    #expect(layers.values("r/b") == "- y \"z\"")
    #expect(layers.values("r/c,d") == "2.5 -")
    #expect(try made.open("m:mean=@x.csv#n").shapes == ["m:mean"])
    #expect(try made.open("@x.csv#w", "k=@x.csv#n").shapes == ["w:share", "k:sum"])
    #expect(try made.open("n:word=@x.csv#n").values("r/c,d") == "2.5")
    try made.folder.makeFile("y.tsv", "path\thit\tall\na\t1\t4\n\"b\"\t\t3\nc\t0\t0\n")
    let ratio = try made.open("cov:ratio=@y.tsv#hit/all")
    #expect(ratio.shapes == ["cov:ratio"])
    #expect(["a", "\"b\"", "c"].map { ratio.values("r/\($0)") } == ["0.25", "-", "-"])
  }

  @Test func rawPathsAreDecoded() throws {
    let made = try LayerCase()
    try made.folder.makeFile("x.csv", "path,rawPath,n\n\u{FFFD},%FF%41,1\na,,2\n")
    let layers = try made.open("@x.csv")
    #expect(layers.values(at: Array("r/".utf8) + [0xFF, 0x41]) == ["1"])
    #expect(layers.values("r/a") == "2")
    #expect(
      try made.refusal("rawPath,n\n%4,1\n", in: "y.csv")
        == "@y.csv, line 2: '%4' is not percent-encoded, as rawPath is; a column of plain paths is "
        + "named path")
  }

  @Test func faultsAreNamedWithTheirLines() throws {
    let made = try LayerCase()
    func refusal(_ text: String, _ request: String? = nil) throws -> String? {
      try made.refusal(text, in: "x.csv", request)
    }
    #expect(try refusal("") == "@x.csv is empty; its first line names the columns")
    #expect(try refusal("file,n\n") == "@x.csv, line 1 has no column 'path'; it has file, n")
    #expect(try refusal("path\n") == "@x.csv has no column with values")
    #expect(
      try refusal("path,n\na,1\nb,1,2\n") == "@x.csv, line 3 has 3 fields, and the first line has 2"
    )
    #expect(try refusal("path,n\n\"a\n\",1\nb\n")?.hasPrefix("@x.csv, line 4 has 1 ") == true)
    #expect(try refusal("path,n\n,1\n") == "@x.csv, line 2: the path is empty")
    #expect(try refusal("path,n\n\"a,1\n") == "@x.csv, line 2: a quote is not closed")
    #expect(
      try refusal("path,n\n\"a\"b,1\n")
        == "@x.csv, line 2: text follows a closing quote; double quotes that are in a field")
    #expect(
      try refusal("path,n\na,1\n", "@x.csv#m")
        == "@x.csv has no column 'm' with values; it has n")
    #expect(try refusal("path,n,n\n", "@x.csv#n") == "@x.csv has the column 'n' twice")
    #expect(
      try refusal("path,n,m\n", "k=@x.csv")
        == "@x.csv has 2 columns: n, m; choose one, as in k=@x.csv#n")
    #expect(
      try refusal("path,a b\n")
        == "the column 'a b' of @x.csv can't be the name of a layer, which has letters, digits, "
        + "'_' and '-'; give it another, as in NAME=@x.csv#a b")
    #expect(
      try refusal("path,n\n", "k:ratio=@x.csv#n")
        == "a ratio needs two columns of @x.csv, joined by '/', as in k:ratio=@x.csv#COVERED/LINES")
    let long = String(repeating: "x", count: 3 << 20)
    #expect(try refusal("path,n\n\(long)")?.contains("1 MiB") == true)
    let header = "path," + (0..<5000).map { "c\($0)" }.joined(separator: ",")
    #expect(try refusal(header + "\n")?.contains("5001 columns are too many") == true)
    #expect(made.refusal("@none.csv") == "can't read '@none.csv': No such file or directory")
  }
}
