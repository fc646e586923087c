import GeoCore
import GeoFormats
import GeoProjection

/// The header on the first line of a map.
struct HeaderLine: Sendable {
  let layout: Layout
  let labels: [[UInt8]]
  let isPartial: Bool
  /// Empty for a map of one state.
  let states: [MapState]
  /// The types of their values are unknown.
  let layers: [Layer]

  var layerNames: LayerNames { .some(Set(LayerColumn.all(of: layers).map(\.name))) }

  let version: Int64

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
    while !reader.take(ascii: "]") {
      if !labels.isEmpty, !reader.take(ascii: ",") { return nil }
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
        guard reader.take(ascii: "}") else { return nil }
        states.append(state)
      } while reader.take(ascii: ",")
      guard reader.take(ascii: "]") else { return nil }
    }
    self.states = states
    guard let layers = Self.layers(&reader) else { return nil }
    self.layers = layers
    isPartial = reader.take(",\"partial\":true")
    guard reader.take("},\"features\":["), reader.isAtEnd else { return nil }
  }
}

extension HeaderLine {
  private static func layers(_ reader: inout LineScanner) -> [Layer]? {
    guard reader.take(",\"layers\":[") else { return [] }
    var layers: [Layer] = []
    repeat {
      guard reader.take("{\"name\":"), let name = reader.string(), reader.take(",\"how\":"),
        let how = reader.string(), reader.take(ascii: "}"),
        let summary = Layer.Summary(rawValue: String(decoding: how, as: UTF8.self))
      else { return nil }
      let text = String(decoding: name, as: UTF8.self)
      guard Layer.isName(text) else { return nil }
      layers.append(Layer(name: text, summary: summary, isWhole: false))
    } while reader.take(ascii: ",")
    guard reader.take(ascii: "]"), layers.count <= Layer.maximum,
      (try? LayerSchema(layers: layers, words: LayerWords()).checkNames()) != nil
    else { return nil }
    return layers
  }
}

extension [UnmatchedValues] {
  init(footer line: [UInt8], _ layers: [Layer]) {
    self = []
    var reader = LineScanner(line)
    guard reader.skip(past: [UInt8](",\"unmatched\":{".utf8)) else { return }
    repeat {
      guard let name = reader.string(), reader.take(ascii: ":"), let count = reader.integer(),
        count > 0,
        let layer = layers.first(where: { $0.name.utf8.elementsEqual(name) })
      else { return }
      append(UnmatchedValues(layer: layer.name, count: Int(count)))
    } while reader.take(ascii: ",")
  }
}

extension ExclusionCounts {
  init?(footer line: [UInt8]) {
    var reader = LineScanner(line)
    guard reader.skip(past: [UInt8](",\"excluded\":{".utf8)) else { return nil }
    self.init()
    var seen: Set<ExclusionReason> = []
    repeat {
      guard let name = reader.string(), reader.take(ascii: ":"), let count = reader.integer(),
        (0...Self.maximum).contains(count),
        let reason = ExclusionReason.allCases.first(where: { "\($0)".utf8.elementsEqual(name) }),
        seen.insert(reason).inserted
      else { return nil }
      add(Int(count), for: reason)
    } while reader.take(ascii: ",")
  }

  /// So that the sum over all reasons can't overflow.
  private static let maximum: Int64 = 1 << 50
}
