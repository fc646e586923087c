import Foundation
import TestSupport
import Testing

@testable import GeoLive

@Suite struct TrendTests {
  @Test func extremeTimesDontTrap() {
    for times in [(Int64.min, Int64.max), (.max, .min), (0, .min)] {
      let forecast = Forecast([(times.0, 0), (times.1, .max)], free: .max)
      if case .full(let hours, _, _) = forecast { #expect(hours > 0) }
    }
  }

  @Test func keepsTheLastSevenDays() {
    var generator = SeededGenerator(seed: 1)
    var series = SampleSeries()
    var all: [(Int64, Int64)] = []
    var (time, step): (Int64, Int64) = (0, 60)
    var value: Int64 = 1 << 40
    for _ in 0..<30_000 {
      // Most steps are as long as the one before, and often nothing has changed.
      if generator.chance(0.1) { step = Int64(generator.number(in: 0...120)) }
      time += step
      if generator.chance(0.3) { value &+= Int64(generator.number(in: -1_000_000...1_000_000)) }
      if generator.chance(0.001) { value = generator.chance(0.5) ? .max : .min }
      series.add(value, at: time)
      all.append((time, value))
    }
    let start = time - SampleSeries.span
    let expected = all.filter { $0.0 >= start }
    var found: [(Int64, Int64)] = []
    series.forEach(since: start) { found.append(($0, $1)) }
    #expect(found.elementsEqual(expected) { $0 == $1 })
    #expect(series.count < expected.count + 1024)
    #expect(series.last?.time == time && series.last?.value == value)
  }

  /// A sample a minute, for a thousand folders and seven days, has to fit into 50 MB.
  @Test func samplesFitIntoFewBytes() {
    var generator = SeededGenerator(seed: 2)
    var series = SampleSeries()
    var value: Int64 = 1 << 40
    for minute in 0..<(7 * 1440) {
      value += Int64(generator.number(in: -100_000...1_000_000))
      series.add(value, at: Int64(minute) * 60)
    }
    #expect(series.count == 7 * 1440)
    #expect(series.cost < 50_000, "\(series.cost)")
  }

  /// A thousand folders that all change every minute for seven days have to fit into 50 MB.
  @Test func bookHoldsManyFolders() throws {
    var generator = SeededGenerator(seed: 3)
    var book = SampleBook()
    let paths = [Array("r".utf8)] + (0..<20).map { Array("r/\($0)".utf8) }
    var sums = paths.map { _ in (bytes: Int64(1) << 40, files: Int64(1000)) }
    let minutes = 7 * 1440
    for minute in 0..<minutes {
      for (index, path) in paths.enumerated() {
        sums[index].bytes += Int64(generator.number(in: -100_000...400_000))
        sums[index].files += Int64(generator.number(in: -20...20))
        book.add(
          RecordedSample(
            path: path, files: sums[index].files, folders: 1, bytes: sums[index].bytes,
            allocated: 0, free: 1 << 41), at: Int64(minute) * 60)
      }
    }
    #expect(book.cost * 1000 / 20 < 50_000_000, "\(book.cost)")
    func read(_ path: [UInt8]) throws -> [String: Any]? {
      let bytes = try #require(book.json(of: path))
      return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }
    let last = try #require(try read(paths[20]))
    #expect(last["path"] as? String == "r/19")
    #expect((last["time"] as? [Int])?.count == minutes)
    #expect((last["time"] as? [Int])?.last == (minutes - 1) * 60_000)
    #expect((last["bytes"] as? [Int64])?.last == sums[20].bytes)
    #expect((last["files"] as? [Int64])?.last == sums[20].files)
    #expect((last["free"] as? [Int64])?.count == minutes)
    #expect(book.json(of: Array("r/20".utf8)) == nil)
    let all = try JSONSerialization.jsonObject(with: Data(book.paths(every: 60))) as? [String: Any]
    #expect((all?["paths"] as? [String])?.count == 21 && all?["interval"] as? Int == 60)
  }

  /// The page computes the same for an opened recording.
  @Test func trendsEqualThoseOfThePage() throws {
    let cases = try RuleCase.all(in: "tracks.json").filter { $0.rule == "trend" }
    #expect(cases.count > 10)
    for one in cases {
      var series = SampleSeries()
      for pair in RuleCase.points(one.input) { series.add(Int64(pair[1]), at: Int64(pair[0])) }
      guard let trend = Trend(of: series) else {
        #expect(one.output is NSNull)
        continue
      }
      let output = one.output as? [String: Any] ?? [:]
      let windows: [[String: Any]] = trend.windows.map {
        [
          "hours": $0.span / 3600, "least": $0.minimum, "greatest": $0.maximum,
          "average": $0.average,
        ]
      }
      #expect(RuleCase.agree(trend.value, output["value"] ?? ""))
      #expect(RuleCase.agree(windows, output["windows"] ?? ""), "\(windows)")
      #expect(trend.direction?.rawValue == output["direction"] as? String)
      if let rate = trend.rate {
        #expect(RuleCase.agree(rate, output["rate"] ?? ""), "\(rate)")
      } else {
        #expect(output["rate"] is NSNull)
      }
    }
  }

  private func made(_ values: [Int64], every seconds: Int64 = 60) -> Trend? {
    var series = SampleSeries()
    for (index, value) in values.enumerated() { series.add(value, at: Int64(index) * seconds) }
    return Trend(of: series)
  }

  @Test func reportsTheChangeWithItsRange() throws {
    #expect(made([]) == nil)
    let young = try #require(made([1, 2, 3]))
    #expect(young.rate == nil && young.direction == nil && young.value == 3)
    let base: Int64 = 1_000_000_000
    for (part, direction) in [
      (0.1, Trend.Direction.risingFast), (0.01, .rising), (0.0001, .steady), (0, .steady),
      (-0.01, .falling), (-0.1, .fallingFast),
    ] {
      let values = (0...60).map { base + Int64(Double($0) / 60 * part * Double(base)) }
      let trend = try #require(made(values))
      let rate = try #require(trend.rate)
      #expect(abs(rate - part * Double(base)) < 1000, "\(part): \(rate)")
      #expect(trend.direction == direction)
    }
  }

  @Test func reportsTheTimeUntilFull() throws {
    let values = (0...120).map { Int64(1_000_000_000 + $0 * 1_000_000) }
    let trend = try #require(made(values))
    // 60 MB an hour.
    let hours = try #require(trend.hoursUntilFull(free: 600_000_000))
    #expect(abs(hours - 10) < 0.001)
    #expect(try #require(made(values.reversed())).hoursUntilFull(free: 1) == nil)
  }

  @Test func windowsEndAtTheLastSample() throws {
    // Eight hours: the first hour is 7, then 1 to 5, and 3 at the end.
    var values = [Int64](repeating: 7, count: 60)
    for minute in 60...480 { values.append(minute == 480 ? 3 : Int64(minute % 5 + 1)) }
    let windows = try #require(made(values)).windows
    #expect(windows.map(\.span) == [3600, 21_600, 86_400])
    #expect(windows[0].minimum == 1 && windows[0].maximum == 5)
    #expect(abs(windows[0].average - 3) < 0.1)
    #expect(windows[2].maximum == 7)
  }
}
