import GeoCore
import GeoProjection
import TestSupport

/// A folder whose sub-folders and files have the worst possible names: at the corners of the lots,
/// and on both sides of their borders.
struct Neighbourhood: Sendable, CustomStringConvertible {
  /// The root's label.
  var label: [UInt8]
  /// The listings of its ancestors; the first name of each leads to the folder.
  var way: [[[UInt8]]] = []
  var folders: [[UInt8]] = []
  var files: [[UInt8]] = []

  /// Which lots sub-folders take.
  enum Taken: CaseIterable, Sendable {
    case none
    case some
    case allButOne
    case all
  }

  /// A neighbourhood at some depth.
  ///
  /// - Parameters:
  ///   - depth: The depth of the folder.
  ///   - isRemote: Whether the folder is among the smallest at that depth, so that some of its
  ///     sub-folders are landless.
  init(
    depth: Int, taken: Taken, isRemote: Bool = false, using generator: inout SeededGenerator
  ) throws {
    label = Tree.names(1, using: &generator)[0]
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([label]))
    var parent = engine.roots[0]
    for _ in 0..<depth {
      var smallest: (names: [[UInt8]], place: FolderPlace)?
      for _ in 0..<(isRemote ? 16 : 1) {
        let key = Self.corner(&generator)
        // Siblings, so that its land is cut off at the corner.
        let bits = (0..<(isRemote ? 6 : 2)).map { _ in UInt64(generator.number(in: 40...62)) }
        let names =
          [ForgedName.name(key: key, in: parent.seed, salt: 0)]
          + bits.map { ForgedName.name(key: key ^ 1 << $0, in: parent.seed, salt: 1) }
        var next: [FolderPlace] = []
        engine.placeFolders(NameTable(names), in: parent, fileCount: 0, into: &next)
        guard next[0].isLanded else { continue }
        if next[0].land.breadth < smallest?.place.land.breadth ?? .max {
          smallest = (names, next[0])
        }
      }
      guard let smallest else { break }
      way.append(smallest.names)
      parent = smallest.place
    }

    settle(parent, taken, mostInLot: isRemote ? 12 : 3, using: &generator)
  }

  /// A neighbourhood whose folder barely has the minimum breadth of land, and lots.
  ///
  /// - Parameter depth: The depth of the folder, 2 to 5.
  init(
    atHorizonAtDepth depth: Int, taken: Taken, using generator: inout SeededGenerator
  ) throws {
    label = Tree.names(1, using: &generator)[0]
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([label]))
    var parent = engine.roots[0]
    for level in 1...depth {
      // A sibling for each bit of the key, so that every cut is made; only as many as leave land
      // for the next levels.
      let key = Self.corner(&generator)
      let rest = Double(Int64.bitWidth - parent.land.breadth.leadingZeroBitCount - 22)
      let goal = Int64(1) << (22 + Int64(rest * Double(depth - level) / Double(depth - level + 1)))
      var names = [ForgedName.name(key: key, in: parent.seed, salt: 0)]
      var next: [FolderPlace] = []
      for bit in (0..<64).reversed() as ReversedCollection<Range<UInt64>> {
        var more = names
        more.append(ForgedName.name(key: key ^ 1 << bit, in: parent.seed, salt: 1))
        var places: [FolderPlace] = []
        engine.placeFolders(NameTable(more), in: parent, fileCount: 0, into: &places)
        guard places[0].isLanded, places[0].land.breadth >= goal else { break }
        (names, next) = (more, places)
      }
      guard let place = next.first else { break }
      way.append(names)
      parent = place
    }
    settle(parent, taken, mostInLot: 2, using: &generator)
  }

  /// Fills the folder.
  private mutating func settle(
    _ parent: FolderPlace, _ taken: Taken, mostInLot: Int,
    using generator: inout SeededGenerator
  ) {
    let lots = 1 << ShareOut.lotBits(depth: parent.depth)
    let free = generator.number(in: 0...(lots - 1))
    for lot in 0..<lots {
      switch taken {
      case .none: continue
      case .some: if generator.chance(0.5) { continue }
      case .allButOne: if lot == free { continue }
      case .all: break
      }
      for salt in 0..<UInt64(generator.number(in: 1...mostInLot)) {
        let key = Self.key(ofLot: lot, lots: lots, rest: Self.corner(&generator))
        folders.append(ForgedName.name(key: key, in: parent.seed, salt: salt))
      }
    }
    for lot in 0..<lots {
      for salt in 0..<UInt64(max(2, 48 / lots)) {
        files.append(
          Self.file(inLot: lot, lots: lots, of: parent, salt: salt << 8, using: &generator))
      }
    }
  }

  /// A key that leads to the given lot.
  private static func key(ofLot lot: Int, lots: Int, rest: UInt64) -> UInt64 {
    let bits = UInt64(lots.trailingZeroBitCount)
    return UInt64(lot) << (64 - bits) | rest >> bits
  }

  /// A number at either end of the range, or any.
  private static func corner(_ generator: inout SeededGenerator) -> UInt64 {
    switch generator.number(in: 0...3) {
    case 0: generator.next() >> UInt64(generator.number(in: 24...63))
    case 1: ~(generator.next() >> UInt64(generator.number(in: 24...63)))
    default: generator.next()
    }
  }

  /// The name of a file at a corner of a lot, on its border, or anywhere in it.
  private static func file(
    inLot lot: Int, lots: Int, of parent: FolderPlace, salt: UInt64,
    using generator: inout SeededGenerator
  ) -> [UInt8] {
    let limit: UInt64 = 1 << 32
    func part(_ generator: inout SeededGenerator) -> UInt64 {
      let near = generator.next() >> UInt64(generator.number(in: 32...60)) & (limit - 1)
      return switch generator.number(in: 0...4) {
      case 0, 1: near
      case 2, 3: limit - 1 - near
      default: generator.next() & (limit - 1)
      }
    }
    let (u, v) = (part(&generator), part(&generator))
    var name: [UInt8] = []
    // The lot and the place depend on the same seed: one of several neighbouring places is in the
    // lot.
    for step in 0..<256 as Range<UInt64> {
      name = ForgedName.name(key: u << 32 | v ^ step, in: parent.seed, salt: salt)
      let number = SplitMix64.number(XXH64.hash(name.span, seed: parent.seed), 1)
      if number >> 32 >= 1 << 30, (number & (limit - 1)) * UInt64(lots) >> 32 == UInt64(lot) {
        break
      }
    }
    return name
  }

  var smaller: [Neighbourhood] {
    var result: [Neighbourhood] = []
    for (count, path) in [(folders.count, \Self.folders), (files.count, \Self.files)]
    where count > 0 {
      for part in [0..<count / 2, count / 2..<count] {
        var smaller = self
        smaller[keyPath: path].removeSubrange(part.isEmpty ? 0..<1 : part)
        result.append(smaller)
      }
    }
    return result
  }

  var description: String { "in \(label) \(way): folders \(folders), files \(files)" }
}

extension Neighbourhood {
  /// The result of a check.
  struct Finding {
    var fault: String?
    /// The number of pairs of a node and a folder that were checked for containment.
    var checks = 0
    /// Files that have lots.
    var filesInLots = 0
    var landless = 0
    /// The number of bits of the folder's breadth.
    var breadthBits = 0
  }

  /// Checks the folder's files and sub-folders against the folder and one another.
  func finding(_ space: Space) throws -> Finding {
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([label]))
    var place = engine.roots[0]
    for listing in way {
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(listing), in: place, fileCount: 0, into: &places)
      place = places[0]
    }
    var inner: [FolderPlace] = []
    let city = engine.placeFolders(
      NameTable(folders), in: place, fileCount: files.count, into: &inner)
    var spots: [FilePlace] = []
    engine.placeFiles(NameTable(files), 0..<files.count, in: city, into: &spots)
    var frames = FileFrames(of: city)

    var finding = Finding()
    finding.filesInLots = spots.count { frames.number(of: $0.seed) > 0 }
    finding.breadthBits = Int64.bitWidth - place.land.breadth.leadingZeroBitCount
    finding.landless = inner.count { !$0.isLanded }
    switch space {
    case .plan:
      let plan = spots.map { IntegerPoint(frames.point(of: $0.seed)) }
      check(
        &finding, place, inner, plan,
        ring: { folder in
          var ring: [PlanPoint] = []
          engine.planCoastline(of: folder, into: &ring)
          return ring.map { IntegerPoint($0) }
        })
    case .decimals:
      check(
        &finding, place, inner, spots.map { IntegerPoint($0.coordinate, digits: city.digits) },
        ring: { folder in
          var ring: [Coordinate] = []
          engine.coastline(of: folder, into: &ring)
          return ring.map { IntegerPoint($0, digits: folder.digits) }
        })
    case .doubles:
      check(
        &finding, place, inner, spots.map { DoublePoint($0.coordinate, digits: city.digits) },
        ring: { folder in
          var ring: [Coordinate] = []
          engine.coastline(of: folder, into: &ring)
          return ring.map { DoublePoint($0, digits: folder.digits) }
        })
    }
    return finding
  }

  private func check<Point: PlanarPoint>(
    _ finding: inout Finding, _ place: FolderPlace, _ inner: [FolderPlace], _ files: [Point],
    ring: (FolderPlace) -> [Point]
  ) {
    let outer = Ring(ring(place))
    let rings = inner.filter(\.isLanded).map { Ring(ring($0)) }
    for (index, file) in files.enumerated() {
      if outer.side(of: file) != 1 {
        finding.fault = "file \(index) is not strictly inside its folder"
      }
      for (other, ring) in rings.enumerated() where ring.side(of: file) != -1 {
        finding.fault = "file \(index) is not outside of landed sub-folder \(other)"
      }
    }
    for (index, ring) in rings.enumerated() {
      if !ring.isInside(outer) {
        finding.fault = "landed sub-folder \(index) is not strictly inside its folder"
      }
      for other in rings.indices.dropFirst(index + 1) where !ring.isApart(from: rings[other]) {
        finding.fault = "landed sub-folders \(index) and \(other) are not apart"
      }
    }
    finding.checks += (files.count + rings.count) * (rings.count + 1)
    finding.checks -= rings.count * (rings.count + 1) / 2
  }
}
