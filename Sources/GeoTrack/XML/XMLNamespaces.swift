/// The prefixes in scope at an element, and their namespaces.
///
/// Source: Namespaces in XML 1.0, https://www.w3.org/TR/xml-names/.
struct XMLNamespaces {
  /// What a prefix means from an element on; an empty prefix is for elements without one.
  struct Binding {
    /// Depth of the element that declares it.
    var depth: Int
    var prefix: [UInt8]
    /// The namespace; empty for none.
    var name: [UInt8]
  }

  private(set) var bindings: [Binding] = []

  /// The prefix that a declaration with this name declares; nil for other attributes.
  static func declaredPrefix(_ attribute: Span<UInt8>) -> Range<Int>? {
    if attribute.isText("xmlns") { return attribute.count..<attribute.count }
    return attribute.hasBytes("xmlns:", at: 0) ? 6..<attribute.count : nil
  }

  /// Number of bytes of a name's prefix; nil without one.
  static func prefixLength(_ name: Span<UInt8>) -> Int? {
    for index in 0..<name.count where name[index] == UInt8(ascii: ":") { return index }
    return nil
  }

  mutating func bind(_ prefix: [UInt8], to name: [UInt8], at depth: Int) {
    bindings.append(Binding(depth: depth, prefix: prefix, name: name))
  }

  /// Removes the bindings of elements deeper than `depth`.
  mutating func leave(to depth: Int) {
    while let last = bindings.last, last.depth > depth { bindings.removeLast() }
  }

  /// The namespace of a prefix; nil if it isn't declared.
  func name(of prefix: Span<UInt8>) -> [UInt8]? {
    for binding in bindings.reversed() where binding.prefix.span.equals(prefix) {
      return binding.name
    }
    return prefix.isText("xml") ? Array("http://www.w3.org/XML/1998/namespace".utf8) : nil
  }
}
