import TestSupport
import Testing

@testable import GeoSources

/// The texts that ask for layers.
@Suite struct MapLayerTests {
  private func parse(_ text: String) throws -> MapLayer {
    try MapLayer(parsing: Array(text.utf8))
  }

  private func file(_ path: String, _ column: String? = nil) -> MapLayer.Source {
    .file(Array(path.utf8), column: column.map { Array($0.utf8) })
  }

  @Test func textsAreParsed() throws {
    #expect(try parse("owner") == MapLayer(source: .owner))
    #expect(try parse("who=group") == MapLayer(name: "who", source: .group))
    #expect(
      try parse("m:word=git:commits")
        == MapLayer(name: "m", how: .word, source: .git(.commits, since: nil))
    )
    #expect(try parse("git:last-author") == MapLayer(source: .git(.lastAuthor, since: nil)))
    #expect(try parse("x.csv") == MapLayer(source: file("x.csv")))
    #expect(try parse("a-1_B:mean=x.csv#n").how == .mean)
    #expect(try parse("a:ratio=x.csv#n/m").source == file("x.csv", "n/m"))
    #expect(try parse("./owner").source == file("./owner"))
    #expect(try parse("./a=b.csv") == MapLayer(source: file("./a=b.csv")))
    #expect(try parse("a#b#c").source == file("a#b", "c"))
    #expect(try parse("n=a=b").source == file("a=b"))
  }

  @Test func filesWithSignsInTheirNamesWin() throws {
    let folder = try TemporaryFolder()
    for name in ["a=b.csv", "a#b.csv", "c.csv"] { try folder.makeFile(name) }
    let path = folder.path
    #expect(try parse("\(path)/a=b.csv") == MapLayer(source: file("\(path)/a=b.csv")))
    #expect(try parse("n=\(path)/a=b.csv").source == file("\(path)/a=b.csv"))
    #expect(try parse("\(path)/a#b.csv").source == file("\(path)/a#b.csv"))
    #expect(try parse("\(path)/a#b.csv#c").source == file("\(path)/a#b.csv", "c"))
    #expect(try parse("\(path)/c.csv#a#b").source == file("\(path)/c.csv", "a#b"))
  }

  @Test func faultsSayWhatToDo() {
    func message(_ text: String) -> String {
      do {
        return "\(try parse(text))"
      } catch {
        return "\(error)"
      }
    }
    #expect(message("a b=x").hasPrefix("'a b' can't be the name of a layer: names have up to 64 "))
    #expect(message("a b=x").hasSuffix("for a file of that name give './a b=x'"))
    #expect(
      message("a:avg=x")
        == "'avg' is not a way to sum up (try sum, mean, ratio, max, min, share, word)")
    #expect(
      message("git:churn")
        == "'git:churn' is not a layer of git (try git:commits, git:authors, git:last-author, "
        + "git:main-author, git:lines)")
    #expect(
      message("a=") == "the source is empty (try NAME=FILE, owner, group or git:commits)")
    #expect(message("x.csv#") == "no column follows the '#' in 'x.csv#'")
  }

  @Test func waysToSumUpFitTheSource() throws {
    let made = try LayerCase()
    try made.folder.makeFile("x.info", "SF:a\nDA:1,1\n")
    try made.folder.makeFile("x.sarif", "{}")
    #expect(made.refusal("a:sum=owner") == "a can't sum up by sum; it can by share, word")
    #expect(made.refusal("a:mean=@x.info") == "a can't sum up by mean; it can by ratio")
    #expect(made.refusal("a:ratio=@x.sarif")?.contains("a ratio needs two columns") == true)
    #expect(
      made.refusal("@x.info#a") == "@x.info has no columns to choose from; give it without '#'")
    #expect(try made.open("a:max=@x.sarif", "@x.info").shapes == ["a:max", "coverage:ratio"])
    #expect(
      made.refusal("@x.info#")?.hasPrefix("no column follows") == true)
  }
}
