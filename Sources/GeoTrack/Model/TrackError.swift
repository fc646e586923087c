import GeoCore
import GeoSystem

/// Why a file of tracks can't be used, and where.
package enum TrackError: Error, Hashable, Sendable {
  /// The system refused to read.
  case unreadable(Errno)
  /// The output takes no more; it knows why.
  case stopped
  /// Something in the file is not what it has to be; with the line, counted from 1, and the reason.
  case malformed(line: Int, Fault)

  /// What can be wrong with a file.
  package enum Fault: Error, Hashable, Sendable {
    /// It ends too early.
    case ended(within: String)
    /// It breaks the rules of XML.
    case xml(String)
    /// Its text is in an encoding that isn't known here.
    case encoding(String)
    /// It declares a document type, which could name other files and grow without bounds.
    case documentType
    /// It uses an entity that XML itself doesn't know.
    case entity(String)
    /// It is nested deeper, or has larger parts, than any honest file.
    case excess(String)
    /// It is XML, or something else, but no GPX; with the name of its first element.
    case notGPX(String)
    /// It is no JSON of tracks; with what was expected.
    case json(String)
    /// An element stands where GPX has none such.
    case misplaced(String, in: String)
    /// A point lacks an attribute.
    case missing(String, of: String)
    /// A text is no number, or no time; with what it is of.
    case value(String, of: String)
    /// A number is out of range; with what it is of.
    case range(String, of: String)
  }
}

extension TrackError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
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
    case .notGPX(let name): return "it is no GPX: its first element is \(quoted(name))"
    case .json(let what): return "\(what) was expected in a track as JSON"
    case .misplaced(let name, let parent):
      return "\(quoted(name)) can't stand in \(quoted(parent))"
    case .missing(let name, let element): return "\(quoted(element)) has no \(quoted(name))"
    case .value(let text, let name): return "\(quoted(text)) is no \(name)"
    case .range(let text, let name): return "the \(name) \(quoted(text)) is out of range"
    }
  }
}
