import GeoPipeline
import GeoProjection
import GeoScan
import GeoSystem
import GeoVerify

/// Checks the maps of a tree, as they are made.
struct TreeCheck: Sendable {
  private let roots: [ScanRoot]
  private let isQuiet: Bool

  /// Numbers of threads that must make no difference; the first is used where one is enough.
  private static let threads = [1, 2, 4]

  init(_ low: LowArguments) throws(Failure) {
    if low.layout != nil || low.verify.isPartial {
      throw .usage("--layout and --partial are about files; folders are mapped in both layouts")
    }
    roots = try MapPlan.checkedRoots(low.operands)
    isQuiet = low.isQuiet
  }

  /// What one map came to.
  private struct Run: Equatable {
    var hash: UInt64 = 0
    var bytes = 0
    var faults = 0
  }

  /// What is wrong with a tree's maps.
  private enum Wrong: Error {
    case fault(MapFault)
    case unequal(threads: Int)
    case failed(Failure)
  }

  func run() throws(Failure) -> ExitStatus {
    let answer = try MainThreadExecutor().run { [self] in await outcome() }.get()
    // At once: standard output is closed after it.
    if !isQuiet || answer.status == .fault { try StandardOutput.print(answer.text) }
    return answer.status
  }

  /// What there is to tell.
  private struct Answer: Sendable {
    var status = ExitStatus.success
    var text = ""
  }

  private func outcome() async -> Result<Answer, Failure> {
    var answer = Answer()
    for layout in Layout.allCases {
      do throws(Wrong) {
        let part = try await check(layout)
        if part.status != .success { answer.status = part.status }
        answer.text += part.text
      } catch {
        return await explain(error, layout)
      }
    }
    if answer.status == .incomplete, !isQuiet {
      Messages.note("some of it could not be read, or vanished; the rest was checked")
    }
    return .success(answer)
  }

  /// Checks the maps of one layout.
  private func check(_ layout: Layout) async throws(Wrong) -> Answer {
    var verifier = MapVerifier()
    let first = try await map(layout, threads: Self.threads[0]) { (bytes) throws(MapFault) in
      try verifier.survey(bytes)
    }
    let shuffled: Int
    do throws(MapFault) {
      try verifier.endSurvey()
      shuffled = try verifier.checkShuffled(seed: first.hash)
    } catch { throw .fault(error) }
    for threads in Self.threads.dropFirst() {
      let isSecond = threads == Self.threads[1]
      let run = try await map(layout, threads: threads) { (bytes) throws(MapFault) in
        if isSecond { try verifier.check(bytes) }
      }
      if run.hash != first.hash || run.bytes != first.bytes { throw .unequal(threads: threads) }
    }
    let verdict: MapVerdict
    do throws(MapFault) { verdict = try verifier.endCheck() } catch { throw .fault(error) }
    return Answer(
      status: first.faults == 0 ? .success : .incomplete,
      text: "layout \(layout.rawValue): \(VerdictText.text(of: verdict))"
        + "the same \(Quantity.grouped(first.bytes)) bytes with 1, 2 and 4 threads; the same places "
        + "for \(Quantity.count(shuffled, "folder")) listed in another order\n")
  }

  private func map(
    _ layout: Layout, threads: Int, _ body: (Span<UInt8>) throws(MapFault) -> Void
  ) async throws(Wrong) -> Run {
    var request = MapRequest(roots: roots)
    request.layout = layout
    request.scan.threads = threads
    var run = Run()
    var hash = XXH64.Running()
    do {
      for try await chunk in try await MapPipeline.open(request) {
        run.faults += chunk.faults.count
        run.bytes += chunk.count
        try chunk.withBytes { (bytes) throws(MapFault) in
          hash.take(bytes)
          try body(bytes)
        }
      }
    } catch let fault as MapFault {
      throw .fault(fault)
    } catch let error as MapError {
      throw .failed(Failure(error))
    } catch {
      throw .failed(.output("it was broken off: \(error)"))
    }
    run.hash = hash.value
    return run
  }

  /// Tells a fault from a tree that is changing.
  private func explain(_ wrong: Wrong, _ layout: Layout) async -> Result<Answer, Failure> {
    if case .failed(let failure) = wrong { return .failure(failure) }
    do throws(Wrong) {
      let once = try await map(layout, threads: 1) { _ in }
      let again = try await map(layout, threads: 1) { _ in }
      let isChanging: Bool
      if once != again {
        isChanging = true
      } else {
        // Nothing changes any more: a fault would show again.
        isChanging = try await isFaultless(layout)
      }
      if isChanging {
        Messages.note("the tree changed while it was verified; try again when it is at rest")
        return .success(Answer(status: .incomplete))
      }
    } catch {
      if case .failed(let failure) = error { return .failure(failure) }
    }
    let text =
      switch wrong {
      case .fault(let fault): VerdictText.text(of: fault)
      case .unequal(let threads): "the map is another one with \(threads) threads than with one\n"
      case .failed: ""
      }
    return .success(Answer(status: .fault, text: "layout \(layout.rawValue): \(text)"))
  }

  private func isFaultless(_ layout: Layout) async throws(Wrong) -> Bool {
    do throws(Wrong) {
      _ = try await check(layout)
      return true
    } catch {
      if case .failed = error { throw error }
      return false
    }
  }
}
