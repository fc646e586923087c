import GeoFormats

/// The namespaces of a copied element: writes start tags so that every name keeps its namespace.
///
/// A copy is part of a document of GPX 1.1 that declares the prefixes of the original's first
/// element; what else a copy needs, it declares where it is used.
struct GPXCopy {
  /// The namespace of GPX 1.1, the default one of written documents.
  static let namespace = Array("http://www.topografix.com/GPX/1/1".utf8)
  /// The namespace of GPX 1.0, for extensions that are only in 1.0 or have no namespace: the schema
  /// requires one.
  static let oldNamespace = Array("http://www.topografix.com/GPX/1/0".utf8)

  /// The namespace of the original's own elements.
  let own: [UInt8]
  /// What the written document declares, and then the copied elements.
  private var written = XMLNamespaces()
  /// For each open element of the copy, whether its prefix is dropped.
  private var dropped: [Bool] = []
  /// The written namespace of own elements, and of elements without one.
  private var target: (own: [UInt8], none: [UInt8]) = ([], [])

  init(own: [UInt8], declared: [(prefix: [UInt8], name: [UInt8])]) {
    self.own = own
    written.bind([], to: Self.namespace, at: 0)
    for namespace in declared { written.bind(namespace.prefix, to: namespace.name, at: 0) }
  }

  /// Begins a copy with the last start tag of `xml`.
  mutating func begin(isExtension: Bool, _ xml: XMLReader) {
    // The schema wants no extension from GPX 1.1; what is in one keeps its namespace.
    let isOwn = xml.namespace == own
    target.own = isExtension ? isOwn ? Self.oldNamespace : own : Self.namespace
    target.none = isExtension && xml.namespace.isEmpty ? Self.oldNamespace : []
    dropped.removeAll(keepingCapacity: true)
  }

  mutating func putStart(_ xml: XMLReader, to bytes: inout [UInt8]) {
    let depth = dropped.count + 1
    let isOwn = xml.namespace == own
    let namespace = isOwn ? target.own : xml.namespace.isEmpty ? target.none : xml.namespace
    let prefix = XMLNamespaces.prefixLength(xml.bytes.span.extracting(xml.name))
    let isPlain = isOwn || prefix == nil
    dropped.append(isOwn && prefix != nil)
    // A default namespace that isn't that of the written element is left out.
    var leftOut: Range<Int>?
    for attribute in xml.attributes {
      let key = xml.bytes.span.extracting(attribute.name)
      guard let range = XMLNamespaces.declaredPrefix(key) else { continue }
      let declared = Array(xml.bytes[attribute.name].dropFirst(range.lowerBound))
      let name = xml.namespaces.name(of: declared.span) ?? []
      if isPlain, declared.isEmpty, name != namespace {
        leftOut = attribute.name.lowerBound..<(attribute.value.upperBound + 1)
      } else {
        written.bind(declared, to: name, at: depth)
      }
    }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: writtenName(xml))
    if isPlain {
      declare([], as: namespace, at: depth, in: &bytes)
    } else {
      declare(of: xml.name, xml, at: depth, in: &bytes)
    }
    for attribute in xml.attributes {
      let key = xml.bytes.span.extracting(attribute.name)
      if XMLNamespaces.declaredPrefix(key) == nil {
        declare(of: attribute.name, xml, at: depth, in: &bytes)
      }
    }
    var start = xml.name.upperBound
    if var leftOut {
      while XMLSyntax.isSpace(xml.bytes[leftOut.lowerBound - 1]) {
        leftOut = (leftOut.lowerBound - 1)..<leftOut.upperBound
      }
      bytes.append(contentsOf: xml.bytes[start..<leftOut.lowerBound])
      start = leftOut.upperBound
    }
    bytes.append(contentsOf: xml.bytes[start..<xml.token.upperBound])
  }

  /// Appends the last end tag of `xml`.
  ///
  /// - Returns: Whether it ends the copy.
  mutating func putEnd(_ xml: XMLReader, to bytes: inout [UInt8]) -> Bool {
    // An empty element has already been closed in its start tag.
    if !xml.token.isEmpty {
      bytes.append(contentsOf: "</".utf8)
      bytes.append(contentsOf: writtenName(xml))
      bytes.append(UInt8(ascii: ">"))
    }
    dropped.removeLast()
    written.leave(to: dropped.count)
    return dropped.isEmpty
  }

  /// The name of the innermost element, without the prefix of own elements.
  private func writtenName(_ xml: XMLReader) -> ArraySlice<UInt8> {
    let whole = xml.bytes[xml.name]
    guard dropped.last == true, let colon = whole.firstIndex(of: UInt8(ascii: ":")) else {
      return whole
    }
    return whole[(colon + 1)...]
  }

  /// Declares the prefix of a name, if it has one that isn't written yet.
  private mutating func declare(
    of name: Range<Int>, _ xml: XMLReader, at depth: Int, in bytes: inout [UInt8]
  ) {
    let whole = xml.bytes.span.extracting(name)
    guard let length = XMLNamespaces.prefixLength(whole) else { return }
    let prefix = whole.extracting(0..<length)
    guard !prefix.isText("xml"), let namespace = xml.namespaces.name(of: prefix) else { return }
    declare(Array(xml.bytes[name].prefix(length)), as: namespace, at: depth, in: &bytes)
  }

  private mutating func declare(
    _ prefix: [UInt8], as namespace: [UInt8], at depth: Int, in bytes: inout [UInt8]
  ) {
    if (written.name(of: prefix.span) ?? []) == namespace { return }
    written.bind(prefix, to: namespace, at: depth)
    var buffer = OutputBuffer(capacity: namespace.count + 32)
    buffer.append(prefix.isEmpty ? " xmlns" : " xmlns:")
    buffer.append(prefix.span)
    buffer.append("=\"")
    buffer.append(xml: namespace.span)
    buffer.append("\"")
    bytes.append(contentsOf: buffer.bytes)
  }
}
