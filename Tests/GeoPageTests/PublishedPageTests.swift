import Testing

@testable import GeoPage

/// The page as files for a static host.
@Suite struct PublishedPageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func everyImportIsThere() {
    let files = PublishedPage.files
    let names = Set(files.map { "./\($0.name.dropFirst("assets/".count))" })
    #expect(names.isSuperset(of: ["./main.js", "./published.js", "./pmtiles.js", "./style.css"]))
    for file in files where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") where line.hasPrefix("import ") {
        let module = line.split(separator: "\"").dropFirst().first.map(String.init)
        #expect(module.map(names.contains) == true, "\(file.name): \(line)")
      }
    }
  }

  /// All that the page asks for is beside it.
  @Test func nothingIsAskedElsewhere() {
    let index = text(PublishedPage.index(title: Array("a \"b\" <c> & d".utf8), address: nil).bytes)
    #expect(index.contains("<title>a &quot;b&quot; &lt;c&gt; &amp; d · geomapper</title>"))
    #expect(index.contains("default-src 'none'"))
    #expect(!index.contains("\"/") && !index.contains("og:"))
    for file in PublishedPage.files {
      for word in ["https://", "http://", "fetch(\"/", "fetch(`/", "innerHTML", "eval("]
      where file.name != "assets/source.js" {
        #expect(!text(file.bytes).contains(word), "\(file.name): \(word)")
      }
    }
    let told = text(PublishedPage.index(title: [0x78], address: "https://a/?b&c\"d").bytes)
    #expect(told.contains("og:url\" content=\"https://a/?b&amp;c&quot;d\""))
  }

  /// Lines can be taken alone: no text goes over several of them, and no comment ends within one.
  @Test func scriptsCanBeMadeCompact() {
    for file in PageFile.all + ["published.js", "pmtiles.js"].map({ PageFile.named($0) })
    where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") {
        #expect(line.filter { $0 == "`" }.count % 2 == 0, "\(file.name): \(line)")
        let bare = line.drop { $0 == " " }
        #expect(!bare.hasPrefix("/*") || !bare.dropLast(2).contains("*/"), "\(file.name): \(line)")
      }
    }
    let script = "// a\n/** b */\nlet c = 1; // d\n\n  /* e\n   * f */\n  c += 1;\n"
    #expect(PublishedPage.compact(Array(script.utf8)) == "let c = 1; // d\nc += 1;\n")
  }
}
