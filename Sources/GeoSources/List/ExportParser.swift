import GeoCore
import GeoSystem

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
  /// The number of open folders without a path, because one of them has no valid name.
  private var lost = 0
  /// The devices of all open folders.
  private var devices: [UInt64] = []
  /// The program that made it.
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

  /// Takes the beginning of a folder; nil if it is below one without a path.
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

  /// Cuts the path back to the current folder.
  private mutating func cutPath() {
    path.removeSubrange((lengths.last ?? 0)...)
    kept = min(kept, path.count)
  }

  /// The path of the current folder for messages, shortened.
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
    devices.removeLast()
    cutPath()
  }
}

/// A program that writes exports.
enum ExportProgram {
  case ncdu, gdu
  /// Another one, which may not write the room on disk.
  case other

  init(name: [UInt8]) {
    self = name == Array("ncdu".utf8) ? .ncdu : name == Array("gdu".utf8) ? .gdu : .other
  }
}

/// An export's JSON object for one file or folder.
struct ExportInfo {
  /// The bytes of the name; for the first folder a path.
  var name: [UInt8] = []
  private var size: JSONReader.Number?
  private var modified: JSONReader.Number?
  private var mode: JSONReader.Number?
  private var allocated: JSONReader.Number?
  private var inode: JSONReader.Number?
  private var links: JSONReader.Number?
  /// The device, if it is not that of the folder.
  private(set) var device: JSONReader.Number?
  /// Whether the file has several names.
  private var isShared = false
  private var isSpecial = false
  private var isUnreadable = false
  /// Why the program that made the export left the entry out; nil if it didn't.
  private var excluded: [UInt8]?
  private var hasName = false
  /// A member that is duplicated or of the wrong type.
  private var fault: String?

  private var key: [UInt8] = []

  private enum Member: UInt16 {
    case name, size, modified, mode, special, unreadable, excluded
    case allocated, inode, links, device, shared
  }

  private static let members: [(key: [UInt8], member: Member)] = [
    (Array("name".utf8), .name), (Array("asize".utf8), .size), (Array("mtime".utf8), .modified),
    (Array("mode".utf8), .mode), (Array("notreg".utf8), .special),
    (Array("read_error".utf8), .unreadable), (Array("excluded".utf8), .excluded),
    (Array("dsize".utf8), .allocated), (Array("ino".utf8), .inode), (Array("nlink".utf8), .links),
    (Array("dev".utf8), .device), (Array("hlnkc".utf8), .shared),
  ]

  /// The reasons for folders that were not entered, as several versions of ncdu write them.
  private static let mounts = ["otherfs", "othfs", "kernfs", "frmlnk"].map { Array($0.utf8) }

  /// Parses an object.
  mutating func take(from json: inout JSONReader) throws(JSONReader.Failure) {
    name.removeAll(keepingCapacity: true)
    (size, modified, mode, excluded, fault) = (nil, nil, nil, nil, nil)
    (isSpecial, isUnreadable, hasName, isShared) = (false, false, false, false)
    (allocated, inode, links, device) = (nil, nil, nil, nil)
    var seen: UInt16 = 0
    try json.take("{")
    if try json.takeIf("}") { return }
    repeat {
      key.removeAll(keepingCapacity: true)
      try json.takeString(appendingTo: &key)
      try json.take(":")
      guard let member = Self.members.first(where: { $0.key == key })?.member else {
        try json.skipValue()
        continue
      }
      if seen & 1 << member.rawValue != 0 { fault = "it has '\(shownKey)' twice" }
      seen |= 1 << member.rawValue
      try take(member, from: &json)
    } while try json.takeIf(",")
    try json.take("}")
  }

  private mutating func take(
    _ member: Member, from json: inout JSONReader
  ) throws(JSONReader.Failure) {
    let next = try json.peekToken() ?? 0
    let isString = next == UInt8(ascii: "\"")
    let isNumber = next == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= next
    let isTruth = next == UInt8(ascii: "t") || next == UInt8(ascii: "f")
    switch member {
    case .name where isString:
      name.removeAll(keepingCapacity: true)
      try json.takeString(appendingTo: &name)
      hasName = true
    case .size where isNumber: size = try json.takeNumber()
    case .modified where isNumber: modified = try json.takeNumber()
    case .mode where isNumber: mode = try json.takeNumber()
    case .allocated where isNumber: allocated = try json.takeNumber()
    case .inode where isNumber: inode = try json.takeNumber()
    case .links where isNumber: links = try json.takeNumber()
    case .device where isNumber: device = try json.takeNumber()
    case .shared where isTruth: isShared = try json.takeWord() ?? false
    case .special where isTruth: isSpecial = try json.takeWord() ?? false
    case .unreadable where isTruth: isUnreadable = try json.takeWord() ?? false
    case .excluded where isString:
      var word: [UInt8] = []
      try json.takeString(appendingTo: &word)
      excluded = word
    default:
      fault = "its '\(shownKey)' is of the wrong type"
      try json.skipValue()
    }
  }

  private var shownKey: String { TerminalText.escaped(key) }

  /// Why the object can't be used; nil if it can.
  ///
  /// - Parameter isRoot: Whether it is the first folder, whose name may be a path.
  func fault(isRoot: Bool) -> String? {
    if let fault { return fault }
    if !hasName { return "it has no name" }
    if name.isEmpty { return "its name is empty" }
    let dot = UInt8(ascii: ".")
    if !isRoot, name == [dot] || name == [dot, dot] || name.contains(.slash) {
      return "'\(TerminalText.escaped(name))' is no name"
    }
    if let size, size.asSize == nil { return "its 'asize' is not a number of bytes" }
    if let allocated, allocated.asSize == nil { return "its 'dsize' is not a number of bytes" }
    if let inode, inode.asNumber == nil { return "its 'ino' is not the number of an inode" }
    if let modified, modified.asTime == nil { return "its 'mtime' is not a number of seconds" }
    if let mode, mode.asSize == nil { return "its 'mode' is not a mode" }
    return nil
  }

  /// The facts of the entry.
  ///
  /// - Parameters:
  ///   - isFolder: Whether it is the info of a folder with contents.
  ///   - device: The device that it is on.
  ///   - program: The program that wrote it.
  func facts(isFolder: Bool, device: UInt64, by program: ExportProgram) -> ListedFacts {
    var facts = ListedFacts()
    if let time = modified?.asTime {
      facts.modified = time
      facts.flags.insert(.dated)
    }
    if isUnreadable { facts.flags.insert(.unreadable) }
    let known = mode.flatMap(\.asSize).map { EntryKind(mode: UInt32(truncatingIfNeeded: $0)) }
    if isFolder || known == .directory || isMount {
      facts.kind = .directory
      if !isFolder { facts.flags.insert(.unlisted) }
      return facts
    }
    facts.kind = known ?? (isSpecial || excluded != nil ? .unknown : .regular)
    // Sizes of 0 are omitted.
    if excluded == nil || size != nil {
      facts.size = size?.asSize ?? 0
      facts.flags.insert(.sized)
      if allocated == nil, program == .other { return facts }
      // gdu marks all names of a file but the first, at which its room counts.
      if program != .gdu || !isShared { facts.storage.allocated = allocated?.asSize ?? 0 }
      facts.storage.links = 1
      if program != .gdu, isShared, let inode = inode?.asNumber {
        (facts.storage.device, facts.storage.inode) = (device, inode)
        // Earlier versions of ncdu don't say how many names there are.
        facts.storage.links = max(2, UInt32(clamping: links?.asSize ?? 2))
      }
      facts.flags.insert(.stored)
    }
    return facts
  }

  /// Whether it is a folder that ncdu did not enter.
  private var isMount: Bool {
    excluded.map(Self.mounts.contains) ?? false
  }
}

extension JSONReader.Number {
  /// A number of bytes, below 2^63.
  fileprivate var asSize: Int64? {
    guard case .whole(let magnitude, isNegative: false) = self else { return nil }
    return Int64(exactly: magnitude)
  }

  /// A number that is not negative.
  var asNumber: UInt64? {
    guard case .whole(let magnitude, isNegative: false) = self else { return nil }
    return magnitude
  }

  /// Seconds since 1970. ncdu writes negative times as unsigned numbers from 2^63 on.
  fileprivate var asTime: Int64? {
    guard case .whole(let magnitude, let isNegative) = self else { return nil }
    if !isNegative { return Int64(bitPattern: magnitude) }
    return magnitude <= UInt64(Int64.max) ? -Int64(magnitude) : nil
  }
}
