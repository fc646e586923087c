import GeoCore

/// An export's JSON object for one file or folder.
struct ExportInfo {
  /// For the first folder a path.
  var name: [UInt8] = []
  private var size: JSONReader.Number?
  private var modified: JSONReader.Number?
  private var mode: JSONReader.Number?
  private var allocated: JSONReader.Number?
  private var inode: JSONReader.Number?
  private var links: JSONReader.Number?
  /// If it is not that of the folder.
  private(set) var device: JSONReader.Number?
  /// Whether it has several names.
  private var isShared = false
  private var isSpecial = false
  private var isUnreadable = false
  /// The reason; nil if it is in the export.
  private var excluded: [UInt8]?
  private var hasName = false
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

  /// The first folder's name may be a path.
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

  /// A folder has its contents after it.
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
      facts.storage.allocated = allocated?.asSize ?? 0
      facts.storage.links = 1
      // gdu marks all names of a file but the first.
      if program == .gdu, isShared { facts.flags.insert(.elsewhere) }
      if program != .gdu, isShared, let inode = inode?.asNumber {
        (facts.storage.device, facts.storage.inode) = (device, inode)
        // Earlier versions of ncdu don't say how many names there are.
        facts.storage.links = max(2, UInt32(clamping: links?.asSize ?? 2))
      }
      facts.flags.insert(.stored)
    }
    return facts
  }

  private var isMount: Bool {
    excluded.map(Self.mounts.contains) ?? false
  }
}

extension JSONReader.Number {
  /// In bytes, below 2^63.
  fileprivate var asSize: Int64? {
    guard case .whole(let magnitude, isNegative: false) = self else { return nil }
    return Int64(exactly: magnitude)
  }

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
