import Foundation
import GeoCore
import Testing

@testable import GeoWeb

/// The parts of the page.
@Suite struct PageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func allFilesAreThere() {
    let names = Set(PageFile.all.map(\.name))
    #expect(names.isSuperset(of: ["index.html", "style.css", "main.js", "tiles.js"]))
    #expect(PageFile.all.allSatisfy { !$0.bytes.isEmpty })
    #expect(ServedPage.map.files.reduce(0) { $0 + $1.bytes.count } < 650_000)
  }

  private static let published = PageModules(["main.js"], replacing: ["start.js": "published.js"])
  private static let bundles: [[String]] = [
    [published.bundle.scripts], published.later.map(\.bundle.scripts),
    [
      ["main.js"], ["samples.js", "main.js"], ["changes.js", "main.js"], ["main.js", "history.js"],
      ["main.js", "replay.js"],
    ]
    .flatMap { entries in
      let modules = PageModules(entries)
      return [modules.bundle.scripts] + modules.later.map(\.bundle.scripts)
    },
    [StandalonePage.history.scripts, StandalonePage.changes.scripts],
    [ScriptBundle(["begin.js"]).scripts], [ScriptBundle(["early.js"]).scripts],
  ].flatMap { $0 }

  private func script(_ source: String) -> PageScript { PageScript("a.js", Array(source.utf8)) }

  /// A script sees its imports, and others see its exports.
  @Test func scriptsReturnTheirExports() {
    let made = script(
      """
      import { b, c } from "./b.js";
      import { open } from "./start.js";
      const hidden = 1;
      export const [d, e] = [hidden, b];
      export function* f(g, h) {
      }
      export class I extends c {}
      export async function j() { await open(); }
      """)
    #expect(made.imports.map(\.names) == [["b", "c"], ["open"]])
    #expect(made.imports.map(\.script) == ["b.js", "start.js"])
    #expect(made.exports == ["d", "e", "f", "I", "j"])
    let text = made.wrapped(isEntry: false, replacing: ["start.js": "served.js"])
    #expect(
      text == """
        const $a = (() => {
        const { b, c } = $b;
        const { open } = $served;
        const hidden = 1;
        const [d, e] = [hidden, b];
        function* f(g, h) {
        }
        class I extends c {}
        async function j() { await open(); }
        return { d, e, f, I, j };
        })();

        """)
    let waiting = script("const a = await b();")
    #expect(
      waiting.wrapped(isEntry: true, replacing: [:])
        == "await (async () => {\nconst a = await b();\n})();\n")
  }

  private func identifiers(_ text: some StringProtocol) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || "_$".contains($0)) }.map { String($0) }
  }

  @Test func slimFilesKeepTheirCode() {
    let script = """
      // What it is.
      import { a } from "./a.js"; // goes
      const d = 2; // either/or stays

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
        import { a } from "./a.js";
        const d = 2; // either/or stays
        export class B {
        c() { return "/* no comment */"; }
        }

        """)
    #expect(PageFile.slim([]).isEmpty)
  }

  /// Comments can be removed line by line, because no string has several lines.
  @Test func noTextOfAScriptHasSeveralLines() {
    for file in PageFile.all where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") {
        #expect(line.filter { $0 == "`" }.count % 2 == 0, "\(file.name): \(line)")
        #expect(!line.hasSuffix("\\"), "\(file.name): \(line)")
      }
    }
  }

  /// Scripts that import each other in a circle have no such order.
  @Test func bundlesAreInOrderOfImports() {
    for scripts in Self.bundles {
      #expect(Set(scripts).count == scripts.count)
      for (index, name) in scripts.enumerated() {
        for (_, script) in PageScript.named(name).imports {
          guard let place = scripts.firstIndex(of: script) else { continue }
          #expect(place < index, "\(name) and \(script) import each other in a ring")
        }
      }
    }
  }

  private static let servedPages: [String: ServedPage] = [
    "map": .map, "changes": .changes, "history": .history, "replay": .replay,
    "samples": .samples,
  ]

  @Test(arguments: servedPages.keys.sorted())
  func everyImportIsServed(by name: String) throws {
    let files = try #require(Self.servedPages[name]).files
    #expect(files.map(\.name).starts(with: ["index.html", "style.css", "page.js"]))
    checkImports(of: files)
  }

  @Test func everyImportIsPublished() {
    let files = PublishedPage.map.files.map { file in
      PageFile(name: String(file.name.dropFirst("assets/".count)), bytes: file.bytes)
    }
    checkImports(of: files)
  }

  /// Every file that another loads exists, and every imported name is exported.
  private func checkImports(of files: [PageFile]) {
    let names = Set(files.map { "./\($0.name)" })
    for file in files where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") {
        if let start = line.firstRange(of: "import(\"") {
          let module = line[start.upperBound...].prefix { $0 != "\"" }
          #expect(names.contains(String(module)), "\(file.name): \(line)")
        }
        guard line.hasPrefix("import ") else { continue }
        let module = line.split(separator: "\"")[1]
        let other = files.first { "./\($0.name)" == module }
        // The last line exports the objects of the scripts.
        let last = other.flatMap { text($0.bytes).split(separator: "\n").last } ?? ""
        let exported = Set(identifiers(last))
        for name in identifiers(line.prefix { $0 != "}" }).dropFirst() {
          #expect(exported.contains(name), "\(file.name): \(name)")
        }
      }
    }
  }

  /// Code that could turn a name into markup, or that needs another site.
  @Test(arguments: [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
    "https://", "http://", "//cdn", ".style=", "setAttribute(\"style\"",
  ])
  func nothingDangerousIsUsed(_ word: String) {
    for file in PageFile.all { #expect(!text(file.bytes).contains(word), "\(file.name)") }
    for page in Self.pages.values { #expect(!page.script.contains(word)) }
  }

  private static let pages: [String: StandalonePage] = [
    "map": .map, "history": .history, "changes": .changes,
  ]

  @Test(arguments: pages.keys.sorted())
  func theFileAllowsItsOwnScriptAndStyleOnly(name: String) throws {
    let page = try #require(Self.pages[name])
    let head = text(page.frame.head)
    let script = "sha256-" + Base64.encode(SHA256.digest(Array(page.script.utf8)))
    #expect(head.contains("script-src '\(script)'"))
    #expect(!head.contains("unsafe-inline"))
    #expect(!head.contains("/assets/"))
    #expect(!page.script.contains("\nimport "))
    #expect(!page.script.contains("\nexport "))
    #expect(!page.script.contains("</script"))
    #expect(head.hasSuffix("id=\"world-rows\">"))
    #expect(text(page.frame.tail).hasPrefix("</script>"))
  }

  @Test func htmlOfTwoStatesHasAnElementForChanges() {
    #expect(StandalonePage.map.frame.middle.isEmpty)
    #expect(text(StandalonePage.changes.frame.middle).hasSuffix("id=\"world-changes\">"))
  }

  @Test func aFileWithAHistoryHasAnElementForIt() {
    #expect(StandalonePage.map.frame.middle.isEmpty)
    #expect(text(StandalonePage.history.frame.middle).hasSuffix("id=\"world-time\">"))
  }

  @Test(arguments: pages.keys.sorted())
  func theFileHasEveryScriptThatItImports(of name: String) throws {
    let page = try #require(Self.pages[name])
    let eager = page.scripts
    for part in page.parts {
      #expect(part.bundle.scripts.last.map { PageScript.named($0).exports.isEmpty } == false)
      #expect(page.script.contains("\nparts.\(part.name) = "))
      check(part.bundle.scripts, within: Set(eager + part.bundle.scripts))
    }
    check(eager, within: Set(eager + ["start.js"]))
    // The served page lazily loads the same scripts, and what only a server has.
    let loaded = text(PageFile.named("lazy.js").bytes).split(separator: "\n")
      .filter { $0.contains("import(") }
    #expect(loaded.filter { !$0.contains("kept.js") }.count == StandalonePage.history.parts.count)
    for part in page.parts {
      let line = "\(part.name): () => import(\"./\(part.bundle.scripts.last ?? "")\"),"
      #expect(loaded.contains { $0 == line }, "\(part.name)")
    }
  }

  private func check(_ scripts: [String], within names: Set<String>) {
    for name in scripts {
      #expect(!PageFile.named(name).bytes.isEmpty, "\(name)")
      for (_, script) in PageScript.named(name).imports {
        #expect(names.contains(script), "\(name): \(script)")
      }
    }
  }
}
