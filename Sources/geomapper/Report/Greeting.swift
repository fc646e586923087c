import GeoCore
import GeoSystem
import GeoTree
import GeoWeb

enum Greeting {
  /// Three lines; reads only the roots' own listings.
  static func text(for roots: [ScanRoot]) -> String {
    let isLive = roots.contains { $0.source.isLive }
    return """
        \(subject(roots))
        Only what you look at is read\(isLive ? ", and changes show as they come" : "").
        Ctrl-C ends it; '\(Tool.name) -h' lists the other commands.

      """
  }

  /// How other machines reach a server: a QR code of its address if they can, and in an SSH session
  /// the command that makes the user's own machine reach it; empty otherwise.
  static func reach(_ server: Server, at host: String) -> String {
    if server.isOpen { return qrCode(server.address) }
    guard let command = tunnel(to: host, port: server.port) else { return "" }
    return """
        On your own machine run this, then open the address there:
          \(command)

      """
  }

  /// The command that forwards a port of the user's machine to this one; nil outside SSH sessions.
  private static func tunnel(to host: String, port: UInt16) -> String? {
    guard let session = ThisProcess.environment("SSH_CONNECTION") else { return nil }
    let words = session.split(separator: UInt8(ascii: " ")).map(\.shown)
    guard words.count == 4 else { return nil }
    let user = ["USER", "LOGNAME"].lazy.compactMap { ThisProcess.environment($0) }.first
    let name = user.map { $0.shown + "@" } ?? ""
    let target = host.contains(":") ? "[\(host)]" : host
    let way = words[3] == "22" ? "" : "-p \(words[3]) "
    return "ssh \(way)-L \(port):\(target):\(port) \(name)\(words[2])"
  }

  private static func qrCode(_ address: String) -> String {
    guard let code = QRCode(Array(address.utf8)) else { return "" }
    var lines = code.halfBlocks()
    // White on black, whatever the colours of the terminal are.
    if Style.hasColor(on: Descriptor.standardOutput) {
      lines = lines.map { "\u{1b}[97;40m\($0)\u{1b}[0m" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func subject(_ roots: [ScanRoot]) -> String {
    guard let root = roots.first, roots.count == 1 else {
      let labels = roots.map { $0.label.shown }
      return "A map of \(roots.count) folders: \(labels.joined(separator: ", "))."
    }
    let path = (try? ThisProcess.realPath(root.directory)) ?? root.directory
    return "A map of \(path.shown): \(contents(of: root))."
  }

  private static func contents(of root: ScanRoot) -> String {
    let listing = root.listing
    if case .unreadable(let error) = listing.failure { return "can't be listed: \(error)" }
    let (files, folders) = (listing.files, listing.folders)
    if files.isEmpty, folders.isEmpty { return "it is empty" }
    return "\(Quantity.count(folders.count, "folder")) and \(Quantity.count(files.count, "file")) "
      + "at the top"
  }
}
