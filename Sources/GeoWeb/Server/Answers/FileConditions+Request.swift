import GeoAtlas
import GeoTree

extension FileConditions {
  /// Why conditions are none.
  struct Mistake: Error {
    /// What is wrong, and what to do.
    let text: String
  }

  /// The conditions that a request has in its address: `name`, `type`, `size`, `newer`, `older`.
  init(_ request: HTTPRequest) throws(Mistake) {
    self.init()
    if let name = request.parameter("name"), !name.isEmpty {
      if name.count > NameMatch.longestQuery {
        throw Mistake(text: "name: give up to \(NameMatch.longestQuery) bytes")
      }
      do throws(GlobError) {
        try selection.requireName(partOrGlob: name)
      } catch {
        throw Mistake(text: "name: \(error)")
      }
    }
    for word in (request.text("type") ?? "").split(separator: "|") {
      guard let sort = FileSort(word: word) else {
        let words = FileType.allCases.map(\.word.description).joined(separator: "|")
        throw Mistake(text: "type: '\(word)' is none of \(words)|link|device")
      }
      sorts.insert(sort)
    }
    for size in (request.parameter("size") ?? []).split(separator: UInt8(ascii: ",")) {
      // A plus that nobody has encoded has become a blank.
      let text = size.first == 0x20 ? [UInt8(ascii: "+")] + size.dropFirst() : Array(size)
      guard let condition = SizeCondition(parsing: text) else {
        throw Mistake(
          text:
            "size: give a sign and a number, such as +10M, -1kB or =0; units are \(SizeUnit.list)")
      }
      selection.requireSize(condition)
    }
    selection.newer = try Self.time(request, "newer")
    selection.older = try Self.time(request, "older")
    if !isActive {
      throw Mistake(text: "say what to look for: name=, type=, size=, newer= or older=")
    }
  }

  private static func time(
    _ request: HTTPRequest, _ name: StaticString
  ) throws(Mistake) -> Int64? {
    guard let text = request.text(name), !text.isEmpty else { return nil }
    guard let time = Int64(text) else {
      throw Mistake(text: "\(name): give a time in Unix seconds")
    }
    return time
  }
}
