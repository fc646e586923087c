import Testing

@testable import GeoPage

/// What the page is made of.
@Suite struct PageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func allFilesAreThere() {
    let names = Set(PageFile.all.map(\.name))
    #expect(names.isSuperset(of: ["index.html", "style.css", "main.js", "mvt.js"]))
    #expect(PageFile.all.allSatisfy { !$0.bytes.isEmpty })
    #expect(PageFile.all.reduce(0) { $0 + $1.bytes.count } < 320_000)
  }

  @Test func slimFilesSayTheSame() {
    let script = """
      // What it is.
      import { a } from "./a.js"; // stays

      /** One line. */
      export class B {
        /**
         * Several
         * lines. */
        c() { return "/* no comment */"; }
          // more
      }
      """
    #expect(
      text(PageFile.slim(Array(script.utf8))) == """
        import { a } from "./a.js"; // stays
        export class B {
        c() { return "/* no comment */"; }
        }

        """)
    #expect(PageFile.slim([]).isEmpty)
  }

  /// What lines alone can be taken out of: no text runs over several.
  @Test func noTextOfAScriptHasSeveralLines() {
    for file in PageFile.all where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") {
        #expect(line.filter { $0 == "`" }.count % 2 == 0, "\(file.name): \(line)")
        #expect(!line.hasSuffix("\\"), "\(file.name): \(line)")
      }
    }
  }

  @Test func everyImportIsServed() {
    let names = Set(PageFile.all.map { "./\($0.name)" })
    for file in PageFile.all where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") where line.hasPrefix("import ") {
        let module = line.split(separator: "\"").dropFirst().first.map(String.init)
        #expect(module.map(names.contains) == true, "\(file.name): \(line)")
      }
    }
  }

  /// What would let a name become part of the page, or needs another site.
  @Test(arguments: [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
    "https://", "http://", "//cdn", ".style=", "setAttribute(\"style\"",
  ])
  func nothingDangerousIsUsed(_ word: String) {
    for file in PageFile.all { #expect(!text(file.bytes).contains(word), "\(file.name)") }
    for page in Self.pages { #expect(!page.script.contains(word)) }
  }

  private static let pages: [StandalonePage] = [.map, .changes]

  @Test(arguments: pages.indices) func theFileAllowsItsOwnScriptAndStyleOnly(number: Int) throws {
    let page = Self.pages[number]
    let head = text(page.head)
    let script = "sha256-" + Base64.encode(SHA256.digest(Array(page.script.utf8)))
    #expect(head.contains("script-src '\(script)'"))
    #expect(!head.contains("unsafe-inline"))
    #expect(!head.contains("/assets/"))
    #expect(!page.script.contains("\nimport "))
    #expect(!page.script.contains("\nexport "))
    #expect(!page.script.contains("</script"))
    #expect(head.hasSuffix("id=\"world-rows\">"))
    #expect(text(page.tail).hasPrefix("</script>"))
  }

  @Test func aFileOfTwoStatesHasAnElementForWhatDiffers() {
    #expect(StandalonePage.map.middle.isEmpty)
    #expect(text(StandalonePage.changes.middle).hasSuffix("id=\"world-changes\">"))
  }

  @Test(arguments: pages.indices) func theFileHasEveryScriptThatItImports(number: Int) {
    let page = Self.pages[number]
    let names = Set(page.scripts + ["start.js"])
    for name in page.scripts {
      let script = text(PageFile.named(name).bytes)
      #expect(!script.isEmpty, "\(name)")
      for line in script.split(separator: "\n") where line.hasPrefix("import ") {
        let module = line.split(separator: "\"").dropFirst().first.map { String($0.dropFirst(2)) }
        #expect(module.map(names.contains) == true, "\(name): \(line)")
      }
    }
  }
}
