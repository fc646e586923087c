import GeoCore
import GeoFormats
import GeoProjection
import GeoSources
import GeoTree

/// What to map, and how to write it.
package struct MapRequest: TreeRequest, Sendable {
  /// The folders to map, each with a different label.
  package var roots: [ScanRoot]
  package var layout = Layout.settled
  package var filter = MapFilter()
  package var selection = Selection()
  package var format = OutputFormat.geojson
  package var tippecanoe = false
  /// Whether files have their coordinates as members or columns, in addition to the geometry.
  package var lonlat = false
  /// Whether the map has an index, if its format supports one.
  package var isIndexed = true
  /// The compression, if the format supports it; nil for the format's default.
  package var compression: Compression?
  package var quotesAll = false
  /// Whether a first pass adds up the totals of each folder.
  package var totals = false
  /// Values of the user's own at nodes; nil for none.
  package var layers: LayerSet?
  /// Whether nodes have their coast lines; ignored where text is written.
  package var outlines = false
  package var scan = FileSystemScanner.Options()

  package var writerOptions: WriterOptions {
    var options = WriterOptions()
    options.tippecanoe = tippecanoe
    options.totals = totals
    options.links = scan.countsLinks
    options.loops = scan.followsLinks(in: roots)
    options.lonlat = lonlat
    options.isIndexed = isIndexed
    options.compression = compression ?? (format.traits.contains(.compression) ? .gzip : .none)
    options.quotesAll = quotesAll
    options.layers = layers?.schema ?? .none
    return options
  }

  package init(roots: [ScanRoot]) { self.roots = roots }
}

/// A request to read trees, which a list can replace.
package protocol TreeRequest {
  var roots: [ScanRoot] { get set }

  /// The first two options that exclude each other if a list is read in place of a disk.
  func conflict(with list: ListSource?) -> MapError.Conflict?
}

extension TreeRequest {
  package var conflict: MapError.Conflict? { conflict(with: nil) }

  /// Reads a list in place of the only root's folder, which need not exist.
  package mutating func read(_ list: ListSource) throws(MapError) {
    try check(list)
    try read(rethrowing(ListTree(opening: list), as: MapError.list))
  }

  package mutating func read(_ tree: ListTree) throws(MapError) {
    try check(tree.list)
    for index in roots.indices { roots[index].source = tree }
  }

  private func check(_ list: ListSource) throws(MapError) {
    if let conflict = conflict(with: list) { throw .conflict(conflict) }
    if roots.count > 1 { throw .severalRootsOfList }
  }
}

/// The roots of a world, in the byte order of their labels, and their places on the map.
package struct WorldRoots: Sendable {
  package let roots: [ScanRoot]
  package let engine: GeoProjectionEngine

  package var labels: [[UInt8]] { roots.map(\.label) }

  package init(_ roots: [ScanRoot], _ layout: Layout, areThere: Bool = true) throws(MapError) {
    self.roots = try Self.checked(roots, areThere: areThere)
    let labels = NameTable(self.roots.map(\.label), kind: .directory)
    engine = try rethrowing(
      GeoProjectionEngine(layout: layout, labels: labels), as: MapError.refusedRoot)
  }

  /// Checks roots and sorts them by label.
  static func checked(_ roots: [ScanRoot], areThere: Bool) throws(MapError) -> [ScanRoot] {
    try rethrowing(
      RootLabel.validate(roots.lazy.map { ($0.label, $0.directory) }), as: MapError.refusedRoot)
    let sorted = roots.sorted { $0.label.lexicographicallyPrecedes($1.label) }
    for root in sorted where areThere {
      try rethrowing(root.check()) { MapError($0, directory: root.directory) }
    }
    return sorted
  }
}

/// Connects the stages: scan → project → tier → emit.
package enum MapPipeline {
  /// Every fault of the request is found here, before a byte is written.
  package static func open(_ request: MapRequest) async throws(MapError) -> MapStream {
    let job = try MapJob(request)
    let (format, options) = (request.format, request.writerOptions)
    let pool = ChunkPool()
    let batches = try await job.start {
      FeatureOutput(writer: FeatureWriter(format: format, options: options), pool: pool)
    }
    let isPartial =
      request.filter.isActive || request.selection.isActive
      || request.roots.contains { $0.source.isPartial }
    var header = MapHeader(layout: request.layout, labels: job.world.labels, isPartial: isPartial)
    header.layers = options.layers.layers
    return MapStream(request: request, header: header, batches: batches, pool: pool)
  }

  /// Starts mapping into nodes instead of text; the request's format is ignored.
  package static func openNodes(_ request: MapRequest) async throws(MapError) -> NodeStream {
    let outlines = request.outlines
    return NodeStream(
      batches: try await MapJob(request).start { NodeOutput(keepsOutlines: outlines) })
  }

  package static func roots(_ roots: [ScanRoot], readsDisk: Bool) throws(MapError) -> [ScanRoot] {
    try WorldRoots.checked(roots, areThere: readsDisk)
  }
}

extension MapRequest {
  /// Why entries can be left out: because of this selection, or of the source's own.
  var exclusionReasons: [ExclusionReason] {
    let before = roots.flatMap(\.source.exclusionReasons)
    return ExclusionReason.allCases.filter {
      selection.reasons.contains($0) || before.contains($0)
    }
  }
}
