import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
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
    let output = Output(
      format: try low.reportFormat(), place: try low.place,
      isQuiet: low.isQuiet)
    if files.isEmpty { return try verifyTree(low, output) }
    if files.count < low.operands.count {
      throw .usage("files and folders can't be checked in one go: name either")
    }
    if low.selects || low.links.follows {
      throw .usage(
        "options that select, and --follow, say what is read of a folder: a map in a file is checked "
          + "as it is")
    }
    var report = VerifyReport()
    for file in files { try checkKind(of: file) }
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
        return try tell(error, about: subject, after: report, output)
      }
      report.add(subject, counts, threads: nil)
    }
    progress?.clear()
    try output.write(report)
    return .success
  }

  /// How the report is written, and where.
  private struct Output {
    let format: FileFormat
    let place: OutputPlace
    let isQuiet: Bool

    func write(_ report: VerifyReport) throws(Failure) {
      try OutputFile.write(report.text(as: format, isQuiet: isQuiet), to: place)
    }
  }

  /// Refuses a file that is in no format that can be checked.
  private static func checkKind(of file: [UInt8]) throws(Failure) {
    guard let facts = try? FileSystem.rootFacts(file), facts.kind == .regular,
      let input = try? ReadableFile.open(file)
    else { return }
    var bytes: [UInt8] = []
    try? input.read(min(FileKind.beginning, input.size), at: 0, into: &bytes)
    // GeoJSON begins so, and so does what a fault has left of it.
    let first = bytes.first { !FileKind.whitespace.contains($0) } ?? UInt8(ascii: "{")
    let kind = FileKind(bytes)
    let isGeoJSON = first == UInt8(ascii: "{") || first == 0x1E
    if isGeoJSON, kind == nil || kind == .map { return }
    let names = FileFormat.allCases.filter(\.isVerified).map(\.rawValue)
    let what = kind.map { "it is \($0.advice); " } ?? ""
    throw Failure.usage(
      "can't check '\(TerminalText.escaped(file))': \(what)maps are checked as "
        + "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
  }

  private static func isFile(_ operand: [UInt8]) -> Bool {
    guard let facts = try? FileSystem.rootFacts(operand) else { return false }
    return facts.kind != .directory && !Snapshot.begins(operand)
  }

  private static func verifyTree(
    _ low: LowArguments, _ output: Output
  ) throws(Failure) -> ExitStatus {
    let inputs = try Inputs(low, low.operands, read: .selected)
    let roots = try inputs.checked
    var verification = TreeVerification(roots: roots)
    verification.scan.staysOnFileSystem = low.links.staysOnFileSystem
    let progress = low.progressLine()
    let total = roots.entryCount
    verification.scan.tellsReach = progress?.listener
    var status = ExitStatus.success
    var report = VerifyReport()
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
        return try tell(error, about: layout.rawValue, after: report, output)
      }
      if !outcome.faults.isEmpty, status == .success {
        let list = FaultList(isQuiet: low.isQuiet, progress)
        list.add(outcome.faults)
        list.finish()
        status = .incomplete
      }
      report.add(layout.rawValue, outcome.counts, threads: outcome.threads)
    }
    progress?.clear()
    try output.write(report)
    return inputs.status(status)
  }

  /// Says what is wrong, after what was found to be right.
  private static func tell(
    _ error: VerificationError, about subject: String, after report: VerifyReport,
    _ output: Output
  ) throws(Failure) -> ExitStatus {
    switch error {
    case .fault(let fault):
      var report = report
      report.add(fault, in: subject)
      try output.write(report)
      return .fault
    case .unreadable(_, let reason): throw .usage("can't read \(subject): \(reason)")
    case .notRegular:
      throw .usage(
        "\(subject) is not a regular file: a map is read twice, so save it in a file first")
    case .unmappable(let error): throw Failure(error)
    case .changed:
      Messages.note("the tree changed while it was mapped: it can't be checked")
      return .incomplete
    case .cancelled: throw .output("it was broken off")
    }
  }
}

/// What `geomapper verify` prints.
enum VerifyText {
  /// What was checked, and how often.
  ///
  /// - Parameters:
  ///   - subject: A file or a layout.
  ///   - threads: How many threads made the map each time; nil if it was in a file.
  static func report(_ subject: String, _ counts: VerifiedCounts, threads: [Int]?) -> String {
    let folders = Quantity.count(counts.folders, "folder")
    let files = Quantity.count(counts.files, "file")
    var lines = ["\(subject): \(folders) and \(files) are as they have to be"]
    lines.append("\(Quantity.count(counts.places, "place")) from names alone, to the last digit")
    lines.append(
      "\(Quantity.count(counts.containments, "node")) strictly inside the land that holds them")
    if counts.separations > 0 {
      lines.append("\(Quantity.count(counts.separations, "pair")) of neighbours apart")
    }
    if let threads {
      lines.append(
        "\(Quantity.count(counts.shuffles, "listing")) in shuffled order, the same places")
      let numbers = threads.dropLast().map { "\($0)" }.joined(separator: ", ")
      lines.append("the same bytes with \(numbers) and \(threads[threads.count - 1]) threads")
    }
    lines += unchecked(counts)
    return lines.joined(separator: "\n  ") + "\n"
  }

  /// What could not be checked.
  private static func unchecked(_ counts: VerifiedCounts) -> [String] {
    var lines: [String] = []
    if counts.isPartial {
      lines.append(
        "part of a map: \(Quantity.count(counts.incompleteFolders, "folder")) with entries that are "
          + "not in it")
    }
    let unplaced = counts.nodes - counts.places - counts.openPlaces
    if unplaced > 0 {
      lines.append(
        "not checked: \(Quantity.count(unplaced, "place")), which need names that are not in it")
    }
    if counts.openPlaces > 0 {
      let places = Quantity.count(counts.openPlaces, "place")
      lines.append(
        "not confirmed: \(places) of files, each of them one of two, by folders that may not be in it"
      )
    }
    if counts.unknownZooms > 0 {
      lines.append(
        "not checked: \(Quantity.count(counts.unknownZooms, "minzoom")), which need the number of "
          + "entries that are not in it")
    }
    if counts.hasExclusions {
      lines.append("not checked: how many entries were left out")
    }
    return lines
  }

  /// A counterexample in full.
  static func fault(_ fault: MapFault, in subject: String) -> String {
    var place = subject
    if fault.line > 0 { place += ", line \(fault.line)" }
    if let path = fault.path { place += ", \(TerminalText.escaped(path))" }
    var text = "\(place): \(fault.what)\n"
    if let expected = fault.expected { text += "  must be \(shown(expected))\n" }
    if let found = fault.found { text += "  is      \(shown(found))\n" }
    return text
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    TerminalText.escaped(bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes)
  }
}
