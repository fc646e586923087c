import GeoCore
import Testing

@testable import GeoWeb

/// The page as files for a static host.
@Suite struct PublishedPageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func everyFileIsThere() {
    let names = PublishedPage.map.files.map(\.name)
    let versions = Set(names.compactMap { $0.split { "-.".contains($0) }.dropFirst().first })
    let version = versions.first ?? ""
    #expect(versions.count == 1 && version.count == 8)
    #expect(
      names
        == [
          "style-\(version).css", "page-\(version).js", "library-\(version).js",
          "player-\(version).js", "film-\(version).js", "saves-\(version).js",
          "branch-\(version).js", "overview-\(version).js", "search-\(version).js",
          "ruler-\(version).js",
        ]
        .map { "assets/\($0)" })
    #expect(PublishedPage.map.files.allSatisfy { !$0.bytes.isEmpty })
  }

  /// Every file that another one names exists.
  @Test(arguments: [false, true])
  func filesNameEachOther(isPlayed: Bool) {
    let page = isPlayed ? PublishedPage.history : .map
    let index = page.index(title: [0x78], summary: "", address: nil, world: [])
    let names = Set(page.files.map(\.name))
    var found: Set<String> = []
    for (prefix, file) in [("", index)] + page.files.map({ ("assets/", $0) }) {
      for part in text(file.bytes).split(separator: "\"") {
        let name = part.hasPrefix("./") ? prefix + part.dropFirst(2) : String(part)
        guard name.hasPrefix("assets/"), name.hasSuffix(".js") || name.hasSuffix(".css") else {
          continue
        }
        #expect(names.contains(name), "\(file.name): \(name)")
        found.insert(name)
      }
    }
    #expect(found == names)
  }

  /// Everything that the page requests is in its own folder.
  @Test func requestsStayInItsFolder() {
    let index = text(
      PublishedPage.map.index(
        title: Array("a \"b\" <c> & d".utf8), summary: "1 < 2", address: nil,
        world: Array("{\"a\":\"</script>\"}".utf8)
      ).bytes)
    #expect(index.contains("<title>a &quot;b&quot; &lt;c&gt; &amp; d · geomapper</title>"))
    #expect(index.contains("default-src 'none'"))
    #expect(index.contains("<meta name=\"description\" content=\"1 &lt; 2\">"))
    #expect(index.contains(">{\"a\":\"\\u003c/script>\"}</script>\n<script>"))
    #expect(!index.contains("\"/") && !index.contains("og:"))
    for file in PublishedPage.map.files {
      for word in ["https://", "http://", "fetch(\"/", "fetch(`/", "innerHTML", "eval("] {
        #expect(!text(file.bytes).contains(word), "\(file.name): \(word)")
      }
    }
    let reported = text(
      PublishedPage.map.index(title: [0x78], summary: "", address: "https://a/?b&c\"d", world: [])
        .bytes
    )
    #expect(reported.contains("og:url\" content=\"https://a/?b&amp;c&quot;d\""))
  }

  /// The first requests don't wait for the style sheet, and the policy allows them.
  @Test func startsBeforeTheStyleIsLoaded() throws {
    let index = text(
      PublishedPage.map.index(title: [0x78], summary: "", address: nil, world: [0x7B, 0x7D]).bytes)
    let start = try #require(index.firstRange(of: "<script>"))
    let end = try #require(index[start.upperBound...].firstRange(of: "</script>"))
    let script = Array(index[start.upperBound..<end.lowerBound].utf8)
    #expect(index.contains("'sha256-\(Base64.encode(SHA256.digest(script)))'"))
    let style = try #require(index.firstRange(of: "rel=\"stylesheet\""))
    let data = try #require(index.firstRange(of: "id=\"world\""))
    #expect(data.upperBound < start.lowerBound && end.upperBound < style.lowerBound)
  }

  /// Lines can be processed one by one: no string has several lines, and no comment ends within a
  /// line.
  @Test func scriptsCanBeMadeCompact() {
    for file in PageFile.all where file.name.hasSuffix(".js") {
      for line in text(file.bytes).split(separator: "\n") {
        #expect(line.filter { $0 == "`" }.count % 2 == 0, "\(file.name): \(line)")
        let bare = line.drop { $0 == " " }
        #expect(!bare.hasPrefix("/*") || !bare.dropLast(2).contains("*/"), "\(file.name): \(line)")
      }
    }
  }
}
