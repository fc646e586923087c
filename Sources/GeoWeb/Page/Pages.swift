import GeoFormats

/// The files of a served page: ``PageFile/index`` and all that it loads.
package struct ServedPage: Sendable {
  package let files: [PageFile]

  /// The script that the server puts into the HTML file, after its first answer. It requests the
  /// tiles of the first picture before the other scripts are loaded.
  static let early = "(() => {\n\(ScriptBundle(["early.js"]).joined())})();\n"

  package static let map = ServedPage(["main.js"])
  /// The page of a map of two states. The scripts that show them run before the rest.
  package static let changes = ServedPage(
    ["changes.js", "main.js"], styles: PageFile.styles + ["changes.css"])
  package static let history = ServedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])
  package static let samples = ServedPage(["samples.js", "main.js"])
  package static let replay = ServedPage(["main.js", "replay.js"])

  private init(_ scripts: [String], styles: [String] = PageFile.styles) {
    files = [.index, .style(styles)] + PageModules(scripts).files
  }
}

extension OutputFormat {
  package var complete: OutputFormat { self == .html ? .page(StandalonePage.map.frame) : self }
}
