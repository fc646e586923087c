import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection
import GeoTree
import GeoSystem

/// A world as a site of static files: the page, an archive of tiles, and parts that tell of folders.
package struct Publication {
  /// What was done.
  package struct Outcome: Sendable {
    /// Files of the site.
    package var files = 0
    /// Those that were written, because they are new or other than before.
    package var written = 0
    /// Bytes of all files.
    package var bytes: Int64 = 0
  }

  /// The picture by which other programs show a link to the site.
  package struct Picture: Sendable {
    /// A PNG.
    package var bytes: [UInt8]
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int

    /// A picture of the given size.
    package init(bytes: [UInt8], width: Int, height: Int) {
      (self.bytes, self.width, self.height) = (bytes, width, height)
    }
  }

  private static let pictureName = "share.png"
  /// Tiles of zooms down to this one show the whole world in windows of all usual sizes.
  private static let firstZooms = 2

  private let world: World
  private let totals: TreeTotals?
  private let range: TileDescent.Range
  private let address: String?
  private let archive: WorldArchive
  /// Where the tiles are that a page begins with.
  private let beginning: [ArchiveEntry]
  private let parts: SiteParts
  /// Which picture there is, if any; it is of use only where the page will be is known.
  package var picture: Picture?
  /// How much is shown, in words, for those who pass the page's address on; empty if nobody says.
  package var extent = ""
  /// What happened in the course of time, for a page that plays it: rows of JSON.
  package var timeline: [UInt8]?

  /// Makes all of it, in scratch files.
  ///
  /// - Parameters:
  ///   - world: What is shown; it must not change meanwhile.
  ///   - totals: What is below folders, if that is to be told.
  ///   - range: Which tiles there are.
  ///   - address: Where the page will be; nil if nobody says.
  ///   - threads: How many threads make the tiles.
  ///   - tell: Told how much of the tiles is done, in thousandths.
  package init(
    of world: World, totals: TreeTotals?, range: TileDescent.Range, address: String?, threads: Int,
    tell: (Int) -> Void = { _ in }
  ) throws(Errno) {
    self.world = world
    self.totals = totals
    self.range = range
    var address = address
    if let given = address, !given.hasSuffix("/") { address = given + "/" }
    self.address = address
    let parts = BackgroundTask { () throws(Errno) in try SiteParts(of: world, totals: totals) }
    if threads > 1 { parts.begin() }
    archive = try WorldArchive(
      of: world, totals: totals, range: range, threads: threads, tell: tell)
    beginning = try archive.beginning(to: Self.firstZooms)
    self.parts = try parts.finish()
  }

  /// The archive is called after what is in it, so that a page that is open never reads tiles of one by the
  /// directories of another.
  private var archiveName: String { "world-\(SiteParts.text(ofHash: archive.fingerprint)).pmtiles" }

  /// Brings a folder to what the site is now; where that fails before any file is another, what was added is taken out.
  package func write(to folder: SiteFolder) throws(SiteFolder.Failure) -> Outcome {
    var folder = folder
    do throws(SiteFolder.Failure) {
      return try write(all: &folder)
    } catch {
      folder.withdraw()
      throw error
    }
  }

  private func write(all folder: inout SiteFolder) throws(SiteFolder.Failure) -> Outcome {
    let page = timeline == nil ? PublishedPage.map : .history
    var small = page.files.map { (name: $0.name, bytes: $0.bytes) }
    let history = timeline.map { Gzip.compress($0) }
    let historyName = history.map {
      "history-\(SiteParts.text(ofHash: XXH64.hash($0.span, seed: 0))).gz"
    }
    if let history, let historyName { small.append((historyName, history)) }
    let tiles = "pmtiles://\(address ?? "")\(archiveName)/{z}/{x}/{y}"
    var style = TileStyle(tiles: tiles, complete: range.complete, deepest: range.deepest)
    small.append(("style.json", style.encode()))
    style.hasNames = true
    small.append(("style-labels.json", style.encode()))
    var description = TileJSON(name: world.title, tiles: tiles, bounds: world.bounds)
    description.deepest = range.deepest
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
    func note(_ isWritten: Bool, _ bytes: Int64) {
      outcome.files += 1
      outcome.written += isWritten ? 1 : 0
      outcome.bytes += bytes
    }
    try folder.begin(names)
    for file in parts.files {
      let bytes: [UInt8]
      do throws(Errno) { bytes = try parts.bytes(of: file.range) } catch { throw .system(error) }
      note(try folder.put(file.name, bytes), Int64(bytes.count))
    }
    let isNew = try folder.put(archiveName, length: archive.length) {
      (take) throws(Errno) in try copy(to: take)
    }
    note(isNew, archive.length)
    for file in small { note(try folder.put(file.name, file.bytes), Int64(file.bytes.count)) }
    // Who comes now finds all that the page asks for.
    note(try folder.put(index.name, index.bytes), Int64(index.bytes.count))
    try folder.end()
    return outcome
  }

  private func copy(to take: SiteFolder.Taker) throws(Errno) {
    do throws(ArchiveFailure<Errno>) {
      try archive.write(to: take)
    } catch {
      switch error {
      case .scratch(let reason), .output(let reason): throw reason
      }
    }
  }

  /// What the page shows.
  private var summary: String {
    let name = String(decoding: world.title, as: UTF8.self)
    let what =
      timeline == nil ? "A map of \(name)" : "The history of \(name), all that was ever there"
    return
      "\(what)\(extent.isEmpty ? "" : ": \(extent)"). Folders are lands, files are points."
  }

  /// What the page has to know before all else.
  private func description(_ history: String?) -> [UInt8] {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
      json.member("geomapper", Int64(1))
      json.member("projection", Int64(GeoProjectionEngine.version))
      json.member("archive", text: Array(archiveName.utf8))
      put(beginning, to: &json)
      json.member("complete", Int64(range.complete))
      json.member("totals", totals != nil)
      writer.putRoots(tellingCoasts: true, to: &json)
      json.member("search", text: Array(parts.search.utf8))
      json.member("names", text: Array(parts.nameList.utf8))
      json.member("nameBytes", parts.nameBytes)
      json.member("parts", text: Array(parts.list.utf8))
      if let history { json.member("history", text: Array(history.utf8)) }
    }
    return json.bytes + [10]
  }

  /// Adds where tiles are, as the columns of a directory: `begin`. Tiles from `end` on have to be looked for.
  private func put(_ entries: [ArchiveEntry], to json: inout JSONBuilder) {
    json.key("begin")
    json.object { json in
      json.member("end", Int64(HilbertCurve.first(ofZoom: Self.firstZooms + 1)))
      for (name, column) in [
        ("tiles", entries.map { Int64($0.tile) }), ("runs", entries.map { Int64($0.run) }),
        ("lengths", entries.map { Int64($0.length) }),
        ("offsets", entries.map { Int64($0.offset) }),
      ] {
        json.key(name)
        json.array { json in
          for number in column { json.value(number) }
        }
      }
    }
  }
}
