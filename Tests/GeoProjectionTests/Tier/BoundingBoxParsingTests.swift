import GeoProjection
import Testing

@Suite struct BoundingBoxParsingTests {
  private func box(_ text: String) throws(BoundingBox.Fault) -> BoundingBox {
    try BoundingBox(parsing: Array(text.utf8))
  }

  @Test func readsNumbers() throws {
    let box = try box("-10.5,+35,3e1,.6E+2")
    #expect(box.west == -10.5)
    #expect(box.south == 35)
    #expect(box.east == 30)
    #expect(box.north == 60)
  }

  @Test func readsToTheNearestDouble() throws {
    #expect(try box("0.1,1e-400,2.2250738585072014e-308,90").west == 0.1)
    #expect(try box("0.1,1e-400,0,90").south == 0)
    #expect(try box("0,0,179.99999999999999,90").east == 180)
    #expect(try box("5.,0,6,00090.0").north == 90)
  }

  @Test func edgesBelongToIt() throws {
    #expect(throws: Never.self) { try box("-180,-90,180,90") }
    #expect(throws: Never.self) { try box("1,2,1,2") }
  }

  @Test func crossesTheAntimeridian() throws {
    let box = try box("170,-10,-170,10")
    #expect(box.west == 170)
    #expect(box.east == -170)
  }

  @Test(arguments: [
    ("", BoundingBox.Fault.wrongCount(0)),
    ("1,2,3", .wrongCount(3)),
    ("1,2,3,4,5", .wrongCount(5)),
    (",2,3,4", .notANumber(.west)),
    ("1, 2,3,4", .notANumber(.south)),
    ("1,2,0x3,4", .notANumber(.east)),
    ("1,2,3,nan", .notANumber(.north)),
    ("1,2,3,inf", .notANumber(.north)),
    (".,2,3,4", .notANumber(.west)),
    ("1e,2,3,4", .notANumber(.west)),
    ("1e+,2,3,4", .notANumber(.west)),
    ("--1,2,3,4", .notANumber(.west)),
    ("1_0,2,3,4", .notANumber(.west)),
    ("-180.00001,2,3,4", .outOfRange(.west)),
    ("1,-91,3,4", .outOfRange(.south)),
    ("1,2,1e999,4", .outOfRange(.east)),
    ("1,2,3,90.1", .outOfRange(.north)),
    ("1,5,3,4", .southAboveNorth),
  ])
  func refusesMalformedBoxes(text: String, reason: BoundingBox.Fault) {
    #expect(throws: reason) { try box(text) }
    #expect(!reason.description.isEmpty)
  }

  @Test func refusesInvalidUTF8() {
    #expect(throws: BoundingBox.Fault.notANumber(.west)) {
      try BoundingBox(parsing: [0xFF, 0x2C, 0x30, 0x2C, 0x30, 0x2C, 0x30])
    }
  }
}
