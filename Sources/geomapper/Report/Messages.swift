import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// Messages to the user on standard error; errors in writing them are ignored.
enum Messages {
  static func write(_ text: String) {
    try? Descriptor.write(Array(text.utf8).span, to: Descriptor.standardError)
  }

  static func note(_ text: String) {
    Progress.wipe()
    write("\(Tool.name): \(text)\n")
  }

  /// Notes which times the given ones are, where their text doesn't say it in full.
  static func showTimes(_ low: LowArguments) {
    if low.isQuiet { return }
    for time in low.times {
      if let exact = time.exactText { note("\(time.text.shown) is \(exact)") }
    }
  }

  /// Writes the error that ends the tool; nothing if the reader of the output has closed it.
  static func show(_ failure: Failure) {
    Progress.wipe()
    if failure.group == .closed { return }
    var prefix = "\(Tool.name):"
    if Style.hasColor { prefix = "\u{1b}[1;31m\(prefix)\u{1b}[0m" }
    var text = "\(prefix) \(failure.message)\(failure.option)\n"
    if let hint = failure.hint { text += "\(hint)\n" }
    write(text)
  }
}

enum Style {
  /// Whether it is a terminal on which a line can be rewritten.
  static var canRedraw: Bool { canRedraw(on: Descriptor.standardError) }

  private static func canRedraw(on descriptor: Int32) -> Bool {
    if !Terminal.isTerminal(descriptor) { return false }
    guard let kind = ThisProcess.environment("TERM"), !kind.isEmpty else { return false }
    return !kind.elementsEqual("dumb".utf8)
  }

  /// Whether colours are shown: on such a terminal, unless `NO_COLOR` is set (no-color.org).
  static var hasColor: Bool { hasColor(on: Descriptor.standardError) }

  static func hasColor(on descriptor: Int32) -> Bool {
    canRedraw(on: descriptor) && (ThisProcess.environment("NO_COLOR") ?? []).isEmpty
  }

  /// Whether the locale's encoding is UTF-8.
  static let hasBlocks: Bool = {
    let names: [StaticString] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let value = names.lazy.compactMap { ThisProcess.environment($0) }.first { !$0.isEmpty } ?? []
    let text = String(decoding: value.lowercased, as: UTF8.self)
    return text.hasSuffix("utf-8") || text.hasSuffix("utf8")
  }()
}

/// Reports unreadable entries: the first hundred by name.
final class FaultList {
  private static let maximumNamed = 100
  private let isQuiet: Bool
  private(set) var count = 0

  let progress: Progress?

  init(isQuiet: Bool, _ progress: Progress? = nil) {
    self.isQuiet = isQuiet
    self.progress = progress
  }

  func add(_ faults: [ScanFault]) {
    for fault in faults {
      count += 1
      if isQuiet || count > Self.maximumNamed { continue }
      progress?.clear()
      Messages.note(fault.message(whenVanished: "read"))
    }
  }

  func finish() {
    progress?.clear()
    if !isQuiet, count > Self.maximumNamed {
      Messages.note("and \((count - Self.maximumNamed).grouped) more")
    }
  }
}

extension ScanFault {
  func message(whenVanished action: String) -> String {
    let reason =
      switch self.reason {
      case .unreadable(let error): "\(error)"
      case .vanished: "vanished while it was \(action)"
      case .listed(let text): text
      }
    return "\(rawPath.shown): \(reason)"
  }
}

extension JSONBuilder {
  static func line(_ members: (inout JSONBuilder) -> Void) -> [UInt8] {
    var json = JSONBuilder()
    json.object(members)
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Adds a time in RFC 3339 format, to the second.
  mutating func member(_ name: String, moment seconds: Int64) {
    member(name, word: CivilTime.text(unixSeconds: seconds))
  }

  mutating func member(_ name: String, word: String) { member(name, text: Array(word.utf8)) }

  mutating func member(_ name: String, texts: [[UInt8]]) {
    member(name, each: texts) { $1.value(text: $0) }
  }

  mutating func member(_ name: String, words: [String]) {
    member(name, texts: words.map { Array($0.utf8) })
  }

  /// Adds an object.
  mutating func member(_ name: String, _ members: (inout JSONBuilder) -> Void) {
    key(name)
    object(members)
  }

  /// Adds an array of objects.
  mutating func member<Elements: Sequence>(
    _ name: String, objects elements: Elements,
    _ members: (Elements.Element, inout JSONBuilder) -> Void
  ) {
    member(name, each: elements) { element, json in json.object { members(element, &$0) } }
  }
}
