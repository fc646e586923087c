import GeoCompress

/// The page as one file that opens from disk, with a world in it.
///
/// The world stands behind ``head``, as rows of JSON in which `<` is escaped. A page that shows more than
/// a map has other data between ``middle`` and ``tail``; one that doesn't has ``tail`` alone.
public struct StandalonePage: Sendable {
  /// What comes before the rows.
  public let head: [UInt8]
  /// What comes between the rows and other data; empty if there is none of it.
  public let middle: [UInt8]
  /// What comes after all data.
  public let tail: [UInt8]
  /// The scripts, each after those that it needs; what asks a server is not among them.
  let scripts: [String]

  /// The most nodes that a page may hold, so that browsers can open it.
  public static let mostNodes = 300_000

  /// A map.
  public static let map = StandalonePage(
    scripts: mapScripts, parts: [library], styles: ["style.css"], data: nil)
  /// A map of two states.
  public static let changes = StandalonePage(
    scripts: mapScripts.dropLast() + PageFile.changeScripts + mapScripts.suffix(1),
    parts: [library], styles: ["style.css", "changes.css"], data: "world-changes")
  /// A map with what happened on it in the course of time.
  public static let history = StandalonePage(
    scripts: mapScripts + PageFile.timeScripts + ["moment.js", "history.js"],
    parts: [library, player], styles: ["style.css", "time.css"], data: "world-time")

  private static let mapScripts = [
    "extras.js", "geo.js", "sea.js", "rules.js", "palette.js", "lights.js", "embedded.js",
    "address.js",
    "crumbs.js", "camera.js", "input.js", "keyboard.js", "drawer.js", "favourites.js", "live.js",
    "borders.js", "points.js", "ground.js", "relief.js", "woods.js", "land.js", "names.js",
    "labels.js", "pulses.js", "tiles.js", "tints.js", "glow.js", "map.js", "overview.js", "svg.js",
    "rows.js", "children.js", "panel.js", "ruler.js", "search.js", "totals.js", "lighttable.js",
    "lazy.js", "sheet.js", "main.js",
  ]

  /// A part of the page: its name in `lazy.js`, and its scripts, each after those that it needs. What the
  /// last one exports is what there is of it.
  typealias Part = (name: String, scripts: [String])

  private static let library: Part = (
    "library",
    [
      "xml.js", "ways.js", "gpx.js", "trackjson.js", "files.js", "shelf.js", "settings.js",
      "tracklayer.js", "trends.js", "charts.js", "profile.js", "places.js", "library.js",
    ]
  )

  /// What plays recordings that are dropped onto the page, where a time line is there already.
  private static let player: Part = ("player", ["toldland.js", "player.js"])

  /// What is loaded once somebody needs it. A map by itself plays nothing.
  let parts: [Part]

  /// - Parameters:
  ///   - scripts: Joined into one, in their order.
  ///   - parts: What is loaded later.
  ///   - styles: Joined into one, in their order.
  ///   - data: The id of an element with other data than the map's, if there is to be one.
  private init(scripts: [String], parts: [Part], styles: [String], data: String?) {
    self.scripts = scripts
    self.parts = parts
    let script = Self.joined(scripts, parts)
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
    self.head = Array(head.utf8)
    middle = data.map { Array("</script>\n\(Self.element($0))".utf8) } ?? []
    self.tail = Array(tail.utf8)
  }

  private static func element(_ id: String) -> String {
    "<script type=\"application/json\" id=\"\(id)\">"
  }

  /// All scripts as one module.
  var script: String { Self.joined(scripts, parts) }

  /// Scripts as one module: their imports of each other fall away.
  private static func joined(_ scripts: [String], _ parts: [Part]) -> String {
    scripts.map { $0 == "lazy.js" ? lazyScript(parts) : joined($0) }.joined()
  }

  /// In the place of `lazy.js`: each part as a function that runs once. Browsers pass over what is in a
  /// function until it is called.
  private static func lazyScript(_ parts: [Part]) -> String {
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

  /// How a policy calls a script or a style that stands in the page.
  private static func name(of text: String) -> String {
    "sha256-" + Base64.encode(SHA256.digest(Array(text.utf8)))
  }

  private static func text(_ name: String) -> String {
    String(decoding: PageFile.named(name).bytes, as: UTF8.self)
  }
}
