import GeoFormats

package enum SheetText {
  /// Bytes in powers of a thousand with three significant digits, formatted as on the page.
  package static func bytes(_ number: Double) -> String {
    if number < 1000 { return "\(Int64(number)) \(number == 1 ? "byte" : "bytes")" }
    let (value, unit) = scaled(number, below: 999.5)
    let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return SVGText.number(value, decimals: decimals, keepsZeros: true) + unit
  }

  private static func scaled(_ number: Double, below limit: Double) -> (Double, unit: String) {
    let units = [" kB", " MB", " GB", " TB", " PB"]
    var (value, unit) = (number / 1000, 0)
    while value >= limit, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return (value, units[unit])
  }

  /// A number of any meaning with at most three significant digits after the point.
  static func number(_ number: Double) -> String {
    if abs(number) < 1e15, number == number.rounded() { return Int64(number).grouped }
    let size = abs(number)
    return SVGText.number(number, decimals: size < 0.1 ? 4 : size < 1 ? 3 : size < 10 ? 2 : 1)
  }

  static func bound(_ number: Double) -> String {
    if number < 1000 { return "\(Int64(number)) bytes" }
    let (value, unit) = scaled(number, below: 1000)
    return SVGText.number(value, decimals: 1) + unit
  }

  /// A number as a word up to twelve, then as grouped digits.
  static func word(_ number: Int) -> String {
    let words = [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve",
    ]
    return number < words.count ? words[number] : number.grouped
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The day of a Unix time, such as `22 November 2026`.
  package static func day(_ seconds: Int64) -> String {
    let text = CivilTime.text(unixSeconds: seconds)
    let parts = text.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return text }
    return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
  }

  static func degrees(_ value: Double, decimals: Int, positive: String, negative: String) -> String
  {
    let number = SVGText.number(abs(value), decimals: decimals)
    return number + "°" + (number == "0" ? "" : value < 0 ? negative : positive)
  }

  /// A length in the largest unit, from kilometres to micrometres, that it has at least one of.
  static func length(_ metres: Double) -> String {
    let units = [(1000.0, "km"), (1, "m"), (0.01, "cm"), (0.001, "mm"), (1e-6, "µm")]
    let (size, unit) = units.first { metres >= $0.0 * 0.999 } ?? (1e-6, "µm")
    let value = metres / size
    if value >= 100 { return Int64(value.rounded()).grouped + " " + unit }
    return SVGText.number(value, decimals: 1) + " " + unit
  }
}
