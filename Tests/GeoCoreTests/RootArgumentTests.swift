import GeoCore
import Testing

@Suite struct RootArgumentTests {
  @Test(arguments: [
    ("src", nil, "src"),
    ("a=src", "a", "src"),
    ("a=b=c", "a", "b=c"),
    ("a==", "a", "="),
    ("./a=b", nil, "./a=b"),
    ("/x/a=b", nil, "/x/a=b"),
    ("=a", nil, "=a"),
    ("=", nil, "="),
    ("...=x", "...", "x"),
    ("a b=/", "a b", "/"),
  ])
  func parsesLabelAndFolder(text: String, label: String?, directory: String) throws {
    let argument = try RootArgument(parsing: Array(text.utf8))
    #expect(argument.label == label.map { Array($0.utf8) })
    #expect(argument.directory == Array(directory.utf8))
  }

  @Test func keepsInvalidUTF8() throws {
    let argument = try RootArgument(parsing: [0xFF, 0x3D, 0xC3, 0x28])
    #expect(argument.label == [0xFF])
    #expect(argument.directory == [0xC3, 0x28])
  }

  @Test func refusesEmptyFoldersAndDots() {
    #expect(throws: RootError.noDirectory(label: nil)) { try RootArgument(parsing: []) }
    #expect(throws: RootError.noDirectory(label: [0x61])) {
      try RootArgument(parsing: Array("a=".utf8))
    }
    #expect(throws: RootError.refusedLabel([0x2E], directory: [0x78])) {
      try RootArgument(parsing: Array(".=x".utf8))
    }
    #expect(throws: RootError.refusedLabel([0x2E, 0x2E], directory: [0x78])) {
      try RootArgument(parsing: Array("..=x".utf8))
    }
  }

  @Test(arguments: [
    ("src", "src"), ("src/", "src"), ("a/b///", "b"), ("/usr", "usr"), ("./a=b", "a=b"),
    ("=a", "=a"), ("...", "..."), ("x=y/z", "x"), ("a/..b", "..b"),
    (".", nil), ("..", nil), ("a/.", nil), ("a/../", nil), ("/", nil), ("///", nil),
  ])
  func impliesLabel(text: String, label: String?) throws {
    let argument = try RootArgument(parsing: Array(text.utf8))
    let implied = argument.label ?? RootArgument.lastName(of: argument.directory)
    #expect(implied == label.map { Array($0.utf8) })
  }

  @Test(arguments: [("/", "root"), ("/usr", "usr"), ("/usr/share", "share")])
  func labelsRealPaths(path: String, label: String) {
    #expect(RootArgument.label(ofRealPath: Array(path.utf8)) == Array(label.utf8))
  }
}
