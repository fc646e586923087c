import GeoCore
import GeoFormats

/// The page as one file that opens from disk and contains a world.
///
/// Only a page that shows more than a map contains other data than the map's rows.
package struct StandalonePage: Sendable {
  /// The HTML around the rows and other data.
  package let frame: PageFrame
  /// The scripts, each after its imports; those that query a server are not among them.
  let scripts: [String]
  /// The parts that run on demand. A plain map has no player.
  let parts: [(name: String, bundle: ScriptBundle)]
  let script: String

  private static let common: Set<String> = [
    "library", "saves", "branch", "overview", "search", "values", "ruler",
  ]
  package static let map = StandalonePage(
    ["main.js"], parts: common, styles: ["style.css"])
  package static let changes = StandalonePage(
    ["changes.js", "main.js"], parts: common,
    styles: ["style.css", "changes.css"],
    data: "world-changes")
  package static let history = StandalonePage(
    ["main.js", "history.js"],
    parts: common.union(["player", "span", "film"]),
    styles: ["style.css", "time.css", "changes.css"], data: "world-time")

  /// - Parameter data: The id of the element with other data than the map's, if any.
  private init(
    _ entries: [String], parts names: Set<String>, styles: [String], data: String? = nil
  ) {
    let modules = PageModules(entries, replacing: ["start.js": "embedded.js"])
    let parts = modules.later.filter { names.contains($0.name) }
    let script = modules.bundle.joined { $0 == "lazy.js" ? Self.lazyScript(parts) : nil }
    scripts = modules.bundle.scripts
    self.parts = parts
    self.script = script
    let style = styles.map(Self.text).joined()
    let policy =
      "default-src 'none'; script-src '\(Self.name(of: script))'; "
      + "style-src '\(Self.name(of: style))'; "
      + "img-src data: blob:; base-uri 'none'; form-action 'none'"
    var head = ""
    var tail = ""
    for line in Self.text("index.html").split(separator: "\n") {
      if line.contains("rel=\"stylesheet\"") {
        head += "<style>\(style)</style>\n"
      } else if line.contains("<script type=\"module\"") {
        head += "<script type=\"module\">\(script)</script>\n"
      } else if line == "</body>" {
        head += Self.element("world-rows")
        tail = "</script>\n</body>\n</html>\n"
        break
      } else {
        head += line + "\n"
        if line.contains("<meta charset") {
          head += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
        }
      }
    }
    frame = PageFrame(
      head: Array(head.utf8),
      middle: data.map { Array("</script>\n\(Self.element($0))".utf8) } ?? [],
      tail: Array(tail.utf8))
  }

  private static func element(_ id: String) -> String {
    "<script type=\"application/json\" id=\"\(id)\">"
  }

  /// Replaces `lazy.js`: each part is a function that runs once. Browsers don't compile a function
  /// until it is called.
  private static func lazyScript(_ parts: [(name: String, bundle: ScriptBundle)]) -> String {
    "export const parts = {};\n"
      + parts.map { part in
        """
        parts.\(part.name) = (() => {
        let made;
        return () => (made ??= (async () => {
        \(part.bundle.joined())
        return \(PageScript.object(of: part.bundle.scripts.last ?? ""));
        })());
        })();

        """
      }.joined()
  }

  static func name(of text: String) -> String {
    "sha256-" + Base64.encode(SHA256.digest(Array(text.utf8)))
  }

  private static func text(_ name: String) -> String {
    String(decoding: PageFile.named(name).bytes, as: UTF8.self)
  }
}
