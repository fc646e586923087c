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
    case "tree": try TreeCommand.run(rest)
    case "compare": try CompareCommand.run(rest)
    case "launch": try Launcher.run(rest)
    default: throw Failure("usage: geomapper-bench \(TreeCommand.usage)")
    }
  }
}
