import GeoFormats
import GeoCore
import GeoProjection

/// What a map says of itself on its first line.
struct HeaderLine: Sendable {
  let layout: Layout
  /// The labels of all roots, as text.
  let labels: [[UInt8]]
  let isPartial: Bool
  /// The states that it is of, if it is of several.
  let states: [MapState]

  /// The version of the projection that made the map.
  let version: Int64

  /// Reads the line; nil if it is no header of a map.
  init?(_ line: [UInt8]) {
    var reader = LineScanner(line)
    guard reader.take("{\"type\":\"FeatureCollection\",\"geomapper\":{\"projection\":"),
      let version = reader.integer(),
      reader.take(",\"layout\":"), let layout = reader.string(),
      reader.take(",\"roots\":[")
    else { return nil }
    self.version = version
    switch String(decoding: layout, as: UTF8.self) {
    case "settled": self.layout = .settled
    case "pinned": self.layout = .pinned
    default: return nil
    }
    var labels: [[UInt8]] = []
    while !reader.take("]") {
      if !labels.isEmpty, !reader.take(",") { return nil }
      guard let label = reader.string() else { return nil }
      labels.append(label)
    }
    self.labels = labels
    var states: [MapState] = []
    if reader.take(",\"states\":[") {
      repeat {
        guard reader.take("{\"name\":"), let name = reader.string() else { return nil }
        var state = MapState(name: name)
        if reader.take(",\"time\":") {
          guard let time = reader.string().flatMap({ Moment.seconds(parsing: $0) }) else {
            return nil
          }
          state.time = time
        }
        guard reader.take("}") else { return nil }
        states.append(state)
      } while reader.take(",")
      guard reader.take("]") else { return nil }
    }
    self.states = states
    isPartial = reader.take(",\"partial\":true")
    guard reader.take("},\"features\":["), reader.isAtEnd else { return nil }
  }
}

extension ExclusionCounts {
  /// The counts in a footer; nil if it has none, or what can't be counts.
  init?(footer line: [UInt8]) {
    var reader = LineScanner(line)
    guard reader.skip(past: Array(",\"excluded\":{".utf8)) else { return nil }
    self.init()
    var seen: Set<ExclusionReason> = []
    repeat {
      guard let name = reader.string(), reader.take(":"), let count = reader.integer(),
        (0...Self.most).contains(count),
        let reason = ExclusionReason.allCases.first(where: { "\($0)".utf8.elementsEqual(name) }),
        seen.insert(reason).inserted
      else { return nil }
      add(Int(count), for: reason)
    } while reader.take(",")
  }

  /// More entries than this no tree has; sums of as many counts as there are reasons still fit.
  private static let most: Int64 = 1 << 50
}
