/// `chart RESULT.json OUT.svg`: draws the results of `compare`, `cliffs` or `latency`.
enum ChartCommand {
  static let usage = "chart RESULT.json OUT.svg"

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: [])
    let path = try arguments.positional(0, "RESULT.json")
    let output = try arguments.positional(1, "OUT.svg")
    let json = try JSON.read(path)
    if json["kind"].string == "all" {
      throw Failure("\(path) was drawn when it was made: the charts lie beside it")
    }
    guard let chart = Report(json)?.chart else {
      throw Failure("\(path) is no result that can be drawn")
    }
    try System.replace(output, with: chart)
  }
}
