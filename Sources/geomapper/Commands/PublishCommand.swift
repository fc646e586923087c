import GeoChange
import GeoCore
import GeoPipeline
import GeoSystem
import GeoTree
import GeoWeb

extension Command {
  static let publish = Command(
    id: .publish,
    summary: "Write a website for any web server.",
    usage: "publish [OPTION]... [[LABEL=]DIR]... -o FOLDER\n"
      + "       geomapper publish [OPTION]... --git REPO [[LABEL=]REV]... -o FOLDER",
    description: [
      "Write a website that shows folders into FOLDER: the page, tiles in one file, data "
        + "of each folder, a search index. Any web server that supports byte ranges can serve "
        + "it, under any path. The page loads nothing from elsewhere.",
      "FOLDER has to be new or empty, or hold a website of an earlier run. Then unchanged files "
        + "are kept, the others are replaced one by one, the page last, and the run after removes "
        + "what is no longer used. Everyone who can read FOLDER can read all names in it.",
    ],
    examples: [
      "geomapper publish -o site ~/src": "Write a website that shows a folder.",
      "geomapper publish --history --git ~/src -o site": "Play the history of a repository.",
      "geomapper publish --exclude '.*' --base-url https://example.org/map -o site ~/src":
        "Leave out hidden files, and set the address of the website.",
    ],
    statuses: statuses(
      "Everything was written",
      incomplete: "The website lacks what could not be read or vanished meanwhile.",
      wrong: "a folder or list that does not exist, or a FOLDER that holds something else",
      left: "What was written stays, and the next run continues"),
    rules: [
      .refuses(
        unless: .option("output"), saying: "no folder given for the site: use -o FOLDER"),
      .refuses(when: .option("output", ["-"]), saying: "a site is a folder: use -o FOLDER"),
      .history(when: .option("history")),
    ],
    run: PublishCommand.run)
}

enum PublishCommand {
  static func run(_ run: Run) throws(Failure) {
    let output = run.low.outputPath
    run.low.map.totals = true
    run.low.map.scan.ownFolder = ownFolder(output)
    let history = run.low.serve.showsHistory ? try PublishedHistory(run) : nil
    let request: MapRequest
    if let history { request = history.request } else { request = try MapPlan(run).request }
    let sizes = try run.low.layers.sizes(request.layers)
    let folder = try SiteFolder(output)
    do throws(Failure) {
      try fill(folder, at: output, request, sizes, history?.timeline, run)
    } catch {
      folder.leave()
      throw error
    }
  }

  private static func fill(
    _ folder: SiteFolder, at path: [UInt8], _ request: MapRequest, _ sizes: String?,
    _ timeline: [UInt8]?, _ run: Run
  ) throws(Failure) {
    let low = run.low
    if low.redaction.isAsked, try RedactionKeyFile(low.redaction).lies(in: path) {
      throw .usage("the key of --redact is in the site, where others can read it: move it")
    }
    try run.report(of: request.knownCount) { report in
      let tree = try await ArchiveBuilder(request, report)
      let made = try await tree.site(low.tiles, address: low.siteAddress, request, report)
      var site = made.site
      (site.timeline, site.sizes) = (timeline, sizes)
      if low.siteAddress != nil {
        do throws(Failure) {
          site.picture = try Publication.Picture(
            of: made.shown, by: tree.world.engine, isPart: made.isPart,
            progress: report.timer("picture"))
        } catch {
          if !report.isQuiet { Messages.note("the site has no share picture: \(error)") }
        }
      }
      if low.siteAddress == nil, !low.isQuiet {
        Messages.note("tip: --base-url URL adds a preview picture to shared links")
      }
      let outcome = try site.write(to: folder)
      report.finish(bytes: Int(clamping: outcome.bytes))
    }
    try run.noteUnmatched(in: request.layers)
  }

  /// The folder of the site, which the site leaves out if it is in the tree.
  private static func ownFolder(_ path: [UInt8]) -> OwnFolder? {
    var path = (try? ThisProcess.realPath(path)) ?? path
    while path.count > 1, path.last == .slash { path.removeLast() }
    guard let (folder, name) = try? FileTarget.split(path),
      let parent = try? FolderHandle(at: folder).facts().identity
    else { return nil }
    return OwnFolder(name: name, parent: parent)
  }
}

/// The data of `geomapper publish --history`: every node that ever existed, and the time line.
struct PublishedHistory {
  let request: MapRequest
  let timeline: [UInt8]

  init(_ run: Run) throws(Failure) {
    let low = run.low
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    let source = HistorySource(try reading.world(run))
    var request = MapRequest(roots: source.roots)
    request.layout = low.chosenLayout
    request.scan.threads = low.map.scan.threads
    self.request = request
    timeline = HistoryTimeline(source, filter: HistoryFilter()).text()
  }
}
