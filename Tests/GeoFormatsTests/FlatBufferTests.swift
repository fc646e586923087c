import GeoFormats
import TestSupport
import Testing

/// What is written can be read by the rules of the format.
@Suite struct FlatBufferTests {
  @Test func tablesHoldAllTypes() throws {
    let inner: [FlatBuffer.Field] = [.absent, .byte(7), .text(Array("inner".utf8))]
    let bytes = FlatBuffer.sizePrefixed([
      .byte(200), .absent, .long(.max - 1), .text(Array("a \u{e9}".utf8)), .doubles([1.5, -2, 0]),
      .short(0xBEEF), .table(inner), .tables([inner, [.int(-5)], []]), .int(-1), .text([]),
    ])
    #expect(bytes.count % 8 == 0)
    let reader = FlatBufferReader(bytes)
    #expect(reader.length == bytes.count - 4)
    let root = reader.root
    #expect(root.byte(0) == 200)
    #expect(root.place(1) == nil)
    #expect(root.long(2) == UInt64.max - 1)
    #expect(root.text(3) == "a é")
    #expect(root.doubles(4) == [1.5, -2, 0])
    #expect(root.short(5) == 0xBEEF)
    #expect(root.table(6)?.byte(1) == 7)
    #expect(root.table(6)?.text(2) == "inner")
    let tables = root.tables(7)
    #expect(tables.count == 3)
    #expect(tables[0].text(2) == "inner")
    #expect(tables[1].int(0) == -5)
    #expect(tables[2].place(0) == nil)
    #expect(root.int(8) == -1)
    #expect(root.text(9) == "")
    #expect(root.place(10) == nil)
  }

  @Test func everythingIsAligned() {
    // A text of any length before them keeps them aligned.
    for length in 0..<9 {
      let bytes = FlatBuffer.sizePrefixed([
        .text([UInt8](repeating: 65, count: length)), .byte(1), .doubles([1]), .long(2),
        .table([.long(3), .byte(4), .doubles([5])]),
      ])
      let root = FlatBufferReader(bytes).root
      for table in [root, root.table(4)].compactMap(\.self) { #expect(table.place % 4 == 0) }
      #expect(root.place(3).map { $0 % 8 } == 0)
      #expect(root.table(4)?.place(0).map { $0 % 8 } == 0)
      #expect(root.vector(2).map { ($0 + 4) % 8 } == 0)
      #expect(root.table(4)?.doubles(2) == [5])
    }
  }
}
