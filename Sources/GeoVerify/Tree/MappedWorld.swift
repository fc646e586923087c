import GeoCore
import GeoProjection

/// The world of a map, as far as the map defines it.
struct MappedWorld: Sendable {
  let layout: Layout
  let labels: [[UInt8]]
  /// Nil if not all labels are known.
  let engine: GeoProjectionEngine?

  /// All roots of the map are in it if it has no header; their raw labels are in byte order.
  init(header: HeaderLine?, roots: [[UInt8]], layout: Layout) throws(MapFault) {
    self.layout = header?.layout ?? layout
    var isKnown = true
    if let header {
      (labels, isKnown) = try Self.labels(of: header, roots)
    } else {
      labels = roots
    }
    if !isKnown || labels.isEmpty {
      engine = nil
      return
    }
    do throws(RootError) {
      engine = try GeoProjectionEngine(
        layout: self.layout, labels: NameTable(labels, kind: .directory))
    } catch {
      throw MapFault(line: 1, what: "a world of these roots can't be drawn")
    }
  }

  /// Whether all labels are known. O(n) hashes.
  private static func labels(
    of header: HeaderLine, _ roots: [[UInt8]]
  ) throws(MapFault) -> ([[UInt8]], isKnown: Bool) {
    // A label that isn't UTF-8 is known only if its root is in the map.
    var rest = Dictionary(grouping: roots.reversed()) {
      Array(String(decoding: $0, as: UTF8.self).utf8)
    }
    var labels: [[UInt8]] = []
    var isKnown = true
    var last: [UInt8]?
    for text in header.labels {
      if !EntryName.isValid(text) {
        throw MapFault(line: 1, path: text, what: "a label of the header can't be one")
      }
      let root = rest[text]?.popLast()
      labels.append(root ?? text)
      if root == nil,
        String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
      {
        isKnown = false
        continue
      }
      if let last, !last.lexicographicallyPrecedes(root ?? text) {
        throw MapFault(
          line: 1, path: text,
          what: last == root ?? text
            ? "the header names the root twice"
            : "the roots of the header are not in the order of their labels")
      }
      last = root ?? text
    }
    if labels.isEmpty { throw MapFault(line: 1, what: "the header names no root") }
    if let stranger = rest.values.lazy.compactMap(\.last).min(by: {
      $0.lexicographicallyPrecedes($1)
    }) {
      throw MapFault(line: 1, path: stranger, what: "the root is not among those of the header")
    }
    return (labels, isKnown)
  }
}
