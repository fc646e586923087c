import GeoCore
import GeoSystem

/// What a file of tracks says of itself before its first point.
package struct TrackDocument: Sendable {
  /// Which program wrote it, as UTF-8; empty if it doesn't say.
  package var creator: [UInt8] = []
  /// Prefixes of namespaces that its extensions are of, and the namespaces, as UTF-8.
  package var namespaces: [(prefix: [UInt8], name: [UInt8])] = []
  /// When it was made: Unix time in milliseconds; nil if it doesn't say.
  package var time: Int64?
  /// What stands in `metadata`, the time too, but not the bounds, which follow from the points.
  package var details = TrackDetails()

  /// A document that says nothing.
  package init() {}
}

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

/// What a line of points, or a point alone, is meant to be.
package enum TrackKind: String, Sendable, Hashable, CaseIterable {
  /// Where somebody was: `trk` of GPX, with segments.
  case track
  /// Where somebody wants to go: `rte` of GPX, one line.
  case route
  /// A place by itself: `wpt` of GPX.
  case waypoint
}

/// A place of a track, as far as the file tells.
package struct TrackPoint: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Metres above the ground that the file counts from; nil if it doesn't say.
  package var elevation: Double?
  /// Unix time in milliseconds; nil if the file doesn't say.
  package var time: Int64?

  /// The times that files can hold: those of the years 1 to 9999.
  package static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// A point of the given parts.
  package init(longitude: Double, latitude: Double, elevation: Double? = nil, time: Int64? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.time = time
  }
}

/// Takes a file of tracks in the order in which it is read: a filter, a writer, or one who measures.
///
/// A document begins, then come waypoints, routes and tracks in any order, then it ends. A route has
/// one segment. What a sink is handed is only lent: it is changed after the call.
package protocol TrackSink: ~Copyable {
  /// The document begins.
  mutating func begin(_ document: TrackDocument) throws(TrackError)

  /// A route or a track begins.
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError)

  /// A line of points begins.
  mutating func beginSegment() throws(TrackError)

  /// A point of the line.
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// A line of points ends.
  mutating func endSegment() throws(TrackError)

  /// A route or a track ends.
  mutating func endLine() throws(TrackError)

  /// A point that is in no line.
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) throws(TrackError)

  /// The document ends.
  ///
  /// - Parameter extensions: The element of that name that stands at its end, whole; else nothing.
  mutating func end(extensions: [UInt8]) throws(TrackError)
}

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
      return "\(quoted(name)) can't be in \(quoted(parent))"
    case .missing(let name, let element): return "\(quoted(element)) has no \(quoted(name))"
    case .value(let text, let name): return "\(quoted(text)) is no \(name)"
    case .range(let text, let name): return "the \(name) \(quoted(text)) is out of range"
    }
  }
}
