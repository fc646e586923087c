import CPage

/// A file that the page is made of.
public struct PageFile: Sendable {
  /// Its name, such as `style.css`.
  public let name: String
  /// What is in it.
  public let bytes: [UInt8]

  /// All files of the page that a server has to give, ``index`` among them.
  ///
  /// - Complexity: O(bytes), once.
  public static let all: [PageFile] = embedded.filter { !apart.contains($0.name) }

  /// The same for a page that shows two states, ``changesIndex``.
  public static let allOfTwoStates: [PageFile] =
    all + (changeScripts + ["changes.css"]).map { named($0) }

  /// The page that shows two states: ``index`` with a style more, and a script before its own.
  public static let changesIndex = index(
    before: "<link rel=\"stylesheet\" href=\"/assets/changes.css\">\n"
      + "<script type=\"module\" src=\"/assets/changes.js\"></script>\n")

  /// All files for a page that shows samples, ``samplesIndex``.
  public static let allWithSamples: [PageFile] = all + [named("samples.js")]

  /// The page of folders that samples are taken of.
  public static let samplesIndex = index(
    before: "<script type=\"module\" src=\"/assets/samples.js\"></script>\n")

  /// ``index`` with something before its script, and behind it.
  private static func index(before: String, behind: String = "") -> PageFile {
    let lines = String(decoding: index.bytes, as: UTF8.self).split(separator: "\n")
    let text = lines.map { line in
      line.contains("<script type=\"module\"") ? "\(before)\(line)\n\(behind)" : line + "\n"
    }
    return PageFile(name: index.name, bytes: Array(text.joined().utf8))
  }

  /// The scripts by which a page shows two states, each after those that it needs.
  static let changeScripts = ["changelayer.js", "changes.js"]

  /// What belongs to a page that isn't served, one in a file or in files of a static host, and what pages
  /// have only if there is use for it.
  private static let apart: Set<String> = Set(
    ["embedded.js", "pmtiles.js", "published.js", "samples.js", "changes.css"] + changeScripts)

  /// The page itself.
  public static let index = named("index.html")

  /// The page that plays a history.
  public static let historyIndex = timeIndex("history.js")

  /// The page that plays a recording.
  public static let replayIndex = timeIndex("replay.js")

  /// ``index`` with the style of time lines and a script more.
  private static func timeIndex(_ script: String) -> PageFile {
    index(
      before: "<link rel=\"stylesheet\" href=\"/assets/time.css\">\n",
      behind: "<script type=\"module\" src=\"/assets/\(script)\"></script>\n")
  }

  /// The scripts that play a time line, each after those that it needs.
  static let timeScripts = ["timeline.js", "timelayer.js", "timebar.js"]

  /// Its media type.
  public var type: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return "text/html; charset=utf-8"
  }

  /// The file of a name; an empty one if there is none.
  static func named(_ name: String) -> PageFile {
    embedded.first { $0.name == name } ?? PageFile(name: name, bytes: [])
  }

  /// What the compiler has put into the binary.
  private static let embedded: [PageFile] = (0..<page_file_count()).map { index in
    let file = unsafe page_file_at(index)
    // The bytes are constants of the binary.
    let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
    let name = unsafe String(cString: file.name)
    let content = unsafe Array(bytes)
    return PageFile(name: name, bytes: name.hasSuffix(".html") ? content : slim(content))
  }
}
