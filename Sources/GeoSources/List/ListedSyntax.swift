import GeoCore

/// A program that lists entries as JSON objects.
protocol ListedSyntax {
  static var keys: [ListedObject.Key] { get }

  /// The member with the entries of a head, in an array of such heads; nil if the array has the
  /// entries themselves.
  static var entries: String? { get }

  static func role(of object: ListedObject) -> ListedRole

  /// Whether an object is typical of the program.
  static func fits(_ object: ListedObject) -> Bool
}

extension ListedSyntax {
  static var entries: String? { nil }
}

enum ListedRole: Equatable {
  case entry(ListedFacts)
  case head
  case other
  case fault(String)
}

/// Objects of `restic ls --json`.
enum ResticSyntax: ListedSyntax {
  // Versions before 0.9.4 wrote an array of snapshots.
  static var entries: String? { "nodes" }

  static let keys: [ListedObject.Key] = [
    ("path", .path), ("type", .kind), ("size", .size), ("mtime", .modified),
    ("struct_type", .role), ("time", .time), ("paths", .sources),
  ]

  private static let kinds: [(name: String, kind: EntryKind)] = [
    ("file", .regular), ("dir", .directory), ("symlink", .symlink), ("fifo", .fifo),
    ("socket", .socket), ("dev", .block), ("chardev", .character),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault { return .fault(fault) }
    if let role = object[.role], !role.elementsEqual("node".utf8) {
      return role.elementsEqual("snapshot".utf8) ? .head : .other
    }
    if let fault = object.fault(asEntryWith: .path, .kind) { return .fault(fault) }
    let type = object[.kind] ?? []
    let kind = kinds.first { type.elementsEqual($0.name.utf8) }?.kind ?? .unknown
    // A size of 0 is left out, and links have none.
    let size = !object.has(.size) && kind == .regular ? 0 : object.size
    return .entry(ListedFacts(kind: kind, size: size, modified: object.modified))
  }

  static func fits(_ object: ListedObject) -> Bool {
    guard object.fault == nil, let role = object[.role] else { return false }
    if role.elementsEqual("snapshot".utf8) { return object.has(.time) }
    return role.elementsEqual("node".utf8) && object.has(.path) && object.has(.kind)
  }
}

/// Objects of `borg list --json-lines`.
enum BorgSyntax: ListedSyntax {
  static let keys: [ListedObject.Key] = [
    ("path", .path), ("type", .kind), ("mode", .letters), ("size", .size), ("mtime", .modified),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault { return .fault(fault) }
    guard object.has(.path) else { return .fault("it has no path") }
    guard let kind = kind(object) else { return .fault("it has no type") }
    if let fault = object.fault(asEntryWith: .path) { return .fault(fault) }
    // The size of a further name of a file is at its first name only.
    let isElsewhere = object[.letters]?.first == UInt8(ascii: "h") && object.size == 0
    var facts = ListedFacts(
      kind: kind, size: isElsewhere ? nil : object.size, modified: object.modified)
    if isElsewhere { facts.flags.insert(.elsewhere) }
    return .entry(facts)
  }

  private static func kind(_ object: ListedObject) -> EntryKind? {
    object[.kind].flatMap { $0.count == 1 ? EntryKind(modeLetter: $0[0]) : nil }
  }

  static func fits(_ object: ListedObject) -> Bool {
    object.fault == nil && object.has(.path) && object.has(.modified) && kind(object) != nil
      && object[.letters]?.count == 10
  }
}

/// Objects of `rclone lsjson`.
enum RcloneSyntax: ListedSyntax {
  static let keys: [ListedObject.Key] = [
    ("Path", .path), ("IsDir", .isFolder), ("Size", .size), ("ModTime", .modified),
  ]

  static func role(of object: ListedObject) -> ListedRole {
    if let fault = object.fault ?? object.fault(asEntryWith: .path) { return .fault(fault) }
    return .entry(
      ListedFacts(
        kind: object.isTrue(.isFolder) ? .directory : .regular, size: object.size,
        modified: object.modified))
  }

  static func fits(_ object: ListedObject) -> Bool {
    object.fault == nil && object.has(.path) && object.has(.isFolder)
  }
}
