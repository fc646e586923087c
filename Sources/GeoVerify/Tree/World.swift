import GeoPath
import GeoProjection

/// The world that a map is of, as far as the map says.
struct World: Sendable {
  let layout: Layout
  /// The raw labels of all roots, in byte order; only as many as are known.
  let labels: [[UInt8]]
  /// nil if not all labels are known.
  let engine: GeoProjectionEngine?

  /// A world of some roots.
  ///
  /// - Parameters:
  ///   - header: What names all roots, as text; nil if all of them are in the map.
  ///   - roots: The raw labels of those in the map, in byte order.
  ///   - layout: That of a map without a header.
  init(header: HeaderLine?, roots: [[UInt8]], layout: Layout) throws(MapFault) {
    self.layout = header?.layout ?? layout
    var labels = roots
    var isKnown = true
    if let header {
      var rest = roots
      labels = []
      for text in header.labels {
        // A label that is no text is told by the root itself, if that is in the map.
        if let index = rest.firstIndex(where: {
          Array(String(decoding: $0, as: UTF8.self).utf8) == text
        }) {
          labels.append(rest.remove(at: index))
        } else {
          labels.append(text)
          if String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}") {
            isKnown = false
          }
        }
      }
      if let stranger = rest.first {
        throw MapFault(line: 1, path: stranger, what: "the root is not among those of the header")
      }
    }
    self.labels = labels
    if !isKnown || labels.isEmpty {
      engine = nil
      return
    }
    do throws(ProjectionError) {
      engine = try GeoProjectionEngine(
        layout: self.layout, labels: NameTable(labels, kind: .directory))
    } catch {
      throw MapFault(line: 1, what: "a world of these roots can't be drawn")
    }
  }
}
