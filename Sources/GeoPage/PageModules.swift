/// The scripts of a page as files: one that begins, and one for each part that is loaded later.
///
/// A browser that asks for each script by itself finds out what it imports only once it has come: one file
/// takes one request.
struct PageModules {
  /// The name of the module that a page begins with.
  static let first = "page.js"
  /// What is loaded once somebody needs it, by the names in `lazy.js`. What the last script of a part
  /// exports is what there is of it.
  static let parts = [
    (name: "library", script: "library.js"), (name: "player", script: "player.js"),
  ]

  /// The scripts that a page begins with.
  let bundle: ScriptBundle

  /// - Parameters:
  ///   - entries: What runs, in this order.
  ///   - replaced: Scripts in whose place others stand.
  init(_ entries: [String], replacing replaced: [String: String] = [:]) {
    bundle = ScriptBundle(entries, replacing: replaced)
  }

  /// The parts that a page loads later, without those that it has from the beginning.
  var later: [(name: String, bundle: ScriptBundle)] {
    Self.parts.filter { !bundle.scripts.contains($0.script) }
      .map { ($0.name, ScriptBundle([$0.script], on: bundle)) }
  }

  /// All of it as files. A part that the page has from the beginning is a file that says so.
  var files: [PageFile] {
    var files = [PageFile(name: Self.first, bytes: Array(bundle.module().utf8))]
    for (_, script) in Self.parts {
      let part = ScriptBundle([script], on: bundle)
      let text =
        part.scripts.isEmpty
        ? "export * from \"./\(Self.first)\";\n" : part.module(on: bundle, called: Self.first)
      files.append(PageFile(name: script, bytes: Array(text.utf8)))
    }
    return files
  }
}
