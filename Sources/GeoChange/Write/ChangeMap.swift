import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem

/// Writes the nodes that differ and the folders that contain them, or all nodes, in the order of
/// the map.
struct ChangeMap {
  let tree: ChangeTree
  private let engine: GeoProjectionEngine
  private let request: ChangeMapRequest
  let writer: FeatureWriter
  private let tintsOfRoots: [UInt8]
  private var next = 0
  /// The places of the sub-folders of each ancestor of the next folder.
  private var places: [[FolderPlace]] = []
  private var tints: [[UInt8]] = []

  // Buffers, kept to be reused.
  private var ring: [Coordinate] = []
  private var filePlaces: [FilePlace] = []

  private static let portion = 128 * 1024

  init(
    _ tree: ChangeTree, _ engine: GeoProjectionEngine, _ request: ChangeMapRequest,
    faults: FirstFaults
  ) {
    self.tree = tree
    self.engine = engine
    self.request = request
    var options = WriterOptions()
    options.table = .changes
    let format =
      request.isPage
      ? .page(request.frame(), data: tree.page(of: request.states, faults, by: engine))
      : request.format.ofMap ?? .geojson
    writer = FeatureWriter(format: format, options: options)
    tintsOfRoots = request.isPage ? engine.tintsOfRoots() : []
  }

  func header(isPartial: Bool) -> MapHeader {
    var header = MapHeader(
      layout: request.comparison.layout, labels: tree.labels, isPartial: isPartial)
    header.states = request.states
    return header
  }

  /// Returns nil at the end.
  mutating func write(to buffer: inout OutputBuffer) -> MapSummary? {
    if next >= tree.folders.count { return nil }
    var summary = MapSummary()
    summary.changes = ChangeCounts()
    while next < tree.folders.count, buffer.count < Self.portion {
      let index = next
      next = enter(index, &summary, to: &buffer) ? index + 1 : Int(tree.folders[index].end)
    }
    return summary
  }

  /// Returns whether to continue with its sub-folders.
  private mutating func enter(
    _ index: Int, _ summary: inout MapSummary, to buffer: inout OutputBuffer
  ) -> Bool {
    let folder = tree.folders[index]
    guard
      request.comparison.keepsAll || folder.holds || folder.known.change != .none || request.isPage
    else { return false }
    let depth = Int(folder.depth)
    // Nodes that can't be read from the scratch file are not written.
    if tree.failure != nil || depth > places.count { return false }
    places.removeLast(places.count - depth)
    if request.isPage { tints.removeLast(tints.count - depth) }
    let place = (places.last ?? engine.roots)[Int(folder.number)]
    let filter = request.filter
    let verdict =
      filter.isActive ? filter.verdict(on: place, by: engine, ring: &ring) : .entered
    if verdict == .hidden { return false }
    let path = tree.path(of: index)
    writer.enterFolder(path: path)
    writeFolder(index, at: place, &summary, to: &buffer)
    if verdict != .entered || !folder.known.isListed { return false }

    let contents = engine.contents(
      of: place, folders: tree.names(ofChildren: folder.children),
      fileCount: folder.known.fileCount)
    places.append(contents.folders)
    if request.isPage { tints.append(engine.tints(in: contents)) }
    if filter.admits(contents.city, depth: depth + 1) {
      let towns = request.isPage ? engine.towns(in: contents) : []
      writeFiles(of: folder, in: contents.city, towns, &summary, to: &buffer)
    }
    return true
  }

  private mutating func writeFolder(
    _ index: Int, at place: FolderPlace, _ summary: inout MapSummary, to buffer: inout OutputBuffer
  ) {
    let folder = tree.folders[index]
    let coordinate = engine.coordinate(of: place)
    guard request.filter.shows(place, at: coordinate) else { return }
    if !request.comparison.selection.showsFolders {
      summary.excluded.add(for: .type)
      return
    }
    summary.folders += 1
    let known = folder.known
    if known.isUnreadable { summary.unreadable += 1 }
    // CSV has no coast lines.
    if request.format != .csv { engine.coastline(of: place, into: &ring) }
    var record = FeatureRecord(
      place: place, coordinate: coordinate, entries: known.entries < 0 ? nil : known.entries,
      modified: known.modified, isUnreadable: known.isUnreadable)
    record.isLoop = known.isLoop
    var parts = FeatureParts(of: .directory, tree.difference(ofFolder: index))
    var shape = FolderShape(ring: ring)
    if request.isPage { complete(&record, &shape, &parts, at: place, index) }
    writer.setParts(parts)
    writer.writeFolder(record, shape, to: &buffer)
  }

  /// Adds members for a page: the totals below the folder, in both states if it differs, and the
  /// cell of its land.
  private func complete(
    _ record: inout FeatureRecord, _ shape: inout FolderShape, _ parts: inout FeatureParts?,
    at place: FolderPlace, _ index: Int
  ) {
    if place.isLanded, place.depth > 0 { engine.cellOutline(of: place, into: &shape.cell) }
    shape.tint = (tints.last ?? tintsOfRoots)[Int(tree.folders[index].number)]
    guard let sums = tree.sums(ofFolder: index) else { return }
    record.totals = FolderTotals(
      files: sums.new.files, bytes: sums.new.bytes(.bytes),
      allocated: tree.measure == .allocated ? sums.new.bytes(.allocated) : nil)
    parts?.states = sums.totals(tree.measure)
  }

  private mutating func writeFiles(
    of folder: ChangeTree.Folder, in city: City, _ towns: [TownGround],
    _ summary: inout MapSummary, to buffer: inout OutputBuffer
  ) {
    if folder.files.isEmpty { return }
    var names = NameTable()
    var shown: [Int32] = []
    for number in folder.files {
      let file = tree.files[Int(number)]
      // A file whose change is before `since` is shown as unchanged if it exists.
      if file.change == .none, !request.comparison.keepsAll || file.facts.status == .vanished {
        continue
      }
      shown.append(number)
      tree.names.with(file.name) { names.append($0, kind: file.facts.kind) }
    }
    engine.placeFiles(names, 0..<names.count, in: city, into: &filePlaces)
    let batch = FileBatch(
      depth: Int(folder.depth) + 1, digits: city.digits, minzoom: city.minzoom, towns: towns)
    let box = request.filter.box
    for (position, number) in shown.enumerated()
    where box?.meets(filePlaces[position].coordinate, digits: city.digits) ?? true {
      let file = tree.files[Int(number)]
      summary.changes?.add(file.change)
      let difference = file.change == .none ? nil : tree.difference(ofFile: Int(number))
      var parts = FeatureParts(of: file.facts.kind, difference)
      if request.isPage { parts?.states = file.states(tree.measure) }
      writer.setParts(parts)
      summary += writer.writeFiles(
        names, position..<(position + 1), places: [filePlaces[position]], facts: [file.facts],
        batch, to: &buffer)
    }
  }
}

package struct ChangeMapRequest: Sendable {
  package var comparison: Comparison
  package var states: [MapState]
  package var filter = MapFilter()
  /// The output format, which must be able to hold changes.
  package var format = FileFormat.geojson
  /// A page also has the unchanged folders, as the land below everything else.
  package var isPage: Bool { format == .html }
  /// Makes the page around the rows, when the map is written.
  package var frame: @Sendable () -> PageFrame

  package var maximumNodes: Int { isPage ? PageFrame.maximumNodes : .max }

  package init(
    _ comparison: Comparison, states: [MapState],
    frame: @autoclosure @escaping @Sendable () -> PageFrame
  ) {
    self.comparison = comparison
    self.states = states
    self.frame = frame
  }

  package func open() async throws(MapError) -> ChangeStream {
    ChangeStream(self, try await comparison.start())
  }
}
