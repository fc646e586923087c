import GeoChange
import GeoCore
import GeoProjection
import GeoTree

/// A folder as a walk through tiles comes upon it, with what tile after tile needs of it.
///
/// It belongs to one thread. What it computes it keeps only if that is of use again.
final class TileFolder {
  /// How it is read.
  private enum Way {
    case root(Int)
    case child(Int, of: WorldFolder)
  }

  /// The quads that its files are spread over, by their numbers, all of them cut.
  struct Ground {
    let frames: FileFrames
    let quads: [Quad?]
  }

  let place: FolderPlace
  let path: [UInt8]
  let name: [UInt8]
  /// 0 for a root.
  let depth: Int
  /// Its number in the totals.
  let number: Int
  /// Its number in the comparison of two states.
  let changeNumber: Int
  private let way: Way
  /// What was read of it.
  private(set) var listing: WorldFolder?
  private var knownCoast: [PlanPoint]?
  private var knownNumbers: [Int]?
  private var knownChangeNumbers: [Int]?
  private var knownGround: Ground?
  private var knownSpots: [PlanPoint]?
  private var knownEarliest: Int?
  private var knownFacts: [EntryFacts]?

  /// A root.
  init(root index: Int, of world: World, number: Int, changeNumber: Int) {
    place = world.engine.roots[index]
    path = world.roots[index].label
    name = path
    depth = 0
    self.number = number
    self.changeNumber = changeNumber
    way = .root(index)
  }

  /// A sub-folder.
  init(_ index: Int, of parent: WorldFolder, depth: Int, number: Int, changeNumber: Int) {
    place = parent.places[index]
    name = parent.folders.name(at: index)
    path = parent.path(of: name)
    self.depth = depth
    self.number = number
    self.changeNumber = changeNumber
    way = .child(index, of: parent)
  }

  /// Its listing, which is read if nobody has it.
  func read(by reader: WorldReader) -> WorldFolder {
    if let listing { return listing }
    let folder =
      switch way {
      case .root(let index): reader.root(index)
      case .child(let index, let parent): reader.child(index, of: parent)
      }
    listing = folder
    return folder
  }

  /// All vertices of its coast line, charted.
  func coast(by engine: GeoProjectionEngine) -> [PlanPoint] {
    if let knownCoast { return knownCoast }
    var coast: [PlanPoint] = []
    engine.planCoastline(of: place, into: &coast)
    for index in coast.indices { coast[index] = engine.chart(coast[index]) }
    knownCoast = coast
    return coast
  }

  /// The numbers of its sub-folders in the totals.
  func numbers(in totals: TreeTotals, of folder: WorldFolder) -> [Int] {
    if let knownNumbers { return knownNumbers }
    let numbers = totals.numbers(of: folder.folders, in: number)
    knownNumbers = numbers
    return numbers
  }

  /// The numbers of its sub-folders in a comparison.
  func numbers(in changes: ChangeTree, of folder: WorldFolder) -> [Int] {
    if let knownChangeNumbers { return knownChangeNumbers }
    let numbers = changes.numbers(of: folder.folders, in: changeNumber)
    knownChangeNumbers = numbers
    return numbers
  }

  /// The lowest zoom at which anything in it may be visible, whatever its listing says.
  func earliestZoom(by engine: GeoProjectionEngine) -> Int {
    if let knownEarliest { return knownEarliest }
    let zoom = Int(engine.earliestZoom(in: place))
    knownEarliest = zoom
    return zoom
  }

  /// The quads that its files are spread over.
  func ground(of folder: WorldFolder) -> Ground {
    if let knownGround { return knownGround }
    var frames = FileFrames(of: folder.city)
    let quads = frames.quads()
    let ground = Ground(frames: frames, quads: quads)
    knownGround = ground
    return ground
  }

  /// The places of all its files, charted.
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

  /// What all its files are.
  func facts(in folder: WorldFolder, by reader: WorldReader) -> [EntryFacts] {
    if let knownFacts { return knownFacts }
    let facts = reader.facts(in: folder)
    knownFacts = facts
    return facts
  }
}

extension WorldFolder {
  /// What says where one of its files is.
  func seed(ofFile index: Int) -> UInt64 {
    let files = files
    return XXH64.hash(
      files.bytes.span.extracting(files.records[index].range), seed: city.folderSeed)
  }
}
