import CPage
import GeoCore

/// A file of the page.
package struct PageFile: Sendable {
  /// The name, such as `style.css`.
  package let name: String
  /// The content.
  package let bytes: [UInt8]

  /// All embedded files.
  ///
  /// - Complexity: O(bytes), once.
  package static let all: [PageFile] = (0..<page_file_count()).map { index in
    let file = unsafe page_file_at(index)
    // The bytes are constants of the binary.
    let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
    let name = unsafe String(cString: file.name)
    let content = unsafe Array(bytes)
    return PageFile(name: name, bytes: name.hasSuffix(".html") ? content : slim(content))
  }

  /// The HTML file.
  package static let index = named("index.html")

  /// The media type.
  package var type: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return FileFormat.html.mediaType + "; charset=utf-8"
  }

  /// Returns the file with a name, or an empty file.
  static func named(_ name: String) -> PageFile {
    all.first { $0.name == name } ?? PageFile(name: name, bytes: [])
  }
  /// The style sheets of a page that loads parts later. Those of the parts are included from the
  /// start.
  static let styles = ["style.css", "time.css"]

  /// Joins style sheets into one file.
  static func style(_ names: [String] = styles) -> PageFile {
    PageFile(name: "style.css", bytes: names.flatMap { named($0).bytes })
  }
}

extension PageFile {
  /// Removes from a script or a style sheet what only its authors need: comments on lines of their
  /// own, indentation and empty lines.
  ///
  /// It works by lines, so no string literal of a script may span several lines.
  ///
  /// - Complexity: O(bytes).
  static func slim(_ bytes: [UInt8]) -> [UInt8] {
    var slim: [UInt8] = []
    slim.reserveCapacity(bytes.count)
    var isComment = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if !isComment {
        isComment = text.starts(with: "/*".utf8)
        if !isComment, !text.isEmpty, !text.starts(with: "//".utf8) {
          slim += text
          slim.append(UInt8(ascii: "\n"))
        }
      }
      if isComment, text.suffix(2).elementsEqual("*/".utf8) { isComment = false }
    }
    return slim
  }
}

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
