import GeoCore
import GeoSystem

/// Why a track file can't be read or written.
package enum TrackError: Error, Hashable, Sendable {
  /// The system could not read the file.
  case unreadable(Errno)
  /// The output has stopped; it knows the reason.
  case stopped
  /// The file is malformed; with the line, counted from 1, and the fault.
  case malformed(line: Int, Fault)

  /// A fault in a file.
  package enum Fault: Error, Hashable, Sendable {
    /// It is truncated.
    case ended(within: String)
    /// It is not well-formed XML.
    case xml(String)
    /// Its encoding is not supported.
    case encoding(String)
    /// It declares a document type, which could refer to other files or expand without bounds.
    case documentType
    /// It uses an entity that XML does not predefine.
    case entity(String)
    /// It exceeds the limit of nesting or size.
    case excess(String)
    /// It is not GPX; with the name of its root element.
    case notGPX(String)
    /// It is not a JSON track; with what was expected.
    case json(String)
    /// An element is not allowed in its parent.
    case misplaced(String, in: String)
    /// A point lacks an attribute or member.
    case missing(String, of: String)
    /// A text is not a valid value of a property.
    case value(String, of: String)
    /// A number is out of range for a property.
    case range(String, of: String)
  }
}

extension TrackError: CustomStringConvertible {
  /// The error and its line, in one line that is safe for a terminal.
  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .stopped: "the output takes no more"
    case .malformed(let line, let fault): "line \(line): \(fault)"
    }
  }
}

extension TrackError.Fault: CustomStringConvertible {
  /// The reason, in words.
  package var description: String {
    func quoted(_ text: String) -> String { "'\(TerminalText.escaped(Array(text.utf8)))'" }
    switch self {
    case .ended(let part): return "the file ends within \(part)"
    case .xml(let reason): return reason
    case .encoding(let name):
      return "the encoding \(quoted(name)) isn't known here; turn it into UTF-8, by iconv"
    case .documentType: return "a document type (<!DOCTYPE) is refused: tracks need none"
    case .entity(let name):
      return "the entity \(quoted(name)) isn't known; XML has amp, lt, gt, quot and apos alone"
    case .excess(let what): return what
    case .notGPX(let name): return "not GPX: the first element is \(quoted(name))"
    case .json(let what): return "\(what) was expected in a track as JSON"
    case .misplaced(let name, let parent):
      return "\(quoted(name)) can't be in \(quoted(parent))"
    case .missing(let name, let element): return "\(quoted(element)) has no \(quoted(name))"
    case .value(let text, let name): return "\(quoted(text)) is no \(name)"
    case .range(let text, let name): return "the \(name) \(quoted(text)) is out of range"
    }
  }
}

/// The values of a file that can't be used.
package struct TrackFaults: Sendable {
  /// The first faults.
  package private(set) var first: [TrackError] = []
  /// Number of faults.
  package private(set) var count = 0
  /// Maximum number of faults that are kept.
  package static let maximum = 20

  private let isStrict: Bool

  /// - Parameter isStrict: Whether the first fault is thrown.
  package init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// Adds a fault, or throws it.
  mutating func add(_ fault: TrackError) throws(TrackError) {
    if isStrict { throw fault }
    count += 1
    if first.count < Self.maximum { first.append(fault) }
  }
}
