import Statistics

/// Time by the number of threads where every call has to wait.
struct LatencyReport {
  var date: String
  var machine: Machine
  /// Microseconds that each call waits.
  var delay: Int
  var files: Int
  var folders: Int
  /// One for each number of threads; the ratios are to the first.
  var series: [Series]

  init(
    date: String, machine: Machine, delay: Int, files: Int, folders: Int, series: [Series]
  ) {
    self.date = date
    self.machine = machine
    self.delay = delay
    self.files = files
    self.folders = folders
    self.series = series
  }

  var treeText: String {
    "\(Text.grouped(files)) files in \(Text.grouped(folders)) folders, \(delay) µs for each call"
  }

  var text: String {
    var table = Table(["", "median s", "min–max s", "speed-up", "µs/entry", "peak MiB"])
    for one in series {
      guard let time = Summary(one.seconds) else { continue }
      let ratio = series.first.flatMap { Summary($0.ratios(to: one)) }
      let peak = one.summary { Double($0.measurement.peak) }?.median ?? 0
      table.add([
        one.name, Text.significant(time.median),
        "\(Text.significant(time.least))–\(Text.significant(time.most))",
        ratio.map { "\(Text.significant($0.median))×" } ?? "–",
        Text.significant(time.median / Double(files + folders) * 1e6),
        Text.mebibytes(Int(peak)),
      ])
    }
    return table.text
  }

  var chart: String {
    BarChart.draw(
      series, title: "More threads on a slow file system", tree: treeText, base: series.first?.name,
      isSorted: false, foot: BarChart.foot(series, "1 thread", machine, date))
  }

  var json: JSON {
    .object([
      ("kind", .string("latency")), ("schema", .number(1)), ("date", .string(date)),
      ("machine", machine.json), ("delayMicroseconds", .number(Double(delay))),
      ("files", .number(Double(files))), ("folders", .number(Double(folders))),
      ("series", .array(series.map(\.json))),
    ])
  }

  init(_ json: JSON) {
    date = json["date"].string ?? ""
    machine = Machine(json["machine"])
    delay = Int(json["delayMicroseconds"].number ?? 0)
    files = Int(json["files"].number ?? 0)
    folders = Int(json["folders"].number ?? 0)
    series = json["series"].array.map { Series($0) }
  }
}
