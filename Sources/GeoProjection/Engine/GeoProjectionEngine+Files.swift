import GeoCore

extension GeoProjectionEngine {
  /// The city of a folder: all that is needed to place its files.
  ///
  /// If the sub-folders are placed as well, ``placeFolders(_:in:fileCount:into:)`` returns it.
  package func city(
    of folder: FolderPlace, fileCount: Int, taken: LotSet = LotSet()
  ) -> City {
    guard folder.isLanded else { return City(ofLandless: folder) }
    let ground = Ground(territory: folder.land, seed: folder.seed, depth: folder.depth)
    return City(of: folder, ground: ground, layout: layout, taken: taken, fileCount: fileCount)
  }

  /// Places a batch of files.
  ///
  /// - Parameters:
  ///   - names: A table with their names.
  ///   - range: The range of their records, within the table.
  ///   - city: The city of their folder.
  ///   - places: Replaced by the places, in the table's order.
  /// - Complexity: O(n); a few dozen nanoseconds a file.
  public func placeFiles(
    _ names: NameTable, _ range: Range<Int>, in city: City, into places: inout [FilePlace]
  ) {
    var frames = FileFrames()
    placeFiles(names, range, in: city, &frames, into: &places)
  }

  /// Places a batch of files, with reused memory.
  ///
  /// - Parameter frames: Of any city; keeps the lots of this city for its next batch.
  package func placeFiles(
    _ names: NameTable, _ range: Range<Int>, in city: City, _ frames: inout FileFrames,
    into places: inout [FilePlace]
  ) {
    frames.enter(city)
    places.resize(
      to: range.count, FilePlace(seed: 0, coordinate: Coordinate(longitude: 0, latitude: 0)))
    let degrees = Degrees(digits: city.digits)
    let bytes = names.bytes.span
    let records = names.records.span.extracting(range)
    var span = places.mutableSpan
    // Each stage processes a batch that fits the cache: its independent items overlap in the
    // processor.
    var start = 0
    while start < records.count {
      let batch = start..<min(start + 64, records.count)
      for index in batch {
        let name = bytes.extracting(records[index].range)
        span[index].seed = XXH64.hash(name, seed: city.folderSeed)
      }
      spread(&span, batch, over: &frames)
      project(&span, batch, degrees)
      start = batch.upperBound
    }
  }

  /// Computes the points on the plan for places with seeds. The coordinates hold units of the plan
  /// until they are charted.
  @inline(__always)
  private func spread(
    _ places: inout MutableSpan<FilePlace>, _ batch: Range<Int>, over frames: inout FileFrames
  ) {
    // The coordinates first hold the numbers of the quads, so that all lots can be cut together.
    var needed: UInt32 = 0
    if frames.hasLots {
      for index in batch {
        let number = frames.number(of: places[index].seed)
        needed |= 1 &<< UInt32(truncatingIfNeeded: number)
        places[index].coordinate.longitude = Int64(number)
      }
    }
    if needed <= 1 {
      for index in batch {
        places[index].coordinate = Coordinate(frames.home.point(of: places[index].seed))
      }
      return
    }
    frames.draw(LotSet(rawValue: UInt16(truncatingIfNeeded: needed >> 1)))
    for index in batch {
      let number = Int(places[index].coordinate.longitude)
      places[index].coordinate = Coordinate(frames.point(of: places[index].seed, in: number))
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
      // If fewer than four are left, the last one fills the other slots.
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
  ///   - city: The city of its folder.
  public func placeFile(_ name: Span<UInt8>, in city: City) -> FilePlace {
    let seed = XXH64.hash(name, seed: city.folderSeed)
    var frames = FileFrames(of: city)
    let charted = chart(frames.point(of: seed))
    return FilePlace(seed: seed, coordinate: Degrees(digits: city.digits).coordinate(charted))
  }
}

extension Coordinate {
  fileprivate init(_ plan: PlanPoint) { self.init(longitude: plan.x, latitude: plan.y) }
}
