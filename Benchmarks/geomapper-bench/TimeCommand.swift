/// `time COMMANDS.json`: measures any commands in rounds.
enum TimeCommand {
  static let usage = "time COMMANDS.json [--runs N] [--json FILE]"

  /// Runs the commands of a file: an object that maps names to a list of the program and its
  /// arguments.
  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["runs", "json"])
    let path = try arguments.positional(0, "COMMANDS.json")
    guard case .object(let commands) = try JSON.read(path) else {
      throw Failure("\(path) has no object of commands")
    }
    let subjects = try commands.map { (name, words) throws(Failure) in
      let words = words.array.compactMap(\.string)
      guard let first = words.first, let program = System.which(first) else {
        throw Failure("\(path): \(name): \(words.first ?? "the program") is not found")
      }
      return Subject(
        name: name, program: program, arguments: Array(words.dropFirst()), version: "", sink: .null)
    }
    let runner = Runner(
      folder: "", output: "/dev/null", runs: max(1, try arguments.number("runs") ?? 7),
      isQuiet: true)
    var report = Report(.time, on: "/")
    report.trees = [.init(series: try runner.measure(subjects))]
    try report.publish(arguments)
    guard report.series.count == subjects.count else { throw Failure("a command fails: see above") }
  }
}
