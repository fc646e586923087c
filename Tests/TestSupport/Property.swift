import Foundation

/// A property that every generated case has to have.
///
/// The first case that fails is shrunk as long as a smaller one still fails, and reported with its
/// seed. ``TestScale`` decides how many cases are tried; `GEOMAPPER_TEST_SEED=S` tries only the one
/// with that seed.
public struct Property<Case: Sendable> {
  /// Its name in a report.
  public var name: String
  /// Makes a case.
  public var generate: (inout SeededGenerator) throws -> Case
  /// Slightly smaller cases, the smallest first.
  public var shrink: (Case) -> [Case]
  /// The fault of a case; nil if the property holds.
  public var fault: (Case) throws -> String?

  /// A property of the given parts.
  public init(
    _ name: String, generate: @escaping (inout SeededGenerator) throws -> Case,
    shrink: @escaping (Case) -> [Case] = { _ in [] }, fault: @escaping (Case) throws -> String?
  ) {
    self.name = name
    self.generate = generate
    self.shrink = shrink
    self.fault = fault
  }

  /// A case that fails, shrunk as far as possible.
  public struct Counterexample: CustomStringConvertible {
    /// The seed of the case before shrinking.
    public var seed: UInt64
    /// The shrunk case.
    public var smallest: Case
    /// Its fault.
    public var fault: String
    /// The property's name.
    public var name: String

    /// The seed, the fault and the case.
    public var description: String {
      "\(name): seed \(seed): \(fault)\nsmallest case found:\n\(smallest)"
    }
  }

  /// Searches for a case that fails.
  ///
  /// - Parameter cases: How many to try; ``TestScale`` changes the number.
  public func counterexample(cases: Int) throws -> Counterexample? {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["GEOMAPPER_TEST_SEED"].flatMap(UInt64.init) {
      return try counterexample(seed: seed)
    }
    for seed in TestScale.seeds(cases) {
      if let found = try counterexample(seed: seed) { return found }
    }
    return nil
  }

  private func counterexample(seed: UInt64) throws -> Counterexample? {
    var generator = SeededGenerator(seed: seed)
    var smallest = try generate(&generator)
    guard var fault = try fault(smallest) else { return nil }
    var budget = 2000
    search: while budget > 0 {
      for candidate in shrink(smallest) {
        budget -= 1
        if budget < 0 { break search }
        // A smaller case that throws doesn't count as a failure.
        if let smallerFault = try? self.fault(candidate) {
          (smallest, fault) = (candidate, smallerFault)
          continue search
        }
      }
      break
    }
    return Counterexample(seed: seed, smallest: smallest, fault: fault, name: name)
  }
}

/// How many cases the tests try.
///
/// `swift test` is meant to be quick and tries a fifth of the cases. `.ci/run` tries all of them;
/// factors above 1 try more.
public enum TestScale {
  /// The environment variable `GEOMAPPER_TEST_SCALE`; a fifth by default.
  public static let factor: Double = {
    let text = ProcessInfo.processInfo.environment["GEOMAPPER_TEST_SCALE"]
    return text.flatMap { Double($0) }.map { max(0.01, $0) } ?? 0.2
  }()

  /// The scaled number of cases, at least one.
  public static func cases(_ count: Int) -> Int {
    max(1, Int((Double(count) * factor).rounded(.up)))
  }

  /// The seeds of the scaled number of cases, from 1 on.
  public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(cases(count)) }

  /// The stride at which a test samples equal cases: one out of so many.
  public static func each(_ count: Int) -> Int { max(1, Int((Double(count) / factor).rounded())) }
}
