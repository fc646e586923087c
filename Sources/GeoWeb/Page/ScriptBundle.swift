/// Scripts joined into one module, in the order in which a browser would run them: what a script imports
/// comes before it, and each comes once.
struct ScriptBundle: Sendable {
  /// The names of the scripts, in their order.
  let scripts: [String]

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
      for line in Self.imports(of: name) { add(line.module) }
      scripts.append(name)
    }
    for entry in entries { add(entry) }
    self.scripts = scripts
  }

  /// All of it, without imports and without the word that exports.
  ///
  /// - Parameter other: Gives another text for a script, or nil.
  func joined(other: (String) -> String? = { _ in nil }) -> String {
    scripts.map { name in other(name) ?? Self.bare(name) }.joined()
  }

  /// A module that exports all that its scripts do.
  ///
  /// - Parameters:
  ///   - base: A bundle that is another module, from which this one imports what it lacks.
  ///   - module: That module's name.
  ///   - other: Gives another text for a script, or nil.
  func module(
    on base: ScriptBundle? = nil, called module: String = "",
    other: (String) -> String? = { _ in nil }
  ) -> String {
    var needed: Set<String> = []
    for name in scripts {
      for line in Self.imports(of: name) where base?.scripts.contains(line.module) == true {
        needed.formUnion(line.names)
      }
    }
    let head =
      needed.isEmpty
      ? "" : "import { \(needed.sorted().joined(separator: ", ")) } from \"./\(module)\";\n"
    return head + joined(other: other) + "export { \(exports.joined(separator: ", ")) };\n"
  }

  /// The names of what its scripts export.
  var exports: [String] { scripts.flatMap(Self.exports) }

  /// A script without its imports, and without the word that exports.
  static func bare(_ name: String) -> String {
    text(name).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("export ") ? $0.dropFirst(7) : $0 }
      .joined(separator: "\n")
  }

  /// What a script imports: the names, and the script that has them. Each import is a line.
  private static func imports(of name: String) -> [(names: [String], module: String)] {
    text(name).split(separator: "\n").filter { $0.hasPrefix("import ") }.compactMap { line in
      guard let module = line.split(separator: "\"").dropFirst().first, module.hasPrefix("./")
      else {
        return nil
      }
      let names = line.dropFirst(7).prefix { $0 != "}" }.split { !isIdentifier($0) }
      return (names.map(String.init), String(module.dropFirst(2)))
    }
  }

  /// The names of what a script exports.
  static func exports(of name: String) -> [String] {
    let kinds: Set<Substring> = ["const", "let", "class", "function", "async"]
    return text(name).split(separator: "\n").filter { $0.hasPrefix("export ") }.flatMap { line in
      let isList = line.hasPrefix("export const [")
      let words = line.dropFirst(7).prefix { !isList || $0 != "]" }.split { !isIdentifier($0) }
      let names = words.drop { kinds.contains($0) }
      return (isList ? names[...] : names.prefix(1)).map(String.init)
    }
  }

  private static func isIdentifier(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private static func text(_ name: String) -> String {
    String(decoding: PageFile.named(name).bytes, as: UTF8.self)
  }
}

/// The scripts of a page as files: one that begins, and one for each part that is loaded later.
///
/// A browser that asks for each script by itself finds out what it imports only once it has come: one file
/// takes one request.
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

  /// All of it as files. A part that the page has from the beginning is a file that says so.
  var files: [PageFile] {
    let module = bundle.module { $0 == "lazy.js" ? lazyScript($0) : nil }
    var files = [PageFile(name: Self.first, bytes: Array(module.utf8))]
    for (_, script, _) in parts {
      let part = ScriptBundle([script], on: bundle)
      let text =
        part.scripts.isEmpty
        ? "export * from \"./\(Self.first)\";\n" : part.module(on: bundle, called: Self.first)
      files.append(PageFile(name: script, bytes: Array(text.utf8)))
    }
    return files
  }

  /// The script that loads parts, without those that the page has no use for.
  private func lazyScript(_ name: String) -> String {
    let unused = Self.parts.filter { !bundle.scripts.contains($0.needs) }
      .map { "\"./\($0.script)\"" }
    return ScriptBundle.bare(name).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !unused.contains { line.contains($0) } }
      .joined(separator: "\n")
  }
}
