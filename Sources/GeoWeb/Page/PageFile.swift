import CPage
import GeoCore

/// A file that the page is made of.
package struct PageFile: Sendable {
  /// Its name, such as `style.css`.
  package let name: String
  /// What is in it.
  package let bytes: [UInt8]

  /// All files of which pages are made.
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

  /// The page itself.
  package static let index = named("index.html")

  /// Its media type.
  package var type: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return FileFormat.html.mediaType + "; charset=utf-8"
  }

  /// The file of a name; an empty one if there is none.
  static func named(_ name: String) -> PageFile {
    all.first { $0.name == name } ?? PageFile(name: name, bytes: [])
  }
  /// The style sheets of a page to which parts come later: theirs are among them from the beginning.
  static let styles = ["style.css", "time.css"]

  /// Style sheets as one file.
  static func style(_ names: [String] = styles) -> PageFile {
    PageFile(name: "style.css", bytes: names.flatMap { named($0).bytes })
  }
}

extension PageFile {
  /// A script or a style sheet without what only its readers need: comments that have lines of their
  /// own, indentation and empty lines.
  ///
  /// It looks at lines alone, so no text of a script may run over several lines.
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

/// The page as files that a server gives: ``PageFile/index`` and what it loads.
package struct ServedPage: Sendable {
  /// The files, the page itself first.
  package let files: [PageFile]

  /// A map.
  package static let map = ServedPage(["main.js"])
  /// A map of two states: what shows them is there before all else is put together.
  package static let changes = ServedPage(
    ["changes.js", "main.js"], styles: PageFile.styles + ["changes.css"])
  /// A history that is played.
  package static let history = ServedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])
  /// A map of folders that samples are taken of.
  package static let samples = ServedPage(["samples.js", "main.js"])
  /// A recording that is played.
  package static let replay = ServedPage(["main.js", "replay.js"])

  /// - Parameters:
  ///   - scripts: What runs, in this order.
  ///   - styles: The style sheets, joined into one.
  private init(_ scripts: [String], styles: [String] = PageFile.styles) {
    files = [.index, .style(styles)] + PageModules(scripts).files
  }
}
