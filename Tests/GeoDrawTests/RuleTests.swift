import Foundation
import TestSupport
import Testing

@testable import GeoDraw

/// The printed sheets follow the page's rules: both pass the same cases.
@Suite struct RuleTests {
  @Test func rulesEqualThoseOfThePage() throws {
    let cases = try RuleCase.all()
    #expect(cases.count >= 100)
    var unknown: Set<String> = []
    for entry in cases {
      guard let result = Self.result(of: entry) else {
        unknown.insert(entry.rule)
        continue
      }
      #expect(
        RuleCase.agree(result, entry.output),
        "\(entry.rule) of \(entry.input): \(result), not \(entry.output)")
    }
    // Rules without a counterpart on a sheet: finding by name, built-up ground, and drawing while
    // the map moves.
    let pages: Set = ["glob", "hidden", "brightness", "fits", "settled", "town"]
    #expect(unknown.isSubset(of: pages), "\(unknown)")
  }

  @Test func comparisonOfRulesCanFail() {
    #expect(RuleCase.agree([1.0, 2], [1, 2.000000001]))
    #expect(!RuleCase.agree([1.0, 2], [1, 2.1]))
    #expect(!RuleCase.agree([1.0], [1, 2]))
    #expect(!RuleCase.agree(["a": 1], ["b": 1]))
    #expect(!RuleCase.agree(NSNull(), 0))
  }

  /// The result of a case; nil for an unknown rule.
  private static func result(of entry: RuleCase) -> Any? {
    let numbers = entry.numbers
    switch entry.rule {
    case "wander":
      let point = Field.wander(numbers[0], numbers[1])
      return [point.x, point.y]
    case "ridges": return Field.ridges(numbers[0], numbers[1])
    case "height": return entry.number.map { Look.height($0) }
    case "dashes": return entry.number.map { Look.dashes(depth: Int($0)) }
    case "border":
      let border = Look.border(depth: Int(numbers[0]), breadth: numbers[1])
      return ["width": border.width, "alpha": border.alpha]
    case "ownTint": return Look.ownTint(depth: Int(numbers[0]), around: numbers[1])
    case "strength": return entry.number.map { Look.tintStrength(breadth: $0) }
    case "numbers":
      return ClassBounds.ofNumbers(
        RuleCase.numbers(entry.list[0]), isRatio: entry.list[1] as? Bool ?? false)
    case "classes": return Look.classBounds(numbers)
    case "ages":
      let bounds = AgeClasses.bounds(numbers)
      return [bounds, bounds.map(AgeClasses.words)] as [Any]
    case "hull": return Hull(points(entry.input)).points.map { [$0.x, $0.y] }
    case "line": return line(entry.list)
    case "letters": return letters(entry.list)
    case "colours": return colours(entry.input as? String == "dark" ? .dark : .light)
    default: return nil
    }
  }

  private static func points(_ value: Any?) -> [Point] {
    RuleCase.points(value).map { Point($0[0], $0[1]) }
  }

  /// The colours that sheets share with the page, as 24-bit numbers.
  private static func colours(_ theme: Theme) -> [String: Any] {
    func number(_ paint: Paint) -> Double { (paint.red * 256 + paint.green) * 256 + paint.blue }
    let single = [
      "land": theme.land, "coast": theme.coast, "unknown": theme.unknown, "soft": theme.soft,
    ]
    let several = [
      "tint": theme.tints, "edge": theme.edges, "border": theme.borders, "ink": theme.inks,
      "types": theme.types, "ramp": theme.ramp, "ages": theme.ages,
    ]
    return single.mapValues(number).merging(several.mapValues { $0.map(number) } as [String: Any]) {
      one, _ in one
    }
  }

  private static func line(_ input: [Any]) -> Any {
    let isContinent = (input[1] as? NSNumber)?.boolValue ?? false
    guard let line = NameLine(through: Hull(points(input[0])), isContinent: isContinent) else {
      return NSNull()
    }
    return [
      "x": line.middle.x, "y": line.middle.y, "angle": line.angle, "length": line.length,
      "sag": line.sag, "chord": line.chord, "breadth": line.breadth,
    ]
  }

  private static func letters(_ input: [Any]) -> Any {
    let hull = Hull(points(input[0]))
    guard let line = NameLine(through: hull, isContinent: false) else { return NSNull() }
    let placed = PlacedLetters(
      in: hull, along: line, widths: RuleCase.numbers(input[1]),
      sizes: RuleCase.numbers(input[2]), tracks: RuleCase.numbers(input[3])
    ) { _ in true }
    guard let placed else { return NSNull() }
    return [
      "size": placed.size, "track": placed.track,
      "at": placed.letters.map { [$0.point.x, $0.point.y, $0.angle] },
    ] as [String: Any]
  }
}
