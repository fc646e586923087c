import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree

extension LowArguments {
  /// Whether any option leaves entries out.
  var selects: Bool {
    readingDepth != nil || !rules.isEmpty || !names.isEmpty || kinds != nil || !sizes.isEmpty
      || newer != nil || older != nil
  }

  /// Whether git's ignore rules apply, which are read from files.
  var usesGitignore: Bool {
    rules.contains { rule in
      if case .gitignore = rule { true } else { false }
    }
  }

  /// The arguments with the path rules only, without other conditions.
  var rulesAlone: LowArguments {
    var low = self
    (low.names, low.kinds, low.sizes, low.newer, low.older) = ([], nil, [], nil, nil)
    return low
  }

  /// The arguments without the rules that were applied while the disk was read.
  var withoutRulesOfDisk: LowArguments {
    if !usesGitignore { return self }
    var low = self
    low.rules = []
    low.links = LinkArguments()
    return low
  }
}

extension Selection {
  /// Maximum size of a file of globs, in bytes.
  private static let largestFile = 64 << 20

  /// Makes the selection that the arguments describe.
  init(_ low: LowArguments) throws(Failure) {
    self.init()
    for name in low.names {
      try explaining("--name: can't use this pattern") { try requireName(name) }
    }
    for rule in low.rules { try add(rule) }
    if let depth = low.readingDepth { try exclude(below: depth) }
    if let kinds = low.kinds { requireKinds(kinds) }
    for condition in low.sizes { requireSize(condition) }
    if let text = low.newer { newer = try Self.seconds(of: text, for: "--newer") }
    if let text = low.older { older = try Self.seconds(of: text, for: "--older") }
  }

  private mutating func add(_ rule: LowRule) throws(Failure) {
    try explaining("a pattern can't be used") {
      switch rule {
      case .exclude(let glob): try exclude(glob)
      case .include(let glob): try include(glob)
      case .noHidden: excludeHidden()
      case .gitignore: excludeIgnored()
      case .excludeFrom(let file): try exclude(from: file)
      }
    }
  }

  /// Leaves out deeper entries, whatever the rules before match.
  private mutating func exclude(below depth: Int) throws(Failure) {
    // No path has more components than that.
    if depth >= 2048 { return }
    let names = [[UInt8]](repeating: [UInt8(ascii: "*")], count: depth + 1)
    try add(.exclude([.slash] + names.joined(separator: [.slash])))
  }

  private mutating func exclude(from file: [UInt8]) throws(Failure) {
    let bytes = try GivenFile.bytes(
      of: file, limit: Self.largestFile, or: "--exclude-from: can't read")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let glob = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if glob.isEmpty || glob.first == UInt8(ascii: "#") { continue }
      let place = "line \(index + 1) of '\(TerminalText.escaped(file))'"
      try explaining("--exclude-from: \(place) is no pattern") {
        if glob.first == UInt8(ascii: "!") {
          try include(Array(glob.dropFirst()), selectively: false)
        } else {
          try exclude(glob)
        }
      }
    }
  }

  /// The time that a date names, or the modification time of a file.
  private static func seconds(of text: [UInt8], for option: String) throws(Failure) -> Int64 {
    if let seconds = Moment.seconds(parsing: text) { return seconds }
    return try explaining(
      "\(option): '\(TerminalText.escaped(text))' is not a date (try 2026-01-31, "
        + "2026-01-31T12:00Z or @SECONDS), and as a file"
    ) { try FileSystem.rootFacts(text).modified }
  }
}
