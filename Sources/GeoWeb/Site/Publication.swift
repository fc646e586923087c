import GeoAtlas
import GeoCore
import GeoDraw
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// A world as a static site: the page, an archive of tiles, and files about folders and names.
package struct Publication {
  package struct Outcome: Sendable {
    package var files = 0
    /// The number of new or changed files, which were written.
    package var written = 0
    package var bytes: Int64 = 0
  }

  package struct Picture: Sendable {
    package var bytes: [UInt8]
    package var width: Int
    package var height: Int

    /// Draws a sheet of the whole world; nil if the world is too small to draw.
    ///
    /// - Parameters:
    ///   - isPart: Whether a part of a tree is shown, so that the rest isn't drawn.
    ///   - progress: Called now and then during the conversion.
    /// - Throws: `Failure` if no program can make a PNG.
    package init?(
      of totals: TreeTotals, by engine: GeoProjectionEngine, isPart: Bool,
      progress: @autoclosure () -> @Sendable () -> Void
    ) throws(Failure) {
      var options = PosterOptions()
      options.size = .link
      options.showsUnlisted = !isPart
      let program = try PictureProgram.find()
      guard let sheet = try? Poster(of: totals, by: engine, showing: .world, options) else {
        return nil
      }
      (width, height) = (sheet.width, sheet.height)
      bytes = try program.png(
        of: sheet.svg, width: width, height: height, scale: 1, progress: progress())
    }
  }

  private static let pictureName = "share.png"
  /// The deepest zoom of the tiles that show the whole world in windows of usual sizes.
  private static let firstZooms = 2

  private let world: World
  private let totals: TreeTotals?
  private let range: TileDescent.Range
  private let address: String?
  private let archive: WorldArchive
  private let beginning: [ArchiveEntry]
  private let parts: SiteParts
  /// The preview picture; only used if the address is known.
  package var picture: Picture?
  /// The extent of the world in words, for link previews; empty if unknown.
  package var extent = ""
  /// What could not be read.
  package var faults = FirstFaults()
  /// The history that the page plays, as JSON lines; nil for a map.
  package var timeline: [UInt8]?
  /// What sizes mean at first, `files` or the name of a layer; nil for bytes.
  package var sizes: String?

  /// Makes the site in scratch files. The world must not change meanwhile.
  ///
  /// - Parameters:
  ///   - address: The future address of the page; nil if unknown.
  ///   - progress: Called with the progress of the tiles in thousandths.
  package init(
    of world: World, totals: TreeTotals?, range: TileDescent.Range, address: String?, threads: Int,
    progress: (Int) -> Void = { _ in }
  ) throws(Errno) {
    (self.world, self.totals, self.range) = (world, totals, range)
    var address = address
    if let given = address, !given.hasSuffix("/") { address = given + "/" }
    self.address = address
    let parts = BackgroundTask { () throws(Errno) in try SiteParts(of: world, totals: totals) }
    if threads > 1 { parts.begin() }
    archive = try WorldArchive(
      of: world, totals: totals, range: range, threads: threads, progress: progress)
    beginning = try archive.beginning(to: Self.firstZooms)
    self.parts = try parts.finish()
  }

  /// The archive's name contains a hash of its content, so that an open page never combines the
  /// directories of one archive with the tiles of another.
  private var archiveName: String { "world-\(SiteParts.text(ofHash: archive.fingerprint)).pmtiles" }

  /// Updates a folder to this site. If that fails before any file was replaced, the added files are
  /// removed again.
  package func write(to folder: SiteFolder) throws(Failure) -> Outcome {
    var folder = folder
    do throws(Failure) {
      return try write(all: &folder)
    } catch {
      folder.withdraw()
      throw error
    }
  }

  private func write(all folder: inout SiteFolder) throws(Failure) -> Outcome {
    let page = timeline == nil ? PublishedPage.map : .history
    var small = page.files.map { (name: $0.name, bytes: $0.bytes) }
    let history = timeline.map { Gzip.compress($0) }
    let historyName = history.map {
      "history-\(SiteParts.text(ofHash: XXH64.hash($0.span, seed: 0))).gz"
    }
    if let history, let historyName { small.append((historyName, history)) }
    let tiles = "pmtiles://\(address ?? "")\(archiveName)/{z}/{x}/{y}"
    var style = TileStyle(tiles: tiles, complete: range.complete, maximumZoom: range.maximumZoom)
    small.append(("style.json", style.encode()))
    style.hasNames = true
    small.append(("style-labels.json", style.encode()))
    var description = TileJSON(of: world, tiles: tiles)
    description.maximumZoom = range.maximumZoom
    small.append(("tilejson.json", description.encode()))
    let known = self.description(historyName)
    small.append(("world.json", known))
    if let picture { small.append((Self.pictureName, picture.bytes)) }
    let index = page.index(
      title: world.title, summary: summary, address: address, world: known,
      picture: picture.map { (name: Self.pictureName, width: $0.width, height: $0.height) })
    let names =
      parts.files.map(\.name) + [archiveName] + small.map(\.name) + [index.name]

    var outcome = Outcome()
    func count(_ isWritten: Bool, _ bytes: Int64) {
      outcome.files += 1
      outcome.written += isWritten ? 1 : 0
      outcome.bytes += bytes
    }
    try folder.begin(names)
    for file in parts.files {
      let bytes = try rethrowing(parts.bytes(of: file.range), as: folder.failure)
      count(try folder.put(file.name, bytes), Int64(bytes.count))
    }
    let isNew = try folder.put(archiveName, length: archive.length) {
      (take) throws(Errno) in try archive.write(failing: { $0 }, to: take)
    }
    count(isNew, archive.length)
    for file in small { count(try folder.put(file.name, file.bytes), Int64(file.bytes.count)) }
    // The page comes last, when everything that it requests is there.
    count(try folder.put(index.name, index.bytes), Int64(index.bytes.count))
    try folder.end()
    return outcome
  }

  private var summary: String {
    let name = String(decoding: world.title, as: UTF8.self)
    let what =
      timeline == nil ? "A map of \(name)" : "The history of \(name), all that was ever there"
    return
      "\(what)\(extent.isEmpty ? "" : ": \(extent)"). Folders are lands, files are points."
  }

  /// The description of the world that the page needs first.
  private func description(_ history: String?) -> [UInt8] {
    var writer = NodeWriter(world)
    return JSONBuilder.object { json in
      json.member("geomapper", Int64(1))
      json.member("projection", Int64(GeoProjectionEngine.version))
      json.member("archive", text: Array(archiveName.utf8))
      put(beginning, to: &json)
      json.member("complete", Int64(range.complete))
      json.member("totals", totals != nil)
      json.member(faults)
      json.member("measure", text: Array(parts.measure.rawValue.utf8))
      writer.putRoots(withCoasts: true, to: &json)
      world.put(layersWithSizes: sizes, to: &json)
      json.member("search", text: Array(parts.search.utf8))
      json.member("names", text: Array(parts.nameList.utf8))
      json.member("nameBytes", parts.nameBytes)
      json.member("parts", text: Array(parts.list.utf8))
      if let history { json.member("history", text: Array(history.utf8)) }
    } + [10]
  }

  /// Adds the entries of the first tiles as columns: `begin`. Tiles from number `end` on must be
  /// looked up in the archive.
  private func put(_ entries: [ArchiveEntry], to json: inout JSONBuilder) {
    json.member("begin") { json in
      json.member("end", Int64(HilbertCurve.first(ofZoom: Self.firstZooms + 1)))
      for (name, column) in [
        ("tiles", entries.map { Int64($0.tile) }), ("runs", entries.map { Int64($0.run) }),
        ("lengths", entries.map { Int64($0.length) }),
        ("offsets", entries.map { Int64($0.offset) }),
      ] {
        json.member(name, each: column) { number, json in json.value(number) }
      }
    }
  }
}
