import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Parses a sheet as XML and records its references.
final class SheetReader: NSObject, XMLParserDelegate {
  private(set) var elements: Set<String> = []
  private(set) var references: [String] = []
  /// Attributes that would run a script.
  private(set) var handlers: [String] = []
  private var ids: Set<String> = []

  static let forbiddenElements: Set<String> = [
    "script", "foreignObject", "style", "a", "iframe", "animate", "set", "font-face",
  ]

  /// References within the sheet that have no target.
  var missing: [String] {
    references.compactMap { reference in
      var name = Substring(reference)
      if name.hasPrefix("url(") { name = name.dropFirst(4).dropLast() }
      guard name.hasPrefix("#") else { return nil }
      return ids.contains(String(name.dropFirst())) ? nil : reference
    }
  }

  struct NotWellFormed: Error {
    let reason: String
  }

  init(_ bytes: [UInt8]) throws {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    if !parser.parse() {
      throw NotWellFormed(reason: "\(parser.parserError.map(String.init(describing:)) ?? "?")")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.insert(element)
    for (name, value) in attributes {
      if name.lowercased().hasPrefix("on") { handlers.append(name) }
      if name == "id" { ids.insert(value) }
      if name.hasSuffix("href") || name == "src" || value.contains("url(") {
        references.append(value)
      }
    }
  }
}
