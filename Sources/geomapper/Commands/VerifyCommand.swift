import GeoPath
import GeoSystem
import GeoVerify

/// `geomapper verify`: checks maps.
enum VerifyCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      guard low.operands.count == 1, let file = try regularFile(low.operands[0]) else {
        return try TreeCheck(low).run()
      }
      return try check(file, low)
    } catch {
      throw error.status == .usage ? error.hinting(at: "\(Tool.name) verify --help") : error
    }
  }

  /// The file that is meant; nil if it is a folder, or not there under this name.
  private static func regularFile(_ path: [UInt8]) throws(Failure) -> InputFile? {
    let input: InputFile
    do throws(Errno) {
      input = try InputFile(at: path)
    } catch {
      if error == .isDirectory { return nil }
      if path.dropFirst().contains(UInt8(ascii: "=")) { return nil }
      throw .usage("can't read '\(TerminalText.escaped(path))': \(error)")
    }
    if input.start == nil {
      throw .usage(
        "'\(TerminalText.escaped(path))' can't be read twice; write the map to a file first")
    }
    return input
  }

  private static func check(_ file: InputFile, _ low: LowArguments) throws(Failure) -> ExitStatus {
    var verifier = MapVerifier(
      layout: low.layout ?? .settled, isPartial: low.verify.isPartial)
    let verdict: MapVerdict
    do {
      try read(file) { (bytes) throws(MapFault) in try verifier.survey(bytes) }
      try verifier.endSurvey()
      try read(file) { (bytes) throws(MapFault) in try verifier.check(bytes) }
      verdict = try verifier.endCheck()
    } catch let fault as MapFault {
      try StandardOutput.print(VerdictText.text(of: fault))
      return .fault
    } catch let error as Errno {
      throw .usage("can't read '\(TerminalText.escaped(low.operands[0]))': \(error)")
    } catch {
      throw .usage("it was broken off: \(error)")
    }
    if !low.isQuiet { try StandardOutput.print(VerdictText.text(of: verdict)) }
    if verdict.incomplete == 0 || verdict.isPartial { return .success }
    Messages.note(
      "the map says that nothing was left out, but "
        + "\(Quantity.count(verdict.incomplete, "folder")) of it had more entries when listed")
    return .incomplete
  }

  private static func read(
    _ file: InputFile, _ body: (Span<UInt8>) throws(MapFault) -> Void
  ) throws {
    var bytes: [UInt8] = []
    var offset = file.start ?? 0
    while true {
      bytes.removeAll(keepingCapacity: true)
      let count = try file.read(upTo: 1 << 20, at: offset, appendingTo: &bytes)
      if count == 0 { return }
      offset += Int64(count)
      try body(bytes.span)
    }
  }
}

/// Verdicts as people read them.
enum VerdictText {
  /// What was checked.
  static func text(of verdict: MapVerdict) -> String {
    let nodes = verdict.folders + verdict.files
    var text =
      "no fault in \(Quantity.count(verdict.folders, "folder")) and "
      + "\(Quantity.count(verdict.files, "file"))\(verdict.isPartial ? " of a partial map" : "")\n"
      + "checked: path, name, kind, depth, id and order of all; "
      + "place and minzoom of \(Quantity.grouped(nodes - verdict.unplaced))\n"
    if verdict.unplaced > 0 {
      text +=
        "not checked: the places of \(Quantity.grouped(verdict.unplaced)), whose folders have "
        + "sub-folders that are not on the map\n"
    }
    if verdict.loose > 0 {
      text +=
        "not checked exactly: the minzoom of \(Quantity.grouped(verdict.loose)), which depends on "
        + "files that are not on the map\n"
    }
    return text
  }

  /// What is wrong, in full.
  static func text(of fault: MapFault) -> String {
    var text = "line \(Quantity.grouped(fault.line))"
    if !fault.path.isEmpty { text += ", \(TerminalText.escaped(fault.path))" }
    text += ": \(fault.reason)\n"
    if !fault.expected.isEmpty { text += "must be: \(TerminalText.escaped(fault.expected))\n" }
    if !fault.found.isEmpty { text += "is:      \(TerminalText.escaped(fault.found))\n" }
    return text
  }
}
