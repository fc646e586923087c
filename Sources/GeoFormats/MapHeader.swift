import GeoCore
import GeoProjection

/// What a map says of itself before its first feature.
public struct MapHeader: Sendable {
  /// How sub-folders come by their land.
  public var layout: Layout
  /// The labels of all roots that were asked for, raw, in byte order.
  public var labels: [[UInt8]]
  /// Whether a filter was given.
  public var isPartial: Bool
  /// The states that it is of, if it is of several.
  public var states: [MapState] = []

  /// A header of the given contents.
  public init(layout: Layout, labels: [[UInt8]], isPartial: Bool) {
    self.layout = layout
    self.labels = labels
    self.isPartial = isPartial
  }
}

extension MapHeader {
  /// Writes the header as an object of JSON.
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

  /// The header as an object of JSON.
  package var json: [UInt8] {
    var buffer = OutputBuffer(capacity: 256)
    write(to: &buffer)
    return buffer.bytes
  }
}

/// How many features were written.
public struct MapSummary: Sendable, Equatable {
  /// Folders, landless ones too.
  public var folders: Int
  /// Files.
  public var files: Int
  /// How many of both are marked as unreadable.
  public var unreadable: Int
  /// How many entries were left out, by the reasons that there can be.
  public var excluded = ExclusionCounts()
  /// How many of the files differ between two states; nil in a map of one.
  public var changes: ChangeCounts?

  /// A summary of the given counts.
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
