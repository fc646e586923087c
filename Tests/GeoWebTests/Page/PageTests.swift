import Foundation
import GeoCore
import Testing

@testable import GeoWeb

/// What the page is made of.
@Suite struct PageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func allFilesAreThere() {
    let names = Set(PageFile.all.map(\.name))
    #expect(names.isSuperset(of: ["index.html", "style.css", "main.js", "mvt.js"]))
    #expect(PageFile.all.allSatisfy { !$0.bytes.isEmpty })
    #expect(ServedPage.map.files.reduce(0) { $0 + $1.bytes.count } < 360_000)
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
    [ScriptBundle(["begin.js"]).scripts],
  ].flatMap { $0 }

  /// Joined scripts are one module, or one function: no two of them may call different things by one
  /// name, nor a thing as something is called that another one imports.
  @Test func noTwoScriptsOfAPartUseOneName() throws {
    for part in Self.bundles {
      var owners: [String: String] = [:]
      var imports: Set<String> = []
      for name in part {
        for line in try lines(ofAsset: name) {
          // What opens the world has another script in its place.
          if line.hasPrefix("import "), !line.hasSuffix("\"./start.js\";") {
            let isOwn = part.contains { line.hasSuffix("\"./\($0)\";") }
            if !isOwn { imports.formUnion(identifiers(line.prefix { $0 != "\"" })) }
          }
          for word in topLevelNames(line) {
            #expect(owners[word] == nil, "\(word) is in \(owners[word] ?? "") and in \(name)")
            owners[word] = name
          }
        }
      }
      let hidden = imports.intersection(owners.keys)
      #expect(hidden.isEmpty, "\(hidden)")
    }
    #expect(topLevelNames("export async function a(b) {") == ["a"])
    #expect(topLevelNames("const [a, b] = [c, d];") == ["a", "b"])
    #expect(topLevelNames("  const a = 1;").isEmpty)
  }

  private func lines(ofAsset name: String) throws -> [Substring] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/GeoWeb/Page/Assets/\(name)")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
  }

  private func identifiers(_ text: some StringProtocol) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
  }

  /// What a line of a script declares that is indented by nothing.
  private func topLevelNames(_ line: Substring) -> [String] {
    let rest = line.hasPrefix("export ") ? line.dropFirst(7) : line
    let bare = rest.hasPrefix("async ") ? rest.dropFirst(6) : rest
    for kind in ["function ", "class "] where bare.hasPrefix(kind) {
      return Array(identifiers(bare.dropFirst(kind.count)).prefix(1))
    }
    guard bare.hasPrefix("const ") || bare.hasPrefix("let ") else { return [] }
    return identifiers(bare.prefix { $0 != "=" }).dropFirst().map { $0 }
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

  /// What each script comes after.
  @Test func aBundleHasScriptsBehindWhatTheyImport() {
    for scripts in Self.bundles {
      #expect(Set(scripts).count == scripts.count)
      for (index, name) in scripts.enumerated() {
        for line in text(PageFile.named(name).bytes).split(separator: "\n")
        where line.hasPrefix("import ") {
          let module = line.split(separator: "\"")[1].dropFirst(2)
          if let place = scripts.firstIndex(of: String(module)) {
            #expect(place < index, "\(name)")
          }
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

  /// What files load of each other is there, and every name that they import is exported.
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
        let last = other.flatMap { text($0.bytes).split(separator: "\n").last } ?? ""
        let exported = Set(identifiers(last))
        for name in identifiers(line.prefix { $0 != "}" }).dropFirst() {
          #expect(exported.contains(name), "\(file.name): \(name)")
        }
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

  @Test func aFileOfTwoStatesHasAnElementForWhatDiffers() {
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
      #expect(!ScriptBundle.exports(of: part.bundle.scripts.last ?? "").isEmpty, "\(part.name)")
      #expect(page.script.contains("\nparts.\(part.name) = "))
      check(part.bundle.scripts, within: Set(eager + part.bundle.scripts))
    }
    check(eager, within: Set(eager + ["start.js"]))
    // What the file loads later is loaded in the same way by the served page.
    let loaded = text(PageFile.named("lazy.js").bytes).split(separator: "\n")
      .filter { $0.contains("import(") }
    #expect(loaded.count == StandalonePage.history.parts.count)
    for part in page.parts {
      let line = "\(part.name): () => import(\"./\(part.bundle.scripts.last ?? "")\"),"
      #expect(loaded.contains { $0 == line }, "\(part.name)")
    }
  }

  private func check(_ scripts: [String], within names: Set<String>) {
    for name in scripts {
      let script = text(PageFile.named(name).bytes)
      #expect(!script.isEmpty, "\(name)")
      for line in script.split(separator: "\n") where line.hasPrefix("import ") {
        let module = line.split(separator: "\"").dropFirst().first.map { String($0.dropFirst(2)) }
        #expect(module.map(names.contains) == true, "\(name): \(line)")
      }
    }
  }
}
