import GeoCore
import GeoProjection

/// The header of a map.
package struct MapHeader: Sendable {
  /// How sub-folders get their land.
  package var layout: Layout
  /// The labels of all roots, raw, in byte order.
  package var labels: [[UInt8]]
  /// Whether a filter was used.
  package var isPartial: Bool
  /// The states of a map of several states; else empty.
  package var states: [MapState] = []

  /// Creates a header of a map of one state.
  package init(layout: Layout, labels: [[UInt8]], isPartial: Bool) {
    self.layout = layout
    self.labels = labels
    self.isPartial = isPartial
  }
}

extension MapHeader {
  /// Writes the header as a JSON object.
  func write(to buffer: inout OutputBuffer) {
    buffer.append("{\"projection\":")
    buffer.append(Int64(GeoProjectionEngine.version))
    buffer.append(member: "layout", word: layout == .settled ? "settled" : "pinned")
    buffer.append(member: "roots", texts: labels)
    for (index, state) in states.enumerated() {
      buffer.append(index == 0 ? ",\"states\":[{\"name\":\"" : ",{\"name\":\"")
      buffer.append(json: state.name.span)
      buffer.append("\"")
      if let time = state.time, CivilTime(unixSeconds: time) != nil {
        buffer.append(",\"time\":\"")
        _ = buffer.append(time: time)
        buffer.append("\"")
      }
      buffer.append("}")
    }
    if !states.isEmpty { buffer.append("]") }
    if isPartial { buffer.append(",\"partial\":true") }
    buffer.append("}")
  }

  /// The header as a JSON object.
  package var json: [UInt8] {
    var buffer = OutputBuffer(capacity: 256)
    write(to: &buffer)
    return buffer.bytes
  }
}

/// The number of features written.
public struct MapSummary: Sendable, Equatable {
  /// The number of folders, with those that have no land.
  public var folders: Int
  /// The number of files.
  public var files: Int
  /// The number of both that are marked as unreadable.
  public var unreadable: Int
  /// The number of entries that were left out, by reason.
  public var excluded = ExclusionCounts()
  /// The number of files that differ between two states; nil in a map of one.
  public var changes: ChangeCounts?

  /// Creates a summary.
  public init(folders: Int = 0, files: Int = 0, unreadable: Int = 0) {
    self.folders = folders
    self.files = files
    self.unreadable = unreadable
  }

  /// Adds the counts of another part of the map.
  public static func += (total: inout MapSummary, part: MapSummary) {
    total.folders += part.folders
    total.files += part.files
    total.unreadable += part.unreadable
    total.excluded += part.excluded
    if let changes = part.changes { total.changes = (total.changes ?? ChangeCounts()) + changes }
  }
}
