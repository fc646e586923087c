import GeoCore
import GeoFormats
import GeoSources
import GeoTree

/// Options of layers, as typed.
struct LayerArguments {
  var layers: [MapLayer] = []
  /// The first time of commits, in Unix seconds.
  var since: Int64?

  /// Whether layers are asked for.
  var isAsked: Bool { !layers.isEmpty }

  /// Reads the layers of some trees; nil without layers.
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

  /// The number of the layer that an option names; nil if it names none.
  ///
  /// - Parameters:
  ///   - option: The name of the option.
  ///   - type: The other values of the option.
  func number<Value: RawRepresentable<String> & CaseIterable>(
    of name: String?, _ option: String, or type: Value.Type, in layers: LayerSet?
  ) throws(Failure) -> Int? {
    guard let name else { return nil }
    let names = layers?.schema.layers.map(\.name) ?? []
    if let index = names.firstIndex(of: name) { return index }
    throw Option.Effect.refusal(
      of: Array(name.utf8), among: Value.allCases.map(\.rawValue) + names
    ).prefixed(by: "--\(option)")
  }
}

extension Option {
  /// Options of layers: values of the user's own.
  static let layered: [Option] = [
    Option(
      name: "layer", group: .layers, commands: [.map, .stats, .find],
      help:
        "Add values of your own for files and folders: LAYER is [NAME[:HOW]=]SOURCE. SOURCE is a "
        + "FILE with a column 'path' (CSV, TSV, JSON lines), or FILE#COLUMN for one column; an lcov "
        + "or SARIF report; CODEOWNERS; owner or group; git:commits, git:authors, git:last-author, "
        + "git:main-author or git:lines. Folders sum up by HOW: sum, mean, ratio, max, min, share "
        + "or word. Repeatable, up to \(Layer.maximum).",
      brief: "Add values of your own: FILE or git:commits", longOnly: [.stats, .find],
      effect: .value(placeholder: "LAYER") { (low, text) throws(Failure) in
        low.layers.layers.append(try MapLayer(parsing: text))
      },
      rules: [
        .excludes(
          .format([.gpx, .html]), in: [.map], because: "the format has no members for values"),
        .excludes(
          .option("redact"),
          because: "values are for true paths and may name people; redact a map that has no layers"),
      ]),
    Option(
      name: "git-since", group: .layers, commands: [.map, .stats, .find],
      help: "Count only commits of WHEN or later in layers of git, such as 30d or 2026-01-31 (see "
        + "'geomapper help time').",
      effect: .moment { $0.layers.since = $1 },
      rules: [.needs(.option("layer"), because: "it is for layers of git")]),
  ]
}
