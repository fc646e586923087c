import GeoCore

/// An export's JSON object for one file or folder.
struct ExportInfo {
  private var object = ListedObject(
    [
      ("name", .path), ("asize", .bytes), ("mtime", .seconds), ("mode", .mode),
      ("notreg", .isSpecial), ("read_error", .isUnreadable), ("excluded", .excluded),
      ("dsize", .allocated), ("ino", .inode), ("nlink", .links), ("dev", .device),
      ("hlnkc", .isShared),
    ], isOfExport: true)

  /// The reasons for folders that were not entered, as several versions of ncdu write them.
  private static let mounts = ["otherfs", "othfs", "kernfs", "frmlnk"].map { Array($0.utf8) }

  /// For the first folder a path.
  var name: [UInt8] { object[.path] ?? [] }

  /// If it is not that of the folder.
  var device: UInt64? { object.number(.device)?.asNumber }

  mutating func take(from json: inout JSONReader) throws(JSONReader.Failure) {
    try object.take(from: &json)
  }

  func fault(isRoot: Bool) -> String? {
    if let fault = object.fault { return fault }
    guard let name = object[.path] else { return "it has no name" }
    if name.isEmpty { return "its name is empty" }
    let dot = UInt8(ascii: ".")
    if !isRoot, name == [dot] || name == [dot, dot] || name.contains(.slash) {
      return "'\(TerminalText.escaped(name))' is no name"
    }
    func isWrong(_ member: ListedObject.Member, _ value: (JSONReader.Number) -> Any?) -> Bool {
      object.number(member).map { value($0) == nil } ?? false
    }
    if isWrong(.bytes, \.asSize) { return "its 'asize' is not a number of bytes" }
    if isWrong(.allocated, \.asSize) { return "its 'dsize' is not a number of bytes" }
    if isWrong(.inode, \.asNumber) { return "its 'ino' is not the number of an inode" }
    if isWrong(.seconds, \.asTime) { return "its 'mtime' is not a number of seconds" }
    if isWrong(.mode, \.asSize) { return "its 'mode' is not a mode" }
    return nil
  }

  func facts(isFolder: Bool, device: UInt64, by program: ExportProgram) -> ListedFacts {
    var facts = ListedFacts()
    if let time = object.number(.seconds)?.asTime {
      facts.modified = time
      facts.flags.insert(.dated)
    }
    if object.isTrue(.isUnreadable) { facts.flags.insert(.unreadable) }
    let mode = object.number(.mode)?.asSize
    let known = mode.map { EntryKind(mode: UInt32(truncatingIfNeeded: $0)) }
    let excluded = object[.excluded]
    if isFolder || known == .directory || excluded.map(Self.mounts.contains) ?? false {
      facts.kind = .directory
      if !isFolder { facts.flags.insert(.unlisted) }
      return facts
    }
    facts.kind = known ?? (object.isTrue(.isSpecial) || excluded != nil ? .unknown : .regular)
    // Sizes of 0 are omitted.
    if excluded == nil || object.has(.bytes) {
      facts.size = object.number(.bytes)?.asSize ?? 0
      facts.flags.insert(.sized)
      if !object.has(.allocated), program == .other { return facts }
      facts.storage.allocated = object.number(.allocated)?.asSize ?? 0
      facts.storage.links = 1
      let isShared = object.isTrue(.isShared)
      // gdu marks all names of a file but the first.
      if program == .gdu, isShared { facts.flags.insert(.elsewhere) }
      if program != .gdu, isShared, let inode = object.number(.inode)?.asNumber {
        (facts.storage.device, facts.storage.inode) = (device, inode)
        // Earlier versions of ncdu don't say how many names there are.
        facts.storage.links = max(2, UInt32(clamping: object.number(.links)?.asSize ?? 2))
      }
      facts.flags.insert(.stored)
    }
    return facts
  }
}

enum ExportProgram: String {
  case ncdu, gdu
  /// Another one, which may not write the room on disk.
  case other
}
