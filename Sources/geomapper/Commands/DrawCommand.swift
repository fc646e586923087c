import GeoDraw
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

extension Command {
  /// `geomapper draw`
  static let draw = Command(
    id: .draw,
    summary: "Draw a map to print.",
    usage: "draw [OPTION]... [[LABEL=]DIR]... -o FILE\n"
      + "       geomapper draw [OPTION]... --git REPO [[LABEL=]REV]... -o FILE",
    description: [
      "Draw the map of folders, of a part of it or of one folder as a sheet to print: "
        + "land at its true coordinates, hills for bytes, woods for files, towns, and a "
        + "cartouche (a box with title and totals). The sheet is SVG without scripts, fonts "
        + "or external files, and looks the same in all programs. The same tree and options "
        + "give the same bytes."
    ],
    examples: [
      Example(line: "geomapper draw -o usr.svg /usr", effect: "Draw /usr on a sheet of A3."),
      Example(
        line: "geomapper draw --folder usr/share --sheet A2 --date 2026-11-22 -o share.svg /usr",
        effect: "Draw one country of it, larger, with a date."),
      Example(
        line: "geomapper draw --dark --shade age --title Home -o home.svg ~",
        effect: "Show what is old, on a dark ground."),
      Example(
        line: "geomapper draw --format png -o src.png --git . HEAD",
        effect: "Draw a revision as a picture."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was drawn",
      incomplete: "The sheet lacks what could not be read or vanished meanwhile.",
      wrong: "a folder, revision or snapshot that does not exist, or no program that makes a PNG"),
    run: DrawCommand.run)
}

/// `geomapper draw`: draws a sheet to print.
enum DrawCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let plan = try Plan(low)
    let place = try low.place
    try place.refuseTerminal("a sheet")
    let isQuiet = low.isQuiet
    let progress = low.progressLine()
    progress?.begin(of: plan.roots.roots.entryCount)
    let temporary = place.temporary
    let (totals, faults) = try onMainThread { [plan] in
      try await Self.totals(
        of: plan, hiding: temporary, FaultList(isQuiet: isQuiet, progress), progress?.listener)
    }
    let poster: Poster
    do throws(PosterError) {
      poster = try Poster(
        of: totals, by: plan.roots.engine, showing: plan.target, plan.options)
    } catch {
      throw failure(error, low)
    }
    progress?.begin("picture")
    let picture = try plan.program?.png(
      of: poster.svg, width: poster.width, height: poster.height
    ) { progress?.showTime() }
    progress?.clear()
    try OutputFile.write(picture ?? poster.svg, to: place)
    return plan.inputs.status(faults == 0 ? .success : .incomplete)
  }

  /// What is to be drawn.
  private struct Plan: Sendable {
    let inputs: Inputs
    let roots: WorldRoots
    let target: PosterTarget
    /// What makes a PNG, if there is to be one.
    let program: PictureProgram?
    let threads: Int?
    var options = PosterOptions()

    init(_ low: LowArguments) throws(Failure) {
      let inputs = try Inputs(low, low.operands, read: .selected)
      self.inputs = inputs
      roots = try wording { try WorldRoots(inputs.roots, low.layout ?? .settled) }
      target = try Self.target(low, inputs.named)
      program =
        try low.format(among: FileFormat.holding(.pictures), usual: .svg) == .png
        ? PictureProgram.find() : nil
      threads = low.threads
      if let size = low.draw.size { options.size = size }
      options.title = low.draw.title
      options.isDark = low.draw.isDark
      if let shading = low.draw.shading { options.shading = shading }
      options.date = low.draw.date
    }

    private static func target(
      _ low: LowArguments, _ roots: [ScanRoot]
    ) throws(Failure) -> PosterTarget {
      guard let folder = low.draw.folder else {
        return low.box.map { .box($0) } ?? .world
      }
      let path = try MapPaths(roots, advice: "give a folder in it, or draw the one that holds it")
        .path(of: folder)
      return .folder(path.components.filter { !$0.isEmpty }.map { Array($0) })
    }
  }

  private static func failure(_ error: PosterError, _ low: LowArguments) -> Failure {
    let shown = TerminalText.escaped(low.draw.folder ?? [])
    switch error {
    case .noFolder: return .usage("no folder '\(shown)' on the map")
    case .noLand:
      return .usage("'\(shown)' is so deep that it has no land; draw a folder around it")
    case .badBox:
      return .usage(
        "--bbox needs a box with some extent, and W west of E: a sheet ends at the antimeridian")
    }
  }

  private static func totals(
    of plan: Plan, hiding temporary: TemporaryEntry?, _ faults: FaultList,
    _ listener: FileSystemScanner.Listener?
  ) async throws -> (TreeTotals, Int) {
    var options = FileSystemScanner.Options()
    options.threads = plan.threads
    options.temporary = temporary
    options.tellsReach = listener
    var pass = try await FileSystemScanner(options: options)
      .totals(of: plan.roots.roots, classes: FileType.classes).makeAsyncIterator()
    while let step = try await pass.next(isolation: nil) { faults.add(step.faults) }
    faults.finish()
    return (pass.finish(), faults.count)
  }
}
