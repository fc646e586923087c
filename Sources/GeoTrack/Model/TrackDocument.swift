import GeoCore
import GeoSystem

/// The properties of a track file that precede its first point.
package struct TrackDocument: Sendable {
  /// The program that wrote it, as UTF-8; empty if unknown.
  package var creator: [UInt8] = []
  /// Namespaces of extensions and their prefixes, as UTF-8.
  package var namespaces: [(prefix: [UInt8], name: [UInt8])] = []
  /// Time of the document, as Unix time in milliseconds; nil if unknown.
  package var time: Int64?
  /// The properties in `metadata`, including the time, without the bounds.
  package var details = TrackDetails()

  /// Creates a document without properties.
  package init() {}
}

/// The properties of a document, line or point other than position, elevation and time: names,
/// links and the like, and extensions of other programs.
///
/// They are kept as GPX 1.1 elements in the order of the schema, so that they can be written
/// unchanged.
package struct TrackDetails: Sendable, Hashable {
  /// The name, as UTF-8 without escapes; empty if unnamed.
  package var name: [UInt8] = []
  /// Target of the first link, as UTF-8 without escapes; empty without a link.
  package var link: [UInt8] = []
  /// The elements, including `name` and `link`.
  package var xml: [UInt8] = []

  /// Creates empty details.
  package init() {}

  /// Whether there are no properties.
  package var isEmpty: Bool { xml.isEmpty }

  /// Removes everything, but keeps the memory.
  mutating func removeAll() {
    name.removeAll(keepingCapacity: true)
    link.removeAll(keepingCapacity: true)
    xml.removeAll(keepingCapacity: true)
  }
}

/// The kind of a line or a single point.
package enum TrackKind: String, Sendable, Hashable, CaseIterable {
  /// A recorded path: `trk` of GPX, with segments.
  case track
  /// A planned path: `rte` of GPX, a single line.
  case route
  /// A single place: `wpt` of GPX.
  case waypoint
}

/// A point of a track.
package struct TrackPoint: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Elevation in metres above the file's reference level; nil if unknown.
  package var elevation: Double?
  /// Unix time in milliseconds; nil if unknown.
  package var time: Int64?

  /// The times that files can hold: the years 1 to 9999.
  package static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// Creates a point.
  package init(longitude: Double, latitude: Double, elevation: Double? = nil, time: Int64? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.time = time
  }
}

/// Receives the contents of a track file in order: a filter, a writer or a measurement.
///
/// A document begins, then waypoints, routes and tracks follow in any order, then it ends. A route
/// has one segment. Arguments are reused after each call, so keeping one costs a copy.
package protocol TrackSink: ~Copyable {
  /// Begins the document.
  mutating func begin(_ document: TrackDocument) throws(TrackError)

  /// Begins a route or a track.
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError)

  /// Begins a segment.
  mutating func beginSegment() throws(TrackError)

  /// Adds a point to the segment.
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// Ends the segment.
  mutating func endSegment() throws(TrackError)

  /// Ends the route or track.
  mutating func endLine() throws(TrackError)

  /// Adds a waypoint.
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// Ends the document.
  ///
  /// - Parameter extensions: The whole `extensions` element at the end of the document; empty
  ///   without one.
  mutating func end(extensions: [UInt8]) throws(TrackError)
}

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
