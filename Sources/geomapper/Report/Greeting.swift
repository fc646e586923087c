import GeoCore
import GeoTree
import GeoSystem

/// What is said when folders are opened: what they are, and what can be done.
enum Greeting {
  /// Three lines. Only the roots' own listings are read.
  static func text(for roots: [ScanRoot]) -> String {
    """
      \(subject(roots))
      Only what you look at is read, and changes show as they come.
      Ctrl-C ends it; '\(Tool.name) -h' tells what else there is.

    """
  }

  private static func subject(_ roots: [ScanRoot]) -> String {
    guard let root = roots.first, roots.count == 1 else {
      let labels = roots.map { TerminalText.escaped($0.label) }
      return "A map of \(roots.count) folders: \(labels.joined(separator: ", "))."
    }
    let path = (try? ThisProcess.realPath(root.directory)) ?? root.directory
    return "A map of \(TerminalText.escaped(path)): \(contents(of: root))."
  }

  private static func contents(of root: ScanRoot) -> String {
    let listing = root.listing
    if case .unreadable(let error) = listing.failure { return "it can't be listed: \(error)" }
    let (files, folders) = (listing.files, listing.folders)
    if files.isEmpty, folders.isEmpty { return "it is empty" }
    return "\(Quantity.count(folders.count, "folder")) and \(Quantity.count(files.count, "file")) "
      + "at the top"
  }
}
