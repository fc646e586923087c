import GeoCore
import GeoFormats

/// The files of a served page: ``PageFile/index`` and all that it loads.
package struct ServedPage: Sendable {
  /// The files, the HTML file first.
  package let files: [PageFile]

  /// The script that the server puts into the HTML file, after its first answer. It requests the
  /// tiles of the first picture before the other scripts are loaded.
  static let early = "(() => {\n\(ScriptBundle(["early.js"]).joined())})();\n"

  /// The page of a map.
  package static let map = ServedPage(["main.js"])
  /// The page of a map of two states. The scripts that show them run before the rest.
  package static let changes = ServedPage(
    ["changes.js", "main.js"], styles: PageFile.styles + ["changes.css"])
  /// The page of a history.
  package static let history = ServedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])
  /// The page of a map whose folders are sampled.
  package static let samples = ServedPage(["samples.js", "main.js"])
  /// The page of a recording.
  package static let replay = ServedPage(["main.js", "replay.js"])

  /// - Parameters:
  ///   - scripts: The entry scripts, in order.
  ///   - styles: The style sheets to join.
  private init(_ scripts: [String], styles: [String] = PageFile.styles) {
    files = [.index, .style(styles)] + PageModules(scripts).files
  }
}

/// The page as files for a static host, under any path.
///
/// Its policy allows requests only to its own site. One inline script requests the tiles of the
/// first picture before the other scripts are loaded.
package struct PublishedPage: Sendable {
  /// The page of a map.
  package static let map = PublishedPage(["main.js"])
  /// The page of a history.
  package static let history = PublishedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])

  /// The files except the HTML file, named relative to its folder.
  ///
  /// Their names contain a hash of all their contents, and they refer to each other by these names.
  /// So browsers never mix files of different versions.
  package let files: [PageFile]

  /// - Parameters:
  ///   - scripts: The entry scripts, in order.
  ///   - styles: The style sheets to join.
  private init(_ scripts: [String], styles: [String] = PageFile.styles) {
    let modules = PageModules(scripts, replacing: ["start.js": "published.js"])
    let files = [PageFile.style(styles)] + modules.files
    let digest = SHA256.digest(files.flatMap(\.bytes))
    let version = Base16.encode(digest.prefix(4))
    func called(_ name: String) -> String {
      let parts = name.split(separator: ".")
      return "\(parts[0])-\(version).\(parts[1])"
    }
    self.files = files.map { file in
      var text = String(decoding: file.bytes, as: UTF8.self)
      for other in files where file.name.hasSuffix(".js") {
        text = Self.replacing(
          "\"./\(other.name)\"", by: "\"./\(called(other.name))\"", in: text[...])
      }
      return PageFile(name: "assets/\(called(file.name))", bytes: Array(text.utf8))
    }
  }

  /// The inline script, which runs before style sheets and other scripts and leaves no global
  /// names.
  private static let begin = "(() => {\n\(ScriptBundle(["begin.js"]).joined())})();\n"

  private static let policy =
    "default-src 'none'; script-src 'self' '\(StandalonePage.name(of: begin))'; style-src 'self'; connect-src 'self'; "
    + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"

  /// Makes the HTML file.
  ///
  /// - Parameters:
  ///   - title: The title, one or two words.
  ///   - summary: The description, one or two sentences.
  ///   - address: The future address of the page, ending in a slash, for link previews; nil if
  ///     unknown.
  ///   - world: The description of the world as JSON, embedded to save a request.
  ///   - picture: The preview picture: a file in the same folder, and its size in pixels.
  package func index(
    title: [UInt8], summary: String, address: String?, world: [UInt8],
    picture: (name: String, width: Int, height: Int)? = nil
  ) -> PageFile {
    let title = Self.escaped(String(decoding: title, as: UTF8.self))
    var lines: [String] = []
    let text = String(decoding: PageFile.index.bytes, as: UTF8.self)
    for line in text.split(separator: "\n") {
      if line.contains("<title>") {
        lines.append("<title>\(title) · geomapper</title>")
        continue
      }
      // A script after a style sheet would wait for it.
      if line.contains("rel=\"stylesheet\"") {
        let text = String(decoding: ScriptData.escaped(world), as: UTF8.self)
        lines.append("<script type=\"application/json\" id=\"world\">\(text)</script>")
        lines.append("<script>\(Self.begin)</script>")
      }
      lines.append(own(line))
      if !line.contains("<meta charset") { continue }
      lines.append("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\">")
      lines.append("<meta name=\"description\" content=\"\(Self.escaped(summary))\">")
      guard let address else { continue }
      var properties = [
        ("type", "website"), ("title", title), ("url", Self.escaped(address)),
        ("description", Self.escaped(summary)),
      ]
      if let picture {
        properties += [
          ("image", Self.escaped(address + picture.name)), ("image:type", FileFormat.png.mediaType),
          ("image:width", "\(picture.width)"), ("image:height", "\(picture.height)"),
          ("image:alt", "A map of \(title)"),
        ]
      }
      let card = picture == nil ? "summary" : "summary_large_image"
      lines.append("<meta name=\"twitter:card\" content=\"\(card)\">")
      for (name, content) in properties {
        lines.append("<meta property=\"og:\(name)\" content=\"\(content)\">")
      }
    }
    return PageFile(
      name: PageFile.index.name, bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// Escapes a text for HTML, including attribute values.
  private static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: 256)
    let text = Array(text.utf8)
    buffer.append(xml: text.span)
    return buffer.text
  }

  /// Replaces the name of an asset in a line by its name here.
  private func own(_ line: Substring) -> String {
    guard let start = line.firstRange(of: "\"/assets/"),
      let name = line[start.upperBound...].split(separator: ".").first,
      let file = files.first(where: { $0.name.hasPrefix("assets/\(name)-") })
    else { return String(line) }
    let end = line[start.upperBound...].firstRange(of: "\"")?.lowerBound ?? line.endIndex
    return line[..<start.lowerBound] + "\"" + file.name + line[end...]
  }

  private static func replacing(
    _ old: String, by new: String, in text: Substring
  ) -> String {
    var (result, rest) = ("", text)
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

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
  /// All scripts joined.
  let script: String

  /// The page of a map.
  package static let map = StandalonePage(["main.js"], parts: ["library"], styles: ["style.css"])
  /// The page of a map of two states.
  package static let changes = StandalonePage(
    ["changes.js", "main.js"], parts: ["library"], styles: ["style.css", "changes.css"],
    data: "world-changes")
  /// The page of a history.
  package static let history = StandalonePage(
    ["main.js", "history.js"], parts: ["library", "player", "span", "film"],
    styles: ["style.css", "time.css", "changes.css"], data: "world-time")

  /// - Parameters:
  ///   - entries: The entry scripts, in order.
  ///   - parts: The parts to include.
  ///   - styles: The style sheets to join, in order.
  ///   - data: The id of the element with other data than the map's, if any.
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

  /// The name of an inline script or style in a policy.
  static func name(of text: String) -> String {
    "sha256-" + Base64.encode(SHA256.digest(Array(text.utf8)))
  }

  private static func text(_ name: String) -> String {
    String(decoding: PageFile.named(name).bytes, as: UTF8.self)
  }
}

extension OutputFormat {
  /// The format with the complete page if it is HTML.
  package var complete: OutputFormat { self == .html ? .page(StandalonePage.map.frame) : self }
}
