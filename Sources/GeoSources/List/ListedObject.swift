import GeoCore

/// The members of a JSON object that describes an entry of a listing or of an export.
struct ListedObject {
  enum Member: UInt8, CaseIterable {
    case path, kind, letters, modified, role, time, excluded
    case size, bytes, seconds, mode, allocated, inode, links, device
    case isFolder, isSpecial, isUnreadable, isShared
    case sources, entries

    fileprivate enum Form { case text, number, truth, texts }

    fileprivate var form: Form {
      switch self {
      case .path, .kind, .letters, .modified, .role, .time, .excluded: .text
      case .size, .bytes, .seconds, .mode, .allocated, .inode, .links, .device: .number
      case .isFolder, .isSpecial, .isUnreadable, .isShared: .truth
      case .sources, .entries: .texts
      }
    }
  }

  typealias Key = (name: String, member: Member)

  private let names: JSONNames
  private let members: [Member]
  /// In exports `null` is of the wrong type; in listings it is a missing fact.
  private let isOfExport: Bool
  private var key: [UInt8] = []
  private var seen: UInt32 = 0

  // By the raw values of members.
  private var texts = Member.allCases.map { _ in [UInt8]() }
  private var numbers = Member.allCases.map { _ in JSONReader.Number.other }
  private var truths = Member.allCases.map { _ in false }
  private(set) var sources: [[UInt8]] = []
  /// Nil inside if the time is unknown; nil if it is not a time such as
  /// `2026-01-31T12:00:59.5+02:00`. Without a zone it is unknown.
  private var time: Int64?? = .some(nil)
  /// A member that is duplicated or of the wrong type.
  private(set) var fault: String?

  init(_ keys: [Key], isOfExport: Bool = false) {
    names = JSONNames(keys.map(\.name))
    members = keys.map(\.member)
    self.isOfExport = isOfExport
  }

  func has(_ member: Member) -> Bool { seen & 1 << member.rawValue != 0 }

  subscript(member: Member) -> [UInt8]? { has(member) ? texts[Int(member.rawValue)] : nil }

  func number(_ member: Member) -> JSONReader.Number? {
    has(member) ? numbers[Int(member.rawValue)] : nil
  }

  func isTrue(_ member: Member) -> Bool { has(member) && truths[Int(member.rawValue)] }

  private func name(of member: Member) -> String {
    members.firstIndex(of: member).map { names[$0] } ?? ""
  }

  /// Reads an object, or its beginning up to an array of entries. Returns whether such an array
  /// comes next; so does the next.
  @discardableResult
  mutating func take(from json: inout JSONReader) throws(JSONReader.Failure) -> Bool {
    seen = 0
    time = .some(nil)
    fault = nil
    try json.take("{")
    if try json.takeIf("}") { return false }
    return try takeMembers(from: &json)
  }

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
    if next == UInt8(ascii: "n"), !isOfExport { return try json.skipValue() }
    if has(member) { fault = "it has '\(name(of: member))' twice" }
    let place = Int(member.rawValue)
    switch (member.form, next) {
    case (.text, UInt8(ascii: "\"")):
      texts[place].removeAll(keepingCapacity: true)
      try json.takeString(appendingTo: &texts[place])
      if member == .modified { time = Self.time(texts[place]) }
    case (.number, UInt8(ascii: "-")), (.number, UInt8(ascii: "0")...UInt8(ascii: "9")):
      numbers[place] = try json.takeNumber()
      // Some numbers, such as 1e3, are valid JSON and no size. A negative size is unknown.
      if member == .size, numbers[place] == .other || numbers[place].asNumber ?? 0 > Int64.max {
        fault = "its '\(name(of: member))' is not a number of bytes"
      }
    case (.truth, UInt8(ascii: "t")), (.truth, UInt8(ascii: "f")):
      truths[place] = try json.takeWord() ?? false
    case (.texts, UInt8(ascii: "[")): try takeSources(from: &json)
    default:
      fault = "its '\(name(of: member))' is of the wrong type"
      if isOfExport { seen |= 1 << member.rawValue }
      return try json.skipValue()
    }
    seen |= 1 << member.rawValue
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

  // MARK: Facts

  var size: Int64? { number(.size)?.asSize }

  private static func time(_ text: [UInt8]) -> Int64?? {
    if text.isEmpty { return .some(nil) }
    guard let seconds = Moment.seconds(parsing: text), text.first != UInt8(ascii: "@") else {
      return nil
    }
    let hasZone = text.dropFirst(10).contains { byte in
      switch byte {
      case UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
      default: false
      }
    }
    return .some(hasZone ? seconds : nil)
  }

  var modified: Int64? { time ?? nil }

  /// Why it can't be an entry, which needs some members.
  func fault(asEntryWith members: Member...) -> String? {
    if let missing = members.first(where: { !has($0) }) {
      return "it has no \(name(of: missing))"
    }
    return time == nil ? "its '\(name(of: .modified))' is not a time" : nil
  }
}

extension JSONReader.Number {
  /// In bytes, below 2^63.
  var asSize: Int64? { asNumber.flatMap { Int64(exactly: $0) } }

  var asNumber: UInt64? {
    guard case .whole(let magnitude, isNegative: false) = self else { return nil }
    return magnitude
  }

  /// Seconds since 1970. ncdu writes negative times as unsigned numbers from 2^63 on.
  var asTime: Int64? {
    guard case .whole(let magnitude, let isNegative) = self else { return nil }
    if !isNegative { return Int64(bitPattern: magnitude) }
    return magnitude <= UInt64(Int64.max) ? -Int64(magnitude) : nil
  }
}
