import GeoCore
import GeoTree
import GeoSystem

extension LowArguments {
  /// Whether anything is to be left out.
  var selects: Bool {
    readingDepth != nil || !rules.isEmpty || !names.isEmpty || kinds != nil || !sizes.isEmpty
      || newer != nil
      || older != nil
  }
}

extension MapPlan {
  /// How many bytes a file of globs may have.
  private static let largestFile = 64 << 20

  /// What the arguments select.
  static func selection(_ low: LowArguments) throws(Failure) -> Selection {
    var selection = Selection()
    do throws(GlobError) {
      for name in low.names { try selection.requireName(name) }
    } catch {
      throw .usage("--name does not take a pattern: \(error)")
    }
    for rule in low.rules { try add(rule, to: &selection) }
    if let depth = low.readingDepth { try exclude(below: depth, in: &selection) }
    if let kinds = low.kinds { selection.requireKinds(kinds) }
    for condition in low.sizes { selection.requireSize(condition) }
    if let text = low.newer { selection.newer = try seconds(of: text, for: "--newer") }
    if let text = low.older { selection.older = try seconds(of: text, for: "--older") }
    return selection
  }

  private static func add(_ rule: LowRule, to selection: inout Selection) throws(Failure) {
    do throws(GlobError) {
      switch rule {
      case .exclude(let glob): try selection.exclude(glob)
      case .include(let glob): try selection.include(glob)
      case .noHidden: selection.excludeHidden()
      case .gitignore: selection.excludeIgnored()
      case .excludeFrom: break
      }
    } catch {
      throw .usage("a pattern can't be used: \(error)")
    }
    if case .excludeFrom(let file) = rule { try exclude(from: file, in: &selection) }
  }

  /// Leaves out what is deeper, whatever the rules before say.
  private static func exclude(below depth: Int, in selection: inout Selection) throws(Failure) {
    // No path has more names.
    if depth >= 2048 { return }
    let names = [[UInt8]](repeating: [UInt8(ascii: "*")], count: depth + 1)
    try add(.exclude([.slash] + names.joined(separator: [.slash])), to: &selection)
  }

  private static func exclude(
    from file: [UInt8], in selection: inout Selection
  ) throws(Failure) {
    let name = TerminalText.escaped(file)
    let path = file == [UInt8(ascii: "-")] ? Array("/dev/stdin".utf8) : file
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem.readInput(path, limit: largestFile)
    } catch {
      throw .usage("--exclude-from can't read '\(name)': \(error)")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let glob = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if glob.isEmpty || glob.first == UInt8(ascii: "#") { continue }
      do throws(GlobError) {
        if glob.first == UInt8(ascii: "!") {
          try selection.include(Array(glob.dropFirst()), selectively: false)
        } else {
          try selection.exclude(glob)
        }
      } catch {
        throw .usage("--exclude-from: line \(index + 1) of '\(name)' is no pattern: \(error)")
      }
    }
  }

  /// The time that a date says, or the one at which a file was changed.
  private static func seconds(of text: [UInt8], for option: String) throws(Failure) -> Int64 {
    if let seconds = Moment.seconds(parsing: text) { return seconds }
    do throws(Errno) {
      return try FileSystem.rootFacts(text).modified
    } catch {
      throw .usage(
        "\(option) takes a date such as 2026-01-31 or 2026-01-31T12:00Z, @SECONDS, or a file; "
          + "'\(TerminalText.escaped(text))' is no date, and as a file: \(error)")
    }
  }
}
