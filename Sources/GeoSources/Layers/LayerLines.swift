import GeoCore
import GeoTree

/// The members of JSON objects, one object a line, that become layers.
struct LayerLines {
  private let input: ListInput
  private var json: JSONReader
  /// The names that are looked for: those of paths, then those of layers.
  private let names: JSONNames
  private(set) var text: [UInt8] = []
  private(set) var ranges: [Range<Int>]
  private(set) var line = 0

  init(_ input: ListInput, _ columns: [[UInt8]]) {
    self.input = input
    json = JSONReader(input)
    names = JSONNames(
      [TableColumns.path, TableColumns.rawPath].map { String(decoding: $0, as: UTF8.self) }
        + columns.map { String(decoding: $0, as: UTF8.self) })
    ranges = [Range<Int>](repeating: 0..<0, count: columns.count + 2)
  }

  mutating func advance() throws(Failure) -> Bool {
    text.removeAll(keepingCapacity: true)
    for index in ranges.indices { ranges[index] = 0..<0 }
    do throws(JSONReader.Failure) {
      guard try json.peekToken() != nil else { return false }
      line = json.line
      try json.expectObject()
      try json.eachMember(of: names) { (json, index) throws(JSONReader.Failure) in
        let start = text.count
        if try !json.takeScalar(appendingTo: &text) { throw .expected("a number or a text") }
        if !ranges[index].isEmpty { throw .expected("'\(names[index])' once") }
        ranges[index] = start..<text.count
      }
      return true
    } catch {
      throw input.failure(error, line: json.line)
    }
  }

  /// The names of all members of all objects except paths and those with objects or arrays, in the
  /// order in which they occur.
  static func columns(of input: ListInput) throws(Failure) -> [[UInt8]] {
    var json = JSONReader(input)
    var names: [[UInt8]] = []
    var seen: Set<[UInt8]> = [TableColumns.path, TableColumns.rawPath]
    var (name, ignored): ([UInt8], [UInt8]) = ([], [])
    do throws(JSONReader.Failure) {
      while try json.peekToken() != nil {
        try json.take("{")
        if try json.takeIf("}") { continue }
        repeat {
          name.removeAll(keepingCapacity: true)
          try json.takeString(appendingTo: &name)
          try json.take(":")
          ignored.removeAll(keepingCapacity: true)
          guard try json.takeScalar(appendingTo: &ignored) else {
            try json.skipValue()
            continue
          }
          if seen.insert(name).inserted { names.append(name) }
          if names.count > TableColumns.maximum {
            throw .expected("at most \(TableColumns.maximum) different members")
          }
        } while try json.takeIf(",")
        try json.take("}")
      }
      return names
    } catch {
      throw input.failure(error, line: json.line)
    }
  }
}

extension JSONReader {
  /// Appends a text, a number or a word, and nothing for `null`; false if an object or an array
  /// comes next, which is not read.
  fileprivate mutating func takeScalar(
    appendingTo text: inout [UInt8]
  ) throws(Failure) -> Bool {
    switch try peekToken() {
    case UInt8(ascii: "\"")?: try takeString(appendingTo: &text)
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?: return false
    case UInt8(ascii: "t")?, UInt8(ascii: "f")?, UInt8(ascii: "n")?:
      if let word = try takeWord() { text += (word ? "true" : "false").utf8 }
    default: try takeNumber(appendingTo: &text)
    }
    return true
  }
}

extension ListInput {
  func failure(_ reason: JSONReader.Failure, line: Int) -> Failure {
    if let failure { return .unreadableLayer(failure) }
    guard case .expected(let what) = reason else { return .usage("can't read '\(name)'") }
    return .usage("\(name), line \(line): \(what) was expected: cut off, or not JSON")
  }
}

extension LayerLoader {
  mutating func readLines(
    _ input: ListInput, _ request: MapLayer, _ column: [UInt8]?
  ) throws(Failure) {
    let all = column == nil ? try LayerLines.columns(of: input) : nil
    let columns = try TableColumns(request, column, among: all, source: input.name)
    try builder.begin(input.name, columns.drafts)
    var lines = LayerLines(input, columns.names)
    var values = LayerTexts()
    var occurring = [Bool](repeating: false, count: columns.names.count)
    while try lines.advance() {
      let ranges = lines.ranges
      for index in occurring.indices where !ranges[index + 2].isEmpty { occurring[index] = true }
      columns.set(&values, to: lines.text.span) { ranges[$0 + 2] }
      try add(
        lines.text[ranges[0]], encoded: lines.text[ranges[1]], values, line: lines.line, input.name)
    }
    if let missing = occurring.firstIndex(of: false), lines.line > 0 {
      throw .usage(
        "no line of \(input.name) has a value of "
          + "'\(TerminalText.escaped(columns.names[missing]))'")
    }
  }
}
