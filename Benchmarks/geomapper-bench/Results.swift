/// The comparable figures in a file of results, of any command.
struct Results {
  struct Row {
    var name: String
    var unit: String
    /// One for each run.
    var figures: [Double]
    /// Bytes of memory, if measured.
    var peaks: [Double]
    /// The measurement of the row; rounds of different measurements are unrelated.
    private let part: String
    private var series: Series?

    init(_ series: Series, prefix: String) {
      part = prefix
      name = prefix + series.name
      unit = "s"
      figures = series.seconds
      peaks = series.runs.map { Double($0.measurement.peak) }
      self.series = series
    }

    init(_ stage: StagesReport.Stage) {
      name = "stage \(stage.name)"
      unit = "ns"
      figures = stage.nanoseconds
      peaks = []
      part = "stages"
    }

    /// The ratios to another row's time in the same round.
    func ratios(to other: Row) -> [Double]? {
      guard part == other.part, let series, let other = other.series else { return nil }
      return series.ratios(to: other)
    }
  }

  private(set) var rows: [Row] = []
  /// The conditions of the measurements, in words.
  private(set) var conditions = ""

  init(reading path: String) throws(Failure) {
    let json = try JSON.read(path)
    let parts: [JSON]
    switch json["kind"].string {
    case "all":
      parts = ["compare", "stages", "cliffs", "latency", "scale"].map { json[$0] }
    default: parts = [json]
    }
    for part in parts { add(part) }
    if rows.isEmpty { throw Failure("\(path) has no results that this version reads") }
  }

  private mutating func add(_ json: JSON) {
    if let report = Report(json) {
      let tree = report.kind == .compare ? "; \(report.treeText)" : ""
      note(report.machine.text + tree)
      for tree in report.trees {
        rows += tree.series.filter { $0.name != Report.slow }.map {
          Row($0, prefix: report.prefix(of: tree))
        }
      }
    } else if json["kind"].string == "stages" {
      let report = StagesReport(json)
      note(report.machine.text)
      rows += report.stages.map { Row($0) }
    }
  }

  private mutating func note(_ text: String) { if conditions.isEmpty { conditions = text } }

  /// A row's figures, or their ratios to another row in the same round.
  ///
  /// Ratios cancel changes of the machine's speed. A row without common rounds is returned as it
  /// is.
  func figures(of row: Row, by base: String?) throws(Failure) -> [Double] {
    guard let base else { return row.figures }
    guard let other = rows.first(where: { $0.name == base }) else {
      throw Failure("--by: \(base) was not measured in both")
    }
    return row.ratios(to: other) ?? row.figures
  }
}
