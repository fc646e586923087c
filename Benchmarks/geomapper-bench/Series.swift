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
        ("round", .number(Double(run.round))),
        ("seconds", .number(measured.seconds)),
        ("user", .number(measured.user)),
        ("system", .number(measured.system)),
        ("peakBytes", .number(Double(measured.peak))),
        ("outputBytes", .number(Double(run.outputBytes))),
        ("majorFaults", .number(Double(measured.majorFaults))),
        ("contextSwitches", .number(Double(measured.contextSwitches))),
        ("status", .number(Double(measured.status))),
      ])
    }
    return .object([
      ("name", .string(name)), ("command", .string(command)), ("version", .string(version)),
      ("runs", .array(list)),
    ])
  }

  init(_ json: JSON) {
    name = json["name"].string ?? "?"
    command = json["command"].string ?? ""
    version = json["version"].string ?? ""
    runs = json["runs"].array.map { run in
      func number(_ name: String) -> Double { run[name].number ?? 0 }
      return Run(
        round: Int(number("round")),
        measurement: Measurement(
          status: Int(number("status")), seconds: number("seconds"), user: number("user"),
          system: number("system"), peak: Int(number("peakBytes")),
          majorFaults: Int(number("majorFaults")), contextSwitches: Int(number("contextSwitches"))),
        outputBytes: Int(number("outputBytes")))
    }
  }
}
