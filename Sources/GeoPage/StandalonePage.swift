import GeoCompress

/// The page as one file that opens from disk, with a world in it.
///
/// The world stands between ``head`` and ``tail``, as rows of JSON in which `<` is escaped.
public enum StandalonePage {
  /// What comes before the rows.
  public static let head = Array(sides.head.utf8)
  /// What comes after them.
  public static let tail = Array(sides.tail.utf8)

  /// The most nodes that a page may hold, so that browsers can open it.
  public static let mostNodes = 300_000

  /// The scripts, each after those that it needs; what asks a server is not among them.
  static let scripts = [
    "geo.js", "sea.js", "rules.js", "palette.js", "lights.js", "embedded.js", "address.js",
    "crumbs.js", "camera.js", "input.js", "keyboard.js", "drawer.js", "favourites.js", "live.js",
    "borders.js", "points.js", "ground.js", "relief.js", "woods.js", "land.js", "names.js",
    "labels.js", "pulses.js", "tiles.js", "tints.js", "glow.js", "map.js", "overview.js", "svg.js",
    "rows.js", "children.js", "panel.js", "ruler.js", "search.js", "totals.js", "lighttable.js",
    "lazy.js", "main.js",
  ]

  /// What is loaded once somebody needs it, by the names that `lazy.js` has for it: its scripts, each
  /// after those that it needs. What the last one exports is what there is of it.
  static let parts: [(name: String, scripts: [String])] = [
    (
      "library",
      [
        "xml.js", "ways.js", "gpx.js", "trackjson.js", "files.js", "shelf.js", "settings.js",
        "tracklayer.js", "trends.js", "charts.js", "profile.js", "places.js", "library.js",
      ]
    )
  ]

  /// All scripts as one module: their imports of each other fall away.
  static var script: String {
    scripts.map { $0 == "lazy.js" ? lazyScript : joined($0) }.joined()
  }

  /// In the place of `lazy.js`: each part as a function that runs once. Browsers pass over what is in a
  /// function until it is called.
  private static var lazyScript: String {
    "const parts = {};\n"
      + parts.map { part in
        """
        parts.\(part.name) = (() => {
        let made;
        return () => (made ??= (async () => {
        \(part.scripts.map(joined).joined())
        return { \(exports(of: part.scripts.last ?? "").joined(separator: ", ")) };
        })());
        })();

        """
      }.joined()
  }

  /// A script without its imports, and without the word that exports.
  private static func joined(_ name: String) -> String {
    text(name).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("export ") ? $0.dropFirst(7) : $0 }
      .joined(separator: "\n")
  }

  /// The names of what a script exports.
  static func exports(of name: String) -> [String] {
    let kinds: Set<Substring> = ["const", "class", "function", "async"]
    return text(name).split(separator: "\n").filter { $0.hasPrefix("export ") }.compactMap { line in
      let words = line.dropFirst(7).split { !($0.isLetter || $0.isNumber || $0 == "_") }
      return words.first { !kinds.contains($0) }.map(String.init)
    }
  }

  private static let sides: (head: String, tail: String) = {
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
