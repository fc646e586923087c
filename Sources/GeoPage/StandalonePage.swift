/// The page as one file that opens from disk, with a world in it.
///
/// The world stands between ``head`` and ``tail``, as rows of JSON in which `<` is escaped.
public enum StandalonePage {
  /// What comes before the rows.
  public static let head = Array(parts.head.utf8)
  /// What comes after them.
  public static let tail = Array(parts.tail.utf8)

  /// The most nodes that a page may hold, so that browsers can open it.
  public static let mostNodes = 300_000

  /// The scripts, each after those that it needs; what asks a server is not among them.
  static let scripts = [
    "geo.js", "sea.js", "rules.js", "palette.js", "lights.js", "embedded.js", "address.js",
    "crumbs.js", "camera.js", "input.js", "keyboard.js", "drawer.js", "favourites.js", "live.js",
    "borders.js", "points.js", "ground.js", "relief.js", "woods.js", "land.js", "names.js",
    "labels.js", "pulses.js", "tiles.js", "tints.js", "glow.js", "map.js", "overview.js", "svg.js",
    "rows.js", "children.js", "panel.js", "ruler.js", "search.js", "totals.js", "lighttable.js",
    "sheet.js", "main.js",
  ]

  /// All scripts as one module: their imports of each other fall away.
  static var script: String {
    scripts.map { name in
      text(name).split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("import ") }
        .map { $0.hasPrefix("export ") ? $0.dropFirst(7) : $0 }
        .joined(separator: "\n")
    }.joined()
  }

  private static let parts: (head: String, tail: String) = {
    let script = Self.script
    let style = text("style.css")
    let policy =
      "default-src 'none'; script-src '\(name(of: script))'; style-src '\(name(of: style))'; "
      + "img-src data: blob:; base-uri 'none'; form-action 'none'"
    var head = ""
    var tail = ""
    for line in text("index.html").split(separator: "\n") {
      if line.contains("rel=\"stylesheet\"") {
        head += "<style>\(style)</style>\n"
      } else if line.contains("<script type=\"module\"") {
        head += "<script type=\"module\">\(script)</script>\n"
      } else if line == "</body>" {
        head += "<script type=\"application/json\" id=\"world-rows\">"
        tail = "</script>\n</body>\n</html>\n"
        break
      } else {
        head += line + "\n"
        if line.contains("<meta charset") {
          head += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
        }
      }
    }
    return (head, tail)
  }()

  /// How a policy calls a script or a style that stands in the page.
  private static func name(of text: String) -> String {
    "sha256-" + Base64.encode(SHA256.digest(Array(text.utf8)))
  }

  private static func text(_ name: String) -> String {
    String(decoding: PageFile.named(name).bytes, as: UTF8.self)
  }
}
