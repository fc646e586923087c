import GeoChange
import GeoFormats
import GeoCore
import GeoProjection
import GeoTree

package struct NodeWriter {
  let world: World
  private let known: Knowledge
  private let layers: LayerAnswers
  private var ring: [Coordinate] = []
  /// By depth: the last folder whose box was needed. Consecutive folders mostly share their
  /// ancestors.
  private var boxes: [(place: FolderPlace, corners: (Coordinate, Coordinate))?] = []

  package static let defaultChildren = 200
  package static let maximumChildren = 20_000

  package init(_ world: World, totals: TreeTotals? = nil, changes: ChangeTree? = nil) {
    self.world = world
    known = Knowledge(totals, changes)
    layers = LayerAnswers(of: world, totals)
  }

  package mutating func feature(of found: World.Found) -> [UInt8]? {
    guard let node = world.node(found, asksFacts: true) else { return nil }
    var buffer = OutputBuffer(capacity: 2048)
    var features = NodeFeatures(
      FeatureWriter(format: .geojsonl), engine: world.engine, changes: known.changes)
    features.write(node, to: &buffer)
    return Array(buffer.bytes.dropLast())
  }

  /// The corners of the box around a folder; both are its point if it has no land.
  private mutating func corners(
    of place: FolderPlace
  ) -> (southWest: Coordinate, northEast: Coordinate) {
    let depth = Int(place.depth)
    while boxes.count <= depth { boxes.append(nil) }
    if let known = boxes[depth], known.place == place { return known.corners }
    world.engine.coastline(of: place, into: &ring)
    let point = world.engine.coordinate(of: place)
    let corners = Coordinate.corners(of: ring) ?? (point, point)
    boxes[depth] = (place, corners)
    return corners
  }

  package mutating func putBox(of place: FolderPlace, to json: inout JSONBuilder) {
    let (southWest, northEast) = corners(of: place)
    json.put(boxFrom: southWest, to: northEast, digits: place.digits)
  }

  /// With more roots than this, a page requests their coasts itself.
  private static let maximumCoasts = 8

  /// With more roots than this, a page shows all of their ground at the start.
  private static let maximumTaken = 64

  /// Adds the roots as `roots`: their labels, places and boxes.
  ///
  /// - Parameter withCoasts: Whether `coast` is added, with alternating longitudes and latitudes, and
  ///   `taken` and `islets`, the extent of their sub-folders and the places of their files, unless
  ///   there are many roots.
  package mutating func putRoots(withCoasts: Bool, to json: inout JSONBuilder) {
    json.member("roots", objects: world.roots.indices) { index, json in
      let place = world.engine.roots[index]
      json.member("label", path: world.roots[index].label)
      json.member("id", Int64(place.id))
      putBox(of: place, to: &json)
      json.put(world.engine.coordinate(of: place), digits: place.digits)
      if !withCoasts { return }
      if world.roots.count <= Self.maximumCoasts { putCoast(of: place, to: &json) }
      if world.roots.count <= Self.maximumTaken { putTaken(ofRoot: index, to: &json) }
    }
  }

  private mutating func putCoast(of place: FolderPlace, to json: inout JSONBuilder) {
    world.engine.coastline(of: place, into: &ring)
    json.member("coast", degreesOf: ring, digits: place.digits)
  }

  /// With more files than this, a page shows the ground of a root's own files.
  private static let maximumIslets = 300

  /// Adds `taken`, the box around the sub-folders and files of a root, as `[W,S,E,N]`, and `islets`,
  /// the places of its files, unless there are very many. Of very many, the first ones decide the box.
  private mutating func putTaken(ofRoot index: Int, to json: inout JSONBuilder) {
    let place = world.engine.roots[index]
    let folder = world.reader().root(index)
    var points: [Coordinate] = []
    for file in 0..<min(folder.files.count, Self.maximumChildren) {
      let name = folder.files.name(at: file)
      let point = world.engine.placeFile(name.span, in: folder.city).coordinate
      points.append(point.scaled(from: folder.city.digits, to: place.digits))
    }
    if folder.files.count <= Self.maximumIslets {
      json.member("islets", degreesOf: points, digits: place.digits)
    }
    for child in folder.places.prefix(Self.maximumChildren) {
      let (southWest, northEast) = corners(of: child)
      points.append(southWest.scaled(from: child.digits, to: place.digits))
      points.append(northEast.scaled(from: child.digits, to: place.digits))
    }
    guard let (southWest, northEast) = Coordinate.corners(of: points) else { return }
    json.member("taken", degreesOf: [southWest, northEast], digits: place.digits)
  }

  /// The full description of a node; nil if it is gone.
  ///
  /// - Parameters:
  ///   - file: Its path on this machine, if it is to be included.
  ///   - summary: Adds what summaries add, and the coordinates of files, for sites.
  package mutating func answer(
    about found: World.Found, children: Int, file: [UInt8]? = nil, summary: SummaryWriter? = nil
  ) -> [UInt8]? {
    guard let feature = feature(of: found) else { return nil }
    return JSONBuilder.object { json in
      json.key("feature")
      json.value(raw: feature)
      if let file = found.file {
        let (name, city) = (found.folder.files.name(at: file), found.folder.city)
        let point = world.engine.placeFile(name.span, in: city).coordinate
        json.put(boxFrom: point, to: point, digits: city.digits)
      } else {
        putBox(of: found.folder.place, to: &json)
      }
      if let file { json.member("file", path: file) }
      json.member("ancestors", each: found.ancestors.dropLast(found.file == nil ? 1 : 0)) {
        put($0, to: &$1)
      }
      if let file = found.file {
        layers.put(file: file, of: found.folder, by: found.reader, to: &json)
      } else {
        let numbers = known.numbers(of: found.folder.path)
        layers.put(folder: numbers.total, to: &json)
        json.key("children")
        putChildren(of: found, numbers, limit: children, summary: summary, to: &json)
        putTotals(of: found.folder, numbers.total, to: &json)
        if let states = known.states(of: numbers) {
          var parts = FeatureParts(of: .directory)
          parts.states = states
          json.put(parts)
        }
        summary?.putMore(about: found.folder, to: &json)
      }
    }
  }

  package mutating func put(_ folder: WorldFolder, to json: inout JSONBuilder) {
    json.object { json in
      let place = folder.place
      json.member("path", path: folder.path)
      json.member("name", text: Array(folder.path.lastComponent))
      var record = FeatureRecord(place)
      record.locate(at: world.engine.coordinate(of: place), digits: place.digits)
      json.put([.kind, .id, .lon, .lat], of: record)
      putBox(of: place, to: &json)
      json.put([.minzoom], of: record)
    }
  }

  private func putTotals(of folder: WorldFolder, _ number: Int, to json: inout JSONBuilder) {
    guard let totals = known.totals, totals[number] != nil else { return }
    var record = FeatureRecord(folder.place)
    totals.complete(&record, number)
    json.member("totals") { json in
      json.put([.files, .bytes, .allocated, .newest], of: record)
      guard let details = totals.details(of: number) else { return }
      json.member("types") { json in
        for type in FileType.allCases where details.bytes[Int(type.rawValue)] > 0 {
          json.member(type.word.description, details.bytes[Int(type.rawValue)])
        }
      }
    }
  }

  /// Adds the entries of a folder, sub-folders first, each by name.
  private func putChildren(
    of found: World.Found, _ parent: Knowledge.Numbers, limit: Int, summary: SummaryWriter?,
    to json: inout JSONBuilder
  ) {
    let folder = found.folder
    let numbers = known.numbers(of: folder.folders, in: parent)
    json.object { json in
      json.member("total", Int64(folder.files.count + folder.folders.count))
      json.member("folders", Int64(folder.folders.count))
      json.member("files", Int64(folder.files.count))
      if summary != nil { json.member("minzoom", Int64(folder.city.minzoom)) }
      json.key("shown")
      json.array { json in
        for index in 0..<min(folder.folders.count, limit) {
          json.object { json in
            json.member(name: folder.folders.name(at: index))
            var record = FeatureRecord(folder.places[index])
            let number = numbers[index]
            known.totals?.complete(&record, number.total)
            json.put([.kind, .id], of: record)
            var parts = FeatureParts(of: .directory, known.difference(of: number))
            if let states = known.states(of: number) { parts?.states = states }
            json.put(parts)
            summary?.putMore(aboutFolder: index, of: folder, number.total, record, to: &json)
            json.put([.files, .bytes, .newest, .type], of: record)
            layers.put(folder: number.total, to: &json)
          }
        }
        putFiles(
          of: found, limit: limit - folder.folders.count, summary, changesIn: parent.change,
          to: &json)
      }
    }
  }

  private func putFiles(
    of found: World.Found, limit: Int, _ summary: SummaryWriter?, changesIn changed: Int,
    to json: inout JSONBuilder
  ) {
    let folder = found.folder
    var names = NameTable()
    for index in 0..<max(0, min(folder.files.count, limit)) {
      names.append(from: folder.files, at: index)
    }
    if names.isEmpty { return }
    let facts =
      names.count == folder.files.count
      ? found.reader.facts(in: folder) : found.reader.facts(of: names, in: folder)
    let room = summary?.unusualRoom(ofFilesIn: folder) ?? []
    for index in 0..<names.count where facts[index].status != .vanished {
      json.object { json in
        let name = names.name(at: index)
        json.member(name: name)
        var record = FeatureRecord(
          id: XXH64.hash(name.span, seed: folder.city.folderSeed) >> 11, kind: .poi,
          depth: Int(folder.place.depth) + 1, minzoom: folder.city.minzoom)
        record.set(facts[index])
        record.newest = record.modified
        record.type = FileType(ofFileNamed: name.span).word
        json.put([.kind, .id, .size, .newest, .type, .special], of: record)
        json.put(known.changes?.parts(ofFile: name.span, facts[index].kind, in: changed))
        if summary != nil {
          if !room.isEmpty { json.member("allocated", room[index]) }
          let place = world.engine.placeFile(name.span, in: folder.city)
          record.locate(at: place.coordinate, digits: folder.city.digits)
          json.put([.lon, .lat], of: record)
        }
        layers.put(file: index, of: folder, by: found.reader, to: &json)
      }
    }
  }
}

extension Coordinate {
  /// The coordinate with another number of digits, toward zero.
  fileprivate func scaled(from digits: UInt8, to other: UInt8) -> Coordinate {
    var (longitude, latitude) = (longitude, latitude)
    for _ in 0..<max(0, Int(digits) - Int(other)) {
      longitude /= 10
      latitude /= 10
    }
    for _ in 0..<max(0, Int(other) - Int(digits)) {
      longitude *= 10
      latitude *= 10
    }
    return Coordinate(longitude: longitude, latitude: latitude)
  }
}
