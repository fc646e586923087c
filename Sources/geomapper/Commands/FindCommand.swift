import GeoAtlas
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree

extension Command {
  /// `geomapper find`
  static let find = Command(
    id: .find,
    summary: "Find files and folders by name.",
    usage: "find [OPTION]... WORDS [[LABEL=]DIR]...",
    description: [
      "Find files and folders by name, as the search of the page does. WORDS are one "
        + "argument: the last word has to be in the name, the others in the name or the path "
        + "above. A word with '*', '?' or '[' is a glob for a whole name, such as '*.log'. "
        + "Case doesn't matter. Without DIR the current folder is searched.",
      "The best matches come first: a name equal to the word, then equal up to its "
        + "extension, names that begin with it, have a word that begins with it, or contain "
        + "it. Folders come before files, and high levels before deep ones. Each line has "
        + "size (of files), path and place, LON,LAT in degrees. Lines appear as soon as "
        + "nothing better can follow.",
    ],
    examples: [
      Example(line: "geomapper find report ~", effect: "Find reports."),
      Example(
        line: "geomapper find --sort size --limit 10 '*.log' /var",
        effect: "Find the ten largest logs."),
      Example(
        line: "geomapper find --limit 5 'python3 json' /usr",
        effect: "Find names with json in or below what has python3 in its name."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was searched", incomplete: "Some folders could not be searched."),
    run: FindCommand.run)
}

/// `geomapper find`: tells where names are.
enum FindCommand {
  private static let usualLimit = 50

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let words = low.operands.first else { throw .usage("no WORDS given") }
    guard let match = NameMatch(words) else {
      throw .usage(
        "WORDS are what names hold, up to \(NameMatch.longestQuery) bytes, "
          + "not '\(TerminalText.escaped(words))'")
    }
    let (inputs, world) = try open(low)
    return inputs.status(try find(match, in: world, low))
  }

  private static func open(_ low: LowArguments) throws(Failure) -> (Inputs, World) {
    do throws(Failure) {
      let inputs = try Inputs(low, Array(low.operands.dropFirst()), read: .anywhere)
      // Each folder is looked at once: nothing is worth keeping.
      let world = try wording {
        try World(
          roots: inputs.roots, layout: low.layout ?? .settled, selection: inputs.selection,
          cacheLimit: 0)
      }
      return (inputs, world)
    } catch {
      throw advised(error, low)
    }
  }

  /// Says what may be wrong if what is taken for a folder is none.
  private static func advised(_ failure: Failure, _ low: LowArguments) -> Failure {
    if failure.status != .usage || low.operands.count < 2 { return failure }
    return .usage("\(failure.message); WORDS are one argument, in quotes if they are several")
  }

  private static func find(
    _ match: NameMatch, in world: World, _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let format = try low.format(among: FileFormat.holding(.answers), usual: .text)
    let output = try AnswerOutput(format, world, low)
    let text = NodeText(engine: world.engine)
    var search = NameSearch(
      for: match, limit: low.limit ?? usualLimit, first: low.atlas.order,
      asksForFacts: format == .text, in: world)
    let progress = low.progressLine()
    progress?.begin(of: world.roots.entryCount)
    defer { progress?.clear() }
    var count = 0
    var goesOn = true
    while goesOn {
      goesOn = search.step()
      let hits = search.takeRanked()
      progress?.show(
        MapSummary(folders: search.folders, files: search.files, unreadable: 0), at: search.place)
      if hits.isEmpty { continue }
      progress?.clear()
      for hit in hits {
        count += 1
        if format == .text {
          try output.add(text.line(of: hit) + "\n")
        } else if let node = world.node(at: hit.path) {
          try output.add(node)
        }
      }
      try output.flush()
      if output.isClosed { return .success }
    }
    progress?.clear()
    try output.complete()
    if count == 0, !low.isQuiet { Messages.note("nothing was found") }
    if search.isComplete { return .success }
    if !low.isQuiet { Messages.note("some folders could not be searched") }
    return .incomplete
  }
}
