import GeoAtlas
import GeoChange
import GeoCore
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

extension Command {
  /// `geomapper publish`
  static let publish = Command(
    id: .publish,
    summary: "Write a website for any web server.",
    usage: "publish [OPTION]... [[LABEL=]DIR]... -o FOLDER\n"
      + "       geomapper publish [OPTION]... --git REPO [[LABEL=]REV]... -o FOLDER",
    description: [
      "Write a website that shows folders into FOLDER: the page, tiles in one file, data "
        + "of each folder, a search index. Any web server that supports byte ranges can serve "
        + "it, under any path. The page loads nothing from elsewhere.",
      "FOLDER has to be new or empty, or hold a website of an earlier run. Then unchanged "
        + "files are kept, the others are replaced one by one, the page last, and the run "
        + "after removes what is no longer used. Everyone who can read FOLDER can read all "
        + "names in it.",
    ],
    examples: [
      Example(
        line: "geomapper publish -o site ~/src", effect: "Write a website that shows a folder."),
      Example(
        line: "geomapper publish --history --git ~/src -o site",
        effect: "Play the history of a repository."),
      Example(
        line: "geomapper publish --exclude '.*' --base-url https://example.org/map -o site ~/src",
        effect: "Leave out hidden files, and set the address of the website."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was written",
      incomplete: "The website lacks what could not be read or vanished meanwhile.",
      wrong: "a folder or list that does not exist, or a FOLDER that holds something else",
      left: "What was written stays, and the next run continues"),
    run: PublishCommand.run)
}

/// `geomapper publish`: writes a site.
enum PublishCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let output = low.output else {
      throw .usage("no folder given for the site: use -o FOLDER")
    }
    if output.elementsEqual("-".utf8) { throw .usage("a site is a folder: use -o FOLDER") }
    var low = low
    low.links.totals = true
    low.ownFolder = ownFolder(output)
    let plan = low.serve.showsHistory ? nil : try MapPlan(low)
    let history = low.serve.showsHistory ? try PublishedHistory(low) : nil
    let request = history?.request ?? plan?.request ?? MapRequest(roots: [])
    let isWhole = history?.isWhole ?? plan?.isWhole ?? true
    let folder = try open(output)
    do throws(Failure) {
      return try fill(folder, request, low, history, isWhole: isWhole)
    } catch {
      folder.leave()
      throw error
    }
  }

  private static func fill(
    _ folder: SiteFolder, _ request: MapRequest, _ low: LowArguments, _ history: PublishedHistory?,
    isWhole: Bool
  ) throws(Failure) -> ExitStatus {
    let output = low.output ?? []
    if low.redaction.isAsked, try RedactionKeyFile(low.redaction).lies(in: output) {
      throw .usage("the key of --redact is in the site, where others can read it: move it")
    }
    return try onMainThread {
      let report = Report(
        mode: low.progress ?? .auto, isQuiet: low.isQuiet, outputIsTerminal: false,
        total: request.knownCount)
      let tree = try await ScratchTree(request, report)
      var site = try await tree.site(low.archive, request, report)
      site.timeline = history?.timeline
      if low.archive.address == nil, !low.isQuiet {
        Messages.note(
          "tip: --base-url URL adds a preview picture to shared links")
      }
      let outcome = try write(site, to: folder, output)
      report.finish(bytes: Int(clamping: outcome.bytes))
      return report.faults == 0 && isWhole ? .success : .incomplete
    }
  }

  /// Where the site lies, which it doesn't show, whatever tree it lies in.
  private static func ownFolder(_ path: [UInt8]) -> OwnFolder? {
    var path = (try? ThisProcess.realPath(path)) ?? path
    while path.count > 1, path.last == .slash { path.removeLast() }
    guard let (folder, name) = try? OutputPlace.split(path),
      let parent = try? FolderHandle(at: folder).facts().identity
    else { return nil }
    return OwnFolder(name: name, parent: parent)
  }

  private static func open(_ path: [UInt8]) throws(Failure) -> SiteFolder {
    do throws(SiteFolder.Failure) {
      return try SiteFolder(path)
    } catch {
      throw failure(error, path)
    }
  }

  private static func write(
    _ site: Publication, to folder: SiteFolder, _ path: [UInt8]
  ) throws(Failure) -> Publication.Outcome {
    do throws(SiteFolder.Failure) {
      return try site.write(to: folder)
    } catch {
      throw failure(error, path)
    }
  }

  private static func failure(_ error: SiteFolder.Failure, _ path: [UInt8]) -> Failure {
    let shown = TerminalText.escaped(path)
    return switch error {
    case .foreign:
      .usage(
        "'\(shown)' holds something else than a site of \(Tool.name): give a folder that is empty, or "
          + "isn't there")
    case .misplaced(let name): .usage("'\(shown)/\(name)' is not a folder of a site: remove it")
    case .busy:
      .output(
        "another \(Tool.name) is writing the site '\(shown)': wait until it has ended, or give another "
          + "folder")
    case .dangling: OutputPlace.danglingLink(shown)
    case .system(.noEntry): .usage("the parent folder of '\(shown)' does not exist; make it first")
    case .system(.notDirectory): .usage("'\(shown)' is not a folder")
    case .system(let reason): .output("can't write the site '\(shown)': \(reason)")
    }
  }
}

/// What `geomapper publish --history` writes a site of: all that was ever there, and what happened to it.
struct PublishedHistory {
  /// What is shown.
  let request: MapRequest
  /// The rows that the page plays.
  let timeline: [UInt8]
  /// Whether all of it can be shown.
  let isWhole: Bool

  init(_ low: LowArguments) throws(Failure) {
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    let (world, faults) = try reading.world()
    let source = HistorySource(world)
    var request = MapRequest(roots: source.roots)
    request.layout = low.layout ?? .settled
    request.scan.threads = low.threads
    self.request = request
    timeline = HistoryTimeline(source, filter: HistoryFilter()).text()
    isWhole = faults == 0
  }
}

/// The picture by which other programs show a link to a site: a sheet of the world.
enum SharePicture {
  /// Draws it.
  ///
  /// - Parameters:
  ///   - totals: Of what is shown.
  ///   - engine: Of the same roots.
  ///   - isPart: Whether what is shown is a part of a tree, of which the rest isn't drawn.
  /// - Returns: nil if no program here makes a PNG, or the world is too small to be drawn; why is said.
  static func draw(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, isPart: Bool, _ report: Report
  ) -> Publication.Picture? {
    var options = PosterOptions()
    options.size = .link
    options.showsUnlisted = !isPart
    do throws(Failure) {
      let program = try PictureProgram.find()
      guard let sheet = try? Poster(of: totals, by: engine, showing: .world, options) else {
        return nil
      }
      let png = try program.png(
        of: sheet.svg, width: sheet.width, height: sheet.height, scale: 1,
        telling: report.timer("picture"))
      return Publication.Picture(bytes: png, width: sheet.width, height: sheet.height)
    } catch {
      if !report.isQuiet { Messages.note("the site has no share picture: \(error.message)") }
      return nil
    }
  }
}
