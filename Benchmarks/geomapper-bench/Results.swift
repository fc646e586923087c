/// The comparable figures in a file of results, of any command.
struct Results {
  struct Row {
    var name: String
    /// The seconds of each run.
    var figures: [Double]
    /// Bytes of memory, if measured.
    var peaks: [Double]
    /// The measurement of the row; rounds of different measurements are unrelated.
    private let part: String
    private let series: Series

    init(_ series: Series, prefix: String) {
      part = prefix
      name = prefix + series.name
      figures = series.seconds
      peaks = series.runs.map { Double($0.measurement.peak) }
      self.series = series
    }

    /// The ratios to another row's time in the same round.
    func ratios(to other: Row) -> [Double]? {
      part == other.part ? series.ratios(to: other.series) : nil
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
      parts = ["compare", "cliffs", "latency", "scale"].map { json[$0] }
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
