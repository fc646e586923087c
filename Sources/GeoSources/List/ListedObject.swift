import GeoCore

/// The members of a JSON object that describes an entry of a listing.
struct ListedObject {
  enum Member: UInt8 {
    case path, kind, mode, size, modified, isFolder, role, time, sources, entries
  }

  typealias Key = (name: String, member: Member)

  private let names: JSONNames
  private let members: [Member]
  private var key: [UInt8] = []
  private var seen: UInt16 = 0

  private(set) var path: [UInt8] = []
  private(set) var kind: [UInt8] = []
  private(set) var mode: [UInt8] = []
  private(set) var modified: [UInt8] = []
  private(set) var role: [UInt8] = []
  private(set) var time: [UInt8] = []
  private(set) var sources: [[UInt8]] = []
  private(set) var isFolder = false
  private var number = JSONReader.Number.other
  /// A member that is duplicated or of the wrong type.
  private(set) var fault: String?

  init(_ keys: [Key]) {
    names = JSONNames(keys.map(\.name))
    members = keys.map(\.member)
  }

  func has(_ member: Member) -> Bool { seen & 1 << member.rawValue != 0 }

  /// Nil if it is not a whole number of bytes.
  var size: Int64? {
    guard case .whole(let magnitude, isNegative: false) = number else { return nil }
    return Int64(exactly: magnitude)
  }

  /// A negative size is unknown.
  var isUnsized: Bool {
    if case .whole(_, isNegative: true) = number { return true }
    return false
  }

  private func name(of member: Member) -> String {
    members.firstIndex(of: member).map { names[$0] } ?? ""
  }

  /// Reads an object, or its beginning up to an array of entries. Returns whether such an array
  /// comes next; so does the next.
  @discardableResult
  mutating func take(from json: inout JSONReader) throws(JSONReader.Failure) -> Bool {
    seen = 0
    fault = nil
    try json.take("{")
    if try json.takeIf("}") { return false }
    return try takeMembers(from: &json)
  }

  /// To the end of the object.
  mutating func takeMembers(from json: inout JSONReader) throws(JSONReader.Failure) -> Bool {
    repeat {
      guard let index = try json.takeName(among: names, using: &key) else {
        try json.skipValue()
        continue
      }
      let member = members[index]
      if member == .entries, try json.takeIf("[") { return true }
      try take(member, from: &json)
    } while try json.takeIf(",")
    try json.take("}")
    return false
  }

  private mutating func take(
    _ member: Member, from json: inout JSONReader
  ) throws(JSONReader.Failure) {
    let next = try json.peekToken() ?? 0
    // A missing fact.
    if next == UInt8(ascii: "n") { return try json.skipValue() }
    if has(member) { fault = "it has '\(name(of: member))' twice" }
    switch (member, next) {
    case (.path, UInt8(ascii: "\"")): try Self.take(&path, from: &json)
    case (.kind, UInt8(ascii: "\"")): try Self.take(&kind, from: &json)
    case (.mode, UInt8(ascii: "\"")): try Self.take(&mode, from: &json)
    case (.modified, UInt8(ascii: "\"")): try Self.take(&modified, from: &json)
    case (.role, UInt8(ascii: "\"")): try Self.take(&role, from: &json)
    case (.time, UInt8(ascii: "\"")): try Self.take(&time, from: &json)
    case (.size, UInt8(ascii: "-")), (.size, UInt8(ascii: "0")...UInt8(ascii: "9")):
      number = try json.takeNumber()
      // Some numbers, such as 1e3, are valid JSON and no size.
      if size == nil, !isUnsized {
        fault = "its '\(name(of: member))' is not a number of bytes"
      }
    case (.isFolder, UInt8(ascii: "t")), (.isFolder, UInt8(ascii: "f")):
      isFolder = try json.takeWord() ?? false
    case (.sources, UInt8(ascii: "[")): try takeSources(from: &json)
    default:
      fault = "its '\(name(of: member))' is of the wrong type"
      return try json.skipValue()
    }
    seen |= 1 << member.rawValue
  }

  private static func take(
    _ text: inout [UInt8], from json: inout JSONReader
  ) throws(JSONReader.Failure) {
    text.removeAll(keepingCapacity: true)
    try json.takeString(appendingTo: &text)
  }

  private mutating func takeSources(from json: inout JSONReader) throws(JSONReader.Failure) {
    sources = []
    try json.take("[")
    if try json.takeIf("]") { return }
    repeat {
      if try json.peekToken() == UInt8(ascii: "\"") {
        var path: [UInt8] = []
        try json.takeString(appendingTo: &path)
        sources.append(path)
      } else {
        try json.skipValue()
      }
    } while try json.takeIf(",")
    try json.take("]")
  }

  /// Nil inside if the time is unknown; nil if it is not a time.
  var modifiedSeconds: Int64?? {
    if !has(.modified) || modified.isEmpty { return .some(nil) }
    return ListedTime.seconds(modified)
  }
}

enum ListedRole: Equatable {
  case entry(ListedFacts)
  /// The listing itself.
  case head
  /// It is skipped.
  case other
  case fault(String)
}

/// A program that lists entries as JSON objects.
protocol ListedObjectSyntax {
  static var keys: [ListedObject.Key] { get }

  /// Nil if the array has the entries themselves, not heads with them.
  static var entries: String? { get }

  static func role(of object: ListedObject) -> ListedRole

  static func fits(_ object: ListedObject) -> Bool
}

extension ListedObjectSyntax {
  static var entries: String? { nil }
}

/// Objects of `restic ls --json`.
enum ResticSyntax: ListedObjectSyntax {
  // Versions before 0.9.4 wrote an array of snapshots.
  static var entries: String? { "nodes" }

  static let keys: [ListedObject.Key] = [
    ("path", .path), ("type", .kind), ("size", .size), ("mtime", .modified),
    ("struct_type", .role), ("time", .time), ("paths", .sources),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault { return .fault(fault) }
    if object.role.elementsEqual("snapshot".utf8), object.has(.role) { return .head }
    if object.has(.role), !object.role.elementsEqual("node".utf8) { return .other }
    guard object.has(.path) else { return .fault("it has no path") }
    guard object.has(.kind) else { return .fault("it has no type") }
    guard let modified = object.modifiedSeconds else {
      return .fault("its 'mtime' is not a time")
    }
    return .entry(
      ListedFacts(
        kind: kind(object.kind), size: size(of: object), modified: modified))
  }

  /// The size; restic leaves out a size of 0 of files, and has none of links.
  private static func size(of object: ListedObject) -> Int64? {
    if object.has(.size) { return object.size }
    return object.kind.elementsEqual("file".utf8) ? 0 : nil
  }

  private static func kind(_ type: [UInt8]) -> EntryKind {
    if type.elementsEqual("file".utf8) { return .regular }
    if type.elementsEqual("dir".utf8) { return .directory }
    if type.elementsEqual("symlink".utf8) { return .symlink }
    if type.elementsEqual("fifo".utf8) { return .fifo }
    if type.elementsEqual("socket".utf8) { return .socket }
    if type.elementsEqual("dev".utf8) { return .block }
    if type.elementsEqual("chardev".utf8) { return .character }
    return .unknown
  }

  static func fits(_ object: ListedObject) -> Bool {
    guard object.fault == nil, object.has(.role) else { return false }
    if object.role.elementsEqual("snapshot".utf8) { return object.has(.time) }
    return object.role.elementsEqual("node".utf8) && object.has(.path) && object.has(.kind)
  }
}

/// Objects of `borg list --json-lines`.
enum BorgSyntax: ListedObjectSyntax {
  static let keys: [ListedObject.Key] = [
    ("path", .path), ("type", .kind), ("mode", .mode), ("size", .size),
    ("mtime", .modified),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault { return .fault(fault) }
    guard object.has(.path) else { return .fault("it has no path") }
    guard object.has(.kind), let kind = kind(object) else { return .fault("it has no type") }
    guard let modified = object.modifiedSeconds else {
      return .fault("its 'mtime' is not a time")
    }
    // The size of a further name of a file is at its first name only.
    let isLink = object.has(.mode) && object.mode.first == UInt8(ascii: "h")
    let isElsewhere = isLink && object.has(.size) && object.size == 0
    let isKnown = object.has(.size) && !isElsewhere
    var facts = ListedFacts(kind: kind, size: isKnown ? object.size : nil, modified: modified)
    if isElsewhere { facts.flags.insert(.elsewhere) }
    return .entry(facts)
  }

  private static func kind(_ object: ListedObject) -> EntryKind? {
    object.kind.count == 1 ? EntryKind(modeLetter: object.kind[0]) : nil
  }

  static func fits(_ object: ListedObject) -> Bool {
    object.fault == nil && object.has(.path) && object.has(.modified) && object.has(.kind)
      && kind(object) != nil && object.has(.mode) && object.mode.count == 10
  }
}

/// Objects of `rclone lsjson`.
enum RcloneSyntax: ListedObjectSyntax {
  static let keys: [ListedObject.Key] = [
    ("Path", .path), ("IsDir", .isFolder), ("Size", .size),
    ("ModTime", .modified),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault { return .fault(fault) }
    guard object.has(.path) else { return .fault("it has no Path") }
    guard let modified = object.modifiedSeconds else {
      return .fault("its 'ModTime' is not a time")
    }
    let isFolder = object.has(.isFolder) && object.isFolder
    return .entry(
      ListedFacts(
        kind: isFolder ? .directory : .regular, size: object.has(.size) ? object.size : nil,
        modified: modified))
  }

  static func fits(_ object: ListedObject) -> Bool {
    object.fault == nil && object.has(.path) && object.has(.isFolder)
  }
}
