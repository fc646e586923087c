import GeoCore
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoVerify

extension Command {
  static let verify = Command(
    id: .verify,
    summary: "Check that maps are correct.",
    usage: "verify [OPTION]... [[LABEL=]DIR]...\n       geomapper verify [OPTION]... FILE...",
    description: [
      "Check maps of folders, or map files, against the specification of the projection "
        + "and the format, to the byte. Every feature is made again from its path and "
        + "compared. Every node has to be strictly inside its folder, and neighbours have to "
        + "be apart. Sizes and times, which only the disk knows, are not checked.",
      "A DIR [the current folder] is mapped in both layouts with several numbers of threads, and "
        + "its folders are placed again from shuffled listings. A FILE is a map in a GeoJSON "
        + "format; it is read twice. A filtered map is checked as far as possible.",
      "The first fault is printed in full, and the exit status is 4. The last line says "
        + "what was checked and what was not.",
    ],
    examples: [
      "geomapper verify usr.geojson": "Check a map file.",
      "geomapper verify /usr": "Check all maps of /usr.",
    ],
    statuses: statuses(
      "No fault was found", incomplete: "What could not be read was not checked.",
      wrong: "a file or folder that does not exist, or a format that can't be checked",
      others: [("4", "A fault was found.")]),
    rules: [
      .refuses(
        when: .operand("-"), unless: .option("git"), .option("files-from"),
        saying: "a map is read twice, so standard input can't be checked: save it in a file first "
          + "(the folder '-' is './-')"),
      CommandRule { VerifyCommand.refusal(of: $0) },
      .format,
    ],
    run: VerifyCommand.run)
}

enum VerifyCommand {
  static func run(_ run: Run) throws(Failure) {
    let files = files(among: run.low)
    let (format, _) = try run.product
    var report = VerifyReport()
    if files.isEmpty {
      try verifyTree(run, &report)
    } else {
      try verify(files, run, &report)
    }
    try run.write(report.text(as: format, isQuiet: run.low.isQuiet))
  }

  /// The operands that are files to check.
  private static func files(among low: LowArguments) -> [[UInt8]] {
    // With a list or --git, an operand is not a file here, even if one has its name.
    low.gitRepository == nil && low.list.file == nil ? low.operands.filter { isFile($0) } : []
  }

  fileprivate static func refusal(of given: GivenArguments) -> String? {
    let files = files(among: given.low)
    if files.isEmpty { return nil }
    if files.count < given.operands.count {
      return "files and folders can't be checked in one go: name either"
    }
    return given.low.selects || given.low.map.scan.followsLinks
      ? "options that select, and --follow, say what is read of a folder: a map in a file is checked "
        + "as it is" : nil
  }

  private static func verify(
    _ files: [[UInt8]], _ run: Run, _ report: inout VerifyReport
  ) throws(Failure) {
    for file in files { try checkKind(of: file) }
    let progress = run.progress
    for file in files {
      let subject = file.shown
      progress?.begin(subject)
      do throws(VerificationError) {
        let counts = try MapVerification.verify(file: file, layout: run.low.chosenLayout) {
          progress?.show(done: $0)
        }
        report.add(subject, counts, threads: nil)
      } catch {
        return try add(error, about: subject, run, to: &report)
      }
    }
  }

  private static func checkKind(of file: [UInt8]) throws(Failure) {
    guard let facts = try? FileSystem.rootFacts(file), facts.kind == .regular,
      let input = try? ReadableFile.open(file)
    else { return }
    var bytes: [UInt8] = []
    try? input.read(min(FileKind.beginning, input.size), at: 0, into: &bytes)
    // Check an empty file, and any that begins like GeoJSON: a damaged map is a fault.
    let first = bytes.first { !FileKind.whitespace.contains($0) } ?? UInt8(ascii: "{")
    let kind = FileKind(bytes)
    let isGeoJSON = first == UInt8(ascii: "{") || first == 0x1E
    if isGeoJSON, kind == nil || kind == .map { return }
    let names = FileFormat.reading(.nodes).map(\.rawValue)
    let what = kind.map { "it is \($0.advice); " } ?? ""
    throw Failure.usage(
      "can't check \(file.quoted): \(what)maps are checked as "
        + names.listed(by: "or"))
  }

  private static func isFile(_ operand: [UInt8]) -> Bool {
    guard let facts = try? FileSystem.rootFacts(operand) else { return false }
    return facts.kind != .directory && !Snapshot.begins(operand)
  }

  private static func verifyTree(_ run: Run, _ report: inout VerifyReport) throws(Failure) {
    let inputs = try run.inputs(run.low.operands, read: .selected)
    let roots = try inputs.roots.checked
    var verification = TreeVerification(roots: roots)
    let progress = run.progress
    let total = roots.entryCount
    verification.scan = inputs.scan.heard(by: progress)
    var isIncomplete = false
    for layout in run.low.layout.map({ [$0] }) ?? Layout.allCases {
      progress?.begin(layout.rawValue, of: total.map { $0 * TreeVerification.passes(of: layout) })
      do throws(VerificationError) {
        let outcome = try MainThreadExecutor().run { [verification] in
          await Result(awaiting: { () async throws(VerificationError) in
            try await verification.verify(layout)
          })
        }.get()
        if !outcome.faults.isEmpty, !isIncomplete {
          let list = FaultList(isQuiet: run.low.isQuiet, progress)
          list.add(outcome.faults)
          list.finish()
          run.add(faults: list.count)
          isIncomplete = true
        }
        report.add(layout.rawValue, outcome.counts, threads: outcome.threads)
      } catch {
        return try add(error, about: layout.rawValue, run, to: &report)
      }
    }
  }

  /// Adds a fault to the report; throws other errors.
  private static func add(
    _ error: VerificationError, about subject: String, _ run: Run, to report: inout VerifyReport
  ) throws(Failure) {
    switch error {
    case .fault(let fault): report.add(fault, in: subject)
    case .unmappable(let error): throw Failure(error)
    default: throw Failure(error)
    }
    run.end(.fault)
  }
}

extension VerifiedCounts {
  /// The nodes whose places could not be checked.
  var unplaced: Int { nodes - places - openPlaces }
}
