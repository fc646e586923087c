import GeoAtlas
import GeoCore
import GeoFormats
import GeoTree

extension Command {
  static let find = Command(
    id: .find,
    summary: "Find files and folders by name.",
    usage: "find [OPTION]... WORDS [[LABEL=]DIR]...",
    description: [
      "Find files and folders by name, as the search of the page does. WORDS are one "
        + "argument: the last word has to be in the name, the others in the name or the path "
        + "above. A word with '*', '?' or '[' is a glob for a whole name, such as '*.log'. "
        + "Case doesn't matter. Without DIR the current folder is searched.",
      "The best matches come first: a name equal to the word, then equal up to its extension, "
        + "names that begin with it, have a word that begins with it, or contain it. Folders come "
        + "before files, and high levels before deep ones. Each line has size (of files), path and "
        + "place, LON,LAT in degrees. Lines appear as soon as nothing better can follow.",
    ],
    examples: [
      "geomapper find report ~": "Find reports.",
      "geomapper find --sort size --limit 10 '*.log' /var": "Find the ten largest logs.",
      "geomapper find --type d --sort size --limit 10 '*' ~":
        "Find the ten largest folders, each with all in it.",
      "geomapper find --layer git:commits --sort commits --limit 10 '*.swift' .":
        "Find the ten files of a repository that most commits changed.",
      "geomapper find --limit 5 'python3 json' /usr":
        "Find names with json in or below what has python3 in its name.",
    ],
    statuses: statuses(
      "Everything was searched", incomplete: "Some folders could not be searched."),
    rules: [.takes(1..., or: "no WORDS given"), .format], run: FindCommand.run)
}

enum FindCommand {
  private static let defaultLimit = 50

  static func run(_ run: Run) throws(Failure) {
    let words = run.low.operands[0]
    guard let match = NameMatch(words) else {
      throw .usage(
        "WORDS are what names hold, up to \(NameMatch.longestQuery) bytes, not \(words.quoted)")
    }
    let (world, scan): (World, FileSystemScanner.Options)
    do throws(Failure) {
      (world, scan) = try open(run)
    } catch {
      // An unquoted second word may have been read as a folder.
      if error.status != .usage || run.low.operands.count < 2 { throw error }
      throw error.advising("WORDS are one argument, in quotes if they are several")
    }
    try find(match, in: world, scan, run)
  }

  private static func open(_ run: Run) throws(Failure) -> (World, FileSystemScanner.Options) {
    let inputs = try run.inputs(Array(run.low.operands.dropFirst()), read: .anywhere)
    let layers = try run.low.layers.open(inputs)
    // Each folder is read once, so a cache would not help.
    let world = try wording {
      try World(
        roots: inputs.roots, layout: run.low.chosenLayout, selection: inputs.selection,
        cacheLimit: 0, layers: layers)
    }
    return (world, inputs.scan)
  }

  /// The totals of folders, if they are to be sorted by size.
  private static func totals(
    of world: World, _ scan: FileSystemScanner.Options, _ run: Run
  ) throws(Failure) -> TreeTotals? {
    guard run.low.atlas.order == .size, run.low.kinds?.contains(.directory) == true else {
      return nil
    }
    return try run.totals("totals", of: world.roots, scan)
  }

  /// What folders say of layers, without what the rules of paths leave out; nil without layers.
  private static func sums(
    of world: World, _ scan: FileSystemScanner.Options, _ run: Run
  ) throws(Failure) -> TreeTotals? {
    guard let layers = world.layers else { return nil }
    // Conditions of the search are for matches, not for what is in them.
    var scan = scan
    scan.selection = try Selection(run.low.rulesAlone)
    let sums = try run.read("layers", of: world.roots.entryCount) { [scan] faults in
      try await layers.sums(in: world.roots, scan.heard(by: faults.progress))
    }
    try run.noteUnmatched(in: layers)
    return sums
  }

  private static func find(
    _ match: NameMatch, in world: World, _ scan: FileSystemScanner.Options, _ run: Run
  ) throws(Failure) {
    let format = run.format
    let order = try run.low.layers.number(
      of: run.low.atlas.orderLayer, "sort", or: MatchOrder.allCases.map(\.rawValue),
      in: world.layers)
    let output = try AnswerOutput(format, world, run)
    let text = NodeText(engine: world.engine, layers: world.layers?.schema ?? .none)
    var search = NameSearch(
      for: match, limit: run.low.limit ?? defaultLimit, first: run.low.atlas.order, byLayer: order,
      asksForFacts: format == .text, totals: try totals(of: world, scan, run),
      sums: try sums(of: world, scan, run), in: world)
    let progress = run.progress
    progress?.begin(of: world.roots.entryCount)
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
          try output.add(node, hit.cells)
        }
      }
      try output.flush()
      if output.isClosed { return }
    }
    progress?.clear()
    try output.complete()
    if count == 0 { run.note("nothing was found") }
    if count < search.matches {
      run.note("first \(count.grouped) of \(search.matches.grouped); --limit all shows all")
    }
    if search.isComplete { return }
    run.note("some folders could not be searched")
    run.add(faults: 1)
  }
}
