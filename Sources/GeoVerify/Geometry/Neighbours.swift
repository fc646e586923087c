import GeoProjection

/// The lands in one folder, which have to be apart.
///
/// Of each only its bounding box is kept, and its coast line where that doesn't follow from names.
struct Neighbours {
  private struct Land {
    /// Its number in the tree.
    let index: Int32
    let line: Int
  }

  private var lands: [Land] = []
  /// The bounding box of each.
  private var boxes: [ExactBox] = []
  /// The coast lines of those whose place doesn't follow from names, by position.
  private var drawn: [Int: ExactRing] = [:]

  /// Adds a land.
  mutating func add(_ index: Int, line: Int, _ ring: ExactRing, isPlaced: Bool) {
    if !isPlaced { drawn[lands.count] = ring }
    lands.append(Land(index: Int32(index), line: line))
    boxes.append(ring.box)
  }

  /// Compares those whose bounding boxes meet.
  ///
  /// - Parameters:
  ///   - draw: Draws the coast line of a folder whose place follows from names.
  ///   - name: Tells the path of a folder.
  /// - Returns: How many pairs were found apart.
  /// - Complexity: O((n + k) log n) for k pairs of boxes that meet.
  consuming func check(
    draw: (Int) -> ExactRing, path: (Int) -> [UInt8]
  ) throws(MapFault) -> Int {
    if lands.count < 2 { return 0 }
    let (lands, drawn) = (lands, drawn)
    // What is drawn anew is kept as long as others may meet it.
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
          what: "it meets the land of a folder beside it, "
            + String(decoding: path(Int(lands[first].index)), as: UTF8.self))
      },
      leave: { rings[$0] = nil })
    return separations
  }
}
