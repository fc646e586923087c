import GeoFormats
import GeoCore
import GeoProjection

/// Names and places as input of the stages.
struct StageWorld {
  let engine: GeoProjectionEngine
  let parent: FolderPlace
  let city: City
  let files: NameTable
  /// The names and places of the sub-folders of one folder, three levels below the root.
  let names: NameTable
  let folders: [FolderPlace]
  private let path = Array("home/Projects/project/source".utf8)
  private let filePlaces: [FilePlace]
  private let facts: [EntryFacts]
  private let rings: [[Coordinate]]

  init() throws(Failure) {
    files = Self.names(50_000, kind: .regular) { (namer, number, random) in
      namer.addFile(.source, number: number, random: &random)
    }
    names = Self.names(16, kind: .directory) { (namer, number, random) in
      namer.addFolder(.source, number: number, random: &random)
    }
    do throws(ProjectionError) {
      engine = try GeoProjectionEngine(
        layout: .settled, labels: NameTable([Array("home".utf8)], kind: .directory))
    } catch {
      throw Failure("the engine refuses its root")
    }
    var place = engine.roots[0]
    var places: [FolderPlace] = []
    for _ in 0..<3 {
      engine.placeFolders(names, in: place, fileCount: 20, into: &places)
      place = places[0]
    }
    parent = place
    city = engine.placeFolders(names, in: parent, fileCount: files.count, into: &places)
    folders = places
    var filePlaces: [FilePlace] = []
    engine.placeFiles(files, 0..<files.count, in: city, into: &filePlaces)
    self.filePlaces = filePlaces
    var random = Random(seed: 7)
    facts = (0..<files.count).map { _ in
      EntryFacts(
        size: Int64(random.powerOfTwo(around: 12, spread: 2.5)),
        modified: 1_500_000_000 + Int64(random.below(200_000_000)), status: .known)
    }
    var rings: [[Coordinate]] = []
    for folder in folders {
      var ring: [Coordinate] = []
      engine.coastline(of: folder, into: &ring)
      rings.append(ring)
    }
    self.rings = rings
  }

  /// Ranges of files, as large as a scan delivers them.
  var batches: [Range<Int>] {
    stride(from: 0, to: files.count, by: 512).map { $0..<min($0 + 512, files.count) }
  }

  /// Places files, and writes only their coordinates.
  func writePlaces() -> Int {
    var places: [FilePlace] = []
    var buffer = OutputBuffer(capacity: 1 << 16)
    for range in batches {
      engine.placeFiles(files, range, in: city, into: &places)
      buffer.removeAll()
      for place in places {
        buffer.append(degrees: place.coordinate.longitude, digits: city.digits)
        buffer.append(degrees: place.coordinate.latitude, digits: city.digits)
      }
    }
    return files.count
  }

  func writeFiles() -> Int {
    let writer = FeatureWriter(format: .geojson)
    writer.enterFolder(path: path)
    var buffer = OutputBuffer(capacity: 1 << 18)
    for range in batches {
      buffer.removeAll()
      _ = writer.writeFiles(
        files, range, places: Array(filePlaces[range]), facts: Array(facts[range]),
        FileBatch(depth: Int(parent.depth) + 1, digits: city.digits, minzoom: city.minzoom),
        to: &buffer)
    }
    return files.count
  }

  func writeFolders() -> Int {
    let writer = FeatureWriter(format: .geojson)
    var buffer = OutputBuffer(capacity: 1 << 18)
    for _ in 0..<500 {
      buffer.removeAll()
      for (index, folder) in folders.enumerated() {
        writer.enterFolder(path: path)
        let feature = FolderFeature(
          place: folder, coordinate: engine.coordinate(of: folder), entries: 17,
          modified: 1_600_000_000, isUnreadable: false)
        writer.writeFolder(feature, ring: rings[index], to: &buffer)
      }
    }
    return 500 * folders.count
  }

  private static func names(
    _ count: Int, kind: EntryKind, _ add: (inout Namer, Int, inout Random) -> Int
  ) -> NameTable {
    var namer = Namer()
    namer.removeAll(expecting: count)
    var random = Random(seed: 5)
    var table = NameTable()
    for number in 0..<count {
      let start = add(&namer, number, &random)
      table.append(namer.bytes.span.extracting(start..<(namer.bytes.count - 1)), kind: kind)
    }
    table.sort()
    return table
  }
}
