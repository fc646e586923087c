import GeoCore

/// Parses listings of rclone: an array of JSON objects; and of restic before version 0.9.4: an array
/// of one snapshot with such an array.
///
/// A syntax error ends the list; entries before it are kept.
struct JSONArrayParser<Syntax: ListedSyntax>: ListParser {
  private enum Stage { case beginning, items, end }

  private let input: ListInput
  private var json: JSONReader
  private var object = ListedObject(Syntax.keys)
  private var stage = Stage.beginning
  private(set) var head = ListingHead()

  init(_ input: ListInput, _ source: ListSource) {
    self.input = input
    json = JSONReader(input)
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    do throws(JSONReader.Failure) {
      return try take(into: &entry, &faults)
    } catch {
      stage = .end
      guard case .expected(let what) = error else {
        throw input.failure ?? .changed(list: input.name)
      }
      faults.append(
        ListFault(
          position: json.count + 1, reason: "\(what) was expected: cut off, or not JSON"))
      return .end
    }
  }

  private mutating func take(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep {
    let isFirst = stage == .beginning
    switch stage {
    case .end: return .end
    case .beginning:
      try json.take("[")
      if let entries = Syntax.entries {
        guard try takeHead(before: entries) else { return try takeEnd(&faults) }
      }
      stage = .items
    case .items: break
    }
    if try json.takeIf("]") { return try takeEnd(&faults) }
    if !isFirst { try json.take(",") }
    _ = try json.peekToken()
    entry.position = json.count + 1
    try object.take(from: &json)
    switch Syntax.role(of: object) {
    case .entry(let facts):
      entry.replacePath(from: 0, by: (object[.path] ?? [])[...])
      entry.facts = facts
      return .entry
    case .fault(let reason):
      faults.append(ListFault(position: entry.position, reason: reason))
      return .fault
    case .head, .other: return .fault
    }
  }

  /// Returns whether entries follow the beginning of a snapshot.
  private mutating func takeHead(before entries: String) throws(JSONReader.Failure) -> Bool {
    var snapshot = ListedObject(Syntax.keys + [(entries, .entries)])
    let hasEntries = try snapshot.take(from: &json)
    head = ListingHead(snapshot)
    return hasEntries
  }

  private mutating func takeEnd(_ faults: inout [ListFault]) throws(JSONReader.Failure) -> ListStep
  {
    if Syntax.entries != nil {
      if stage == .items {
        if try json.takeIf(",") {
          _ = try object.takeMembers(from: &json)
        } else {
          try json.take("}")
        }
      }
      if try json.takeIf(",") {
        stage = .end
        faults.append(ListFault(position: json.count, reason: ListingHead.another))
        return .end
      }
      try json.take("]")
    }
    stage = .end
    if try json.peekToken() != nil { throw .expected("the end") }
    return .end
  }

  static func beginsWithHead(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: "["), let entries = Syntax.entries else { return false }
    var json = JSONReader(JSONBytes(bytes))
    var snapshot = ListedObject(Syntax.keys + [(entries, .entries)])
    do throws(JSONReader.Failure) {
      try json.take("[")
      _ = try snapshot.take(from: &json)
      return snapshot.fault == nil && snapshot.has(.time) && snapshot.has(.sources)
    } catch {
      return false
    }
  }
}
