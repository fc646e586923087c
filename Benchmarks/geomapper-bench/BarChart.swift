import Statistics

/// A bar chart of a comparison: median times with their quartiles, the fastest first.
///
/// It is an SVG, readable on light and dark pages.
enum BarChart {
  private static let own = "geomapper"
  private static let (width, top, rowHeight) = (760.0, 66.0, 26.0)

  static func draw(_ report: Report) -> String {
    let rows = report.series.filter { one in
      !["--version", " 2", " 16", "--threads 4", "/dev/null", "pipe"].contains {
        one.name.hasPrefix(own) && one.name.hasSuffix($0)
      }
    }.compactMap { series in Summary(series.seconds).map { (series: series, time: $0) } }
      .sorted { $0.time.median < $1.time.median }
    let left = Double(rows.map(\.series.name.count).max() ?? 0) * 8.2 + 30
    let scale = (width - left - 190) / max(rows.map(\.time.upperQuartile).max() ?? 1, 1e-9)
    let base = report.series.first { $0.name == own }
    let title = "Time to list and describe a tree"
    var body = text(title, 16, 26, "title") + text(report.treeText, 16, 45, "small")
    for (index, row) in rows.enumerated() {
      let y = top + Double(index) * rowHeight
      let isOwn = row.series.name.hasPrefix(own)
      let style = isOwn ? "own" : row.series.name.hasPrefix("floor") ? "floor" : "other"
      let width = row.time.median * scale
      let from = left + row.time.lowerQuartile * scale
      let to = left + row.time.upperQuartile * scale
      body +=
        text(row.series.name, left - 10, y + 14.5, (isOwn ? "strong" : "") + " name") + """
          <rect class="\(style)" x="\(number(left))" y="\(number(y + 3))" \
          width="\(number(max(0.5, width)))" height="15" rx="2"/>
          <path d="M\(number(from)) \(number(y + 10.5))H\(number(to))\
          M\(number(from)) \(number(y + 7.5))v6M\(number(to)) \(number(y + 7.5))v6"/>

          """
      var words = "\(Text.significant(row.time.median)) s"
      if let base, let ratio = Summary(row.series.ratios(to: base)), row.series.name != own {
        words += " · \(Text.significant(ratio.median))×"
      }
      if let peak = row.series.summary({ Double($0.measurement.peak) }) {
        words += " · \(Text.mebibytes(Int(peak.median))) MiB"
      }
      body += text(words, max(left + width, to) + 8, y + 14.5, "")
    }
    let foot = top + Double(rows.count) * rowHeight + 18
    body += text(
      "Medians of \(rows.first?.series.runs.count ?? 0) runs with quartiles, ratio to \(own), "
        + "peak memory. \(report.machine.processor), \(report.machine.cores) cores, "
        + "\(report.machine.fileSystem), \(report.date.prefix(10))", 16, foot, "small")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(foot + 16))" \
      width="\(number(width))" role="img">
      <title>\(escaped("\(title): \(report.treeText)"))</title>
      <style>
      text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328;
        font-variant-numeric: tabular-nums; }
      .title { font-size: 15px; font-weight: 600; }
      .small { font-size: 11px; fill: #59636e; }
      .strong { font-weight: 600; }
      .name { text-anchor: end; }
      .own { fill: #1a7f64; }
      .other { fill: #afb8c1; }
      .floor { fill: #d8a657; }
      path { fill: none; stroke: #59636e; stroke-width: 1.2; }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .small { fill: #9198a1; }
        .own { fill: #3fb68b; }
        .other { fill: #535c66; }
        .floor { fill: #b58a3c; }
        path { stroke: #9198a1; }
      }
      </style>
      \(body)</svg>

      """
  }

  private static func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escaped(text))</text>\n"
  }

  private static func number(_ value: Double) -> String { Text.decimals(value, 1) }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
