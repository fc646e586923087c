import Foundation
import GeoFormats
import TestSupport
import Testing

@testable import GeoDraw

/// Sheets of two states follow the page's rules: both pass the same cases.
@Suite struct ChangeRuleTests {
  @Test func changesEqualThoseOfThePage() throws {
    let cases = try RuleCase.all(in: "changes.json")
    #expect(cases.count >= 60)
    for entry in cases {
      let result = try #require(Self.result(of: entry), "\(entry.rule)")
      #expect(
        RuleCase.agree(result, entry.output),
        "\(entry.rule) of \(entry.input): \(result), not \(entry.output)")
    }
  }

  private static func symbols(_ entry: RuleCase) -> [Symbols.Symbol] {
    entry.list.map { symbol in
      let numbers = RuleCase.numbers(symbol)
      return Symbols.Symbol(
        middle: Point(numbers[0], numbers[1]), radius: numbers[2], isSquare: numbers[3] != 0,
        group: numbers.count > 4 ? Int(numbers[4]) : nil)
    }
  }

  private static func result(of entry: RuleCase) -> Any? {
    switch entry.rule {
    case "change": return change(entry.object).map(members) ?? NSNull()
    case "shown":
      let all = entry.list.enumerated().map { index, sizes in
        let numbers = RuleCase.numbers(sizes)
        return (
          thing: Double(index),
          change: SizeChange(
            ofFolder: .none, from: Int64(numbers[0]), to: Int64(numbers[1]), isTouched: false)
        )
      }
      return SizeChange.shown(all).map(\.thing)
    case "lines":
      guard let change = change(ofMembers: entry.object) else { return nil }
      return change.lines(files: number(entry.object["files"]))
    case "newFile":
      return entry.number.map { "new · " + SheetText.bytes($0) }
    case "moved": return moved(entry.list)
    case "unit":
      let given = entry.object
      return Symbols.unit(
        lands: RuleCase.numbers(given["lands"]), files: RuleCase.numbers(given["files"]),
        isWorld: (given["isWorld"] as? NSNumber)?.boolValue ?? false,
        area: RuleCase.number(given["area"]) ?? 0, side: RuleCase.number(given["side"]) ?? 0)
    case "references":
      let numbers = entry.numbers
      return Symbols.references(unit: numbers[0], largest: numbers[1], radius: 26)
    case "apart":
      return Symbols.pushedApart(symbols(entry)).flatMap { [$0.x, $0.y] }
    case "room":
      let places = entry.list.map { Array(RuleCase.numbers($0).suffix(2)) }
      return Symbols.withRoom(symbols(entry), places.map { Point($0[0], $0[1]) })
    case "rims":
      let ends = entry.list.map(RuleCase.numbers)
      let arrow = ChangeSigns.Arrow(
        from: Point(ends[0][0], ends[0][1]), to: Point(ends[1][0], ends[1][1]), width: 1,
        move: LandMove(from: [], to: [], files: 1, bytes: 1)
      ).betweenRims((ends[0][2], ends[1][2]))
      return [arrow.from.x, arrow.from.y, arrow.to.x, arrow.to.y]
    case "colours": return colours(entry.input as? String == "dark" ? .dark : .light)
    default: return nil
    }
  }

  private static func number(_ value: Any?) -> Int64? { RuleCase.number(value).map { Int64($0) } }

  private static func change(_ thing: [String: Any]) -> SizeChange? {
    let change: NodeChange =
      switch thing["change"] as? String {
      case "added": .added
      case "removed": .removed
      case "changed": .changed
      case "moved": .moved
      case "left": .left
      default: .none
      }
    guard let states = thing["states"] as? [[String: Any]] else {
      let was = thing["was"] as? [String: Any]
      return SizeChange(ofFile: change, size: number(thing["bytes"]), was: number(was?["size"]))
    }
    return SizeChange(
      ofFolder: change, from: number(states[0]["bytes"]), to: number(states[1]["bytes"]),
      isTouched: change != .none || thing["below"] != nil)
  }

  private static func members(_ change: SizeChange) -> [String: Any] {
    ["kind": change.kind.rawValue, "before": Double(change.before), "after": Double(change.after)]
  }

  private static func change(ofMembers given: [String: Any]) -> SizeChange? {
    guard let kind = (given["kind"] as? String).flatMap(SizeChange.Kind.init),
      let before = number(given["before"]), let after = number(given["after"])
    else { return nil }
    return SizeChange(kind, from: before, to: after)
  }

  private static func moved(_ rows: [Any]) -> [Any] {
    let moves = rows.compactMap { row -> LandMove? in
      guard let row = row as? [String: Any], let path = row["path"] as? String,
        let from = row["from"] as? String
      else { return nil }
      return LandMove(
        from: Array(from.utf8), to: Array(path.utf8), files: number(row["files"]) ?? 1,
        bytes: number(row["size"]) ?? 0)
    }
    let sums = LandMove.sums(moves) { path in
      let names = path.split(separator: UInt8(ascii: "/"))
      return names.first == [UInt8(ascii: "r")]
        ? Array(names.prefix(2).joined(separator: [UInt8(ascii: "/")])) : nil
    }
    return sums.map {
      [
        "from": String(decoding: $0.from, as: UTF8.self),
        "to": String(decoding: $0.to, as: UTF8.self), "files": Double($0.files),
        "bytes": Double($0.bytes), "text": $0.text,
      ] as [String: Any]
    }
  }

  /// The colours of changes that sheets share with the page, as 24-bit numbers.
  private static func colours(_ theme: Theme) -> [String: Any] {
    func number(_ paint: Paint) -> Double { (paint.red * 256 + paint.green) * 256 + paint.blue }
    var found: [String: Any] = [
      "faint": number(theme.faint), "same": number(theme.colour(of: .same)),
    ]
    for kind in [SizeChange.Kind.added, .removed, .grew, .shrank, .moved] {
      found[kind.rawValue] = number(theme.colour(of: kind))
      found[kind.rawValue + "ink"] = number(theme.ink(of: kind))
    }
    return found
  }
}
