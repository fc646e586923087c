import Foundation

/// A property that ought to hold for every case a generator makes.
///
/// The first case that fails is made smaller as long as a smaller one still fails, and reported
/// with the seed that leads to it. `GEOMAPPER_TEST_SCALE=N` takes N times as many cases,
/// `GEOMAPPER_TEST_SEED=S` only the one of that seed.
public struct Property<Case: Sendable> {
  /// What it is called in a report.
  public var name: String
  /// Makes a case.
  public var generate: (inout SeededGenerator) throws -> Case
  /// Cases that are a little smaller, the smallest first.
  public var shrink: (Case) -> [Case]
  /// What is wrong with a case, nil if nothing.
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

  /// A case that fails, as small as it could be made.
  public struct Counterexample: CustomStringConvertible {
    /// The seed that leads to the case before it was made smaller.
    public var seed: UInt64
    /// The case, made smaller.
    public var smallest: Case
    /// What is wrong with it.
    public var fault: String
    /// The property's name.
    public var name: String

    /// The seed, the fault and the case.
    public var description: String {
      "\(name): seed \(seed): \(fault)\nsmallest case found:\n\(smallest)"
    }
  }

  /// Looks for a case that fails.
  ///
  /// - Parameter cases: How many to try, before scaling.
  public func counterexample(cases: Int) throws -> Counterexample? {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["GEOMAPPER_TEST_SEED"].flatMap(UInt64.init) {
      return try counterexample(seed: seed)
    }
    for seed in 1...UInt64(cases * TestScale.factor) {
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
        // A case that can't be made any more is no smaller failure.
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

/// How much longer than usual the tests may take.
public enum TestScale {
  /// The environment variable `GEOMAPPER_TEST_SCALE`, 1 if it isn't set.
  public static var factor: Int {
    let text = ProcessInfo.processInfo.environment["GEOMAPPER_TEST_SCALE"]
    return max(1, text.flatMap { Int($0) } ?? 1)
  }
}
