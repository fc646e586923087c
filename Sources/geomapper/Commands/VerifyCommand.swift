import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSnapshot
import GeoSystem
import GeoVerify

/// `geomapper verify`: checks that maps are what they have to be.
enum VerifyCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    // An operand is what a list begins with, or a revision, whatever lies here under its name.
    let areOperandsHere = low.gitRepository == nil && low.list.file == nil
    if areOperandsHere, low.operands.contains(where: { $0.elementsEqual("-".utf8) }) {
      throw .usage(
        "a map is read twice, so standard input can't be checked: save it in a file first "
          + "(the folder '-' is './-')")
    }
    let files = areOperandsHere ? low.operands.filter { isFile($0) } : []
    if files.isEmpty { return try verifyTree(low) }
    if files.count < low.operands.count {
      throw .usage("files and folders can't be checked in one go: name either")
    }
    var report = ""
    let progress = low.progressLine()
    for file in files {
      let subject = TerminalText.escaped(file)
      let counts: VerifiedCounts
      progress?.begin(subject)
      do throws(VerificationError) {
        counts = try MapVerification.verify(file: file, layout: low.layout ?? .settled) {
          progress?.show(done: $0)
        }
      } catch {
        progress?.clear()
        return try tell(error, about: subject, after: report)
      }
      if !low.isQuiet { report += VerifyText.report(subject, counts, threads: nil) }
    }
    progress?.clear()
    try StandardOutput.print(report)
    return .success
  }

  private static func isFile(_ operand: [UInt8]) -> Bool {
    guard let facts = try? FileSystem.rootFacts(operand) else { return false }
    return facts.kind != .directory && !Snapshot.begins(operand)
  }

  private static func verifyTree(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let sources: WorldSources
    let roots: [ScanRoot]
    do throws(Failure) {
      sources = try WorldSources(low, low.operands)
      roots = try sources.checked
    } catch {
      throw error.hinting(at: "\(Tool.name) verify --help")
    }
    var verification = TreeVerification(roots: roots)
    verification.scan.staysOnFileSystem = low.links.staysOnFileSystem
    let progress = low.progressLine()
    let total = roots.entryCount
    verification.scan.tellsReach = progress?.listener
    var status = ExitStatus.success
    var report = ""
    for layout in low.layout.map({ [$0] }) ?? Layout.allCases {
      progress?.begin(
        layout.rawValue, of: total.map { $0 * TreeVerification.passes(of: layout) })
      let result = MainThreadExecutor().run { [verification] in
        do throws(VerificationError) {
          return Result<TreeVerification.Outcome, VerificationError>.success(
            try await verification.verify(layout))
        } catch {
          return .failure(error)
        }
      }
      let outcome: TreeVerification.Outcome
      do throws(VerificationError) {
        outcome = try result.get()
      } catch {
        progress?.clear()
        return try tell(error, about: layout.rawValue, after: report)
      }
      if !outcome.faults.isEmpty, status == .success {
        let list = FaultList(isQuiet: low.isQuiet, progress)
        list.add(outcome.faults)
        list.finish()
        status = .incomplete
      }
      if low.isQuiet { continue }
      report += VerifyText.report(layout.rawValue, outcome.counts, threads: outcome.threads)
    }
    progress?.clear()
    try StandardOutput.print(report)
    return sources.status(status)
  }

  /// Says what is wrong, after what was found to be right.
  private static func tell(
    _ error: VerificationError, about subject: String, after report: String
  ) throws(Failure) -> ExitStatus {
    switch error {
    case .fault(let fault):
      try StandardOutput.print(report + VerifyText.fault(fault, in: subject))
      return .fault
    case .unreadable(_, let reason): throw .usage("can't read \(subject): \(reason)")
    case .notRegular:
      throw .usage("\(subject) is no regular file: a map is read twice, so save it in one first")
    case .unmappable(let error): throw Failure(error)
    case .changed:
      Messages.note("the tree was changed while it was mapped: nothing can be said about it")
      return .incomplete
    case .cancelled: throw .output("it was broken off")
    }
  }
}
