/// Bars of the median times, each with its quartiles, the fastest first.
enum BarChart {
  static func draw(_ report: Report) -> String {
    let own = "geomapper"
    let rows = report.series.compactMap { series in
      Summary(series.seconds).map { (series: series, time: $0) }
    }
    .filter { !$0.series.name.hasSuffix("--version") }
    .sorted { $0.time.median < $1.time.median }
    let longest = rows.map(\.series.name.count).max() ?? 0
    let left = Double(longest) * 8.2 + 30
    let right = 190.0
    let rowHeight = 26.0
    let top = 66.0
    var svg = SVG(width: 760, height: top + Double(rows.count) * rowHeight + 34)
    let most = rows.map(\.time.upperQuartile).max() ?? 1
    let scale = (svg.width - left - right) / max(most, 1e-9)
    svg.text("Time to list and describe a tree", x: 16, y: 26, style: "title")
    svg.text(report.treeText, x: 16, y: 45, style: "small")
    let base = report.series.first { $0.name == own }
    for (index, row) in rows.enumerated() {
      let y = top + Double(index) * rowHeight
      let isOwn = row.series.name.hasPrefix(own)
      let style = isOwn ? "own" : row.series.name.hasPrefix("floor") ? "floor" : "other"
      svg.text(
        row.series.name, x: left - 10, y: y + 14.5, style: isOwn ? "strong" : "", anchor: .end)
      let width = row.time.median * scale
      svg.bar(x: left, y: y + 3, width: width, height: 15, style: style)
      let from = left + row.time.lowerQuartile * scale
      let to = left + row.time.upperQuartile * scale
      svg.line(from, y + 10.5, to, y + 10.5, style: "")
      for end in [from, to] { svg.line(end, y + 7.5, end, y + 13.5, style: "") }
      let label = max(left + width, to) + 8
      var words = "\(Text.significant(row.time.median)) s"
      if let base, let ratio = Summary(row.series.ratios(to: base)), row.series.name != own {
        words += " · \(Text.significant(ratio.median))×"
      }
      if let peak = row.series.summary({ Double($0.measurement.peak) }) {
        words += " · \(Text.mebibytes(Int(peak.median))) MiB"
      }
      svg.text(words, x: label, y: y + 14.5, style: "")
    }
    let foot = top + Double(rows.count) * rowHeight + 18
    let runs = rows.first?.series.runs.count ?? 0
    svg.text(
      "Medians of \(runs) runs with quartiles, ratio to geomapper, peak memory. "
        + report.machine.processor + ", \(report.machine.cores) cores, "
        + report.machine.fileSystem + ", \(report.date.prefix(10))",
      x: 16, y: foot, style: "small")
    return svg.text(title: "Time to list and describe a tree: \(report.treeText)")
  }
}
