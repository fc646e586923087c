/// Stands in for Stages.swift where the package's modules are not there to be timed.
enum StagesCommand {
  static let usage = "stages [--only NAMES]"

  static func run(_ list: [String]) throws(Failure) {
    throw Failure("the stages are not part of this build")
  }
}
