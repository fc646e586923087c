#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The benchmarks of geomapper.
@main
enum Bench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(Failure) {
      try run(arguments)
    } catch {
      System.note("geomapper-bench: \(error.message)")
      exit(2)
    }
  }

  private static func run(_ arguments: [String]) throws(Failure) {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "all": try AllCommand.run(rest)
    case "tree": try TreeCommand.run(rest)
    case "compare": try CompareCommand.run(rest)
    case "diff": try DiffCommand.run(rest)
    case "time": try TimeCommand.run(rest)
    case "scale": try ScaleCommand.run(rest)
    case "cliffs": try CliffsCommand.run(rest)
    case "latency": try LatencyCommand.run(rest)
    case "launch": try Launcher.run(rest)
    case "--help", "help": System.print(usage)
    default: throw Failure("there is no such command\n\n\(usage)")
    }
  }

  private static var usage: String {
    let commands = [
      AllCommand.usage, CompareCommand.usage, ScaleCommand.usage, CliffsCommand.usage,
      LatencyCommand.usage, DiffCommand.usage, TimeCommand.usage, TreeCommand.usage,
    ]
    let lines = commands.flatMap { $0.split(separator: "\n") }.map { "  \($0)" }
    let shapes = TreeShape.allCases.map { shape in
      "  \(Text.padded(shape.rawValue, to: 9, left: true))\(shape.explanation) "
        + "(\(Text.grouped(shape.files)) files, \(Text.grouped(shape.folders)) folders)"
    }
    return "usage: geomapper-bench COMMAND …\n\n" + lines.joined(separator: "\n")
      + "\n\nShapes of trees:\n" + shapes.joined(separator: "\n")
  }
}
