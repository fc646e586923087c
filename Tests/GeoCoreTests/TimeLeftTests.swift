import Testing

@testable import GeoCore

@Suite struct TimeLeftTests {
  @Test(arguments: [
    (0.0, 5.0, "0 %"), (0.5, 0.5, "50 %"), (0.009, 60, "0 %"), (0.5, 10, "50 %, 10 s left"),
    (0.25, 20, "25 %, 1 min 0 s left"), (0.4, 60, "40 %, 1 min 30 s left"),
    (0.01, 120, "1 %, 3 h 18 min left"), (0.999, 100, "99 %, 2 s left"), (7, 0, "99 %"),
    (-1, 9, "0 %"),
  ])
  func words(done: Double, seconds: Double, text: String) {
    #expect(TimeLeft.text(done: done, elapsed: Int64(seconds * 1e9)) == text)
  }
}
