import GeoCore
import GeoFormats
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

/// What is to be mapped, and how it is to be written.
package struct MapRequest: Sendable {
  /// The folders to map, each under a label of its own.
  package var roots: [ScanRoot]
  /// The part of the world to map; nil for all of it. It says the layout and where all is; the roots
  /// say where its folders are on this machine.
  package var shard: ShardManifest?
  /// How sub-folders come by their land.
  package var layout = Layout.settled
  /// Which nodes are shown.
  package var filter = MapFilter()
  /// Which entries are shown, wherever they are.
  package var selection = Selection()
  /// In which format the map is written.
  package var format = OutputFormat.geojson
  /// Whether each feature says at which zoom tippecanoe is to show it first.
  package var tippecanoe = false
  /// Whether files say where they are beside their geometry.
  package var lonlat = false
  /// Whether the map has an index, where its format has one.
  package var isIndexed = true
  /// How the map is packed, where its format has a choice; nil for the usual.
  package var compression: Compression?
  /// Whether every text of a table stands in quotes.
  package var quotesAll = false
  /// Whether a first pass adds up what is below each folder.
  package var totals = false
  /// Whether nodes are given with their coast lines; of no account where text is written.
  package var outlines = false
  /// How the folders are read.
  package var scan = FileSystemScanner.Options()

  /// What features are to say beyond what they always do.
  package var writerOptions: WriterOptions {
    var options = WriterOptions()
    options.tippecanoe = tippecanoe
    options.totals = totals
    options.links = scan.countsLinks
    options.loops = scan.followsLinks(in: roots)
    options.lonlat = lonlat
    options.isIndexed = isIndexed
    options.compression =
      compression ?? (format.traits.contains(.compression) ? .gzip : .none)
    options.quotesAll = quotesAll
    return options
  }

  /// The usual map of the given folders.
  package init(roots: [ScanRoot]) { self.roots = roots }

  /// Has a list read in place of the only root's folder, which need not be there.
  ///
  /// - Throws: ``MapError``, if the list can't be opened, or goes against what is asked for.
  package mutating func read(_ list: ListSource) throws(MapError) {
    if let conflict = conflict(with: list) { throw .conflict(conflict) }
    if roots.count > 1 { throw .severalRootsOfList }
    do throws(ListError) {
      let source = try ListTree(opening: list)
      for index in roots.indices { roots[index].source = source }
    } catch {
      throw .list(error)
    }
  }
}

/// The roots of a world, in the byte order of their labels, and where they are on the map.
package struct WorldRoots: Sendable {
  package let roots: [ScanRoot]
  package let engine: GeoProjectionEngine

  /// All labels, in the order of their bytes.
  package var labels: [[UInt8]] { roots.map(\.label) }

  /// Looks whether some folders can stand on one map.
  ///
  /// - Parameter areThere: Whether they have to be there.
  /// - Throws: ``MapError``.
  package init(_ roots: [ScanRoot], _ layout: Layout, areThere: Bool = true) throws(MapError) {
    self.roots = try Self.checked(roots, areThere: areThere)
    engine = try Self.engine(layout, self.roots.map(\.label))
  }

  /// Roots that can stand on one map, in their order.
  static func checked(_ roots: [ScanRoot], areThere: Bool) throws(MapError) -> [ScanRoot] {
    do throws(RootError) {
      try RootLabel.validate(roots.lazy.map { ($0.label, $0.directory) })
    } catch {
      throw .refusedRoot(error)
    }
    let sorted = roots.sorted { $0.label.lexicographicallyPrecedes($1.label) }
    for root in sorted where areThere {
      do throws(ScanRoot.Failure) {
        try root.check()
      } catch {
        throw MapError(error, directory: root.directory)
      }
    }
    return sorted
  }

  /// The engine of a world.
  static func engine(
    _ layout: Layout, _ labels: [[UInt8]]
  ) throws(MapError) -> GeoProjectionEngine {
    do throws(ProjectionError) {
      return try GeoProjectionEngine(
        layout: layout, labels: NameTable(labels, kind: .directory))
    } catch {
      switch error {
      case .landlessRoot(let index): throw .landlessRoot(label: labels[index])
      }
    }
  }
}

/// Puts the stages together: scan → project → tier → emit.
package enum MapPipeline {
  /// Begins to map.
  ///
  /// All that can be wrong with a request is found here, before a byte is written.
  ///
  /// - Throws: ``MapError``.
  package static func open(_ request: MapRequest) async throws(MapError) -> MapStream {
    let survey = try MapJob(request)
    let (format, options) = (request.format, request.writerOptions)
    let pool = ChunkPool()
    let batches = try await survey.start {
      FeatureOutput(writer: FeatureWriter(format: format, options: options), pool: pool)
    }
    let isPartial =
      request.filter.isActive || request.selection.isActive
      || request.roots.contains { $0.source.isPartial }
    let reasons = request.exclusionReasons
    let frame =
      if let manifest = request.shard {
        MapFrame.part(
          PartHeader(
            manifest, isPartial: isPartial, reasons: reasons,
            format: request.format, options: request.fingerprint))
      } else {
        MapFrame.whole(
          MapHeader(
            layout: request.layout, labels: survey.labels, isPartial: isPartial))
      }
    return MapStream(
      format: format, options: options, threads: request.scan.threads ?? FileSystem.processors,
      frame: frame,
      excluded: ExclusionCounts(asking: reasons), batches: batches, pool: pool,
      mismatch: survey.mismatch, places: survey.roots.map(\.label))
  }

  /// Begins to map, into nodes instead of text; the request's format doesn't matter.
  ///
  /// - Throws: ``MapError``.
  package static func openNodes(_ request: MapRequest) async throws(MapError) -> NodeStream {
    let survey = try MapJob(request)
    let outlines = request.outlines
    let batches = try await survey.start { NodeOutput(keepsOutlines: outlines) }
    return NodeStream(batches: batches, mismatch: survey.mismatch)
  }

  /// Roots that can stand on one map, in the order of their labels.
  ///
  /// - Parameter readsDisk: Whether they have to be there.
  /// - Throws: ``MapError``.
  package static func roots(
    _ roots: [ScanRoot], readsDisk: Bool
  ) throws(MapError) -> [ScanRoot] {
    try WorldRoots.checked(roots, areThere: readsDisk)
  }
}

extension MapRequest {
  /// Why entries can be left out: by what is selected, or by what was when a root was kept.
  var exclusionReasons: [ExclusionReason] {
    let before = roots.flatMap(\.source.exclusionReasons)
    return ExclusionReason.allCases.filter {
      selection.reasons.contains($0) || before.contains($0)
    }
  }
}
