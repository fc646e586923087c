/// What a file says of a document, a line or a point besides places and times: names, links and the
/// like, and what extensions other programs have put there.
///
/// It is kept as the XML that GPX 1.1 has in that place, each element whole, in the order of the
/// schema, so that it can be written again as it was read.
package struct TrackDetails: Sendable, Hashable {
  /// The name, as UTF-8 without any escapes; empty if there is none.
  package var name: [UInt8] = []
  /// Where the first link leads, as UTF-8 without any escapes; empty if there is none.
  package var link: [UInt8] = []
  /// The elements, `name` and `link` among them; those of places and times are not.
  package var xml: [UInt8] = []

  /// Nothing.
  package init() {}

  /// Whether nothing is known.
  package var isEmpty: Bool { xml.isEmpty }

  /// Forgets all, and keeps the memory.
  mutating func removeAll() {
    name.removeAll(keepingCapacity: true)
    link.removeAll(keepingCapacity: true)
    xml.removeAll(keepingCapacity: true)
  }
}
