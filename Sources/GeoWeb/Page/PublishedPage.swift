import GeoCore
import GeoFormats

/// The page as files for a static host, under any path.
///
/// Its policy allows requests only to its own site. One inline script requests the tiles of the
/// first picture before the other scripts are loaded.
package struct PublishedPage: Sendable {
  package static let map = PublishedPage(["main.js"])
  package static let history = PublishedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])

  /// The files except the HTML file, named relative to its folder.
  ///
  /// Their names contain a hash of all their contents, and they refer to each other by these names.
  /// So browsers never mix files of different versions.
  package let files: [PageFile]

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
        text = text.replacing("\"./\(other.name)\"", with: "\"./\(called(other.name))\"")
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

  /// - Parameters:
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

  private static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: 256)
    let text = Array(text.utf8)
    buffer.append(xml: text.span)
    return buffer.text
  }

  private func own(_ line: Substring) -> String {
    guard let start = line.firstRange(of: "\"/assets/"),
      let name = line[start.upperBound...].split(separator: ".").first,
      let file = files.first(where: { $0.name.hasPrefix("assets/\(name)-") })
    else { return String(line) }
    let end = line[start.upperBound...].firstRange(of: "\"")?.lowerBound ?? line.endIndex
    return line[..<start.lowerBound] + "\"" + file.name + line[end...]
  }
}
