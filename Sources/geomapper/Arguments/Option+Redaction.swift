import GeoCore
import GeoPipeline
import GeoTree

/// What is told by other names, as it was typed.
struct RedactionArguments {
  var globs: [[UInt8]] = []
  var keyFile: [UInt8]?

  /// Whether anything is.
  var isAsked: Bool { !globs.isEmpty }
}

extension Option {
  /// The options that give other names to what isn't everybody's.
  static let redaction: [Option] = [
    Option(
      name: "redact", group: .names,
      help:
        "Give what GLOB matches, as with --exclude, and all that is in it another name, which is made "
        + "of its path and a secret key: places, ids and lengths tell nothing of the one before. Sizes, "
        + "times and numbers of entries stay.",
      effect: .value(placeholder: "GLOB") { (low, text) throws(BadValue) in
        var selection = Selection()
        do throws(GlobError) {
          try selection.exclude(text)
        } catch {
          throw BadValue(reason: "does not take this pattern: \(error)")
        }
        low.redaction.globs.append(text)
      }),
    Option(
      name: "redact-key", group: .names,
      help: "The key's file, which is made if it isn't there; by default "
        + "~/.config/geomapper/redact.key. The same key gives the same names. Keep it to yourself: who "
        + "has it can tell which name stands for a path.",
      effect: .value(placeholder: "FILE") { (low, text) in low.redaction.keyFile = text }),
  ]
}
