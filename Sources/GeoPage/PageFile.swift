import CPage

/// A file that the page is made of.
public struct PageFile: Sendable {
  /// Its name, such as `style.css`.
  public let name: String
  /// What is in it.
  public let bytes: [UInt8]

  /// All files of which pages are made.
  ///
  /// - Complexity: O(bytes), once.
  public static let all: [PageFile] = (0..<page_file_count()).map { index in
    let file = unsafe page_file_at(index)
    // The bytes are constants of the binary.
    let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
    let name = unsafe String(cString: file.name)
    let content = unsafe Array(bytes)
    return PageFile(name: name, bytes: name.hasSuffix(".html") ? content : slim(content))
  }

  /// The page itself.
  public static let index = named("index.html")

  /// Its media type.
  public var type: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return "text/html; charset=utf-8"
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
