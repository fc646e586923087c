import GeoFormats
import GeoCore

/// Reads what a feature says of two states.
enum DifferenceReader {
  /// Reads a member after its colon.
  ///
  /// - Returns: Whether it is one; nil if it isn't about states.
  static func read(
    _ member: String, _ reader: inout LineScanner, into difference: inout NodeDifference
  ) -> Bool? {
    switch member {
    case "change":
      guard let text = reader.string(), let change = NodeChange(text: text) else { return false }
      difference.change = change
    case "was":
      guard let facts = facts(&reader) else { return false }
      difference.was = facts
    case "from", "to":
      guard let text = reader.string() else { return false }
      difference.otherPath = text
    case "rawFrom", "rawTo":
      guard let text = reader.string(), let raw = PercentText.decoded(text) else {
        return false
      }
      difference.otherPath = raw
    case "below":
      guard let below = below(&reader) else { return false }
      difference.below = below
    default: return nil
    }
    return true
  }

  private static func facts(_ reader: inout LineScanner) -> EntryFacts? {
    var facts = EntryFacts()
    guard reader.take("{") else { return nil }
    repeat {
      guard let member = reader.string(), reader.take(":") else { return nil }
      switch String(decoding: member, as: UTF8.self) {
      case "size":
        guard let size = reader.integer() else { return nil }
        (facts.size, facts.status) = (size, .sized)
      case "modified":
        guard let modified = reader.integer() else { return nil }
        (facts.modified, facts.status) = (modified, .known)
      case "special":
        guard let word = reader.string() else { return nil }
        guard !word.elementsEqual("regular".utf8) else { continue }
        guard let kind = EntryKind(special: word) else { return nil }
        facts.kind = kind
      default: return nil
      }
    } while reader.take(",")
    return reader.take("}") ? facts : nil
  }

  private static func below(_ reader: inout LineScanner) -> ChangesBelow? {
    var below = ChangesBelow()
    guard reader.take("{") else { return nil }
    repeat {
      guard let member = reader.string(), reader.take(":"), let number = reader.integer(),
        let count = Int(exactly: number)
      else { return nil }
      switch String(decoding: member, as: UTF8.self) {
      case "added": below.counts.added = count
      case "removed": below.counts.removed = count
      case "changed": below.counts.changed = count
      case "moved": below.counts.moved = count
      case "bytes": below.bytes = number
      default: return nil
      }
    } while reader.take(",")
    return reader.take("}") ? below : nil
  }
}

extension NodeChange {
  /// The change that the formats call by a word.
  fileprivate init?(text: [UInt8]) {
    let all: [NodeChange] = [.added, .removed, .changed, .moved, .left]
    let word = String(decoding: text, as: UTF8.self)
    guard let change = all.first(where: { $0.text.map { "\($0)" } == word }) else { return nil }
    self = change
  }
}

extension NodeDifference {
  /// Whether it says nothing.
  var isNothing: Bool { change == .none && was == nil && otherPath == nil && below == nil }

  /// What it says that no node says of itself; nil if there is nothing.
  ///
  /// - Parameter isFolder: Whether it is one of a folder.
  func contradiction(isFolder: Bool) -> String? {
    if isFolder {
      if change != .none, change != .added, change != .removed {
        return "a folder is added or removed, and nothing else"
      }
      if was != nil || otherPath != nil { return "it says of a folder what is said of files" }
      if let below {
        let counts = below.counts
        if [counts.added, counts.removed, counts.changed, counts.moved].contains(where: { $0 < 0 })
        {
          return "a number of what is below it is negative"
        }
        let isOfOne = change == .added ? counts.removed : change == .removed ? counts.added : 0
        if isOfOne > 0 || change != .none && counts.changed > 0 {
          return "what is below it can't have changed like that, as one state doesn't have it"
        }
      }
      return nil
    }
    if below != nil { return "it says of a file what is said of folders" }
    if was != nil, change != .changed { return "it was something else, and has not changed" }
    if (otherPath != nil) != (change == .moved || change == .left) {
      return "a file that moved has two places, and no other has"
    }
    return nil
  }
}
