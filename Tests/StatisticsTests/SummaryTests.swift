import Statistics
import Testing

@Suite struct SummaryTests {
  @Test func quartilesLieBetweenNeighbours() throws {
    let summary = try #require(Summary([4, 1, 3, 2]))
    #expect(summary.least == 1)
    #expect(summary.lowerQuartile == 1.75)
    #expect(summary.median == 2.5)
    #expect(summary.upperQuartile == 3.25)
    #expect(summary.most == 4)
    #expect(summary.spread == 0.6)
  }

  @Test func oneFigureIsAllOfThem() throws {
    let summary = try #require(Summary([7]))
    #expect([summary.least, summary.lowerQuartile, summary.median, summary.most] == [7, 7, 7, 7])
    #expect(summary.spread == 0)
  }

  @Test func nothingHasNoSummary() { #expect(Summary([]) == nil) }

  @Test func zeroHasNoSpread() throws { #expect(try #require(Summary([0, 0, 0])).spread == 0) }
}
