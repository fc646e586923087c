import GeoCore
import GeoDraw
import GeoSources
import GeoTree

struct LayerArguments {
  var layers: [MapLayer] = []
  /// The first time of commits, in Unix seconds.
  var since: Int64?
  /// What sizes mean: `bytes`, `files` or the name of a layer.
  var measure: String?

  var isAsked: Bool { !layers.isEmpty }

  /// What sizes mean at first on a page; nil for bytes.
  func sizes(_ layers: LayerSet?) throws(Failure) -> String? {
    guard let measure, measure != Self.measures[0] else { return nil }
    if Self.measures.contains(measure) { return measure }
    let all = layers?.schema.layers ?? []
    guard let layer = all.first(where: { $0.name == measure }) else {
      throw Option.Effect.refusal(
        of: Array(measure.utf8),
        among: Self.measures + all.filter { $0.summary == .sum }.map(\.name)
      ).prefixed(by: "--measure")
    }
    if layer.summary != .sum {
      throw .usage(
        "--measure: folders sum up '\(measure)' by \(layer.summary.rawValue), which doesn't add up; "
          + "give a layer with the HOW sum")
    }
    return measure
  }

  /// What sizes mean without layers, the usual first.
  static let measures = ["bytes", "files"]

  func open(_ inputs: Inputs) throws(Failure) -> LayerSet? {
    if !isAsked { return nil }
    do throws(Failure) {
      let layers = try LayerSet.open(
        layers.map { $0.counting(since: since) }, over: inputs.roots, named: inputs.named)
      try layers.schema.checkNames()
      return layers
    } catch {
      throw error.prefixed(by: "--layer")
    }
  }

  func number(
    of name: String?, _ option: String, or words: [String] = [], in layers: LayerSet?
  ) throws(Failure) -> Int? {
    guard let name else { return nil }
    let names = layers?.schema.layers.map(\.name) ?? []
    if let index = names.firstIndex(of: name) { return index }
    throw Option.Effect.refusal(of: Array(name.utf8), among: words + names)
      .prefixed(by: "--\(option)")
  }

  func sheetMeasure(_ layers: LayerSet?) throws(Failure) -> SheetMeasure {
    guard let name = try sizes(layers) else { return .bytes }
    return try number(of: name == Self.measures[1] ? nil : name, "measure", in: layers)
      .map { .layer($0) } ?? .files
  }
}
