import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree
import GeoVerify

/// Checks the maps of a tree: it is mapped several times, in different ways.
public struct TreeVerification: Sendable {
  /// The folders to map, each under a label of its own.
  public var roots: [ScanRoot]
  /// How they are read; the number of threads is the verification's own.
  public var scan = FileSystemScanner.Options()
  /// Decides about the order in which shuffled listings come.
  public var seed: UInt64 = 1

  /// A verification of the maps of some folders.
  public init(roots: [ScanRoot]) { self.roots = roots }

  /// What came of one layout.
  public struct Outcome: Sendable {
    /// What was checked.
    public var counts: VerifiedCounts
    /// With how many threads the map was made, each time with the same bytes.
    public var threads: [Int]
    /// What could not be read.
    public var faults: [ScanFault]
  }

  /// How often a layout is mapped, and by how many threads: fewest where lines are checked meanwhile.
  private static func threads(_ layout: Layout) -> [Int] {
    layout == .settled ? [4, 1, 2] : [3, 1]
  }

  /// How often the tree is read to check one layout.
  package static func passes(of layout: Layout) -> Int { threads(layout).count }

  /// Checks one layout.
  ///
  /// The tree is mapped for its folders, again to be checked line by line, and once more to be
  /// compared, by another number of threads each time. If that is not the same map, the first number of
  /// threads maps it again: if that is another map, too, the tree was changed.
  ///
  /// - Throws: ``VerificationError``.
  public func verify(_ layout: Layout) async throws(VerificationError) -> Outcome {
    let counts = Self.threads(layout)
    var verifier = MapVerifier(layout: layout, shuffling: seed)
    let first = try await pass(layout, threads: counts[0]) { (bytes) throws(MapFault) in
      try verifier.read(bytes)
    }
    if let fault = first.fault { throw try await cause(of: fault, first, layout) }
    let hasGaps = first.scanFaults.contains { $0.reason == .vanished }
    var checker: MapChecker
    do throws(MapFault) {
      checker = try verifier.startChecking(hasGaps: hasGaps)
    } catch {
      throw try await cause(of: error, first, layout)
    }
    let second = try await pass(layout, threads: counts[1]) { (bytes) throws(MapFault) in
      try checker.check(bytes)
    }
    if let fault = second.fault { throw try await cause(of: fault, first, layout) }
    let verified: VerifiedCounts
    do throws(MapFault) {
      verified = try checker.finish()
    } catch {
      throw try await cause(of: error, first, layout)
    }
    for threads in counts.dropFirst() {
      let other =
        threads == counts[1] ? second : try await pass(layout, threads: threads) { _ in }
      if other.hash != first.hash {
        let fault = MapFault(
          differing: "with \(threads) threads the map is another one than with \(counts[0])")
        throw try await cause(of: fault, first, layout)
      }
    }
    return Outcome(counts: verified, threads: counts.sorted(), faults: first.scanFaults)
  }

  /// What was found in one map.
  private struct Pass {
    var hash: UInt64 = 0
    var scanFaults: [ScanFault] = []
    var fault: MapFault?
  }

  /// Maps the tree, to its end even if a fault is found, so that its bytes are known.
  private func pass(
    _ layout: Layout, threads: Int, _ body: (Span<UInt8>) throws(MapFault) -> Void
  ) async throws(VerificationError) -> Pass {
    var request = MapRequest(roots: roots)
    request.layout = layout
    request.scan = scan
    request.scan.threads = threads
    // Sizes and times take no part in places: the maps of one layout are enough to tell whether they
    // are the same each time.
    if layout == .pinned { request.scan.readsMetadata = false }
    let stream: MapStream
    do throws(MapError) {
      stream = try await MapPipeline.open(request)
    } catch {
      throw .unmappable(error)
    }
    var result = Pass()
    var hash = XXH64.Running()
    do {
      for try await chunk in stream {
        result.scanFaults += chunk.faults
        chunk.withBytes { bytes in
          hash.take(bytes)
          if result.fault != nil { return }
          do throws(MapFault) {
            try body(bytes)
          } catch {
            result.fault = error
          }
        }
      }
    } catch let error as MapError {
      throw .unmappable(error)
    } catch {
      throw .cancelled
    }
    result.hash = hash.value
    return result
  }

  /// Tells a fault of the map from a change of the tree.
  private func cause(
    of fault: MapFault, _ first: Pass, _ layout: Layout
  ) async throws(VerificationError) -> VerificationError {
    let again = try await pass(layout, threads: Self.threads(layout)[0]) { _ in }
    return again.hash == first.hash ? .fault(fault) : .changed
  }
}

/// Checks a map in a file, which is read twice.
public enum MapVerification {
  /// How much is read at once.
  private static let stretch = 1 << 18

  /// Checks a file.
  ///
  /// - Parameters:
  ///   - file: Its path; a regular file, in one of the GeoJSON formats.
  ///   - layout: The layout of a map that doesn't say so itself.
  ///   - tell: Told what part of it is done, 0 to 1.
  /// - Returns: What was checked.
  /// - Throws: ``VerificationError``.
  /// - Complexity: O(length of the file); memory for its folders, some 300 bytes each.
  public static func verify(
    file: [UInt8], layout: Layout = .settled, telling tell: (Double) -> Void = { _ in }
  ) throws(VerificationError) -> VerifiedCounts {
    let input = try open(file)
    var verifier = MapVerifier(layout: layout)
    let size = 2 * Double(max(1, input.size))
    var read = 0.0
    try pass(input, file) { (bytes) throws(MapFault) in
      try verifier.read(bytes.span)
      read += Double(bytes.count)
      tell(read / size)
    }
    var checker = try faults { () throws(MapFault) in try verifier.startChecking() }
    try pass(input, file) { (bytes) throws(MapFault) in
      try checker.check(bytes.span)
      read += Double(bytes.count)
      tell(read / size)
    }
    return try faults { () throws(MapFault) in try checker.finish() }
  }

  private static func faults<Result: ~Copyable>(
    _ body: () throws(MapFault) -> Result
  ) throws(VerificationError) -> Result {
    do throws(MapFault) {
      return try body()
    } catch {
      throw .fault(error)
    }
  }

  private static func open(_ file: [UInt8]) throws(VerificationError) -> ReadableFile {
    do throws(Errno) {
      if let input = try ReadableFile.open(file) { return input }
    } catch {
      throw .unreadable(file: file, error)
    }
    throw .notRegular(file: file)
  }

  private static func pass(
    _ input: borrowing ReadableFile, _ file: [UInt8], _ body: ([UInt8]) throws(MapFault) -> Void
  ) throws(VerificationError) {
    var bytes: [UInt8] = []
    var offset = 0
    repeat {
      do throws(Errno) {
        try input.read(stretch, at: offset, into: &bytes)
      } catch {
        throw .unreadable(file: file, error)
      }
      try faults { () throws(MapFault) in try body(bytes) }
      offset += bytes.count
    } while !bytes.isEmpty
  }
}

/// Why a map or a tree is not what it has to be, or why nobody can tell.
public enum VerificationError: Error, Sendable {
  /// Something is wrong with the map: the first counterexample.
  case fault(MapFault)
  /// The file can't be read.
  case unreadable(file: [UInt8], Errno)
  /// The file is none that could be read twice.
  case notRegular(file: [UInt8])
  /// The tree can't be mapped.
  case unmappable(MapError)
  /// The tree was changed meanwhile, so that two maps of it need not be equal.
  case changed
  /// It was broken off.
  case cancelled
}
