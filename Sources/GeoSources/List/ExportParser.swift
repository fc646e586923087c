import GeoCore

/// Parses exports of ncdu and gdu: `[1,MINOR,{…},FOLDER]`, where a folder is `[INFO,ITEM…]`, and an
/// item is a folder or the info of a file.
///
/// A JSON syntax error ends the list; entries before it are kept.
struct ExportParser: ListParser {
  private enum Stage { case beginning, items, end }

  private let input: ListInput
  private var json: JSONReader
  private var stage = Stage.beginning
  private var info = ExportInfo()
  /// The lengths of the paths of all open folders, the current one last: the path of the last entry
  /// begins with them.
  private var lengths: [Int] = []
  /// How many folders are open without a path, because one of them has no valid name.
  private var lost = 0
  private var devices: [UInt64] = []
  private var program = ExportProgram.other

  init(_ input: ListInput, _ source: ListSource) {
    self.input = input
    json = JSONReader(input)
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    do throws(JSONReader.Failure) {
      return try find(into: &entry, &faults)
    } catch {
      stage = .end
      guard case .expected(let what) = error else {
        throw input.failure ?? .changed(list: input.name)
      }
      faults.append(
        ListFault(
          position: json.count + 1,
          reason: "\(what) was expected: not an export of ncdu or gdu from here on"))
      return .end
    }
  }

  private mutating func find(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep {
    if stage == .beginning {
      try takeHead()
      stage = .items
      try json.take("[")
      if let step = try takeInfo(isFolder: true, into: &entry, &faults) { return step }
    }
    while stage == .items {
      if try json.takeIf("]") {
        if lost > 0 {
          lost -= 1
        } else {
          lengths.removeLast()
          devices.removeLast()
        }
        if lengths.isEmpty, lost == 0 { try takeEnd() }
        continue
      }
      try json.take(",")
      let isFolder = try json.takeIf("[")
      if !isFolder, try json.peekToken() != UInt8(ascii: "{") {
        throw .expected("a file or a folder")
      }
      if let step = try takeInfo(isFolder: isFolder, into: &entry, &faults) { return step }
    }
    return .end
  }

  private mutating func takeHead() throws(JSONReader.Failure) {
    try json.take("[")
    _ = try json.peekToken()
    guard try json.takeNumber() == .whole(magnitude: 1, isNegative: false) else {
      throw .expected("version 1")
    }
    try json.take(",")
    _ = try json.peekToken()
    _ = try json.takeNumber()
    try json.take(",")
    try json.take("{")
    if try !json.takeIf("}") {
      var text: [UInt8] = []
      repeat {
        let isName = try json.takeName(among: Self.programName, using: &text) != nil
        if isName, try json.peekToken() == UInt8(ascii: "\"") {
          text.removeAll()
          try json.takeString(appendingTo: &text)
          program = ExportProgram(rawValue: String(decoding: text, as: UTF8.self)) ?? .other
        } else {
          try json.skipValue()
        }
      } while try json.takeIf(",")
      try json.take("}")
    }
    try json.take(",")
  }

  private static let programName = JSONNames(["progname"])

  private mutating func takeEnd() throws(JSONReader.Failure) {
    stage = .end
    // Later versions may add elements.
    while try json.takeIf(",") { try json.skipValue() }
    try json.take("]")
    if try json.peekToken() != nil { throw .expected("the end") }
  }

  private mutating func takeInfo(
    isFolder: Bool, into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep? {
    _ = try json.peekToken()
    let position = json.count + 1
    let isRoot = lengths.isEmpty && lost == 0
    try info.take(from: &json)
    if lost > 0 {
      if isFolder { lost += 1 }
      return nil
    }
    let length = lengths.last ?? 0
    if let reason = info.fault(isRoot: isRoot) {
      if isFolder { lost = 1 }
      let rest = isFolder ? "; it is left out with all that is in it" : ""
      let place = isRoot ? "" : " (in \(TerminalText.quoted(path: entry.path[..<length])))"
      faults.append(ListFault(position: position, reason: reason + rest + place))
      return .fault
    }
    // The prefix shared with the last entry is neither copied nor compared: deep in a tree it is
    // nearly the whole path.
    entry.replacePath(from: length, by: ((isRoot ? [] : [.slash]) + info.name)[...])
    let device = info.device ?? devices.last ?? 0
    entry.facts = info.facts(isFolder: isFolder, device: device, by: program)
    entry.position = position
    if isFolder {
      lengths.append(entry.path.count)
      devices.append(device)
    }
    return .entry
  }
}
