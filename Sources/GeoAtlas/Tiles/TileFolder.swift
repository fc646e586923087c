import GeoChange
import GeoCore
import GeoFormats
import GeoProjection
import GeoTree

/// A folder in a walk through tiles, with the data that consecutive tiles need.
///
/// It is for one thread. Computed data is kept only for reuse.
final class TileFolder {
  private enum Origin {
    case root(Int)
    case child(Int, of: WorldFolder)
  }

  /// The quads over which its files are spread, by their numbers.
  struct Ground {
    let frames: FileFrames
    let quads: [Quad?]
  }

  let place: FolderPlace
  let path: [UInt8]
  let name: [UInt8]
  let depth: Int
  let tint: UInt8
  let number: Int
  /// Its number in the comparison of two states.
  let changeNumber: Int
  private let origin: Origin
  private(set) var listing: WorldFolder?
  private var knownCoast: [PlanPoint]?
  private var knownNumbers: [Int]?
  private var knownChangeNumbers: [Int]?
  private var knownGround: Ground?
  private var knownSpots: [PlanPoint]?
  private var knownEarliest: Int?
  private var knownFacts: [EntryFacts]?

  init(root index: Int, of world: World, number: Int, changeNumber: Int) {
    place = world.engine.roots[index]
    path = world.roots[index].label
    name = path
    depth = 0
    tint = world.tints[index]
    self.number = number
    self.changeNumber = changeNumber
    origin = .root(index)
  }

  init(_ index: Int, of parent: WorldFolder, depth: Int, number: Int, changeNumber: Int) {
    place = parent.places[index]
    name = parent.folders.name(at: index)
    path = parent.path(of: name)
    self.depth = depth
    tint = parent.tints[index]
    self.number = number
    self.changeNumber = changeNumber
    origin = .child(index, of: parent)
  }

  /// Its listing, which is read if necessary; nil if other threads are to read it.
  func read(by reader: WorldReader) -> WorldFolder? {
    if let listing { return listing }
    let read = { [origin] in
      switch origin {
      case .root(let index): reader.root(index)
      case .child(let index, let parent): reader.child(index, of: parent)
      }
    }
    listing = reader.shared.map { $0.folder(at: address, reading: read) } ?? read()
    return listing
  }

  private var address: SharedReads.Address {
    switch origin {
    case .root(let index): .init(path: path, root: index, place: place, handle: nil)
    case .child(let index, let parent):
      .init(path: path, root: parent.root, place: place, handle: parent.handle(of: index))
    }
  }

  /// All vertices of its charted coast line.
  func coast(by engine: GeoProjectionEngine) -> [PlanPoint] {
    if let knownCoast { return knownCoast }
    var coast: [PlanPoint] = []
    engine.planCoastline(of: place, into: &coast)
    for index in coast.indices { coast[index] = engine.chart(coast[index]) }
    knownCoast = coast
    return coast
  }

  func numbers(in totals: TreeTotals, of folder: WorldFolder) -> [Int] {
    if let knownNumbers { return knownNumbers }
    let numbers = totals.numbers(of: folder.folders, in: number)
    knownNumbers = numbers
    return numbers
  }

  func numbers(in changes: ChangeTree, of folder: WorldFolder) -> [Int] {
    if let knownChangeNumbers { return knownChangeNumbers }
    let numbers = changes.numbers(of: folder.folders, in: changeNumber)
    knownChangeNumbers = numbers
    return numbers
  }

  /// The first zoom at which any of its contents may be visible, for any listing.
  func earliestZoom(by engine: GeoProjectionEngine) -> Int {
    if let knownEarliest { return knownEarliest }
    let zoom = Int(engine.earliestZoom(in: place))
    knownEarliest = zoom
    return zoom
  }

  func ground(of folder: WorldFolder) -> Ground {
    if let knownGround { return knownGround }
    var frames = FileFrames(of: folder.city)
    let quads = frames.quads()
    let ground = Ground(frames: frames, quads: quads)
    knownGround = ground
    return ground
  }

  func spots(in folder: WorldFolder, by engine: GeoProjectionEngine) -> [PlanPoint] {
    if let knownSpots { return knownSpots }
    let frames = ground(of: folder).frames
    let spots = folder.files.records.indices.map { index in
      let seed = folder.seed(ofFile: index)
      return engine.chart(frames.point(of: seed, in: frames.number(of: seed)))
    }
    knownSpots = spots
    return spots
  }

  func facts(in folder: WorldFolder, by reader: WorldReader) -> [EntryFacts] {
    if let knownFacts { return knownFacts }
    let facts = reader.facts(in: folder)
    knownFacts = facts
    return facts
  }
}

extension WorldFolder {
  /// The seed of a file, which decides its place.
  func seed(ofFile index: Int) -> UInt64 {
    let files = files
    return XXH64.hash(
      files.bytes.span.extracting(files.records[index].range), seed: city.folderSeed)
  }
}

extension TreeTotals {
  package func complete(_ record: inout FeatureRecord, _ number: Int) {
    guard let sums = self[number] else { return }
    record.totals = sums
    guard let details = details(of: number) else { return }
    record.newest = details.newest
    record.type = details.largestClass.flatMap { FileType(rawValue: UInt8($0)) }?.word
  }
}
