import Foundation

/// A property that ought to hold for every case a generator makes.
///
/// The first case that fails is made smaller as long as a smaller one still fails, and reported
/// with the seed that leads to it. ``TestScale`` says how many are tried;
/// `GEOMAPPER_TEST_SEED=S` tries the one of that seed only.
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
  /// - Parameter cases: How many to try, by ``TestScale``.
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

/// How much the tests try.
///
/// `swift test` is to be done soon: of many cases of a kind it tries a fifth. `.ci/run` has the same
/// tests try all, and more than all may be tried, too.
public enum TestScale {
  /// The environment variable `GEOMAPPER_TEST_SCALE`, a fifth if it isn't set.
  public static let factor: Double = {
    let text = ProcessInfo.processInfo.environment["GEOMAPPER_TEST_SCALE"]
    return text.flatMap { Double($0) }.map { max(0.01, $0) } ?? 0.2
  }()

  /// How many cases to try, at least one.
  public static func cases(_ count: Int) -> Int {
    max(1, Int((Double(count) * factor).rounded(.up)))
  }

  /// The seeds of the cases to try, from 1 on.
  public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(cases(count)) }

  /// One of how many equal things to try.
  public static func each(_ count: Int) -> Int { max(1, Int((Double(count) / factor).rounded())) }
}
