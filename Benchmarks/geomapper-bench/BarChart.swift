import Statistics

/// A bar chart of median times with their quartiles.
enum BarChart {
  /// A chart of a report: the tool and its peers, numbers of threads, or shapes of trees.
  static func draw(_ report: Report) -> String {
    switch report.kind {
    case .latency:
      return draw(
        report.series, title: "More threads on a slow file system", of: report,
        base: report.series.first?.name, baseText: "1 thread")
    case .cliffs:
      let rows = report.trees.compactMap { tree -> Series? in
        guard var series = tree.series("file") else { return nil }
        series.name = "\(tree.name), \(Text.grouped(tree.entries ?? 0))"
        return series
      }
      return draw(
        rows, title: "Trees of awkward shapes", of: report,
        about: "geomapper, into a file; entries of the tree")
    default:
      let series = report.series.filter { one in
        !["--version", " 2", " 16", "--threads 4", "/dev/null", "pipe"].contains {
          one.name.hasPrefix("geomapper") && one.name.hasSuffix($0)
        }
      }
      return draw(
        series, title: "Time to list and describe a tree", of: report, base: own, isSorted: true)
    }
  }

  /// A chart of the tool with other numbers of threads and other outputs.
  static func drawThreads(_ report: Report) -> String {
    let series = report.series.filter { one in
      one.name == own || ["--threads ", "to "].contains { one.name.hasPrefix("\(own) \($0)") }
    }
    return draw(series, title: "Numbers of threads, kinds of output", of: report, base: own)
  }

  private static let own = "geomapper"

  /// - Parameters:
  ///   - about: The subtitle; nil for the report's description of its tree.
  ///   - baseName: The series that ratios refer to, and its name in the text if that differs.
  ///   - isSorted: Whether to sort by time, the fastest first.
  private static func draw(
    _ series: [Series], title: String, of report: Report, about: String? = nil,
    base baseName: String? = nil, baseText: String? = nil, isSorted: Bool = false
  ) -> String {
    let tree = about ?? report.treeText
    let footText =
      "Medians of \(series.first?.runs.count ?? 0) runs with quartiles, "
      + ((baseText ?? baseName).map { "ratio to \($0), " } ?? "")
      + "peak memory. \(report.machine.processor), \(report.machine.cores) cores, "
      + "\(report.machine.fileSystem), \(report.date.prefix(10))"
    var rows = series.compactMap { series in
      Summary(series.seconds).map { (series: series, time: $0) }
    }
    if isSorted { rows.sort { $0.time.median < $1.time.median } }
    let longest = rows.map(\.series.name.count).max() ?? 0
    let left = Double(longest) * 8.2 + 30
    let right = 190.0
    let rowHeight = 26.0
    let top = 66.0
    var svg = SVG(width: 760, height: top + Double(rows.count) * rowHeight + 34)
    let most = rows.map(\.time.upperQuartile).max() ?? 1
    let scale = (svg.width - left - right) / max(most, 1e-9)
    svg.text(title, x: 16, y: 26, style: "title")
    svg.text(tree, x: 16, y: 45, style: "small")
    let base = series.first { $0.name == baseName }
    for (index, row) in rows.enumerated() {
      let y = top + Double(index) * rowHeight
      let isOwn = row.series.name.hasPrefix(own) || !isSorted
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
      if let base, let ratio = Summary(row.series.ratios(to: base)), row.series.name != baseName {
        words += " · \(Text.significant(ratio.median))×"
      }
      if let peak = row.series.summary({ Double($0.measurement.peak) }) {
        words += " · \(Text.mebibytes(Int(peak.median))) MiB"
      }
      svg.text(words, x: label, y: y + 14.5, style: "")
    }
    let foot = top + Double(rows.count) * rowHeight + 18
    svg.text(footText, x: 16, y: foot, style: "small")
    return svg.text(title: "\(title): \(tree)")
  }
}
