import GeoTree
import GeoCore
import Testing

@Suite struct ValueTests {
  private static let examples: [(String, Selection.SizeCondition)] = [
    ("+10M", .above(10 << 20)), ("-1k", .below(1024)), ("=0", .exactly(0)),
    ("512", .exactly(512)), ("+1c", .above(1)), ("-2G", .below(2 << 30)), ("1T", .exactly(1 << 40)),
    ("+3K", .above(3072)), ("+100MB", .above(100_000_000)), ("-1kB", .below(1000)),
    ("-1KiB", .below(1024)), ("=2GiB", .exactly(2 << 30)), ("3GB", .exactly(3_000_000_000)),
    ("1TB", .exactly(1_000_000_000_000)), ("1TiB", .exactly(1 << 40)), ("7B", .exactly(7)),
    ("5MiB", .exactly(5 << 20)), ("5mB", .exactly(5_000_000)),
    ("9223372036854775807", .exactly(.max)),
  ]

  @Test(arguments: examples)
  func parsesSizes(text: String, condition: Selection.SizeCondition) {
    #expect(Selection.SizeCondition(parsing: Array(text.utf8)) == condition)
  }

  /// A size may have decimals, and its unit small letters.
  @Test(arguments: [
    ("1.5k", Selection.SizeCondition.exactly(1536)), ("+1.5G", .above(3 << 29)),
    ("+1gb", .above(1_000_000_000)), ("1Mb", .exactly(1_000_000)), ("1MIB", .exactly(1 << 20)),
    ("2gib", .exactly(2 << 30)), ("0.3k", .exactly(307)), ("1.5", .exactly(1)), ("7b", .exactly(7)),
  ])
  func parsesDecimalsAndLowerCase(text: String, condition: Selection.SizeCondition) {
    #expect(Selection.SizeCondition(parsing: Array(text.utf8)) == condition)
  }

  @Test(arguments: [
    "", "+", "k", "+k", "1kk", "1.k", ".5k", "1.5.5", "1.-5k", "++1", "1x", " 1",
    "9223372036854775808", "8388608T",
    "B", "+MB", "1iB", "1MiBB", "1MBi", "1 MB", "9223372036854776kB", "1BB", "1cB",
  ])
  func refusesMalformedSizes(text: String) {
    #expect(Selection.SizeCondition(parsing: Array(text.utf8)) == nil)
  }

  @Test func sizesAreCompared() {
    #expect(
      Selection.SizeCondition.above(5).holds(for: 6)
        && !Selection.SizeCondition.above(5).holds(for: 5))
    #expect(
      Selection.SizeCondition.below(5).holds(for: 4)
        && !Selection.SizeCondition.below(5).holds(for: 5))
    #expect(
      Selection.SizeCondition.exactly(5).holds(for: 5)
        && !Selection.SizeCondition.exactly(5).holds(for: 6))
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("2026-01-31", 1_769_817_600), ("2026-01-31T12:00", 1_769_860_800),
    ("2026-01-31 12:00:59.9Z", 1_769_860_859), ("2026-01-31T12:00+02:00", 1_769_853_600),
    ("2026-01-31t12:00:00-0130", 1_769_866_200), ("2026-01-31T12:00:00,5+02", 1_769_853_600),
    ("1969-12-31", -86400), ("0000-01-01", -62_167_219_200), ("9999-12-31", 253_402_214_400),
    ("2000-02-29", 951_782_400), ("2024-02-29", 1_709_164_800), ("@0", 0), ("@-5", -5),
    ("@1700000000", 1_700_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800),
  ])
  func parsesTimes(text: String, seconds: Int64) {
    #expect(Moment.seconds(parsing: Array(text.utf8)) == seconds)
  }

  @Test(arguments: [
    "", "@", "@x", "@1.5", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-01-32",
    "2023-02-29", "1900-02-29", "2026-01-31T", "2026-01-31T24:01", "2026-01-31T12",
    "2026-01-31T12:60", "2026-01-31T12:00:61", "2026-01-31T12:00:00.", "2026-01-31T12:00X",
    "2026-01-31T12:00+2", "2026-01-31T12:00+24:00", "2026-01-31Z", "2026-01-31 ", "20260131",
    "file",
  ])
  func refusesMalformedTimes(text: String) {
    #expect(Moment.seconds(parsing: Array(text.utf8)) == nil)
  }

  @Test func readsGitSettings() {
    let text = """
      ; comment
      [core] ; more
      \texcludesFile = ~/one  # ignored
      [Core]
      ExcludesFile = "two  # \\"kept\\"" and\\
       more\t
      [core "sub"]
      excludesfile = not
      [include]
      path = ../other
      [core]
      bare
      excludesfile=
      """
    #expect(
      GitConfig.settings(in: Array(text.utf8)) == [
        .excludesFile(Array("~/one".utf8)),
        .excludesFile(Array("two  # \"kept\" and more".utf8)),
        .include(Array("../other".utf8)), .excludesFile([]),
      ])
    #expect(GitConfig.settings(in: Array("[core\nexcludesfile = x".utf8)).count <= 1)
  }
}
