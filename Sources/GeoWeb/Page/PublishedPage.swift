import GeoCore
import GeoFormats

/// The page as files for a static host, below any path.
///
/// It asks the files that lie beside it, and nobody else: a policy in it forbids all other requests. What a script in
/// it asks for before all others are there is the first picture's tiles.
package struct PublishedPage: Sendable {
  /// A map.
  package static let map = PublishedPage(["main.js"])
  /// A history that is played.
  package static let history = PublishedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])

  /// Its files by their names from its folder on, the page itself apart.
  ///
  /// They are called after what is in all of them, and each other by these names: so that no browser, and no page
  /// of another version that is still there, puts together what doesn't belong together.
  package let files: [PageFile]

  /// - Parameters:
  ///   - scripts: What runs, in this order.
  ///   - styles: The style sheets, joined into one.
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

  /// Runs before the style and the scripts are there, and leaves no names of its own to them.
  private static let begin = "(() => {\n\(ScriptBundle(["begin.js"]).joined())})();\n"

  private static let policy =
    "default-src 'none'; script-src 'self' '\(StandalonePage.name(of: begin))'; style-src 'self'; connect-src 'self'; "
    + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"

  /// The page itself.
  ///
  /// - Parameters:
  ///   - title: What is shown, in a word or two.
  ///   - summary: What is shown, in a sentence or two.
  ///   - address: Where the page will be, for those who pass it on, with a slash at the end; nil if nobody
  ///     says.
  ///   - world: What the page has to know before all else, as JSON: it need not ask for that.
  ///   - picture: What they show of it: a file beside the page, and its size in pixels.
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
      // A script that stands behind a style sheet waits for it.
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

  /// A text as it may stand in HTML, between quotation marks too.
  private static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: 256)
    let text = Array(text.utf8)
    buffer.append(xml: text.span)
    return buffer.text
  }

  /// A line that names the page's files as they are called here.
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
