import GeoPath

extension GeoProjectionEngine {
  /// The city of a folder: all that is needed to place its files.
  ///
  /// - Parameters:
  ///   - folder: The folder, with land or without.
  ///   - fileCount: How many entries of its listing are no folders.
  public func city(of folder: FolderPlace, fileCount: Int) -> City {
    guard folder.isLanded else {
      return City(
        folderSeed: folder.seed, frame: folder.land, digits: folder.digits, minzoom: folder.minzoom)
    }
    let ground = Ground(territory: folder.land, seed: folder.seed, depth: folder.depth)
    return City(of: folder, ground: ground, fileCount: fileCount)
  }

  /// Places a batch of files.
  ///
  /// - Parameters:
  ///   - names: A table that holds their names.
  ///   - range: Which of its records they are; within the table.
  ///   - city: The city of the folder that they are in.
  ///   - places: Replaced by the places, in the table's order.
  /// - Complexity: O(n); a few dozen nanoseconds a file.
  public func placeFiles(
    _ names: NameTable, _ range: Range<Int>, in city: City, into places: inout [FilePlace]
  ) {
    places.resize(
      to: range.count, FilePlace(seed: 0, coordinate: Coordinate(longitude: 0, latitude: 0)))
    let frame = Frame(city.frame)
    let degrees = Degrees(digits: city.digits)
    let bytes = names.bytes.span
    let records = names.records.span.extracting(range)
    var span = places.mutableSpan
    // Stage by stage over what fits the cache, so that the processor finds independent work.
    var start = 0
    while start < records.count {
      let end = min(start + 64, records.count)
      for index in start..<end {
        let name = bytes.extracting(records[index].range)
        let seed = XXH64.hash(name, seed: city.folderSeed)
        let plan = frame.point(of: seed)
        span[index] = FilePlace(
          seed: seed, coordinate: Coordinate(longitude: plan.x, latitude: plan.y))
      }
      project(&span, start..<end, degrees)
      start = end
    }
  }

  /// Charts places whose coordinates are still units of the plan.
  @inline(__always)
  private func project(
    _ places: inout MutableSpan<FilePlace>, _ range: Range<Int>, _ degrees: Degrees
  ) {
    let last = range.upperBound - 1
    var first = range.lowerBound
    while first <= last {
      // Fewer than four at the end: the last one is taken several times, and written once.
      let (i1, i2, i3) = (min(first + 1, last), min(first + 2, last), min(first + 3, last))
      var four = FourPoints(
        places[first].coordinate, places[i1].coordinate, places[i2].coordinate,
        places[i3].coordinate)
      chart.chart(&four)
      let (a, b, c, d) = degrees.coordinates(four)
      places[first].coordinate = a
      places[i1].coordinate = b
      places[i2].coordinate = c
      places[i3].coordinate = d
      first += 4
    }
  }

  /// Places one file.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - city: The city of the folder that it is in.
  public func placeFile(_ name: Span<UInt8>, in city: City) -> FilePlace {
    let seed = XXH64.hash(name, seed: city.folderSeed)
    let charted = chart(Frame(city.frame).point(of: seed))
    return FilePlace(seed: seed, coordinate: Degrees(digits: city.digits).coordinate(charted))
  }
}

extension City {
  /// The city of a folder that owns land.
  init(of folder: FolderPlace, ground: Ground, fileCount: Int) {
    self.init(
      folderSeed: folder.seed, frame: ground.frame, digits: folder.digits,
      minzoom: Minzoom.files(
        breadth: ground.city.breadth, count: fileCount, folder: folder.minzoom))
  }
}

/// The quad that files are spread over, as two sides and their vectors.
struct Frame {
  private let north: PlanPoint
  private let south: PlanPoint
  private let northVector: PlanPoint
  private let southVector: PlanPoint

  init(_ quad: Quad) {
    north = quad.q0
    south = quad.q3
    northVector = PlanPoint(x: quad.q1.x - quad.q0.x, y: quad.q1.y - quad.q0.y)
    southVector = PlanPoint(x: quad.q2.x - quad.q3.x, y: quad.q2.y - quad.q3.y)
  }

  /// Where the node of a seed is on the plan, in units of it: as far along as the upper half of
  /// its key says, as far down as the lower half.
  ///
  /// Sums within the plan, which fit as in ``PlanPoint``.
  @inline(__always)
  func point(of seed: UInt64) -> PlanPoint {
    let key = SplitMix64.number(seed, 0)
    let u = Int64(truncatingIfNeeded: key &>> 32)
    let v = Int64(truncatingIfNeeded: key & 0xFFFF_FFFF)
    let top = PlanPoint(
      x: north.x &+ northVector.x.scaled(by: u), y: north.y &+ northVector.y.scaled(by: u))
    let bottom = PlanPoint(
      x: south.x &+ southVector.x.scaled(by: u), y: south.y &+ southVector.y.scaled(by: u))
    return top.lerp(to: bottom, v)
  }
}
