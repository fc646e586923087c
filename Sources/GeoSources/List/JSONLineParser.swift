import GeoCore

/// Parses listings of restic and borg: a JSON object a line.
///
/// A syntax error ends its line; the lines after it are read.
struct JSONLineParser<Syntax: ListedSyntax>: ListParser {
  private let input: ListInput
  private var json: JSONReader
  private var object = ListedObject(Syntax.keys)
  private var hasHead = false
  private(set) var head = ListingHead()

  init(_ input: ListInput, _ source: ListSource) {
    self.input = input
    json = JSONReader(input)
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    do throws(JSONReader.Failure) {
      while try json.peekToken() != nil {
        entry.position = UInt64(json.line)
        if let step = try take(into: &entry, &faults) { return step }
      }
      return .end
    } catch {
      throw input.failure ?? .changed(list: input.name)
    }
  }

  private mutating func take(
    into entry: inout ListedEntry, _ faults: inout [ListFault]
  ) throws(JSONReader.Failure) -> ListStep? {
    let line = json.line
    func fault(_ reason: String) -> ListStep {
      faults.append(ListFault(position: UInt64(line), reason: reason))
      return .fault
    }
    do throws(JSONReader.Failure) {
      try object.take(from: &json)
      if try json.peekToken() != nil, json.line == line { throw .expected("the end of the line") }
    } catch {
      guard case .expected(let what) = error else { throw error }
      if json.line == line { try json.skipLine() }
      return fault("\(what) was expected: cut off, or not JSON")
    }
    switch Syntax.role(of: object) {
    case .fault(let reason): return fault(reason)
    case .other: return nil
    case .head:
      if hasHead { return fault(ListingHead.another) }
      hasHead = true
      head = ListingHead(object)
      return nil
    case .entry(let facts):
      entry.replacePath(from: 0, by: (object[.path] ?? [])[...])
      entry.facts = facts
      return .entry
    }
  }
}
