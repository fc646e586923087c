import GeoCore
import GeoProjection

/// A bounding box in the units of ``ExactPoint``.
struct ExactBox: BitwiseCopyable {
  let west: Int64
  let east: Int64
  let south: Int64
  let north: Int64

  func meets(_ box: ExactBox) -> Bool {
    west <= box.east && box.west <= east && south <= box.north && box.south <= north
  }
}

/// Finds all pairs of boxes that meet, with a line that sweeps from west to east.
///
/// A tournament tree, ordered by southern sides, holds the northern sides of the boxes under the
/// line.
///
/// - Complexity: O((n + k) log n) for k pairs that meet; 32 to 48 bytes a box.
struct BoxSweep {
  private let boxes: [ExactBox]
  private let byWest: [Int32]
  private let byEast: [Int32]
  private let bySouth: [Int32]
  private var ranks: [Int32]
  /// The tournament tree: the northernmost side under each node. The root is at 1, the leaves fill
  /// the second half.
  private var reach: [Int64]
  private let leaves: Int

  init(_ boxes: [ExactBox]) {
    self.boxes = boxes
    func order(by side: (ExactBox) -> Int64) -> [Int32] {
      boxes.indices.map { Int32($0) }.sorted { side(boxes[Int($0)]) < side(boxes[Int($1)]) }
    }
    byWest = order { $0.west }
    byEast = order { $0.east }
    bySouth = order { $0.south }
    ranks = [Int32](repeating: 0, count: boxes.count)
    for (rank, index) in bySouth.enumerated() { ranks[Int(index)] = Int32(rank) }
    var leaves = 1
    while leaves < boxes.count { leaves *= 2 }
    self.leaves = leaves
    reach = [Int64](repeating: .min, count: 2 * leaves)
  }

  /// Meets each pair once, while both are under the line, and leaves each box that the line has
  /// left.
  consuming func run(
    meet: (Int, Int) throws(MapFault) -> Void, leave: (Int) -> Void
  ) throws(MapFault) {
    var passed = 0
    var found: [Int] = []
    for next in byWest.indices {
      let index = Int(byWest[next])
      let box = boxes[index]
      while passed < byEast.count, boxes[Int(byEast[passed])].east < box.west {
        let left = Int(byEast[passed])
        set(rank: Int(ranks[left]), .min)
        leave(left)
        passed += 1
      }
      found.removeAll(keepingCapacity: true)
      find(box, into: &found)
      for other in found { try meet(other, index) }
      set(rank: Int(ranks[index]), box.north)
    }
  }

  private mutating func set(rank: Int, _ north: Int64) {
    var node = leaves + rank
    reach[node] = north
    while node > 1 {
      node /= 2
      reach[node] = max(reach[2 * node], reach[2 * node + 1])
    }
  }

  private func find(_ box: ExactBox, into found: inout [Int]) {
    var open = [1]
    while let node = open.popLast() {
      // No box under this node reaches far enough north.
      if reach[node] < box.south { continue }
      if node >= leaves {
        let index = Int(bySouth[node - leaves])
        if boxes[index].south <= box.north { found.append(index) }
        continue
      }
      open.append(2 * node)
      // The right half begins with the leaf compared here.
      if isSouth(of: box.north, firstLeafBelow: 2 * node + 1) { open.append(2 * node + 1) }
    }
  }

  /// Whether the southernmost box under a node begins at or south of a latitude.
  private func isSouth(of north: Int64, firstLeafBelow node: Int) -> Bool {
    let rank = node << (node.leadingZeroBitCount - leaves.leadingZeroBitCount) - leaves
    return rank < bySouth.count && boxes[Int(bySouth[rank])].south <= north
  }
}

/// The lands in one folder, which must not meet.
///
/// It keeps their bounding boxes, and only those coast lines that don't follow from names.
struct Neighbours {
  private struct Land {
    let index: Int32
    let line: Int
  }

  private var lands: [Land] = []
  private var boxes: [ExactBox] = []
  private var drawn: [Int: ExactRing] = [:]

  mutating func add(_ index: Int, line: Int, _ ring: ExactRing, isPlaced: Bool) {
    if !isPlaced { drawn[lands.count] = ring }
    lands.append(Land(index: Int32(index), line: line))
    boxes.append(ring.box)
  }

  /// Compares the lands whose boxes meet; returns how many pairs were apart. O((n + k) log n) for k
  /// pairs of boxes that meet.
  consuming func check(
    draw: (Int) -> ExactRing, path: (Int) -> [UInt8]
  ) throws(MapFault) -> Int {
    if lands.count < 2 { return 0 }
    let (lands, drawn) = (lands, drawn)
    // Computed coast lines are kept as long as other lands may meet them.
    var rings: [Int: ExactRing] = [:]
    var separations = 0
    func ring(_ position: Int) -> ExactRing {
      if let ring = drawn[position] ?? rings[position] { return ring }
      let ring = draw(Int(lands[position].index))
      rings[position] = ring
      return ring
    }
    try BoxSweep(boxes).run(
      meet: { (a, b) throws(MapFault) in
        separations += 1
        if ring(a).isApart(from: ring(b)) { return }
        let (first, last) = lands[a].line < lands[b].line ? (a, b) : (b, a)
        throw MapFault(
          line: lands[last].line, path: path(Int(lands[last].index)),
          what: "it touches the land of a neighbouring folder, "
            + String(decoding: path(Int(lands[first].index)), as: UTF8.self))
      },
      leave: { rings[$0] = nil })
    return separations
  }
}

extension MapChecker {
  /// Strictly inside the nearest land around it.
  mutating func checkContainment(
    of feature: FeatureLine, ring: [Coordinate], file: FilePlace?, line: Int
  ) throws(MapFault) {
    let top = frames.count - 1
    if feature.isFolder {
      let place = frames[top].node.place
      if !place.isLanded {
        let point = world.engine.flatMap { engine in
          frames[top].node.isPlaced ? engine.coordinate(of: place) : nil
        }
        guard let position = point ?? feature.positions.first else { return }
        let digits = point == nil ? ExactPoint.digits : place.digits
        return try check(
          ExactPoint(position, digits: digits), isIn: frames[..<top], feature.path, line)
      }
      let exact = ExactRing(ring, digits: place.digits)
      frames[top].ring = exact
      if !frames[top].node.isPlaced {
        try checkShape(of: exact, feature, in: frames[..<top], line)
      }
      if let land = frames[..<top].last(where: { $0.ring != nil })?.ring {
        if !land.holds(exact) { throw outside(feature.path, line) }
        counts.containments += 1
      }
      if top > 0, world.layout == .settled {
        frames[top - 1].neighbours.add(
          frames[top].index, line: line, exact, isPlaced: frames[top].node.isPlaced)
      }
    } else if let file {
      try check(
        ExactPoint(file.coordinate, digits: frames[top].digits), isIn: frames[...top],
        feature.path, line)
    }
  }

  /// One that doesn't follow from names.
  private func checkShape(
    of ring: ExactRing, _ feature: FeatureLine, in frames: ArraySlice<FolderFrame>, _ line: Int
  ) throws(MapFault) {
    if frames.contains(where: { $0.node.isWritten && !$0.node.place.isLanded }) {
      throw MapFault(line: line, path: feature.path, what: "it has land in a folder without any")
    }
    let label = feature.label.map { ExactPoint($0, digits: ExactPoint.digits) }
    let depth = self.frames[self.frames.count - 1].node.place.depth
    if let what = ring.fault(asCoastAtDepth: depth, around: label) {
      throw MapFault(line: line, path: feature.path, what: what)
    }
  }

  private mutating func check(
    _ point: ExactPoint, isIn frames: ArraySlice<FolderFrame>, _ path: [UInt8], _ line: Int
  ) throws(MapFault) {
    guard let land = frames.last(where: { $0.ring != nil })?.ring else { return }
    if !land.holds(point) { throw outside(path, line) }
    counts.containments += 1
  }

  private func outside(_ path: [UInt8], _ line: Int) -> MapFault {
    MapFault(line: line, path: path, what: "it is not inside its folder's land")
  }

  /// Also checks that the lands in each of them are apart.
  mutating func leaveFrames(downTo count: Int) throws(MapFault) {
    while frames.count > count, let frame = frames.popLast() {
      try checkSeparation(in: frame)
      try layers?.leave(frame.node, path: { tree.path(of: frame.index) }, &counts)
    }
  }

  private mutating func checkSeparation(in frame: FolderFrame) throws(MapFault) {
    let (tree, engine) = (tree, world.engine)
    var ring: [Coordinate] = []
    counts.separations += try frame.neighbours.check(
      draw: { index in
        let place = tree[index].place
        engine?.coastline(of: place, into: &ring)
        return ExactRing(ring, digits: place.digits)
      },
      path: { tree.path(of: $0) })
  }
}
