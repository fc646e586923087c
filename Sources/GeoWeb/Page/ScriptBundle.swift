import CPage
import GeoCore
import GeoTree

package struct PageFile: Sendable {
  package let name: String
  package let bytes: [UInt8]

  package static let all: [PageFile] = (0..<page_file_count()).map { index in
    let file = unsafe page_file_at(index)
    // The bytes are constants of the binary.
    let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
    let name = unsafe String(cString: file.name)
    let content = unsafe Array(bytes)
    if name == "filetypes.js" { return PageFile(name: name, bytes: fileTypes) }
    return PageFile(name: name, bytes: name.hasSuffix(".html") ? content : slim(content))
  }

  private static var fileTypes: [UInt8] {
    let rows = FileType.endings.map { "\"\($0.type.word)\": \"\($0.list)\"" }
    return Array("export const endings = { \(rows.joined(separator: ", ")) };\n".utf8)
  }

  package static let index = named("index.html")

  package var type: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return FileFormat.html.mediaType + "; charset=utf-8"
  }

  static func named(_ name: String) -> PageFile {
    all.first { $0.name == name } ?? PageFile(name: name, bytes: [])
  }
  /// The style sheets of a page that loads parts later. Those of the parts are included from the
  /// start.
  static let styles = ["style.css", "time.css"]

  static func style(_ names: [String] = styles) -> PageFile {
    PageFile(name: "style.css", bytes: names.flatMap { named($0).bytes })
  }
}

extension PageFile {
  /// Removes from a script or a style sheet what only its authors need: comments on lines of their
  /// own and after statements, indentation and empty lines.
  ///
  /// It works by lines, so no string literal of a script may span several lines.
  ///
  /// - Complexity: O(bytes).
  static func slim(_ bytes: [UInt8]) -> [UInt8] {
    var slim: [UInt8] = []
    slim.reserveCapacity(bytes.count)
    var isComment = false
    for line in bytes.lines {
      var start = line.lowerBound
      while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
      if start == line.upperBound { continue }
      let text = bytes[start..<line.upperBound]
      if !isComment {
        // Looks at one byte first, because most lines are no comments.
        let isSlash = bytes[start] == UInt8(ascii: "/")
        isComment = isSlash && text.starts(with: "/*".utf8)
        if !isSlash || !isComment && !text.starts(with: "//".utf8) {
          slim += withoutComment(text)
          slim.append(UInt8(ascii: "\n"))
        }
      }
      if isComment, text.suffix(2).elementsEqual("*/".utf8) { isComment = false }
    }
    return slim
  }

  /// A line without a comment after its statement; one that has a slash itself stays.
  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let slash = line.lastIndex(of: UInt8(ascii: "/")), slash - line.startIndex > 3,
      line[(slash - 3)...slash].elementsEqual("; //".utf8)
    else { return line }
    return line[...(slash - 3)]
  }
}

extension [UInt8] {
  fileprivate var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    let bytes = span
    var (start, end) = (0, 0)
    while end <= bytes.count {
      if end == bytes.count || bytes[end] == UInt8(ascii: "\n") {
        if start < end { lines.append(start..<end) }
        start = end + 1
      }
      end += 1
    }
    return lines
  }
}

/// Scripts joined into one, each once and after its imports, in the order in which a browser would
/// run them.
struct ScriptBundle: Sendable {
  let scripts: [String]
  private let entries: [String]
  private let replaced: [String: String]

  /// - Parameters:
  ///   - replaced: The scripts to replace, and their replacements.
  ///   - base: A bundle that is loaded already; its scripts are left out.
  init(
    _ entries: [String], replacing replaced: [String: String] = [:], on base: ScriptBundle? = nil
  ) {
    var scripts: [String] = []
    var seen = Set(base?.scripts ?? [])
    func add(_ name: String) {
      let name = replaced[name] ?? name
      if !seen.insert(name).inserted { return }
      for (_, script) in PageScript.named(name).imports { add(script) }
      scripts.append(name)
    }
    for entry in entries { add(entry) }
    (self.scripts, self.entries, self.replaced) = (scripts, entries, replaced)
  }

  /// All scripts, each as a function whose result the next ones use. `other` may replace a source.
  func joined(other: (String) -> String? = { _ in nil }) -> String {
    scripts.map { name in
      let script = other(name).map { PageScript(name, Array($0.utf8)) } ?? .named(name)
      return script.wrapped(isEntry: entries.contains(name), replacing: replaced)
    }.joined()
  }

  var objects: [String] {
    scripts.filter { !PageScript.named($0).exports.isEmpty }.map(PageScript.object)
  }

  func needed(from base: ScriptBundle) -> [String] {
    let imported = Set(scripts.flatMap { PageScript.named($0).imports.map(\.script) })
    return base.scripts.filter(imported.contains).map(PageScript.object)
  }
}

/// A script of the page: a module with imports and exports.
///
/// Each import is one line, `import { a, b } from "./other.js";`, and each export is a declaration
/// with `export` before it.
struct PageScript: Sendable {
  let name: String
  let imports: [(names: [String], script: String)]
  let exports: [String]
  /// The other lines, without the word `export`.
  private let body: String

  private static let embedded = Dictionary(
    uniqueKeysWithValues: PageFile.all.filter { $0.name.hasSuffix(".js") }
      .map { ($0.name, PageScript($0.name, $0.bytes)) })

  static func named(_ name: String) -> PageScript { embedded[name] ?? PageScript(name, []) }

  init(_ name: String, _ source: [UInt8]) {
    self.name = name
    var imports: [(names: [String], script: String)] = []
    var exports: [String] = []
    var body: [UInt8] = []
    body.reserveCapacity(source.count)
    for line in source.lines {
      let text = source[line]
      if text.starts(with: "import ".utf8) {
        let words = String(decoding: text.dropFirst(7), as: UTF8.self)
        let script = words.split(separator: "\"").dropFirst().first?.dropFirst(2) ?? ""
        imports.append((Self.names(in: words.prefix { $0 != "}" }), String(script)))
        continue
      }
      let isExport = text.starts(with: "export ".utf8)
      let declaration = isExport ? text.dropFirst(7) : text
      if isExport { exports += Self.exports(of: String(decoding: declaration, as: UTF8.self)[...]) }
      body += declaration
      body.append(UInt8(ascii: "\n"))
    }
    (self.imports, self.exports) = (imports, exports)
    self.body = String(decoding: body, as: UTF8.self)
  }

  static func object(of name: String) -> String { "$\(name.prefix { $0 != "." })" }

  /// The script as a function that runs at once and returns its exports. An entry may use `await` at
  /// its top level.
  func wrapped(isEntry: Bool, replacing replaced: [String: String]) -> String {
    let waits = isEntry && body.contains("await ")
    var text = exports.isEmpty ? "" : "const \(Self.object(of: name)) = "
    text += waits ? "await (async () => {\n" : "(() => {\n"
    for (names, script) in imports {
      let object = Self.object(of: replaced[script] ?? script)
      text += "const { \(names.joined(separator: ", ")) } = \(object);\n"
    }
    text += body
    if !exports.isEmpty { text += "return { \(exports.joined(separator: ", ")) };\n" }
    return text + "})();\n"
  }

  /// The names that a declaration declares: one, or a list as in `const [a, b] = …`.
  private static func exports(of declaration: Substring) -> [String] {
    let kinds: Set<String> = ["const", "let", "class", "function", "async"]
    if declaration.hasPrefix("const [") {
      return Array(names(in: declaration.prefix { $0 != "]" }).dropFirst())
    }
    return Array(names(in: declaration.prefix { $0 != "=" }).drop { kinds.contains($0) }.prefix(1))
  }

  private static func names(in text: Substring) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
