import GeoCore
import GeoProjection
import GeoSystem
import GeoTree
import GeoVerify

/// Checks the maps of a tree by mapping it several times, in different ways.
public struct TreeVerification: Sendable {
  package var roots: [ScanRoot]
  /// How folders are read; the number of threads is ignored.
  package var scan = FileSystemScanner.Options()
  /// The seed for the order of shuffled listings.
  package var seed: UInt64 = 1

  package init(roots: [ScanRoot]) { self.roots = roots }

  /// The result for one layout.
  public struct Outcome: Sendable {
    /// The counts of everything checked.
    public var counts: VerifiedCounts
    /// The numbers of threads that mapped it, all to the same bytes.
    public var threads: [Int]
    /// Read errors.
    public var faults: [ScanFault]
  }

  /// The number of threads of each pass: few while lines are checked at the same time.
  private static func threads(_ layout: Layout) -> [Int] {
    layout == .settled ? [4, 1, 2] : [3, 1]
  }

  package static func passes(of layout: Layout) -> Int { threads(layout).count }

  /// The first pass collects the folders, the second one checks each line, and one more is
  /// compared; each has another number of threads. If the maps differ, the first pass is repeated:
  /// if its map has changed too, the tree was changed.
  package func verify(_ layout: Layout) async throws(VerificationError) -> Outcome {
    let counts = Self.threads(layout)
    var verifier = MapVerifier(layout: layout, shuffling: seed)
    let first = try await pass(layout, threads: counts[0]) { (bytes) throws(MapFault) in
      try verifier.read(bytes)
    }
    do {
      if let fault = first.fault { throw fault }
      let hasGaps = first.scanFaults.contains { $0.reason == .vanished }
      var checker = try verifier.startChecking(hasGaps: hasGaps)
      let second = try await pass(layout, threads: counts[1]) { (bytes) throws(MapFault) in
        try checker.check(bytes)
      }
      if let fault = second.fault { throw fault }
      let verified = try checker.finish()
      for threads in counts.dropFirst() {
        let other =
          threads == counts[1] ? second : try await pass(layout, threads: threads) { _ in }
        if other.hash != first.hash {
          throw MapFault(
            differing: "with \(threads) threads the map is another one than with \(counts[0])")
        }
      }
      return Outcome(counts: verified, threads: counts.sorted(), faults: first.scanFaults)
    } catch let fault as MapFault {
      throw try await cause(of: fault, first, layout)
    } catch {
      throw error as? VerificationError ?? .cancelled
    }
  }

  private struct Pass {
    var hash: UInt64 = 0
    var scanFaults: [ScanFault] = []
    var fault: MapFault?
  }

  /// Maps the tree to its end even if a fault is found, so that its hash is known.
  private func pass(
    _ layout: Layout, threads: Int, _ body: (Span<UInt8>) throws(MapFault) -> Void
  ) async throws(VerificationError) -> Pass {
    var request = MapRequest(roots: roots)
    request.layout = layout
    request.scan = scan
    request.scan.threads = threads
    // Sizes and times don't affect places, so one layout is enough to compare them.
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
          hash.add(bytes)
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

  /// Decides between a fault of the map and a change of the tree.
  private func cause(
    of fault: MapFault, _ first: Pass, _ layout: Layout
  ) async throws(VerificationError) -> VerificationError {
    let again = try await pass(layout, threads: Self.threads(layout)[0]) { _ in }
    return again.hash == first.hash ? .fault(fault) : .changed
  }
}

/// Why a verification failed, or could not be done.
package enum VerificationError: Error, Sendable {
  case fault(MapFault)
  case unreadable(file: [UInt8], Errno)
  /// The file is not a regular file, which could be read twice.
  case notRegular(file: [UInt8])
  case unmappable(MapError)
  case changed
  case cancelled
}

extension VerificationError: GeoError {
  package var group: ErrorGroup {
    switch self {
    case .fault: .fault
    case .unreadable, .notRegular: .source
    case .unmappable(let error): error.group
    case .changed: .change
    case .cancelled: .output
    }
  }

  package var description: String {
    switch self {
    case .fault(let fault):
      (fault.rawPath.map { "\(TerminalText.escaped($0)): " } ?? "") + fault.what
    case .unreadable(let file, let reason): "can't read \(TerminalText.escaped(file)): \(reason)"
    case .notRegular(let file):
      "\(TerminalText.escaped(file)) is not a regular file: a map is read twice, so save it in one "
        + "first"
    case .unmappable(let error): "\(error)"
    case .changed: "the tree was changed while it was mapped: nothing can be said about it"
    case .cancelled: "the verification was cancelled"
    }
  }
}
