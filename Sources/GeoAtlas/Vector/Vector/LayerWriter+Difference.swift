import GeoFormats
import GeoCore

extension LayerWriter {
  /// Adds how a node differs between two states: the members of a feature, those within others under
  /// names of their own, for properties here are plain values.
  ///
  /// - Parameter kind: What the node is now.
  mutating func put(_ difference: NodeDifference, kind: EntryKind) {
    if let text = difference.change.text { put("change", word: text) }
    if let was = difference.was { put(was: was, nowOf: kind) }
    if let path = difference.otherPath {
      let isLeft = difference.change == .left
      let text = Array(String(decoding: path, as: UTF8.self).utf8)
      put(isLeft ? "to" : "from", text: text[...])
      if !path.span.isValidUTF8 {
        var raw: [UInt8] = []
        PercentText.append(path.span, to: &raw)
        put(isLeft ? "rawTo" : "rawFrom", text: raw[...])
      }
    }
    guard let below = difference.below else { return }
    put(nonzero: "below_added", Int64(below.counts.added))
    put(nonzero: "below_removed", Int64(below.counts.removed))
    put(nonzero: "below_changed", Int64(below.counts.changed))
    put(nonzero: "below_moved", Int64(below.counts.moved))
    put(nonzero: "below_bytes", below.bytes ?? 0)
  }

  private mutating func put(was facts: EntryFacts, nowOf kind: EntryKind) {
    if facts.status == .known || facts.status == .sized { put("was_size", signed: facts.size) }
    if facts.status == .known { put("was_modified", signed: facts.modified) }
    if let special = NodeDifference.special(of: facts, nowOf: kind) {
      put("was_special", word: special)
    }
  }

  private mutating func put(nonzero key: StaticString, _ number: Int64) {
    if number != 0 { put(key, signed: number) }
  }
}
