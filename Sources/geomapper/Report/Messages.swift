import GeoSystem

/// What the tool says to people, on standard error. Nobody needs to be able to read it: that it
/// is closed or full does no harm.
enum Messages {
  /// Writes a text as it is.
  static func write(_ text: String) {
    try? Descriptor.write(Array(text.utf8).span, to: Descriptor.standardError)
  }

  /// Says something that is good to know.
  static func note(_ text: String) {
    Progress.wipe()
    write("\(Tool.name): \(text)\n")
  }

  /// Says what options that were given by names from before are called now, to people alone.
  static func showNames(_ low: LowArguments) {
    if low.isQuiet || !Terminal.isTerminal(Descriptor.standardError) { return }
    for (index, name) in low.renamed.enumerated()
    where !low.renamed[..<index].contains(where: { $0 == name }) {
      note("'\(name.old)' is now '\(name.new)'")
    }
  }

  /// Says why the tool gives up.
  static func show(_ failure: Failure) {
    Progress.wipe()
    var prefix = "\(Tool.name):"
    if Style.hasColor { prefix = "\u{1b}[1;31m\(prefix)\u{1b}[0m" }
    var text = "\(prefix) \(failure.message)\n"
    if let hint = failure.hint { text += "\(hint)\n" }
    write(text)
  }
}

/// What standard error can show.
enum Style {
  /// Whether it is a terminal on which a line can be written over.
  static var canRedraw: Bool { canRedraw(on: Descriptor.standardError) }

  private static func canRedraw(on descriptor: Int32) -> Bool {
    if !Terminal.isTerminal(descriptor) { return false }
    guard let kind = ThisProcess.environment("TERM"), !kind.isEmpty else { return false }
    return !kind.elementsEqual("dumb".utf8)
  }

  /// Whether it shows colours, and nobody has asked not to (no-color.org).
  static var hasColor: Bool { hasColor(on: Descriptor.standardError) }

  /// Whether what is written to a descriptor is shown in colours, and nobody has asked not to.
  static func hasColor(on descriptor: Int32) -> Bool {
    canRedraw(on: descriptor) && (ThisProcess.environment("NO_COLOR") ?? []).isEmpty
  }
}
