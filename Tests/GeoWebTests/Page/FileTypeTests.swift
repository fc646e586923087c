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
  func knowsNames(_ name: String, _ expected: FileType) {
    #expect(type(name) == expected, "\(name)")
  }

  /// The rows of the page's table: a word, two colours, and the extensions.
  @Test func isThePagesOwn() throws {
    let script = String(decoding: PageFile.named("palette.js").bytes, as: UTF8.self)
    let rows = script.split(separator: "\n").filter { $0.hasPrefix("[\"") && $0.contains("\"#") }
    var words: [String] = []
    for row in rows {
      let parts = row.split(separator: "\"").map(String.init)
      let word = parts[1]
      words.append(word)
      let endings = try #require(parts.dropLast().last).split(separator: " ")
      #expect(endings.count > 5, "\(word)")
      for ending in endings {
        #expect(type("x.\(ending)").word.description == word, "\(ending)")
      }
    }
    #expect(words == FileType.allCases.map(\.word.description).dropLast())
  }
}
