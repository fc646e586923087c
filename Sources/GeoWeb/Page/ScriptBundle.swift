/// A script of the page: a module that sees what it imports, and of which others see what it exports.
///
/// Each import is a line, `import { a, b } from "./other.js";`, and each export a declaration with `export` before it.
struct PageScript: Sendable {
  /// Its name, such as `main.js`.
  let name: String
  /// What it imports: the names, and the script that exports them.
  let imports: [(names: [String], script: String)]
  /// The names of what it exports.
  let exports: [String]
  /// The rest of its lines, without the word that exports.
  private let lines: [Substring]

  /// - Parameter text: Its text; nil for that of the page's file.
  init(_ name: String, text: String? = nil) {
    self.name = name
    var imports: [(names: [String], script: String)] = []
    var exports: [String] = []
    var lines: [Substring] = []
    let text = text ?? String(decoding: PageFile.named(name).bytes, as: UTF8.self)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("import ") {
        let script = line.split(separator: "\"").dropFirst().first?.dropFirst(2) ?? ""
        imports.append((Self.names(in: line.dropFirst(7).prefix { $0 != "}" }), String(script)))
      } else if line.hasPrefix("export ") {
        lines.append(line.dropFirst(7))
        exports += Self.exports(of: line.dropFirst(7))
      } else {
        lines.append(line)
      }
    }
    (self.imports, self.exports, self.lines) = (imports, exports, lines)
  }

  /// The object with what a script exports, by the script's name.
  static func object(of name: String) -> String { "$\(name.prefix { $0 != "." })" }

  /// The script as a function that runs at once and returns what it exports.
  ///
  /// - Parameters:
  ///   - isEntry: Whether it may wait for something while it runs.
  ///   - replaced: Scripts in whose place others stand.
  func wrapped(isEntry: Bool, replacing replaced: [String: String]) -> String {
    let waits = isEntry && lines.contains { $0.contains("await ") }
    var text = exports.isEmpty ? "" : "const \(Self.object(of: name)) = "
    text += waits ? "await (async () => {\n" : "(() => {\n"
    for (names, script) in imports {
      let object = Self.object(of: replaced[script] ?? script)
      text += "const { \(names.joined(separator: ", ")) } = \(object);\n"
    }
    for line in lines { text += line + "\n" }
    if !exports.isEmpty { text += "return { \(exports.joined(separator: ", ")) };\n" }
    return text + "})();\n"
  }

  /// What a declaration declares: one thing, or a list, `const [a, b] = …`.
  private static func exports(of declaration: Substring) -> [String] {
    let kinds: Set<String> = ["const", "let", "class", "function", "async"]
    if declaration.hasPrefix("const [") {
      return Array(names(in: declaration.prefix { $0 != "]" }).dropFirst())
    }
    return Array(names(in: declaration.prefix { $0 != "=" }).drop { kinds.contains($0) }.prefix(1))
  }

  private static func names(in text: Substring) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

/// Scripts joined into one, in the order in which a browser would run them: each once, after those that it imports.
struct ScriptBundle: Sendable {
  /// The names of the scripts, in their order.
  let scripts: [String]
  private let entries: [String]
  private let replaced: [String: String]

  /// Joins scripts with all that they import.
  ///
  /// - Parameters:
  ///   - entries: What runs, in this order.
  ///   - replaced: Scripts in whose place others stand.
  ///   - base: A bundle that is there already: what it has is left out.
  init(
    _ entries: [String], replacing replaced: [String: String] = [:], on base: ScriptBundle? = nil
  ) {
    var scripts: [String] = []
    var seen = Set(base?.scripts ?? [])
    func add(_ name: String) {
      let name = replaced[name] ?? name
      if !seen.insert(name).inserted { return }
      for (_, script) in PageScript(name).imports { add(script) }
      scripts.append(name)
    }
    for entry in entries { add(entry) }
    self.scripts = scripts
    self.entries = entries
    self.replaced = replaced
  }

  /// All scripts, each a function that hands the next ones what it exports.
  ///
  /// - Parameter other: Gives another text for a script, or nil.
  func joined(other: (String) -> String? = { _ in nil }) -> String {
    scripts.map { name in
      PageScript(name, text: other(name))
        .wrapped(isEntry: entries.contains(name), replacing: replaced)
    }.joined()
  }

  /// The objects with what the scripts export.
  var objects: [String] {
    scripts.filter { !PageScript($0).exports.isEmpty }.map(PageScript.object)
  }

  /// The objects that scripts of it import from another bundle.
  func needed(from base: ScriptBundle) -> [String] {
    let imported = Set(scripts.flatMap { PageScript($0).imports.map(\.script) })
    return base.scripts.filter(imported.contains).map(PageScript.object)
  }
}

/// The scripts of a page as files: one that begins, and one for each part that is loaded later.
///
/// A browser that asks for each script by itself finds out what it imports only once it has come: one file
/// takes one request. Each file exports the objects of its scripts, so that parts find those that they need.
struct PageModules {
  /// The name of the module that a page begins with.
  static let first = "page.js"
  /// What is loaded once somebody needs it, by the names in `lazy.js`. What the last script of a part
  /// exports is what there is of it. A page without the script that it needs has no use for it.
  static let parts = [
    (name: "library", script: "library.js", needs: "main.js"),
    (name: "player", script: "player.js", needs: "main.js"),
    (name: "span", script: "span.js", needs: "history.js"),
  ]

  /// The scripts that a page begins with.
  let bundle: ScriptBundle

  /// - Parameters:
  ///   - entries: What runs, in this order.
  ///   - replaced: Scripts in whose place others stand.
  init(_ entries: [String], replacing replaced: [String: String] = [:]) {
    bundle = ScriptBundle(entries, replacing: replaced)
  }

  private var parts: [(name: String, script: String, needs: String)] {
    Self.parts.filter { bundle.scripts.contains($0.needs) }
  }

  /// The parts that a page loads later, without those that it has from the beginning.
  var later: [(name: String, bundle: ScriptBundle)] {
    parts.filter { !bundle.scripts.contains($0.script) }
      .map { ($0.name, ScriptBundle([$0.script], on: bundle)) }
  }

  /// All of it as files.
  var files: [PageFile] {
    let script = bundle.joined { $0 == "lazy.js" ? lazyScript : nil }
    var files = [file(Self.first, script, exporting: bundle.objects)]
    for (_, name, _) in parts {
      let part = ScriptBundle([name], on: bundle)
      let object = PageScript.object(of: name)
      // Of a part that the page has from the beginning only its object is needed.
      let needed = part.scripts.isEmpty ? [object] : part.needed(from: bundle)
      let head = "import { \(needed.joined(separator: ", ")) } from \"./\(Self.first)\";\n"
      let exports = PageScript(name).exports.joined(separator: ", ")
      let tail = "export const { \(exports) } = \(object);\n"
      files.append(file(name, head + part.joined() + tail, exporting: part.objects))
    }
    return files
  }

  private func file(_ name: String, _ script: String, exporting objects: [String]) -> PageFile {
    PageFile(
      name: name,
      bytes: Array("\(script)export { \(objects.joined(separator: ", ")) };\n".utf8))
  }

  /// The script that loads parts, without those that the page has no use for.
  private var lazyScript: String {
    let unused = Self.parts.filter { !bundle.scripts.contains($0.needs) }
      .map { "\"./\($0.script)\"" }
    return String(decoding: PageFile.named("lazy.js").bytes, as: UTF8.self)
      .split(separator: "\n").filter { line in !unused.contains { line.contains($0) } }
      .joined(separator: "\n")
  }
}
