/// `time COMMANDS.json`: measures any commands in rounds.
enum TimeCommand {
  static let usage = "time COMMANDS.json [--runs N] [--json FILE]"

  /// Runs the commands of a file: an object that maps names to a list of the program and its
  /// arguments.
  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["runs", "json"])
    let path = try arguments.positional(0, "COMMANDS.json")
    let subjects = try JSON.lists(in: path).map { (name, words) throws(Failure) in
      guard let program = System.which(words[0]) else {
        throw Failure("\(path): \(name): \(words[0]) is not found")
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
