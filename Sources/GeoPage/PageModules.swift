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
