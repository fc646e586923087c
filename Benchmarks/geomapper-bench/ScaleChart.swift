#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Time and memory by number of entries, on logarithmic axes.
enum ScaleChart {
  private struct Panel {
    var title: String
    var left: Double
    var figure: (Series.Run) -> Double
    var label: (Int) -> String
  }

  private static let width = 290.0
  private static let height = 220.0
  private static let top = 70.0

  static func draw(_ report: Report) -> String {
    var svg = SVG(width: 760, height: top + height + 86)
    svg.text("Time and memory by the size of the tree", x: 16, y: 26, style: "title")
    let panels = [
      Panel(
        title: "time", left: 60, figure: \.measurement.seconds, label: { power($0, unit: "s") }),
      Panel(
        title: "peak memory", left: 440,
        figure: { Double($0.measurement.peak) / 1_048_576 }, label: { power($0, unit: "MiB") }),
    ]
    for panel in panels { draw(panel, report, in: &svg) }
    var x = 60.0
    for (index, name) in names(report).enumerated() {
      let y = top + height + 52
      svg.line(x, y - 4, x + 18, y - 4, style: "line\(index % 4)")
      svg.text(name, x: x + 24, y: y, style: "")
      x += 48 + Double(name.count) * 7.2
    }
    svg.text(
      "Medians. \(report.machine.processor), \(report.machine.cores) cores, "
        + "\(report.machine.fileSystem), warm cache, \(report.date.prefix(10))",
      x: 16, y: top + height + 76, style: "small")
    return svg.text(title: "Time and memory by the size of the tree")
  }

  /// The names of all subjects, in the order of their first appearance.
  private static func names(_ report: Report) -> [String] {
    var names: [String] = []
    for series in report.trees.flatMap(\.series) where !names.contains(series.name) {
      names.append(series.name)
    }
    return names
  }

  private static func draw(_ panel: Panel, _ report: Report, in svg: inout SVG) {
    let curves = names(report).map { name in
      report.trees.compactMap { tree -> (x: Double, y: Double)? in
        guard let entries = tree.entries,
          let median = tree.series(name)?.summary(panel.figure)?.median, median > 0
        else { return nil }
        return (log10(Double(entries)), log10(median))
      }
    }
    let all = curves.flatMap { $0 }
    guard let leastX = all.map(\.x).min(), let mostX = all.map(\.x).max(),
      let leastY = all.map(\.y).min(), let mostY = all.map(\.y).max()
    else { return }
    let xs =
      Int(
        (leastX + 0.05).rounded(.down))...max(
        Int((mostX - 0.05).rounded(.up)), Int((leastX + 0.05).rounded(.down)) + 1)
    let bottom = Int(leastY.rounded(.down))
    let ys = bottom...max(Int(mostY.rounded(.up)), bottom + 1)
    func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
      let x = (point.x - Double(xs.lowerBound)) / Double(xs.count - 1)
      let y = (point.y - Double(ys.lowerBound)) / Double(ys.count - 1)
      return (panel.left + x * width, top + (1 - y) * height)
    }
    svg.text(panel.title, x: panel.left, y: top - 12, style: "strong")
    for y in ys {
      let at = place((Double(xs.lowerBound), Double(y)))
      svg.line(panel.left, at.y, panel.left + width, at.y, style: "grid")
      svg.text(panel.label(y), x: panel.left - 6, y: at.y + 4, style: "small", anchor: .end)
    }
    for x in xs {
      let at = place((Double(x), Double(ys.lowerBound)))
      svg.line(at.x, top, at.x, top + height, style: "grid")
      svg.text(count(x), x: at.x, y: top + height + 17, style: "small", anchor: .middle)
    }
    svg.text(
      "entries", x: panel.left + width, y: top + height + 32, style: "small", anchor: .end)
    for (index, curve) in curves.enumerated().reversed() {
      let points = curve.map(place)
      svg.path(points, style: "line\(index % 4)")
      for point in points { svg.dot(x: point.x, y: point.y, style: "dot\(index % 4)") }
    }
  }

  private static func power(_ exponent: Int, unit: String) -> String {
    if unit == "s", exponent < 0 {
      return exponent >= -3 ? "\(count(exponent + 3)) ms" : "\(count(exponent + 6)) µs"
    }
    if unit == "MiB", exponent >= 3 { return "\(count(exponent)) MiB" }
    let number =
      exponent < 0 ? Text.decimals(pow(10, Double(exponent)), -exponent) : count(exponent)
    return "\(number) \(unit)"
  }

  private static func count(_ exponent: Int) -> String {
    let zeros = String(repeating: "0", count: max(0, exponent))
    return Int("1" + zeros).map { Text.grouped($0) } ?? "10^\(exponent)"
  }
}
