/// The page as files that a server gives: ``PageFile/index`` and what it loads.
public struct ServedPage: Sendable {
  /// The files, the page itself first.
  public let files: [PageFile]

  /// A map.
  public static let map = ServedPage(["main.js"])
  /// A map of two states: what shows them is there before all else is put together.
  public static let changes = ServedPage(
    ["changes.js", "main.js"], styles: PageFile.styles + ["changes.css"])
  /// A history that is played.
  public static let history = ServedPage(
    ["main.js", "history.js"], styles: PageFile.styles + ["changes.css"])
  /// A map of folders that samples are taken of.
  public static let samples = ServedPage(["samples.js", "main.js"])
  /// A recording that is played.
  public static let replay = ServedPage(["main.js", "replay.js"])

  /// - Parameters:
  ///   - scripts: What runs, in this order.
  ///   - styles: The style sheets, joined into one.
  private init(_ scripts: [String], styles: [String] = PageFile.styles) {
    files = [.index, .style(styles)] + PageModules(scripts).files
  }
}
