import GeoCore
import GeoLive
import Testing

/// Forecasts of full disks.
@Suite struct ForecastTests {
  private let day: Int64 = 86_400

  @Test func aSteadyGrowthIsExact() {
    let values = (0..<5).map { (time: $0 * day, bytes: 1000 + $0 * 240) }
    #expect(
      Forecast(values, free: 2400) == .full(hours: 240, earliest: 240, latest: 240))
    #expect(Forecast(values, free: 0) == .full(hours: 0, earliest: 0, latest: 0))
    // Two values don't say how exact the rate is.
    #expect(
      Forecast(Array(values.prefix(2)), free: 2400)
        == .full(hours: 240, earliest: nil, latest: nil))
  }

  @Test func rangeIsTwoStandardErrors() {
    let bytes: [Int64] = [0, 300, 400, 900, 900]
    let values = bytes.enumerated().map { (time: Int64($0.offset) * day, bytes: $0.element) }
    guard case .full(let hours, let earliest?, let latest?) = Forecast(values, free: 10_000)
    else {
      Issue.record("no band")
      return
    }
    // By hand: 900 in four days; the least-squares slope is 240 a day, the residuals sum to 44,000 in squares, and the sum of
    // squares of the times is 10, so the standard error is sqrt(44,000 / 3 / 10) = 38.297.
    #expect(abs(hours / 24 - 10_000 / 225) < 1e-9)
    let error = (44_000.0 / 3 / 10).squareRoot()
    #expect(abs(earliest / 24 - 10_000 / (225 + 2 * error)) < 1e-9)
    #expect(abs(latest / 24 - 10_000 / (225 - 2 * error)) < 1e-9)
    // If the error exceeds the slope, it may never be full.
    let wild = [0, 900, 100, 1200, 300].enumerated().map {
      (time: Int64($0.offset) * day, bytes: Int64($0.element))
    }
    guard case .full(_, .some, nil) = Forecast(wild, free: 10_000) else {
      Issue.record("the band has an end")
      return
    }
  }

  @Test func unknownForecastsGiveAReason() {
    let flat = [(time: Int64(0), bytes: Int64(7)), (day, 7)]
    #expect(Forecast(flat, free: 1) == .unknown(.noGrowth))
    #expect(Forecast([(0, 7), (day, 5)], free: 1) == .unknown(.shrinking))
    #expect(Forecast([(0, 7), (60, 9)], free: 1) == .unknown(.tooShort))
    #expect(Forecast([(0, 7), (-60, 9)], free: 1) == .unknown(.tooShort))
    #expect(Forecast([(0, 7), (day, 9)], free: nil) == .unknown(.noRoom))
    #expect(Forecast(nil, free: 1) == .unknown(.noValues))
    #expect(Forecast([], free: 1) == .unknown(.noValues))
  }

  @Test func largeValuesKeepPrecision() {
    var fit = LinearFit()
    for x in 0..<100 { fit.add(1e9 + Double(x), 4e15 + 2 * Double(x)) }
    #expect(fit.slope.map { abs($0 - 2) < 1e-6 } == true)
    #expect(fit.slopeError.map { $0 < 1e-3 } == true)
    #expect(LinearFit().slope == nil && LinearFit().slopeError == nil)
  }
}
