import GeoCore

extension GeoProjectionEngine {
  /// Places all sub-folders of one folder, and finds where its files are.
  ///
  /// With layout ``Layout/pinned``, or where `parent` is landless, siblings don't matter, and a
  /// table of one name gives that folder's place.
  ///
  /// - Parameters:
  ///   - names: The names of all sub-folders, in any order.
  ///   - parent: The folder that they are in.
  ///   - fileCount: How many entries of the parent's listing are no folders; it decides from which
  ///     zoom on files, and sub-folders without land, are visible.
  ///   - places: Replaced by the places, in the table's order.
  /// - Returns: The parent's city.
  /// - Complexity: O(n log n); one allocation for two sub-folders or more.
  @discardableResult
  public func placeFolders(
    _ names: NameTable, in parent: FolderPlace, fileCount: Int, into places: inout [FolderPlace]
  ) -> City {
    places.removeAll(keepingCapacity: true)
    if names.isEmpty { return city(of: parent, fileCount: fileCount) }
    places.reserveCapacity(names.count)

    var child = parent
    child.depth = parent.depth == .max ? .max : parent.depth + 1
    child.isLanded = false
    let bytes = names.bytes.span
    for record in names.records {
      child.seed = XXH64.hash(bytes.extracting(record.range), seed: parent.seed)
      places.append(child)
    }
    // Of a landless parent everything that the children need is theirs already.
    guard parent.isLanded else { return City(ofLandless: parent) }

    let ground = Ground(territory: parent.land, seed: parent.seed, depth: parent.depth)
    let city = City(
      of: parent, ground: ground, layout: layout,
      taken: LotSet(takenBy: places, depth: parent.depth), fileCount: fileCount)
    switch layout {
    case .settled:
      Self.share(
        ground.countryside, among: names, seed: parent.seed,
        lotBits: ShareOut.lotBits(depth: parent.depth), into: &places)
    case .pinned:
      for index in places.indices {
        places[index].land = ShareOut.pinnedCell(
          in: ground.countryside, seed: parent.seed, key: places[index].key)
      }
    }
    for index in places.indices {
      let cell = places[index].land
      if !places[index].settle(inCell: cell, parent: parent.minzoom) {
        places[index].land = city.frame
        places[index].digits = city.digits
        places[index].minzoom = city.minzoom
      }
    }
    return city
  }

  /// Puts each place's cell into its `land`.
  static func share(
    _ quad: Quad, among names: NameTable, seed: UInt64, lotBits: Int,
    into places: inout [FolderPlace]
  ) {
    var claims: [ShareOut.Claim] = []
    claims.reserveCapacity(places.count)
    for index in places.indices {
      claims.append(ShareOut.Claim(key: places[index].key, index: index))
    }
    claims.sort { a, b in
      if a.key != b.key { return a.key < b.key }
      let (x, y) = (names.records[a.index].range, names.records[b.index].range)
      return names.bytes.span.orders(x, before: y)
    }
    ShareOut(seed: seed, lotBits: lotBits).share(quad, among: claims.span, into: &places)
  }
}

extension FolderPlace {
  /// What decides about a folder's land: the first number of its seed.
  var key: UInt64 { SplitMix64.number(seed, 0) }

  /// A root that has no land yet.
  init(rootSeed seed: UInt64) {
    self.init(seed: seed, land: .land, depth: 0, digits: 6, minzoom: 0, isLanded: false)
  }

  /// Takes the territory in a cell, if it is large enough.
  ///
  /// - Parameters:
  ///   - cell: What the parent gave.
  ///   - parent: The parent's minzoom, 0 for a root.
  /// - Returns: Whether the folder owns land now; if not, nothing has changed.
  mutating func settle(inCell cell: Quad, parent: UInt8) -> Bool {
    let territory = Ground.territory(in: cell)
    let breadth = territory.breadth
    if breadth < Ground.horizon { return false }
    land = territory
    digits = Degrees.digits(breadth: breadth)
    minzoom = Minzoom.folder(breadth: breadth, depth: depth, parent: parent)
    isLanded = true
    return true
  }
}
