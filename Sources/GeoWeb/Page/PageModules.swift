/// The scripts of a page as files: one to start with, and one for each part that is loaded later.
///
/// With separate scripts a browser only learns of imports after each response; one file takes one
/// request. Each file exports the variables of its scripts, so that parts can import them.
struct PageModules {
  static let first = "page.js"
  /// The parts that are loaded on demand, by their names in `lazy.js`. A part consists of the
  /// exports of its script. A page without the script in `needs` doesn't use the part.
  static let parts = [
    "library", "player", "kept", "span", "film", "saves", "branch", "overview", "search", "values",
    "ruler",
  ].map { name in
    let needs = ["kept": "server.js", "span": "history.js"][name] ?? "main.js"
    return (name: name, script: "\(name).js", needs: needs)
  }

  let bundle: ScriptBundle

  init(_ entries: [String], replacing replaced: [String: String] = [:]) {
    bundle = ScriptBundle(entries, replacing: replaced)
  }

  private var parts: [(name: String, script: String, needs: String)] {
    Self.parts.filter { bundle.scripts.contains($0.needs) }
  }

  var later: [(name: String, bundle: ScriptBundle)] {
    parts.filter { !bundle.scripts.contains($0.script) }
      .map { ($0.name, ScriptBundle([$0.script], on: bundle)) }
  }

  var files: [PageFile] {
    let script = bundle.joined { $0 == "lazy.js" ? lazyScript : nil }
    var files = [file(Self.first, script, exporting: bundle.objects)]
    for (_, name, _) in parts {
      let part = ScriptBundle([name], on: bundle)
      let object = PageScript.object(of: name)
      // If the first module contains the part, only its exports are needed.
      let needed = part.scripts.isEmpty ? [object] : part.needed(from: bundle)
      let head = "import { \(needed.joined(separator: ", ")) } from \"./\(Self.first)\";\n"
      let exports = PageScript.named(name).exports.joined(separator: ", ")
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

  private var lazyScript: String {
    let unused = Self.parts.filter { !bundle.scripts.contains($0.needs) }
      .map { "\"./\($0.script)\"" }
    return String(decoding: PageFile.named("lazy.js").bytes, as: UTF8.self)
      .split(separator: "\n").filter { line in !unused.contains { line.contains($0) } }
      .joined(separator: "\n")
  }
}
