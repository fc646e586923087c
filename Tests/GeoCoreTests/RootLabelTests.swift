import GeoCore
import Testing

@Suite struct RootLabelTests {
  private func root(_ label: String, _ directory: String) -> (label: [UInt8], directory: [UInt8]) {
    (label: Array(label.utf8), directory: Array(directory.utf8))
  }

  @Test func acceptsAnyNames() throws {
    try RootLabel.validate([])
    // One folder under two labels, case and normalisation forms are different names.
    try RootLabel.validate([
      root("a", "x"), root("A", "x"), root("...", "x"), root("\u{E9}", "x"),
      root("e\u{301}", "x"), (label: [0xFF], directory: [0xFF]),
      (label: [0xFE], directory: [0xFF]), root("a=b", "x"),
    ])
  }

  @Test(arguments: ["", ".", "..", "a/b", "/", "a\0"])
  func refusesInvalidNames(label: String) {
    #expect(throws: RootError.refusedLabel(Array(label.utf8), directory: [0x78])) {
      try RootLabel.validate([root("fine", "y"), root(label, "x")])
    }
  }

  @Test func refusesTooLongNames() throws {
    let longest = [UInt8](repeating: 0x78, count: 0xFFFF)
    try RootLabel.validate([(label: longest, directory: [0x79])])
    _ = NameTable([longest])
    let error = #expect(throws: RootError.self) {
      try RootLabel.validate([(label: longest + [0x78], directory: [0x79])])
    }
    #expect(error == .refusedLabel(longest + [0x78], directory: [0x79]))
    let text = error?.description ?? ""
    #expect(text.contains("65536 bytes") && text.utf8.count < 400)
    #expect(throws: RootError.self) {
      _ = try RootArgument(parsing: longest + Array("x=y".utf8))
    }
  }

  @Test func refusesDoubledLabels() {
    let error = #expect(throws: RootError.self) {
      try RootLabel.validate([root("a", "x/a"), root("b", "b"), root("a", "y/a")])
    }
    #expect(
      error
        == .doubledLabel([0x61], first: Array("x/a".utf8), second: Array("y/a".utf8)))
    #expect(error?.wronglyLabelled == Array("y/a".utf8))
    #expect(error?.description.contains("'x/a'") == true)
  }

  @Test func refusesEmptyPath() {
    #expect(throws: RootError.noDirectory(label: [0x61])) {
      try RootLabel.validate([root("a", "")])
    }
  }

  @Test func refusesPathWithAZero() {
    let error = #expect(throws: RootError.refusedDirectory(Array("x\0y".utf8))) {
      try RootLabel.validate([root("a", "x\0y")])
    }
    #expect(error?.description.contains(#"'x\u{00}y'"#) == true)
  }

  @Test func messagesHaveNoControlCharacters() {
    let error = RootError.refusedLabel([0x1B, 0x5B], directory: [0x0A])
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }
}
