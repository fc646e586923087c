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
    summary: "Write a site that any static host can serve.",
    usage: "publish [OPTION]... [[LABEL=]DIR]... -o FOLDER",
    description: [
      "Write into FOLDER a page that shows some folders, with all that it needs: tiles in one file, "
        + "what is known of each folder, names to search in. Any host serves it that sends ranges of files, "
        + "below any path; the page asks nobody else.",
      "FOLDER must not be there, or be empty, or have a site of an earlier run: then what is the same is "
        + "left alone, the rest is replaced file by file, the page itself last, and what is of no use "
        + "any more is removed. Whoever can read FOLDER can read all names in it.",
    ],
    examples: [
      Example(line: "geomapper publish -o site ~/src", effect: "Write a site about a folder."),
      Example(
        line: "geomapper publish --history --git ~/src -o site",
        effect: "Play the history of a repository."),
      Example(
        line: "geomapper publish --exclude '.*' --base-url https://example.org/map -o site ~/src",
        effect: "Leave out what is hidden; say where the site will be."),
    ],
    statuses: ExitMeaning.usual(
      "All was written",
      incomplete: "The site lacks what could not be read, or vanished meanwhile.",
      wrong: "a folder or list that does not exist, or a FOLDER that holds something else",
      left: "what was written of the site stays, and the next run goes on with it"),
    run: PublishCommand.run)
}

/// `geomapper publish`: writes a site.
enum PublishCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    guard let output = run.low.output else {
      throw .usage("say where the site is to be written: -o FOLDER")
    }
    if output.elementsEqual("-".utf8) { throw .usage("a site is a folder: give one by -o FOLDER") }
    run.low.links.totals = true
    run.low.ownFolder = ownFolder(output)
    let history = run.low.serve.showsHistory ? try PublishedHistory(run) : nil
    let request: MapRequest
    if let history { request = history.request } else { request = try MapPlan(run).request }
    let folder = try writing(output) { () throws(SiteFolder.Failure) in try SiteFolder(output) }
    do throws(Failure) {
      try fill(folder, at: output, request, history?.timeline, run)
    } catch {
      folder.leave()
      throw error
    }
  }

  private static func fill(
    _ folder: SiteFolder, at path: [UInt8], _ request: MapRequest, _ timeline: [UInt8]?, _ run: Run
  ) throws(Failure) {
    let low = run.low
    if low.redaction.isAsked, try RedactionKeyFile(low.redaction).lies(in: path) {
      throw .usage("the key of --redact lies in the site, where others can read it: move it")
    }
    try run.report(of: request.knownCount) { report in
      let tree = try await ScratchTree(request, report)
      var site = try await tree.site(low.archive, request, report)
      site.timeline = timeline
      if low.archive.address == nil, !low.isQuiet {
        Messages.note(
          "links to the site will show no picture: that takes its address, --base-url URL")
      }
      let outcome = try writing(path) { () throws(SiteFolder.Failure) in
        try site.write(to: folder)
      }
      report.finish(bytes: Int(clamping: outcome.bytes))
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

  /// Does something with the folder of the site.
  private static func writing<Value>(
    _ path: [UInt8], _ body: () throws(SiteFolder.Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(SiteFolder.Failure) {
      return try body()
    } catch {
      throw Failure(error, at: path)
    }
  }
}

/// What `geomapper publish --history` writes a site of: all that was ever there, and what happened to it.
struct PublishedHistory {
  /// What is shown.
  let request: MapRequest
  /// The rows that the page plays.
  let timeline: [UInt8]

  init(_ run: Run) throws(Failure) {
    let low = run.low
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    let (world, faults) = try reading.world()
    let source = HistorySource(world)
    var request = MapRequest(roots: source.roots)
    request.layout = low.layout ?? .settled
    request.scan.threads = low.threads
    self.request = request
    timeline = HistoryTimeline(source, filter: HistoryFilter()).text()
    run.add(faults: faults)
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
