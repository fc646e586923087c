import GeoCore
import GeoProjection

/// What walks through one tile or through many have in common. It is for one thread.
final class TileSource {
  let world: World
  let reader: WorldReader
  let known: Knowledge

  init(_ world: World, by reader: WorldReader? = nil, _ known: Knowledge) {
    (self.world, self.known) = (world, known)
    self.reader = reader ?? world.reader()
  }

  var roots: [TileScope.Entry] {
    let labels = NameTable(world.roots.map(\.label), kind: .directory)
    return known.numbers(of: labels, in: nil).enumerated().map { index, numbers in
      TileScope.Entry(
        TileFolder(world.address(ofRoot: index), tint: world.tints[index], depth: 0, numbers, self))
    }
  }
}

/// A folder in a walk through tiles, with the data that consecutive tiles need.
final class TileFolder {
  let address: FolderAddress
  let name: [UInt8]
  let tint: UInt8
  let depth: Int
  let numbers: Knowledge.Numbers
  private let source: TileSource
  private(set) var contents: TileContents?

  init(
    _ address: FolderAddress, tint: UInt8, depth: Int, _ numbers: Knowledge.Numbers,
    _ source: TileSource
  ) {
    (self.address, self.tint, self.depth) = (address, tint, depth)
    (self.numbers, self.source) = (numbers, source)
    name = depth == 0 ? address.path : Array(address.path.lastComponent)
  }

  var place: FolderPlace { address.place }

  /// Its contents, which are read if necessary; nil if other threads are to read them.
  func read() -> TileContents? {
    if contents == nil {
      let reader = source.reader
      let listing =
        if let shared = reader.shared {
          shared.folder(at: address, by: reader)
        } else {
          reader.folder(at: address)
        }
      contents = listing.map { TileContents($0, of: self, source) }
    }
    return contents
  }

  private(set) lazy var coast: [PlanPoint] = {
    var coast: [PlanPoint] = []
    source.world.engine.planCoastline(of: place, into: &coast)
    return coast.map { source.world.engine.chart($0) }
  }()

  /// The first zoom at which any of its contents may be visible, for any listing.
  private(set) lazy var earliestZoom = Int(source.world.engine.earliestZoom(in: place))
}

/// The listing of a folder in a walk through tiles, with the data that consecutive tiles need.
final class TileContents {
  let listing: WorldFolder
  /// The quads over which its files are spread, by their numbers; empty without files.
  let quads: [Quad?]
  let frames: FileFrames
  private let source: TileSource
  private let depth: Int
  let numbers: Knowledge.Numbers

  fileprivate init(_ listing: WorldFolder, of folder: TileFolder, _ source: TileSource) {
    (self.listing, self.source) = (listing, source)
    (depth, numbers) = (folder.depth, folder.numbers)
    var frames = FileFrames(of: listing.city)
    quads = listing.files.isEmpty ? [] : frames.quads()
    self.frames = frames
  }

  private lazy var childNumbers = source.known.numbers(of: listing.folders, in: numbers)

  func child(_ index: Int) -> TileScope.Entry {
    TileScope.Entry(
      TileFolder(
        listing.address(of: index), tint: listing.tints[index], depth: depth + 1,
        source.known.isEmpty ? Knowledge.Numbers() : childNumbers[index], source))
  }

  func spot(_ index: Int) -> PlanPoint {
    let seed = listing.seed(ofFile: index)
    return source.world.engine.chart(frames.point(of: seed, in: frames.number(of: seed)))
  }

  private(set) lazy var spots = listing.files.records.indices.map(spot)
  private(set) lazy var facts = source.reader.facts(in: listing)
}
