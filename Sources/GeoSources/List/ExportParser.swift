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
  /// The path of the current folder, or of the last entry in it.
  private var path: [UInt8] = []
  /// The length of the path prefix that is unchanged since the last entry.
  private var kept = 0
  /// The lengths of the paths of all open folders, the current one last.
  private var lengths: [Int] = []
  /// How many folders are open without a path, because one of them has no valid name.
  private var lost = 0
  /// Of all open folders.
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
      switch error {
      case .unreadable:
        if let failure = input.failure { throw failure }
        return .end
      case .expected(let what):
        faults.append(
          ListFault(
            position: json.count + 1,
            reason: "\(what) was expected: not an export of ncdu or gdu from here on"))
        return .end
      }
    }
  }

  private mutating func find(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep {
    if stage == .beginning {
      try takeHead()
      stage = .items
      if let step = try takeFolder(into: &entry, &faults) { return step }
    }
    while stage == .items {
      if try json.takeIf("]") {
        leaveFolder()
        if lengths.isEmpty, lost == 0 { try takeEnd() }
        continue
      }
      try json.take(",")
      switch try json.peekToken() {
      case UInt8(ascii: "[")?:
        if let step = try takeFolder(into: &entry, &faults) { return step }
      case UInt8(ascii: "{")?:
        if let step = try takeInfo(isFolder: false, into: &entry, &faults) { return step }
      default: throw .expected("a file or a folder")
      }
    }
    return .end
  }

  /// Takes the version numbers and the program's name.
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
          program = ExportProgram(name: text)
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

  private mutating func takeFolder(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep? {
    try json.take("[")
    return try takeInfo(isFolder: true, into: &entry, &faults)
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
    if let reason = info.fault(isRoot: isRoot) {
      if isFolder { lost = 1 }
      let rest = isFolder ? "; it is left out with all that is in it" : ""
      let place = isRoot ? "" : " (in '\(shownFolder)')"
      faults.append(ListFault(position: position, reason: reason + rest + place))
      return .fault
    }
    // The prefix shared with the last entry is neither copied nor compared: deep in a tree it is
    // nearly the whole path.
    cutPath()
    if !isRoot { path.append(.slash) }
    path.append(contentsOf: info.name)
    kept = min(kept, entry.path.count)
    entry.path.removeSubrange(kept...)
    entry.path.append(contentsOf: path[kept...])
    entry.kept = min(entry.kept, kept)
    kept = path.count
    let device = info.device?.asNumber ?? devices.last ?? 0
    entry.facts = info.facts(isFolder: isFolder, device: device, by: program)
    entry.position = position
    if isFolder {
      lengths.append(path.count)
      devices.append(device)
    }
    return .entry
  }

  private mutating func cutPath() {
    path.removeSubrange((lengths.last ?? 0)...)
    kept = min(kept, path.count)
  }

  private var shownFolder: String {
    let maximum = 1000
    let folder = path[..<(lengths.last ?? 0)]
    let shown = TerminalText.escaped(Array(folder.prefix(maximum)))
    return shown + (folder.count > maximum ? "..." : "")
  }

  private mutating func leaveFolder() {
    if lost > 0 {
      lost -= 1
      return
    }
    lengths.removeLast()
    devices.removeLast()
    cutPath()
  }
}

enum ExportProgram {
  case ncdu, gdu
  /// Another one, which may not write the room on disk.
  case other

  init(name: [UInt8]) {
    self = name == Array("ncdu".utf8) ? .ncdu : name == Array("gdu".utf8) ? .gdu : .other
  }
}
