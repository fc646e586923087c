import GeoCore

/// Reads exports of ncdu and gdu: `[1,MINOR,{…},FOLDER]`, where a folder is `[INFO,ITEM…]`, and an
/// item a folder or the info of a file.
///
/// What breaks the rules of JSON ends the list; what was read until then counts.
struct ExportParser: ListParser {
  private enum Stage { case beginning, items, end }

  private let input: ListInput
  private var json: JSONReader
  private var stage = Stage.beginning
  private var info = ExportInfo()
  /// The path of the folder at hand, or of the last entry in it.
  private var path: [UInt8] = []
  /// How much of the path is as it was when an entry was made of it.
  private var kept = 0
  /// How long the paths of the folders above are, the last that of the folder at hand.
  private var lengths: [Int] = []
  /// How many of the folders at hand have no path, because one of them has no name.
  private var lost = 0

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
            reason: "\(what) was expected: it is no export of ncdu or gdu from here on"))
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

  /// Takes the versions and what is known of the program.
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
    if try json.peekToken() != UInt8(ascii: "{") { throw .expected("'{'") }
    try json.skipValue()
    try json.take(",")
  }

  private mutating func takeEnd() throws(JSONReader.Failure) {
    stage = .end
    // Later versions may add something.
    while try json.takeIf(",") { try json.skipValue() }
    try json.take("]")
    if try json.peekToken() != nil { throw .expected("the end") }
  }

  /// Takes the beginning of a folder; nil if it is below one that has no path.
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
    // What it has in common with the entry before is neither copied nor compared: in a folder that is
    // n deep it would be all but the name.
    cutPath()
    if !isRoot { path.append(.slash) }
    path.append(contentsOf: info.name)
    kept = min(kept, entry.path.count)
    entry.path.removeSubrange(kept...)
    entry.path.append(contentsOf: path[kept...])
    entry.kept = min(entry.kept, kept)
    kept = path.count
    entry.facts = info.facts(isFolder: isFolder)
    entry.position = position
    if isFolder { lengths.append(path.count) }
    return .entry
  }

  /// Leaves nothing but the path of the folder at hand.
  private mutating func cutPath() {
    path.removeSubrange((lengths.last ?? 0)...)
    kept = min(kept, path.count)
  }

  /// The folder at hand, as it is shown in a message.
  private var shownFolder: String {
    let most = 1000
    let folder = path[..<(lengths.last ?? 0)]
    return TerminalText.escaped(Array(folder.prefix(most))) + (folder.count > most ? "..." : "")
  }

  private mutating func leaveFolder() {
    if lost > 0 {
      lost -= 1
      return
    }
    lengths.removeLast()
    cutPath()
  }
}
