import GeoTree
import Testing

@testable import GeoWeb

/// File types by name, in the page and in the tool.
@Suite struct FileTypeTests {
  private func type(_ name: String) -> FileType { FileType(ofFileNamed: Array(name.utf8).span) }

  @Test(arguments: [
    ("main.swift", FileType.code), ("README.MD", .text), ("ls.1", .text), ("a.b.png", .picture),
    ("song.Mp3", .soundOrFilm), ("x.tar.gz", .archive), ("libc.so", .program),
    ("libc.so.6", .program), ("libicu.so.72.1", .program), ("x.json", .data), ("Makefile", .other),
    (".so.1", .text), ("so.1", .text), ("a.so.", .other), ("", .other), (".", .other),
    ("1", .other), (".1", .other), ("a.so.x", .other),
  ])
  func namesHaveTypes(_ name: String, _ expected: FileType) {
    #expect(type(name) == expected, "\(name)")
  }

  /// The page has the table of the tool, and a colour for each type.
  @Test func pageHasTheSameTable() {
    let table = String(decoding: PageFile.named("filetypes.js").bytes, as: UTF8.self)
    let palette = String(decoding: PageFile.named("palette.js").bytes, as: UTF8.self)
    for (type, list) in FileType.endings {
      #expect(list.split(separator: " ").allSatisfy { self.type("x.\($0)") == type })
      #expect(table.contains("\"\(type.word)\": \"\(list)\""))
      #expect(palette.contains("[\"\(type.word)\", [\"#"))
    }
    #expect(FileType.endings.map(\.type) == FileType.allCases.dropLast())
    #expect(PageScript.named("filetypes.js").exports == ["endings"])
  }
}
