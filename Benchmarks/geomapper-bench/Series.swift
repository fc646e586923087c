import Statistics

/// The runs of one subject.
struct Series {
  struct Run {
    /// The round; runs of one round follow one another.
    var round: Int
    var measurement: Measurement
    var outputBytes: Int
  }

  var name: String
  var command: String
  var version: String
  var runs: [Run] = []

  init(name: String, command: String, version: String) {
    self.name = name
    self.command = command
    self.version = version
  }

  var seconds: [Double] { runs.map(\.measurement.seconds) }

  func summary(_ figure: (Run) -> Double) -> Summary? { Summary(runs.map(figure)) }

  var worstStatus: Int { runs.map(\.measurement.status).max() ?? 0 }

  /// The ratios of this series' times to another's, round by round.
  func ratios(to other: Series) -> [Double] {
    runs.compactMap { run in
      guard let base = other.runs.first(where: { $0.round == run.round }),
        base.measurement.seconds > 0
      else { return nil }
      return run.measurement.seconds / base.measurement.seconds
    }
  }

  var json: JSON {
    let list = runs.map { run in
      let measured = run.measurement
      return JSON.object([
        ("round", JSON(run.round)),
        ("seconds", .number(measured.seconds)),
        ("user", .number(measured.user)),
        ("system", .number(measured.system)),
        ("peakBytes", JSON(measured.peak)),
        ("outputBytes", JSON(run.outputBytes)),
        ("majorFaults", JSON(measured.majorFaults)),
        ("contextSwitches", JSON(measured.contextSwitches)),
        ("status", JSON(measured.status)),
      ])
    }
    return .object([
      ("name", .string(name)), ("command", .string(command)), ("version", .string(version)),
      ("runs", .array(list)),
    ])
  }
}
