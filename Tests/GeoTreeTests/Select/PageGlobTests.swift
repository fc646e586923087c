import Foundation
import Testing

@testable import GeoTree

/// The page's name filter finds the same files as the tool; both have to pass the same cases.
@Suite struct PageGlobTests {
  @Test func globsEqualThoseOfThePage() throws {
    let cases = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Outside/rules.json")
    let all = try JSONSerialization.jsonObject(with: Data(contentsOf: cases)) as? [[String: Any]]
    var count = 0
    for one in try #require(all) where one["rule"] as? String == "glob" {
      let input = try #require(one["input"] as? [String])
      var selection = Selection()
      do {
        try selection.requireName(partOrGlob: Array(input[0].utf8))
        let fits = reason(selection, file: Array(input[1].utf8)) == nil
        #expect(one["output"] as? Bool == fits, "\(input)")
      } catch Selection.GlobError.empty {
        // An empty pattern is invalid here; the page never sends one.
      } catch {
        #expect(one["output"] is NSNull, "\(input): \(error)")
      }
      count += 1
    }
    #expect(count > 30)
  }
}
