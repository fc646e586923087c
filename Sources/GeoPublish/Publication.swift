import GeoArchive
import GeoAtlas
import GeoEmit
import GeoPage
import GeoPath
import GeoProjection
import GeoScan
import GeoSystem
import GeoTile

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

  private let world: World
  private let totals: TreeTotals?
  private let range: TileDescent.Range
  private let address: String?
  private let archive: WorldArchive
  private let parts: SiteParts
  /// Which picture there is, if any; it is of use only where the page will be is known.
  package var picture: Picture?

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
    let parts = SideWork { () throws(Errno) in try SiteParts(of: world, totals: totals) }
    if threads > 1 { parts.begin() }
    archive = try WorldArchive(
      of: world, totals: totals, range: range, threads: threads, tell: tell)
    self.parts = try parts.finish()
  }

  /// The archive is called after what is in it, so that a page that is open never reads tiles of one by the
  /// directories of another.
  private var archiveName: String { "world-\(SiteParts.text(ofHash: archive.fingerprint)).pmtiles" }

  /// Brings a folder to what the site is now.
  package func write(to folder: SiteFolder) throws(SiteFolder.Failure) -> Outcome {
    var small = PublishedPage.files.map { (name: $0.name, bytes: $0.bytes) }
    let tiles = "pmtiles://\(address ?? "")\(archiveName)/{z}/{x}/{y}"
    small.append(("style.json", TileStyle.encode(tiles: tiles, deepest: range.deepest)))
    var description = TileJSON(tiles: tiles, bounds: world.bounds)
    description.deepest = range.deepest
    small.append(("tilejson.json", description.encode()))
    let known = self.description
    small.append(("world.json", known))
    if let picture { small.append((Self.pictureName, picture.bytes)) }
    let index = PublishedPage.index(
      title: title, address: address, world: known,
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
      (output) throws(Errno) in try copy(to: output)
    }
    note(isNew, archive.length)
    for file in small { note(try folder.put(file.name, file.bytes), Int64(file.bytes.count)) }
    // Who comes now finds all that the page asks for.
    note(try folder.put(index.name, index.bytes), Int64(index.bytes.count))
    try folder.end(names)
    return outcome
  }

  private func copy(to output: borrowing Descriptor) throws(Errno) {
    let number = output.rawValue
    do throws(ArchiveFailure<Errno>) {
      try archive.write { (bytes) throws(Errno) in try Descriptor.write(bytes, to: number) }
    } catch {
      switch error {
      case .scratch(let reason), .output(let reason): throw reason
      }
    }
  }

  /// What the page is called.
  private var title: [UInt8] { world.roots.count == 1 ? world.roots[0].label : Array("World".utf8) }

  /// What the page has to know before all else.
  private var description: [UInt8] {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
      json.member("geomapper", Int64(1))
      json.member("projection", Int64(GeoProjectionEngine.version))
      json.member("archive", text: Array(archiveName.utf8))
      json.member("complete", Int64(range.complete))
      json.member("totals", totals != nil)
      writer.putRoots(tellingCoasts: true, to: &json)
      json.member("search", text: Array(parts.search.utf8))
      json.member("nameBytes", parts.nameBytes)
      json.member("parts", text: Array(parts.list.utf8))
    }
    return json.bytes + [10]
  }
}
